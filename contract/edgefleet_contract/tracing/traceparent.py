"""The header `traceparent` (W3C Trace Context, level 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PARENT = re.compile(rb"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


@dataclass(frozen=True, slots=True)
class Parent:
    """The caller's span. Ids 0: there is none, the trace starts here."""

    trace_id: int
    span_id: int
    sampled: bool

    @property
    def header(self) -> str:
        """The value of `traceparent`."""
        return f"00-{self.trace_id:032x}-{self.span_id:016x}-{int(self.sampled):02x}"


def read_parent(header: bytes) -> Parent | None:
    """Parse a `traceparent`. None if it is not valid; the header is ignored then."""
    found = _PARENT.fullmatch(header)
    if found is None or found[1] == b"ff" or (found[1] == b"00" and found[5]):
        return None
    trace_id, span_id = int(found[2], 16), int(found[3], 16)
    if not trace_id or not span_id:
        return None
    return Parent(trace_id, span_id, bool(int(found[4], 16) & 1))
