"""Child processes of the demo, with their logs; they never outlive it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
TAIL_BYTES = 2000


class Child:
    """One process in a separate session, with its output in a file.

    Raises (from the constructor):
        OSError: the program does not exist or the log cannot be written.
    """

    def __init__(self, name: str, argv: Sequence[str], log: Path, environment: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
                preexec_fn=_die_with_parent(),  # noqa: PLW1509  only a system call, no Python locks
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def exit_code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

    def tail(self) -> str:
        """The last lines it wrote."""
        with self.log.open("rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - TAIL_BYTES))
            return log.read().decode(errors="replace").strip()

    def stop(self, timeout_s: float = 10.0) -> None:
        """Terminate it; kill its whole session if it does not end within `timeout_s`."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _die_with_parent() -> Callable[[], None]:
    """Runs in a child before its program: request a signal when the parent dies."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return ask
