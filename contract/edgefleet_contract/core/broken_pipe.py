"""Ends a command quietly when the reader of its output has closed the pipe: `edgefleet-agent detect --json | head -1`."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable

EXIT_BROKEN_PIPE = 141
"""Exit code of a program that SIGPIPE ended, as a shell counts it: 128 and the signal's number."""


def run_to_closed_pipe(command: Callable[[], int]) -> int:
    """Run `command` and return its exit code; `EXIT_BROKEN_PIPE`, without any output, if the reader of stdout has closed it."""
    try:
        try:
            code = command()
        except SystemExit:
            _flush()
            raise
        _flush()
    except BrokenPipeError:
        if not _is_pipe_closed():  # another pipe or socket broke: a real error
            raise
        drop_output()  # what is still buffered is written at the end of the process
        return EXIT_BROKEN_PIPE
    return code


def drop_output() -> None:
    """Let stdout lead nowhere."""
    if sys.stdout is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _flush() -> None:
    if sys.stdout is not None:  # a process that was started without one
        sys.stdout.flush()


def _is_pipe_closed() -> bool:
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))
