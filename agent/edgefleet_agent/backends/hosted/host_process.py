"""The host process of a runtime, as the agent sees it: start, requests, end.

All models on a device share its process, because vendor libraries open a device for one process at a time. It answers one request
at a time: a run waits while another model is loaded.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgefleet_agent.backends.base import ERROR_TEXT_MAX, Array
from edgefleet_agent.backends.isolated.child_process import LostProcessError, watched
from edgefleet_agent.backends.process_end import STOP_S_MAX, wait_for_end
from edgefleet_agent.backends.restart_pause import FAILED_MAX
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.package.hosted_runtimes import HOST_FILES

PROBE_S_MAX = 30.0
BYTES_MAX = 512 * 1024 * 1024
_HOST_LOOP = Path(__file__).with_name("host_loop.py")
_HEADER = struct.Struct("<II")


@dataclass(frozen=True, slots=True)
class HostedRuntime:
    """A runtime in a host process. title: its name in messages. adapter: the program's part for this runtime (see `host_loop`).
    python: the interpreter to run it. no_device: what to do if the device is missing. versions: what to do if its library and its
    driver do not fit. hung: what to do if it hangs. readable: the files that it reads, as the end of a message. load_s_max: limit
    of a load.
    """

    name: str
    title: str
    adapter: Path
    python: Callable[[], str]
    no_device: str
    versions: str
    readable: str
    hung: str
    load_s_max: float = 120.0


class HostProcess:
    """One process. Requests are made while `turn` is held.

    Raises:
        MissingError: its interpreter is not installed.
    """

    def __init__(self, runtime: HostedRuntime, key: str = "") -> None:
        self.key = key
        self.users = 0
        self.failed_runs = 0
        self.turn = threading.Lock()
        self._runtime = runtime
        python = runtime.python()
        if not os.access(python, os.X_OK):
            raise MissingError(
                f"runtime {runtime.name} is not installed ({python} not found): {HOST_FILES[runtime.name].install}"
            )
        self._line, theirs = socket.socketpair()
        # Module paths of our own Python would break the other one.
        inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        environment = {**inherited, HOST_FILES[runtime.name].variable: host_file(runtime.name)}
        command = [python, str(_HOST_LOOP), str(theirs.fileno()), str(runtime.adapter)]
        with theirs:
            try:
                self._process = subprocess.Popen(
                    command, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
                )
            except OSError as cause:
                self._line.close()
                raise LostProcessError(f"no process could be started for {runtime.title}: {cause.strerror or cause}") from cause
        watched.add(self)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def lives(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def ask(self, request: Mapping[str, Any], arrays: Sequence[Array], wait_s: float) -> tuple[dict[str, Any], bytes]:
        """Send a request; returns the reply and the bytes of its arrays.

        Raises:
            MissingError: the device is missing. LostProcessError: the process died, or did not answer within `wait_s` and was
            killed. ModelError: it refuses the request.
        """
        title = self._runtime.title
        text = json.dumps(request).encode()
        ends_s = time.monotonic() + wait_s
        try:
            self._line.settimeout(wait_s)
            self._line.sendall(_HEADER.pack(len(text), sum(array.nbytes for array in arrays)) + text)
            for array in arrays:
                self._line.sendall(array.data.cast("B"))
            text_bytes, data_bytes = _HEADER.unpack(self._read(_HEADER.size, ends_s))
            if text_bytes + data_bytes > BYTES_MAX:
                raise ModelError(f"a response of {text_bytes + data_bytes} bytes exceeds the limit of {BYTES_MAX}")
            reply: dict[str, Any] = json.loads(self._read(text_bytes, ends_s))
            data = self._read(data_bytes, ends_s)
        except TimeoutError as cause:
            self.kill()
            raise LostProcessError(f"no response from the process of {title} for {wait_s:.3g} s; {self._runtime.hung}") from cause
        except (OSError, EOFError) as cause:
            end = wait_for_end(self._process, self.kill)
            advice = f": {HOST_FILES[self._runtime.name].install}" if end.exited else ""
            raise LostProcessError(f"the process of {title} {end}{advice}") from cause
        except BaseException:  # Ctrl-C: the next request would get the reply to this one
            self.kill()
            raise
        if request["op"] == "infer":
            self.failed_runs = self.failed_runs + 1 if "error" in reply else 0
        if "error" in reply:
            raise self._refusal(str(request["op"]), reply)
        return reply, data

    def close(self) -> None:
        """Let the process end, and wait for that."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S_MAX)
        self.kill()
        self._line.close()

    def kill(self) -> None:
        """End the process now. One that a driver does not let go stays until the driver does."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S_MAX)

    def _read(self, count: int, ends_s: float) -> bytes:
        data = bytearray()
        while len(data) < count:
            left_s = ends_s - time.monotonic()
            if left_s <= 0:
                raise TimeoutError
            self._line.settimeout(left_s)
            part = self._line.recv(min(count - len(data), 1 << 20))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    def _refusal(self, operation: str, reply: Mapping[str, Any]) -> ModelError | MissingError:
        reason = " ".join(str(reply["error"]).split())[:ERROR_TEXT_MAX]
        title = self._runtime.title
        lacking = {
            "device": f"no device for {title} ({reason}): {self._runtime.no_device}",
            "library": f"the library of {title} cannot be used ({reason}): {HOST_FILES[self._runtime.name].install}",
            "versions": f"the library and the driver of {title} do not fit ({reason}): {self._runtime.versions}",
        }
        if (missing := str(reply.get("missing", ""))) in lacking:
            return MissingError(lacking[missing])
        if operation == "infer":
            return ModelError(f"{title} failed ({reason})")
        return ModelError(f"{title} cannot load it ({reason}); {self._runtime.readable}")


_shared: dict[str, HostProcess] = {}
_lock = threading.Lock()


def host_file(runtime: str) -> str:
    """The file that makes a runtime available, as configured."""
    file = HOST_FILES[runtime]
    return os.environ.get(file.variable) or file.usual


def take_host(runtime: HostedRuntime, device: str) -> HostProcess:
    """The process of a device, started if there is none that lives, or if its last runs all failed.

    Raises:
        MissingError, LostProcessError: it cannot be started.
    """
    key = f"{runtime.name}@{device}"
    with _lock:
        process = _shared.get(key)
        if process is not None and process.failed_runs >= FAILED_MAX:
            process.kill()
        if process is None or not process.lives():
            process = _shared[key] = HostProcess(runtime, key)
        process.users += 1
        return process


def leave_host(process: HostProcess) -> None:
    """Give the process back; the last user ends it."""
    with _lock:
        process.users -= 1
        if process.users:
            return
        if _shared.get(process.key) is process:
            del _shared[process.key]
    process.close()


def host_devices(runtime: HostedRuntime) -> list[str]:
    """The devices that the runtime finds. A device that is in use may be missing.

    Raises:
        MissingError: the runtime is not installed. ModelError: its process fails.
    """
    with contextlib.closing(HostProcess(runtime)) as process:
        reply, _ = process.ask({"op": "devices"}, (), runtime.load_s_max)
    return [str(device) for device in reply["devices"]]


def probe_host(runtime: HostedRuntime, device: str) -> str:
    """Ask the runtime about a device; returns what it says.

    Raises:
        MissingError: the runtime or the device is missing, or their versions do not fit. ModelError: its process fails.
    """
    with contextlib.closing(HostProcess(runtime)) as process:
        reply, _ = process.ask({"op": "probe", "device": device}, (), PROBE_S_MAX)
    return str(reply["found"])


def holds_device(runtime: str, device: str) -> bool:
    """Whether this agent's own process for a device lives. Another process may then not find the device."""
    with _lock:
        process = _shared.get(f"{runtime}@{device}")
        return process is not None and process.lives()
