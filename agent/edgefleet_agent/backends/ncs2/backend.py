"""Intel's Neural Compute Stick 2 (Movidius Myriad X), legacy: its last runtime, OpenVINO 2021.4 (2022.3 as an archive), needs a
Python up to 3.9, so it runs in a host process (`backends/ncs2/host_process.py`).

    python3.9 -m venv /opt/edgefleet-ncs2
    /opt/edgefleet-ncs2/bin/pip install openvino==2021.4.2 'numpy<1.20'

EDGEFLEET_NCS2_PYTHON sets another path; packages and the server cannot, because it names a program to run.
Devices: `myriad`; `cpu` is the same old OpenVINO on the CPU. Never run on a stick by the project.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from edgefleet_agent.backends.base import (
    ERROR_TEXT_MAX,
    Array,
    Backend,
    LoadOptions,
    Placement,
    Session,
    check_files,
    check_inputs,
    parse_options,
)
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.package.profile import NCS2_PYTHON, NCS2_VARIABLE

INSTALL = "python3.9 -m venv /opt/edgefleet-ncs2 && /opt/edgefleet-ncs2/bin/pip install openvino==2021.4.2 'numpy<1.20'"
LOAD_S_MAX = 120.0
"""Limit for a load: the stick boots and compiles the model."""
INFER_S_MAX = 10.0
STOP_S_MAX = 2.0
BYTES_MAX = 512 * 1024 * 1024
_HOST_SCRIPT = Path(__file__).with_name("host_process.py")
_HEADER = struct.Struct("<II")
_DEVICES = ("myriad", "cpu")


class Ncs2Options(msgspec.Struct, frozen=True):
    """This runtime has no options."""


class Ncs2Backend(Backend):
    """`.xml` + `.bin` of version 10 (written by this OpenVINO) and `.onnx` files, of f16 or f32."""

    name = "ncs2"
    needs = ()
    formats = frozenset({"openvino_ir", "onnx"})
    own_processes = True

    def installed(self) -> bool:
        return os.access(_python(), os.X_OK)

    def devices(self) -> list[str]:
        with contextlib.closing(HostProcessClient()) as process:
            reply, _ = process.ask({"op": "devices"}, (), LOAD_S_MAX)
        found = [str(device).lower() for device in reply["devices"]]
        return [*(device for device in found if device.startswith("myriad")), "cpu"]

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        check_files(files)
        parse_options(options, Ncs2Options)
        if options.device not in _DEVICES:
            raise ModelError(f"runtime ncs2 has no device {options.device!r}; it has {', '.join(_DEVICES)}")
        process = HostProcessClient()
        try:
            request = {"op": "load", "files": [str(file.resolve()) for file in files], "device": options.device.upper()}
            reply, _ = process.ask(request, (), LOAD_S_MAX)
        except ModelError as cause:
            process.close()
            raise ModelError(f"{files[0].name}: {cause}") from cause
        except MissingError:
            process.close()
            raise
        return Ncs2Session(process, reply, options.device)


class Ncs2Session(Session):
    """A model in the host process."""

    def __init__(self, process: HostProcessClient, loaded: Mapping[str, Any], device: str) -> None:
        self.placement = Placement("ncs2", str(loaded["version"]), device)
        self.inputs = tuple(_spec(each) for each in loaded["inputs"])
        self.outputs = tuple(_spec(each) for each in loaded["outputs"])
        self._process = process

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        arrays = [inputs[spec.name] for spec in self.inputs]
        headers = [{"name": spec.name, "dtype": str(spec.dtype), "shape": list(spec.shape)} for spec in self.inputs]
        reply, data = self._process.ask({"op": "infer", "arrays": headers}, arrays, INFER_S_MAX)
        outputs, at = {}, 0
        for spec in map(_spec, reply["arrays"]):
            count = int(np.prod(spec.shape))
            outputs[spec.name] = np.frombuffer(data, spec.dtype, count, at).reshape(spec.shape)
            at += count * spec.dtype.itemsize
        return outputs

    def close(self) -> None:
        self._process.close()


class HostProcessClient:
    """The host process. One request at a time.

    Raises:
        MissingError: its interpreter is not installed.
    """

    def __init__(self) -> None:
        python = _python()
        if not os.access(python, os.X_OK):
            raise MissingError(f"runtime ncs2 is not installed ({python} not found): {INSTALL}")
        self._line, theirs = socket.socketpair()
        # Module paths of our own Python would break the other one.
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        with theirs:
            command = [python, str(_HOST_SCRIPT), str(theirs.fileno())]
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )

    def ask(self, request: Mapping[str, Any], arrays: Sequence[Array], wait_s: float) -> tuple[dict[str, Any], bytes]:
        """Send a request; returns the reply and the bytes of its arrays.

        Raises:
            MissingError: the device is missing. ModelError: the host process refuses, does not answer within `wait_s`, or died.
        """
        text = json.dumps(request).encode()
        self._line.settimeout(wait_s)
        try:
            self._line.sendall(_HEADER.pack(len(text), sum(array.nbytes for array in arrays)) + text)
            for array in arrays:
                self._line.sendall(array.data.cast("B"))
            text_bytes, data_bytes = _HEADER.unpack(self._read(_HEADER.size))
            if text_bytes + data_bytes > BYTES_MAX:
                raise ModelError(f"a response of {text_bytes + data_bytes} bytes exceeds the limit of {BYTES_MAX}")
            reply: dict[str, Any] = json.loads(self._read(text_bytes))
            data = self._read(data_bytes)
        except TimeoutError as cause:
            self._process.kill()
            raise ModelError(f"no response from the NCS2 process for {wait_s:.0f} s; plug the stick in again") from cause
        except (OSError, EOFError) as cause:
            raise ModelError(f"the NCS2 process {self._fate()}") from cause
        if "error" not in reply:
            return reply, data
        reason = " ".join(str(reply["error"]).split())[:ERROR_TEXT_MAX]
        if reply.get("missing"):
            raise MissingError(
                f"no Neural Compute Stick found ({reason}): plug it in, apt install libusb-1.0-0, check the udev rule"
            )
        raise ModelError(f"OpenVINO for the NCS2 cannot load it ({reason}); supported are IR version 10 and ONNX, in f16")

    def close(self) -> None:
        """End the process."""
        self._line.close()
        try:
            self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            part = self._line.recv(min(count - len(data), 1 << 20))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    def _fate(self) -> str:
        try:
            code = self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            return "hung up"
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}: {INSTALL}"


def _python() -> str:
    return os.environ.get(NCS2_VARIABLE) or NCS2_PYTHON


def _spec(tensor: Mapping[str, Any]) -> TensorSpec:
    return TensorSpec(str(tensor["name"]), tuple(int(side) for side in tensor["shape"]), np.dtype(tensor["dtype"]))
