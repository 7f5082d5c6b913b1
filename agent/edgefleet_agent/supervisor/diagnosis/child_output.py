"""A program of which an operator's command needs the output: at low priority, limited in time and bytes."""

from __future__ import annotations

import os
import subprocess
import tempfile

from edgefleet_contract.core.errors import UnavailableError

NICENESS = 10


def last_line(text: str, otherwise: str) -> str:
    """The last line of an output, which says why a program failed; `otherwise` if there is none."""
    return (text.strip().splitlines() or [otherwise])[-1]


class ChildOutput:
    """The child process and its output. `limit_s`: seconds after which it is ended; `bytes_max`: what is read of its output.

    Raises:
        UnavailableError: it cannot be started.
    """

    def __init__(self, command: list[str], now: float, limit_s: float, bytes_max: int) -> None:
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (closed in `stop`)
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT)
        except OSError as cause:
            self._output.close()
            raise UnavailableError(f"{command[0]} cannot be started: {cause.strerror}") from cause
        os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)
        self._ends_s, self._bytes_max = now + limit_s, bytes_max

    def turn(self, now: float) -> tuple[int | None, str] | None:
        """Exit code and output, once it has ended; no exit code if it took too long. None before."""
        code = self._process.poll()
        if code is None and now < self._ends_s:
            return None
        self._output.seek(0)
        text = self._output.read(self._bytes_max).decode(errors="replace") if code is not None else ""
        self.stop()
        return code, text

    def stop(self) -> None:
        """End it."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._output.close()
