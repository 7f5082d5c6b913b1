"""Questions to the person at the keyboard. The end of the input is no answer: one line and exit code 2, never a traceback."""

from __future__ import annotations

import getpass
import sys

from edgefleet_contract.core.errors import InputError


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


def _no_answer(question: str, instead: str) -> InputError:
    if question:
        print(file=sys.stderr)  # the question has no end of line
    return InputError(f"no answer: stdin has ended, nothing was changed; {instead}")
