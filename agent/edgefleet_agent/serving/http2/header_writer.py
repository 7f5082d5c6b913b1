"""Encoding of header blocks (RFC 7541): repeated fields go into the peer's table once and are an index from then on.

The meaning of a block depends on the blocks before it: each has to be sent, in the order in which they were encoded.
"""

from __future__ import annotations

from edgefleet_agent.core.protobuf_fields import varint
from edgefleet_agent.serving.http2.frames import TABLE_BYTES

Field = tuple[bytes, bytes]
Fields = tuple[Field, ...]
"""Names in lower case, with their values."""

BLOCKS_MAX = 64
"""Cached blocks of one connection."""
_STATIC: dict[Field, bytes] = {(b":status", b"200"): b"\x88"}
"""Fields of the static table that responses have."""
_STATIC_COUNT = 61
_ENTRY_BYTES = 32
"""What an entry of the table counts beyond its name and value (RFC 7541, 4.1)."""


class HeaderWriter:
    """Encodes the header blocks of one connection. No entry of the table is ever evicted: what does not fit is sent in full."""

    def __init__(self) -> None:
        self._table: list[Field] = []
        self._room_bytes = TABLE_BYTES
        self._blocks: dict[Fields, bytes] = {}
        self._size_update = b""

    def without_table(self) -> None:
        """Use no table: the peer has none, or a smaller one than the default. The next block says so (RFC 7541, 4.2)."""
        self._table.clear()
        self._blocks.clear()
        self._room_bytes = 0
        self._size_update = b"\x20"

    def encode(self, fields: Fields, *, remember: bool = True) -> bytes:
        """Encode a block. remember: the fields will be sent again."""
        block = self._blocks.get(fields)
        if block is not None:
            return block
        entries = len(self._table)
        block = b"".join([self._encode_field(field, remember) for field in fields])
        if len(self._table) != entries:
            self._blocks.clear()  # each new entry moves the indexes of the others
        elif remember and not self._size_update and len(self._blocks) < BLOCKS_MAX:
            self._blocks[fields] = block
        update, self._size_update = self._size_update, b""
        return update + block

    def _encode_field(self, field: Field, remember: bool) -> bytes:
        if field in _STATIC:
            return _STATIC[field]
        if field in self._table:
            return _integer(_STATIC_COUNT + len(self._table) - self._table.index(field), 7, 0x80)
        name, value = field
        size = len(name) + len(value) + _ENTRY_BYTES
        if not remember or size > self._room_bytes:
            return _literal(name, value, 0x00)
        self._table.append(field)
        self._room_bytes -= size
        return _literal(name, value, 0x40)


def _integer(value: int, bits: int, first: int) -> bytes:
    limit = (1 << bits) - 1
    return bytes((first | value,)) if value < limit else bytes((first | limit,)) + varint(value - limit)


def _literal(name: bytes, value: bytes, first: int) -> bytes:
    """A literal field. first: 0x00 without indexing, 0x40 with indexing."""
    return bytes((first,)) + _integer(len(name), 7, 0) + name + _integer(len(value), 7, 0) + value
