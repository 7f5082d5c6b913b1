"""Ends of a command that are no error: the reader of its output closed the pipe (`edgefleet-agent detect --json | head -1`), and
Ctrl-C, also while the main thread is in native code, in which Python calls no signal handler and a model may stay for ever."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import ClassVar, NoReturn

EXIT_BROKEN_PIPE = 141
"""Exit code of a program that SIGPIPE ended, as a shell counts it: 128 and the signal's number."""
EXIT_INTERRUPTED = 130
"""Exit code of a program that Ctrl-C ended, as a shell counts it."""
TAKEN_WITHIN_S = 4.0
"""Time in which the main thread takes Ctrl-C, unless it is in native code: a busy machine may hold it up for a second."""


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


def end_now(code: int) -> NoReturn:
    """End the process without exit handlers, after what is buffered was written."""
    for output in (sys.stdout, sys.stderr):
        if output is not None:
            with contextlib.suppress(OSError, ValueError):  # closed, or full: there is no place left to report it
                output.flush()
    os._exit(code)


class InterruptWatch:
    """Ends the process at Ctrl-C if the main thread does not take it in time, and at a second Ctrl-C at once.

    A thread learns of signals from a pipe, into which the interpreter writes them whatever the main thread does. A command that
    handles SIGINT itself is left alone."""

    thread: ClassVar[threading.Thread | None] = None
    """Waits for signals until the process ends."""
    _taken: ClassVar[threading.Event] = threading.Event()

    @classmethod
    def start(cls) -> None:
        """Watch from now on; only from the main thread. Where SIGINT is ignored, as in the background of a shell, it stays so."""
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        cls.thread = threading.Thread(target=cls._watch, args=(reader,), name="interrupt watch", daemon=True)
        cls.thread.start()
        signal.signal(signal.SIGINT, cls._take)

    @classmethod
    def _take(cls, _number: int, _frame: FrameType | None) -> None:
        cls._taken.set()
        raise KeyboardInterrupt

    @classmethod
    def _watch(cls, reader: int) -> None:
        interrupts = 0
        while True:
            interrupts += os.read(reader, 256).count(signal.SIGINT)
            if not interrupts or signal.getsignal(signal.SIGINT) != cls._take:
                interrupts = 0
            elif interrupts > 1 or not cls._taken.wait(TAKEN_WITHIN_S):
                _end_processes()
                end_now(EXIT_INTERRUPTED)


def _end_processes() -> None:
    """End the processes of a pool, whose model may run on."""
    if module := sys.modules.get("multiprocessing"):
        for child in module.active_children():
            child.kill()
