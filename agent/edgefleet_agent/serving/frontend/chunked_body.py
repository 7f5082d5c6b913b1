"""Bodies in chunks (RFC 9112, 7.1); pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from edgefleet_agent.serving.protocol.errors import invalid

LINE_BYTES_MAX = 256
TRAILER_BYTES_MAX = 4096

_LINE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?")
_TRAILER = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*")


class ChunkedBody:
    """Joins the chunks of one body. reserve: called with the size of each chunk before it is taken; it may raise CallError."""

    def __init__(self, reserve: Callable[[int], None]) -> None:
        self._reserve = reserve
        self._joined = bytearray()
        self._missing = 0
        self._ended = False
        self._trailer_bytes = 0

    def read(self, data: bytes) -> tuple[memoryview | None, bytes]:
        """Take received bytes. Returns the body, if it is complete, and the bytes that are not taken yet: those after the body,
        or the start of a line.

        Raises:
            CallError: the chunks are not valid.
        """
        at = 0
        while True:
            if self._missing:  # bytes of the chunk and of the line end after it
                taken = data[at : at + self._missing]
                at += len(taken)
                self._missing -= len(taken)
                self._joined += taken
                if self._missing:
                    return None, b""
                if self._joined[-2:] != b"\r\n":
                    raise invalid("a chunk of the body does not match its length")
                del self._joined[-2:]
            end = data.find(b"\r\n", at)
            if (end if end >= 0 else len(data) - 1) - at > LINE_BYTES_MAX:
                raise invalid(f"a line between the chunks of the body is longer than {LINE_BYTES_MAX} bytes")
            if end < 0:
                return None, data[at:]
            line, at = data[at:end], end + 2
            if not self._ended:
                self._start_chunk(line)
            elif line:  # trailer fields are ignored
                self._skip_trailer(line)
            else:
                return memoryview(self._joined), data[at:]

    def _start_chunk(self, line: bytes) -> None:
        found = _LINE.fullmatch(line)
        if found is None:
            raise invalid("a chunk of the body has no valid length")
        size = int(found[1], 16)
        self._ended = size == 0
        if not self._ended:
            self._reserve(size)
            self._missing = size + 2

    def _skip_trailer(self, line: bytes) -> None:
        self._trailer_bytes += len(line) + 2
        if not _TRAILER.fullmatch(line) or self._trailer_bytes > TRAILER_BYTES_MAX:
            raise invalid(f"a trailer field is not valid, or all are longer than {TRAILER_BYTES_MAX} bytes")
