"""Starts `edgefleet` as a fork of a template: a process that has imported the server and prepared its routes, which takes
seconds of CPU time.

The programs are processes of their own, with output, environment, signals and exit code; only their parent is the template. The
tests of the command line, of the installations and tests/system start an interpreter for each instead.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from tests.import_path import import_path

ROOT: Final = Path(__file__).resolve().parents[3]
MESSAGE_BYTES: Final = 128 * 1024
START_S: Final = 60.0
END_S: Final = 10.0
RUN_S: Final = 240.0
SERVER: Final = "edgefleet_server.__main__"
IMPORTED: Final = ("edgefleet_server.app.serve", "edgefleet_server.app.web", "edgefleet_server.db.backend.postgresql")


class ForkedProgram:
    """A running program, with the methods of `subprocess.Popen` that tests use. `returncode`: None while it runs."""

    def __init__(self, template: Template, pid: int) -> None:
        self._template = template
        self.pid = pid
        self.returncode: int | None = None
        self._lock = threading.Lock()
        self._handle = os.pidfd_open(pid)  # before its end is reported, the template has not waited for it

    def poll(self) -> int | None:
        """Its exit code, negative for a signal, or None."""
        return self._ended(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; its exit code."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("edgefleet", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, wait_s: float | None) -> int | None:
        if self.returncode is None and select.select([self._handle], [], [], wait_s)[0]:
            with self._lock:  # another thread may have seen the end, too: a second close would be of another file
                if self.returncode is None:
                    self.returncode = self._template.exit_code(self.pid)
                    os.close(self._handle)
        return self.returncode


class Template:
    """The template process of this one. Thread-safe."""

    def __init__(self) -> None:
        self._line, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(START_S)
        self._lock = threading.Lock()
        self._codes: dict[int, int] = {}
        command = [sys.executable, "-m", __name__, str(other.fileno())]
        environment = {**os.environ, "PYTHONPATH": import_path()}
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()])
        other.close()

    def start(
        self, arguments: Sequence[str], output: IO[bytes], environment: Mapping[str, str], module: str = SERVER
    ) -> ForkedProgram:
        """Run `main(arguments)` of a module, `edgefleet` without another one; stdout and stderr go to `output`."""
        with Path(os.devnull).open("rb") as nothing:
            return self._start(arguments, (nothing, output, output), environment, module)

    def run(self, arguments: Sequence[str], environment: Mapping[str, str], stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run `edgefleet` to its end, as `subprocess.run` does."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            given.write(stdin.encode())
            given.seek(0)
            code = self._start(arguments, (given, out, errors), environment, SERVER).wait(RUN_S)
            out.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(["edgefleet", *arguments], code, out.read().decode(), errors.read().decode())

    def _start(
        self, arguments: Sequence[str], files: tuple[IO[bytes], ...], environment: Mapping[str, str], module: str
    ) -> ForkedProgram:
        message = json.dumps({"arguments": list(arguments), "environment": dict(environment), "module": module}).encode()
        assert len(message) < MESSAGE_BYTES
        with self._lock:
            socket.send_fds(self._line, [message], [file.fileno() for file in files])
            while "started" not in (answer := self._receive()):
                pass
            return ForkedProgram(self, answer["started"])

    def exit_code(self, pid: int) -> int:
        """The exit code of a program that has ended."""
        with self._lock:
            while pid not in self._codes:
                self._receive()
            return self._codes.pop(pid)

    def close(self) -> None:
        """End the template; programs that still run go on."""
        self._line.close()
        self._process.wait(END_S)

    def _receive(self) -> dict[str, Any]:
        data = self._line.recv(MESSAGE_BYTES)
        assert data, "the template process has died"
        answer: dict[str, Any] = json.loads(data)
        if "ended" in answer:
            self._codes[answer["ended"]] = answer["code"]
        return answer


@functools.cache
def template() -> Template:
    """The template of this process, which ends with it."""
    made = Template()
    atexit.register(made.close)
    return made


def serve(line: socket.socket) -> int:
    """Fork a program for each request, and report its end, until the line is closed. Returns the exit code of this process: the
    template, or a program."""
    _, web, _ = [importlib.import_module(name) for name in IMPORTED]  # here: the tests' own process needs none of them
    web.prepare_routes(web.create_app(web.Settings()))
    gc.freeze()
    children: dict[int, int] = {}
    while True:
        for ready in select.select([line, *children], [], [])[0]:
            if ready is not line:
                pid = children.pop(ready)
                os.close(ready)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                line.send(json.dumps({"ended": pid, "code": code}).encode())
                continue
            data, standards, _, _ = socket.recv_fds(line, MESSAGE_BYTES, 3)
            if not data:
                return 0
            request = json.loads(data)
            main = importlib.import_module(request["module"]).main
            pid = os.fork()
            if pid == 0:
                line.close()
                for handle in children:
                    os.close(handle)
                return _become(main, request, standards)
            for standard in standards:
                os.close(standard)
            children[os.pidfd_open(pid)] = pid
            line.send(json.dumps({"started": pid}).encode())


def _become(main: Callable[[Sequence[str]], int], request: dict[str, Any], standards: list[int]) -> int:
    """Run the program in this fork."""
    for standard, given in enumerate(standards):
        os.dup2(given, standard)
        os.close(given)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)  # its buffer has nothing of the template
    os.environ.clear()
    os.environ.update(request["environment"])
    random.seed()
    sys.argv = ["edgefleet", *request["arguments"]]
    return main(request["arguments"])


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as opened:
        exit_code = serve(opened)
    sys.exit(exit_code)
