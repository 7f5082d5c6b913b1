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

from edgefleet_agent.backends.base import BFLOAT16, Array, Backend, LoadOptions, Placement, Session, check_inputs
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


def _act(script: Mapping[str, Any], at: str) -> None:
    if script.get("at") != at:
        return
    if "signal" in script:
        signal.raise_signal(signal.Signals[script["signal"]])  # of this thread, which then computes nothing more
    if "exit" in script:
        os._exit(script["exit"])
    if "raise" in script:
        raise KINDS[script["raise"]]("nobody foresaw this")
    time.sleep(script.get("hang_s", 0))


class FaultySession(Session):
    def __init__(self, script: Mapping[str, Any]) -> None:
        self._script = script
        dtype = BFLOAT16 if script.get("datatype") == "bfloat16" else np.dtype(script.get("datatype", "<f4"))
        self.inputs = (TensorSpec("X", tuple(script.get("shape", (-1, 4))), dtype),)
        self.outputs = (TensorSpec("Y", tuple(script.get("shape", (-1, 4))), dtype),)
        self.placement = Placement("faulty", "1", "cpu")

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        given = inputs["X"]
        if "when" not in self._script or (given == self._script["when"]).any():
            _act(self._script, "infer")
            match self._script.get("give"):
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
        _act(self._script, "close")


class FaultyBackend(Backend):
    name = "faulty"
    needs = ("numpy",)
    formats = frozenset({"onnx"})

    def __init__(self) -> None:
        self._script = json.loads(os.environ.get(ENVIRONMENT, "{}"))
        _act(self._script, "new")

    def installed(self) -> bool:
        _act(self._script, "installed")
        return True

    def devices(self) -> list[str]:
        _act(self._script, "devices")
        return ["cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        script = json.loads(files[0].read_text())
        _act(script, "load")
        return FaultySession(script)
