"""Decoding of header blocks (RFC 7541).

The `hpack` library decodes each block once: from its second request on, a client sends indexes into its table, and perhaps
literals that it keeps out of it (nghttp2: the path and the length). Equal bytes mean equal headers until the table changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import hpack

from edgefleet_agent.serving.http2.frames import HEADERS_BYTES_MAX, BrokenConnectionError, Fault
from edgefleet_agent.serving.http2.header_rules import header_fault

BLOCKS_MAX = 64
"""Cached header blocks of one connection."""
BLOCK_BYTES_MAX = 1024
"""A longer block is not cached."""
SIZE_UPDATES_MAX = 2
"""Changes of the table's size at the start of a block."""


@dataclass(slots=True)
class Head:
    """The headers of one request, and of the following ones with the same block. Those that begin with a colon are in `headers`
    too. fields: as they were sent. fault: what is wrong with them as headers of a request; empty if nothing is. admissible: set
    by the application, when it has found that they are headers of its protocol.
    """

    path: bytes
    headers: dict[bytes, bytes]
    fields: tuple[tuple[bytes, bytes], ...]
    fault: str
    admissible: bool = False


class HeaderReader:
    """Reads the header blocks of one connection, in their order."""

    def __init__(self) -> None:
        self._decoder = hpack.Decoder(max_header_list_size=HEADERS_BYTES_MAX)
        self._known: dict[bytes, Head] = {}

    def read(self, block: bytes) -> Head:
        """Decode a block.

        Raises:
            BrokenConnectionError: the block is not valid; later blocks cannot be decoded either.
        """
        known = self._known.get(block)
        if known is not None:
            return known
        _check_size_updates(block)
        try:
            pairs = self._decoder.decode(block, raw=True)
        except hpack.HPACKError as cause:
            raise BrokenConnectionError(Fault.COMPRESSION, "the headers cannot be read") from cause
        headers: dict[bytes, bytes] = {}
        for name, value in pairs:
            headers[name] = headers[name] + b"," + value if name in headers else value
        fields = tuple((bytes(name), bytes(value)) for name, value in pairs)
        head = Head(headers.get(b":path", b""), headers, fields, header_fault(fields))
        if len(self._known) >= BLOCKS_MAX or _changes_table(block):
            self._known.clear()  # with the table the meaning of indexes has changed
        elif len(block) <= BLOCK_BYTES_MAX:
            self._known[block] = head
        return head


def _check_size_updates(block: bytes) -> None:
    """Check the changes of the table's size at the start of a block: two are enough (RFC 7541, 4.2), and each is costly.

    Raises:
        BrokenConnectionError: there are more.
    """
    at = updates = 0
    while at < len(block) and block[at] & 0xE0 == 0x20:
        updates += 1
        if updates > SIZE_UPDATES_MAX:
            raise BrokenConnectionError(Fault.COMPRESSION, "too many changes of the size of the header table")
        longer = block[at] & 0x1F == 0x1F
        at += 1
        while longer and at < len(block):
            longer = block[at] >= 0x80
            at += 1


def _changes_table(block: bytes) -> bool:
    """Whether a valid block changes the table: it has a literal with indexing, or changes the size."""
    at = 0
    while at < len(block):
        first = block[at]
        if first >= 0x80:
            at = _after_integer(block, at, 0x7F)[0]
        elif first >= 0x20:
            return True
        else:
            at, index = _after_integer(block, at, 0x0F)
            for _ in range(1 if index else 2):  # the name, unless it is an index, and the value
                at, size = _after_integer(block, at, 0x7F)
                at += size
    return False


def _after_integer(block: bytes, at: int, mask: int) -> tuple[int, int]:
    """The position after an integer (RFC 7541, 5.1), and the integer."""
    value = block[at] & mask if at < len(block) else 0
    at += 1
    if value == mask:
        shift = 0
        while at < len(block):
            byte = block[at]
            at += 1
            value += (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
    return at, value
