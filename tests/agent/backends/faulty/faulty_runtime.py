"""A third-party runtime, loaded through an entry point. Its model file is JSON that says what the model does:

{"datatype": "<f4", "shape": [-1, 4]}       it returns X as Y
{"at": "infer", "raise": "SystemExit"}      it raises at that call (new, installed, devices, load, infer, close)
{"when": 13, ...}                           only for this number in X
{"give": "nothing"}                         a wrong output: nothing, no name, other type, other byte order, no array
{"signal": "SIGFPE"} {"hang_s": 60}         it ends its process; it hangs
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import Array, Backend, LoadOptions, Placement, Session, check_inputs
from edgefleet_agent.vision.heads.base import TensorSpec

ENVIRONMENT = "FAULTY_RUNTIME"
"""What the backend itself does, as JSON, in an environment variable."""


class Unforeseen(BaseException):
    """An exception that no `except Exception` catches."""


KINDS = {each.__name__: each for each in (
    ArithmeticError, AssertionError, AttributeError, BaseException, EOFError, Exception, GeneratorExit, ImportError, KeyError,
    KeyboardInterrupt, LookupError, MemoryError, NotImplementedError, OSError, RecursionError, RuntimeError, StopIteration,
    SystemError, SystemExit, TimeoutError, TypeError, Unforeseen, ValueError,
)}  # fmt: skip


def _act(told: Mapping[str, Any], at: str) -> None:
    if told.get("at") != at:
        return
    if "signal" in told:
        os.kill(os.getpid(), signal.Signals[told["signal"]])
    if "exit" in told:
        os._exit(told["exit"])
    if "raise" in told:
        raise KINDS[told["raise"]]("nobody foresaw this")
    time.sleep(told.get("hang_s", 0))


class FaultySession(Session):
    def __init__(self, told: Mapping[str, Any]) -> None:
        self._told = told
        dtype = np.dtype(told.get("datatype", "<f4"))
        self.inputs = (TensorSpec("X", tuple(told.get("shape", (-1, 4))), dtype),)
        self.outputs = (TensorSpec("Y", tuple(told.get("shape", (-1, 4))), dtype),)
        self.placement = Placement("faulty", "1", "cpu")

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        given = inputs["X"]
        if "when" not in self._told or (given == self._told["when"]).any():
            _act(self._told, "infer")
            match self._told.get("give"):
                case "nothing":
                    return None  # type: ignore[return-value]
                case "no name":
                    return {"Z": given}
                case "other type":
                    return {"Y": given.astype(np.float64)}
                case "other byte order":
                    return {"Y": given.astype(">f4")}
                case "no array":
                    return {"Y": given.tolist()}
        return {"Y": given.copy()}

    def close(self) -> None:
        _act(self._told, "close")


class FaultyBackend(Backend):
    name = "faulty"
    needs = ("numpy",)
    formats = frozenset({"onnx"})

    def __init__(self) -> None:
        self._told = json.loads(os.environ.get(ENVIRONMENT, "{}"))
        _act(self._told, "new")

    def installed(self) -> bool:
        _act(self._told, "installed")
        return True

    def devices(self) -> list[str]:
        _act(self._told, "devices")
        return ["cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        told = json.loads(files[0].read_text())
        _act(told, "load")
        return FaultySession(told)
