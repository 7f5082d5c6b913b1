"""Stand-in for OpenVINO 2021.4 with a model that doubles its input. Its behaviour is set by the name of the model:

refuse     cannot be read         crash     the process dies in an inference      hang     an inference never ends
STICK=1 in the environment: there is a stick.
"""

from __future__ import annotations

import os
import signal
import time
from types import SimpleNamespace

import numpy as np


class IECore:
    def __init__(self):
        self.available_devices = ["CPU", *(["MYRIAD"] if os.environ.get("STICK") else [])]

    def get_versions(self, device):
        return {device: SimpleNamespace(build_number="2021.4.2-3976-0943ed67223-refs/pull/539/head")}

    def read_network(self, model, weights=""):
        if "refuse" in model:
            raise RuntimeError(f"Unknown model format! Cannot find reader\n for {model}")
        data = SimpleNamespace(shape=[1, 3, 4, 4], precision="FP32")
        made = SimpleNamespace(shape=[1, 3, 4, 4], precision="FP32")
        return SimpleNamespace(
            input_info={"data": SimpleNamespace(input_data=data, precision="FP32")}, outputs={"twice": made}, model=model
        )

    def load_network(self, network, device, num_requests):
        if device not in self.available_devices:
            raise RuntimeError("Can not init Myriad device: NC_ERROR")
        return Loaded(network.model)


class Loaded:
    def __init__(self, model):
        self._model = model

    def infer(self, inputs):
        if "crash" in self._model:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "hang" in self._model:
            time.sleep(3600)
        return {"twice": np.asarray(inputs["data"], np.float32) * 2}
