"""The text of an exception for users: one line, without the names of classes."""

from __future__ import annotations

import re
from typing import Final

from edgefleet_contract.core.errors import EdgefleetError

FAULT_TEXT_MAX: Final = 300
"""Longest text, in characters."""

_CLASS_NAME: Final = re.compile(
    r"(?:<class ')?[A-Za-z_][\w.]*(?:Error|Exception|Warning|Fault)(?:'>)?:\s+|\[Errno -?\d+\]\s+|\([a-z_]\w*(?:\.\w+)+\)\s+"
)
"""What libraries write in front of a text: `ValueError: …`, `[Errno 28] …`, `(sqlite3.OperationalError) …`."""

_WITHOUT_TEXT: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (MemoryError, "not enough memory"),
    (RecursionError, "nested too deeply"),
    (TimeoutError, "no answer in time"),
    (NotImplementedError, "not supported"),
    (EOFError, "ends too early"),
    (KeyboardInterrupt, "interrupted"),
)
UNKNOWN_FAULT: Final = "unexpected fault"


def name_text(name: object) -> str:
    """The name of a file as text that every encoding of Unicode can hold: bytes that are not UTF-8 are written `\\xf6`."""
    return str(name).encode(errors="surrogateescape").decode(errors="backslashreplace")


def fault_text(cause: BaseException) -> str:
    """The first line of an exception's text, shortened. An exception without a text is described by its kind."""
    if isinstance(reason := getattr(cause, "reason", None), OSError):  # urllib's error around the socket's
        return fault_text(reason)
    if isinstance(cause, OSError) and cause.strerror:
        text = f"{cause.strerror}: {cause.filename}" if cause.filename else cause.strerror
    elif isinstance(cause, SystemExit) and not isinstance(cause.code, str):
        text = f"it ended the process with status {cause.code}"
    elif isinstance(cause, KeyError) and not isinstance(cause, EdgefleetError) and cause.args:
        text = f"no entry {cause.args[0]!r}"
    else:
        text = str(cause)
    line = without_class_name(next((each.strip() for each in text.splitlines() if each.strip()), ""))[:FAULT_TEXT_MAX].rstrip()
    return line or next((plain for kind, plain in _WITHOUT_TEXT if isinstance(cause, kind)), UNKNOWN_FAULT)


def without_class_name(line: str) -> str:
    """A line without the names of exception classes and the numbers of errors in front of it."""
    while found := _CLASS_NAME.match(line):
        line = line[found.end() :]
    return line
