"""Reads FlatBuffers, table by table."""

from __future__ import annotations

import struct
from mmap import mmap

_COUNT_MAX = 1_000_000


class FlatTable:
    """A table of a FlatBuffer. Missing fields have their default."""

    def __init__(self, data: bytes | mmap, at: int) -> None:
        self._data = data
        self._at = at
        self._fields = at - struct.unpack_from("<i", data, at)[0]
        self._size = struct.unpack_from("<H", data, self._fields)[0]

    def place(self, field: int) -> int:
        """Offset of the field; 0 if it is absent."""
        entry = 4 + 2 * field
        offset = struct.unpack_from("<H", self._data, self._fields + entry)[0] if entry < self._size else 0
        return self._at + int(offset) if offset else 0

    def number(self, field: int, kind: str, default: int = 0) -> int:
        place = self.place(field)
        return int(struct.unpack_from(f"<{kind}", self._data, place)[0]) if place else default

    def numbers(self, field: int, kind: str) -> list[float]:
        place = self.place(field)
        if not place:
            return []
        start, count = self._vector(place)
        return list(struct.unpack_from(f"<{count}{kind}", self._data, start))

    def length(self, field: int) -> int:
        """Number of elements of a vector, without reading it."""
        place = self.place(field)
        return (
            int(struct.unpack_from("<I", self._data, place + struct.unpack_from("<I", self._data, place)[0])[0]) if place else 0
        )

    def tables(self, field: int) -> list[FlatTable]:
        place = self.place(field)
        if not place:
            return []
        start, count = self._vector(place)
        places = (start + 4 * index for index in range(count))
        return [FlatTable(self._data, each + struct.unpack_from("<I", self._data, each)[0]) for each in places]

    def table(self, field: int) -> FlatTable | None:
        place = self.place(field)
        return FlatTable(self._data, place + struct.unpack_from("<I", self._data, place)[0]) if place else None

    def text(self, field: int) -> str:
        place = self.place(field)
        if not place:
            return ""
        start, count = self._vector(place)
        return self._data[start : start + count].decode()

    def raw(self, field: int) -> bytes:
        """The bytes of a vector of bytes."""
        place = self.place(field)
        if not place:
            return b""
        start, count = self._vector(place)
        return bytes(self._data[start : start + count])

    def texts(self, field: int) -> list[str]:
        place = self.place(field)
        if not place:
            return []
        start, count = self._vector(place)
        found = []
        for at in range(start, start + 4 * count, 4):
            begin, length = self._vector(at)
            found.append(self._data[begin : begin + length].decode())
        return found

    def _vector(self, place: int) -> tuple[int, int]:
        start = place + struct.unpack_from("<I", self._data, place)[0]
        count = struct.unpack_from("<I", self._data, start)[0]
        if count > _COUNT_MAX:
            raise ValueError("too long")
        return start + 4, int(count)


def root(data: bytes | mmap) -> FlatTable:
    """The root table of the file."""
    return FlatTable(data, struct.unpack_from("<I", data, 0)[0])
