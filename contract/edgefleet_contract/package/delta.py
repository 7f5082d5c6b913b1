"""Splits bytes at content-defined boundaries and names the chunks, so that chunks shared by two versions of a file are found
even after they moved.

Content-defined chunking with a gear hash (Xia et al., "FastCDC", USENIX ATC 2016): a cut where the low bits of a hash over
the last 32 bytes are zero. The hash at every position is computed at once, by doubling: h_2k[i] = h_k[i] + (h_k[i-k] << k).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import IO

import msgspec
import numpy as np
from numpy.typing import NDArray

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.package.delta_limits import DELTA_BYTES_MAX

__all__ = ["DELTA_BYTES_MAX", "DeltaManifest", "chunk_name", "chunks", "file_chunks"]

CHUNK_BYTES_MIN = 4 * 1024
CHUNK_BYTES_MAX = 64 * 1024
MASK = np.uint32((1 << 13) - 1)
"""13 bits: chunks of 12 KiB on average, with the smallest taken into account."""
NAME_BYTES = 16
PART_BYTES = 16 * 1024 * 1024
"""A chunk ends at each multiple, too: a file is read by these."""
WINDOW_BYTES = 1024 * 1024
"""Bytes hashed at once; this takes about twenty times as much memory."""
HASHED_BYTES = 32

_GEAR = np.frombuffer(b"".join(hashlib.sha256(bytes([byte])).digest()[:4] for byte in range(256)), dtype="<u4")


class DeltaManifest(Wire):
    """The chunks of each file, keyed by the file's SHA-256: (bytes, name) in order. Unsigned: the assembled file is verified."""

    files: dict[str, list[tuple[int, str]]] = msgspec.field(default_factory=dict)


def chunks(data: bytes | memoryview) -> Iterator[tuple[int, int]]:
    """Yields (offset, bytes) of each chunk of `data`, in order."""
    for start in range(0, len(data), PART_BYTES):
        part = data[start : start + PART_BYTES]
        for at, length in _chunks_of_part(part):
            yield start + at, length


def file_chunks(file: IO[bytes]) -> Iterator[tuple[int, int, str]]:
    """Yields (offset, bytes, name) of each chunk of an open file, in order. Memory: less than three times `PART_BYTES`."""
    start = 0
    while part := file.read(PART_BYTES):
        for at, length in _chunks_of_part(part):
            yield start + at, length, chunk_name(memoryview(part)[at : at + length])
        start += len(part)


def _chunks_of_part(part: bytes | memoryview) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in (*_cuts(part), len(part)):
        while cut - at > CHUNK_BYTES_MAX:
            yield at, CHUNK_BYTES_MAX
            at += CHUNK_BYTES_MAX
        if cut - at >= CHUNK_BYTES_MIN or (cut == len(part) and cut > at):
            yield at, cut - at
            at = cut


def chunk_name(piece: bytes | memoryview) -> str:
    """The name of a chunk: its truncated SHA-256."""
    return hashlib.sha256(piece).digest()[:NAME_BYTES].hex()


def _cuts(data: bytes | memoryview) -> list[int]:
    """Positions after which a chunk may end."""
    cuts: list[int] = []
    for start in range(0, len(data), WINDOW_BYTES):
        before = min(start, HASHED_BYTES - 1)  # a hash depends on this many bytes before its own
        found = np.flatnonzero((_hashes(data[start - before : start + WINDOW_BYTES]) & MASK) == 0)
        cuts += [start - before + int(position) + 1 for position in found if position >= before]
    return cuts


def _hashes(data: bytes | memoryview) -> NDArray[np.uint32]:
    """The hash at each position, over it and up to `HASHED_BYTES - 1` bytes before."""
    hashes = _GEAR[np.frombuffer(data, np.uint8)]
    width = 1
    while width < HASHED_BYTES:
        moved = hashes[:-width] << np.uint32(width) if len(hashes) > width else hashes[:0]
        hashes = hashes.copy()
        hashes[width:] += moved
        width *= 2
    return hashes
