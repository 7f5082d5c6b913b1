"""The end of a process of models, of either kind: isolated or hosted."""

from __future__ import annotations

import contextlib
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
