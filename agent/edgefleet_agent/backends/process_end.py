"""The end of a process of models: isolated, hosted, or one of a batch."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
from collections.abc import Callable
from typing import NamedTuple

STOP_S_MAX = 2.0


class ProcessEnd(NamedTuple):
    """The end of a process; its text is the end of a sentence. code: that of `Popen`; None for one that did not end, and was
    killed."""

    code: int | None

    @property
    def exited(self) -> bool:
        """Whether it ended by itself, without a signal."""
        return self.code is not None and self.code >= 0

    def __str__(self) -> str:
        if self.code is None:
            return "closed its connection and was killed"
        if self.exited:
            return f"ended with exit code {self.code}"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-self.code).name}"
        return f"was ended by signal {-self.code}"


def wait_for_end(process: subprocess.Popen[bytes], kill: Callable[[], None]) -> ProcessEnd:
    """The end of a process that has closed its connection; one that does not end is killed."""
    try:
        return ProcessEnd(process.wait(STOP_S_MAX))
    except subprocess.TimeoutExpired:
        kill()
        return ProcessEnd(None)


def end_with_parent(lifeline: int) -> None:
    """Let the kernel end this process once the other end of the pipe `lifeline`, which only its parent holds, is closed.

    It does so for a killed parent too, and while native code computes or hangs here. (PR_SET_PDEATHSIG would do so when the
    *thread* that started this process ends.)"""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGIO})
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
    try:
        os.read(lifeline, 1)
    except BlockingIOError:
        return  # nothing to read: the parent lives
    os._exit(0)  # it ended before the signal was asked for
