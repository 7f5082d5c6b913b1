"""What a command prints, when nobody reads it any more: `edgefleet-agent detect --json | head -1`."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable

UNREAD = 141
"""Exit code of a program that SIGPIPE ended, as a shell counts it: 128 and the signal's number."""


def until_unread(command: Callable[[], int]) -> int:
    """The exit code of `command`; `UNREAD`, and not a word, where it ended because its reader had gone."""
    try:
        try:
            code = command()
        except SystemExit:
            _flush()
            raise
        _flush()
    except BrokenPipeError:
        if not _is_unread():  # another line broke, and that is no good end
            raise
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # what is still buffered is written at the end of the process
        os.close(nowhere)
        return UNREAD
    return code


def _flush() -> None:
    if sys.stdout is not None:  # a process that was started without one
        sys.stdout.flush()


def _is_unread() -> bool:
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))
