"""Stand-in for OpenVINO 2021.4 with a model that doubles its input. Its behaviour is set by the name of the model:

refuse     cannot be read         crash     the process dies in an inference      hang     an inference never ends
pixel      its input has one pixel instead of 4 x 4       double    its input is the doctor's
STICK=1 in the environment: there is a stick. The folder NCS2_STAND_IN may have `fault` with what happens on it (fail, abort,
hang) and when (load, or after that number of runs of a process).
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

runs = 0


def _fault(moment):
    """Does what the file `fault` says for now."""
    try:
        kind, when = (Path(os.environ["NCS2_STAND_IN"]) / "fault").read_text().split()
    except (KeyError, OSError, ValueError):
        return
    if moment == "load" if when == "load" else moment == "run" and runs >= int(when):
        if kind == "abort":
            os.abort()
        while kind == "hang":
            time.sleep(3600)
        raise RuntimeError("Failed to write data to device: NC_ERROR")


class IECore:
    def __init__(self):
        self.available_devices = ["CPU", *(["MYRIAD"] if os.environ.get("STICK") else [])]

    def get_versions(self, device):
        return {device: SimpleNamespace(build_number="2021.4.2-3976-0943ed67223-refs/pull/539/head")}

    def read_network(self, model, weights=""):
        if "refuse" in model:
            raise RuntimeError(f"Unknown model format! Cannot find reader\n for {model}")
        shape = [1, 3, 1, 1] if "pixel" in model else [1, 8] if "double" in model else [1, 3, 4, 4]
        data = SimpleNamespace(shape=shape, precision="FP32")
        made = SimpleNamespace(shape=shape, precision="FP32")
        return SimpleNamespace(
            input_info={"data": SimpleNamespace(input_data=data, precision="FP32")}, outputs={"twice": made}, model=model
        )

    def load_network(self, network, device, num_requests):
        if device not in self.available_devices:
            raise RuntimeError("Can not init Myriad device: NC_ERROR")
        if device == "MYRIAD":
            _fault("load")
        return Loaded(network.model, device)


class Loaded:
    def __init__(self, model, device):
        self._model, self._device = model, device

    def infer(self, inputs):
        global runs
        if "crash" in self._model:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "hang" in self._model:
            time.sleep(3600)
        if self._device == "MYRIAD":
            _fault("run")
        runs += 1
        return {"twice": np.asarray(inputs["data"], np.float32) * 2}
