"""Questions to the person at the keyboard, and secrets in files. The end of the input is no answer: one line and exit code 2,
never a traceback."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.fault_text import fault_text

STDIN = "-"
SECRET_BYTES_MAX = 4096


def is_terminal() -> bool:
    """Whether stdin is a terminal; a process may have been started without any stdin."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(question: str, instead: str) -> str:
    """One line of stdin without its end, after the question (empty: none). `instead`: the option for programs, for the error.

    Raises:
        InputError: the input ended.
    """
    if sys.stdin is None:
        raise _no_answer("", instead)
    try:
        return input(question)
    except EOFError:
        raise _no_answer(question, instead) from None


def ask_secret(question: str, instead: str) -> str:
    """The same, not shown while it is typed.

    Raises:
        InputError: the input ended.
    """
    try:
        return getpass.getpass(question)
    except EOFError:
        raise _no_answer(question, instead) from None


def read_secret(option: str, file: str) -> str:
    """The first line of a file, or of standard input (`-`), without its end.

    Raises:
        InputError: it cannot be read, is empty or too long.
    """
    if file == STDIN:
        advice = f"write the value to stdin, or specify a file with {option}"
        line = ask_secret(f"{option}: ", advice) if is_terminal() else ask("", advice)
    else:
        try:
            with Path(file).open("rb") as source:
                line = source.read(SECRET_BYTES_MAX + 1).decode()
        except (OSError, UnicodeDecodeError) as error:
            why = fault_text(error) if isinstance(error, OSError) else "not a text"
            raise InputError(f"{option} {file}: {why}; specify a file with the value as its only line") from error
    lines = line.strip().splitlines()
    if len(lines) != 1 or len(line) > SECRET_BYTES_MAX:
        raise InputError(f"{option} {file}: must have one line of at most {SECRET_BYTES_MAX} bytes; correct it")
    return lines[0]


def _no_answer(question: str, instead: str) -> InputError:
    if question:
        print(file=sys.stderr)  # the question has no end of line
    return InputError(f"no answer: stdin has ended, nothing was changed; {instead}")
