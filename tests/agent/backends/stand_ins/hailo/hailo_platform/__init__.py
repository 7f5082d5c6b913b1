"""Stand-in for HailoRT's Python package without a device: y = scale * x + offset, in the numbers that a device stores.

A model file is `\\x01HEF` and JSON: `inputs` and `outputs` (name, shape, and `order` NHWC, NC or HAILO_NMS), `scale`, `offset`,
and the quantization of the outputs (`qp_scale`, `qp_zp`). It keeps the rules of the real package, by its public sources: a device
belongs to one process, a run needs an entered pipeline, wrong sizes and damaged files are refused by the same exceptions.

The folder HAILO_STAND_IN has `device` while there is a device, `driver` with its version if that is another one, and `fault` with
what happens (fail, abort, hang) and when (probe, load, or after that number of runs of a process).
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from enum import Enum
from pathlib import Path
from types import SimpleNamespace

import numpy as np

__version__ = "4.20.0"
BOX_NUMBERS = 5
runs = 0


class HailoRTException(Exception):  # noqa: N818 - the names of exceptions are the library's
    pass


class HailoRTInvalidHEFException(HailoRTException):
    pass


class HailoRTInvalidArgumentException(HailoRTException):
    pass


class FormatType(Enum):
    AUTO = 0
    UINT8 = 1
    UINT16 = 2
    FLOAT32 = 3


class FormatOrder(Enum):
    NHWC = 1
    NC = 8
    HAILO_NMS = 11
    HAILO_NMS_BY_SCORE = 24


class HailoStreamInterface(Enum):
    PCIe = 0


class HailoSchedulingAlgorithm(Enum):
    NONE = 0
    ROUND_ROBIN = 1


def _folder():
    return Path(os.environ["HAILO_STAND_IN"])


def _fault(moment):
    """Does what the file `fault` says for now."""
    try:
        kind, when = (_folder() / "fault").read_text().split()
    except (OSError, ValueError):
        return
    if moment == when if when in ("load", "probe") else moment == "run" and runs >= int(when):
        if kind == "abort":
            os.abort()
        while kind == "hang":
            time.sleep(3600)
        raise HailoRTException("libhailort failed with error: 4 (HAILO_TIMEOUT)")


def _driver():
    """The driver's version is that of the file `driver`, if there is one."""
    driver = _folder() / "driver"
    if driver.exists() and driver.read_text() != __version__:
        raise HailoRTException("libhailort failed with error: 76 (HAILO_INVALID_DRIVER_VERSION)")


class Device:
    def __init__(self, device_id=None):
        _driver()
        _fault("probe")
        self.control = SimpleNamespace(identify=lambda: SimpleNamespace(device_architecture="DeviceArchitectureTypes.HAILO8L"))

    @staticmethod
    def scan():
        return ["0000:01:00.0"] if (_folder() / "device").exists() else []


class HEF:
    def __init__(self, source):
        data = Path(source).read_bytes()
        try:
            if data[:4] != b"\x01HEF":
                raise ValueError
            self._model = json.loads(data[4:])
        except ValueError:
            raise HailoRTInvalidHEFException("Invalid HEF. See hailort.log for more information") from None

    def _infos(self, side):
        return [_info(each) for each in self._model[side]]

    def get_input_vstream_infos(self, name=None):
        return self._infos("inputs")

    def get_output_vstream_infos(self, name=None):
        return self._infos("outputs")


def _info(tensor):
    order = FormatOrder[tensor.get("order", "NHWC")]
    boxes = SimpleNamespace(number_of_classes=tensor.get("classes", 0), max_bboxes_per_class=tensor.get("boxes", 0))
    kind = SimpleNamespace(type=FormatType.UINT8, order=order)
    return SimpleNamespace(name=tensor["name"], shape=tuple(tensor["shape"]), format=kind, nms_shape=boxes)


class ConfigureParams:
    @staticmethod
    def create_from_hef(hef, interface):
        return {"network": interface}


class VDevice:
    """Opening it fails while another process has the device."""

    def __init__(self, params=None):
        _driver()
        try:
            self._held = (_folder() / "device").open("r+b")
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HailoRTException("libhailort failed with error: 74 (HAILO_OUT_OF_PHYSICAL_DEVICES)") from None
        self._scheduled = params is not None and params.scheduling_algorithm == HailoSchedulingAlgorithm.ROUND_ROBIN
        self._groups = 0

    @staticmethod
    def create_params():
        return SimpleNamespace(scheduling_algorithm=HailoSchedulingAlgorithm.NONE)

    def configure(self, hef, configure_params_by_name=None):
        _fault("load")
        self._groups += 1
        return [SimpleNamespace(model=hef._model, scheduled=self._scheduled)]


class _Params:
    @staticmethod
    def make(configured_network, *, format_type=FormatType.AUTO):
        return format_type


class InputVStreamParams(_Params):
    pass


class OutputVStreamParams(_Params):
    pass


class InferVStreams:
    def __init__(self, group, input_params, output_params, tf_nms_format=False):
        assert group.scheduled, "a network group that is not scheduled has to be activated"
        self._model, self._given, self._made, self._boxes = group.model, input_params, output_params, tf_nms_format
        self._entered = False

    def __enter__(self):
        self._entered = True
        return self

    def __exit__(self, *_):
        self._entered = False
        return False

    def infer(self, input_data):
        global runs
        if not self._entered:
            raise AttributeError("'InferVStreams' object has no attribute '_infer_pipeline'")
        for tensor in self._model["inputs"]:
            array = input_data[tensor["name"]]
            if array.dtype.itemsize != {FormatType.UINT8: 1, FormatType.FLOAT32: 4}[self._given]:
                raise HailoRTException(f"{tensor['name']} numpy array item size is {array.dtype.itemsize}, not 1")
            if list(array.shape[1:]) != tensor["shape"]:
                raise HailoRTInvalidArgumentException("Invalid argument. See hailort.log for more information")
        _fault("run")
        runs += 1
        first = input_data[self._model["inputs"][0]["name"]]
        return {tensor["name"]: self._compute(tensor, first) for tensor in self._model["outputs"]}

    def _compute(self, tensor, first):
        if tensor.get("order") == "HAILO_NMS":
            assert self._boxes, "the other form is a list"
            found = np.zeros((len(first), tensor["classes"], BOX_NUMBERS, tensor["boxes"]), np.float32)
            found[:, 0, :, 0] = (0.1, 0.2, 0.3, 0.4, first.max() / 255)
            for class_id, place, *box in tensor.get("found", ()):
                found[:, class_id, :, place] = box
            return found
        real = self._model["scale"] * first.astype(np.float32) + self._model["offset"]
        step, zero = tensor.get("qp_scale", 1.0), tensor.get("qp_zp", 0)
        stored = np.clip(np.round(real / step) + zero, 0, 255)
        count = int(np.prod(tensor["shape"]))
        stored = stored.reshape(len(first), -1)[:, :count].reshape(len(first), *tensor["shape"])
        if self._made == FormatType.FLOAT32:
            return ((stored - zero) * step).astype(np.float32)
        return stored.astype(np.uint8)
