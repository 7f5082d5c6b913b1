"""Ends a command when its output cannot be written: quietly when the reader has closed the pipe (`edgefleet-agent detect --json |
head -1`), with one line when the disk is full."""

from __future__ import annotations

import errno
import os
import select
import sys
from collections.abc import Callable

from edgefleet_contract.core.errors import StoreError

EXIT_BROKEN_PIPE = 141
"""Exit code of a program that SIGPIPE ended, as a shell counts it: 128 and the signal's number."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def run_to_closed_pipe(command: Callable[[], int]) -> int:
    """Run `command` and return its exit code; `EXIT_BROKEN_PIPE`, without any output, if the reader of stdout has closed it.

    Raises:
        StoreError: the disk of stdout is full.
    """
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
        _discard_output()
        return EXIT_BROKEN_PIPE
    except OSError as cause:
        text = output_fault(cause)
        if not text:
            raise
        _discard_output()
        raise StoreError(text) from cause
    return code


def output_fault(error: BaseException | None) -> str:
    """The text for an error of a full disk without a file's name, which only stdout raises: stores report theirs as StoreError;
    empty for other errors."""
    if not isinstance(error, OSError) or error.errno not in _FULL or error.filename is not None:
        return ""
    return f"the output cannot be written: {error.strerror}; free some space, or write it to another disk"


def _discard_output() -> None:
    """Send what is still buffered, which is written at the end of the process, to nowhere."""
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
