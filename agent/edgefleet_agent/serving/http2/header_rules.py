"""Checks of header blocks (RFC 9113, 8.1 to 8.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence

LENGTH_DIGITS_MAX = 18
_NAME = re.compile(rb":?[!#$%&'*+.^_`|~0-9a-z-]+")
_VALUE = re.compile(rb"(?:[^\0\r\n\t ](?:[^\0\r\n]*[^\0\r\n\t ])?)?")
_PSEUDO = (b":method", b":scheme", b":path", b":authority")
_CONNECTION = frozenset((b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"))


def header_fault(fields: Sequence[tuple[bytes, bytes]]) -> str:
    """Find the fault of the header fields of a request; empty if there is none."""
    seen: dict[bytes, bytes] = {}
    regular = False
    for name, value in fields:
        if not _NAME.fullmatch(name):
            return "a field name is not valid"
        if not _VALUE.fullmatch(value):
            return "a field value is not valid"
        if not name.startswith(b":"):
            regular = True
            if name in _CONNECTION or (name == b"te" and value.lower() != b"trailers"):
                return "a field of a connection is not allowed"
        elif regular:
            return "a pseudo-header field stands behind others"
        elif name not in _PSEUDO or name in seen:
            return "a pseudo-header field is unknown or sent twice"
        seen[name] = value
    if any(name not in seen for name in _PSEUDO[:3]):
        return "a pseudo-header field is missing"
    if not seen[b":path"].startswith((b"/", b"*")):
        return "the path is empty or not absolute"
    if b"host" in seen and seen[b"host"] != seen.get(b":authority", seen[b"host"]):
        return "host and authority differ"
    length = seen.get(b"content-length", b"0")
    return "" if length.isdigit() and len(length) <= LENGTH_DIGITS_MAX else "the content length is not a number"


def trailer_fault(fields: Sequence[tuple[bytes, bytes]]) -> str:
    """Find the fault of the trailer fields of a request; empty if there is none."""
    for name, value in fields:
        if name.startswith(b":") or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            return "a trailer field is not valid"
    return ""
