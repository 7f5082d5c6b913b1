"""Splits bytes at content-defined boundaries and names the chunks, so that chunks shared by two versions of a file are found
even after they moved.

Content-defined chunking with a gear hash (Xia et al., "FastCDC", USENIX ATC 2016): a cut where the low bits of a hash over
the last 32 bytes are zero. The hash at every position is computed at once, by doubling: h_2k[i] = h_k[i] + (h_k[i-k] << k).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
import numpy as np

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.package.delta_limits import DELTA_BYTES_MAX

__all__ = ["DELTA_BYTES_MAX", "DeltaManifest", "chunk_name", "chunks"]

CHUNK_BYTES_MIN = 4 * 1024
CHUNK_BYTES_MAX = 64 * 1024
MASK = np.uint32((1 << 13) - 1)
"""13 bits: chunks of 12 KiB on average, with the smallest taken into account."""
NAME_BYTES = 16
PART_BYTES = 16 * 1024 * 1024
"""Bytes hashed at once; this takes about ten times as much memory."""

_GEAR = np.frombuffer(b"".join(hashlib.sha256(bytes([byte])).digest()[:4] for byte in range(256)), dtype="<u4")


class DeltaManifest(Wire):
    """The chunks of each file, keyed by the file's SHA-256: (bytes, name) in order. Unsigned: the assembled file is verified."""

    files: dict[str, list[tuple[int, str]]] = msgspec.field(default_factory=dict)


def chunks(data: bytes | memoryview) -> Iterator[tuple[int, int]]:
    """Yields (offset, bytes) of each chunk of `data`, in order."""
    for start in range(0, len(data), PART_BYTES):
        part = data[start : start + PART_BYTES]
        at = 0
        for cut in (*_cuts(part), len(part)):
            while cut - at > CHUNK_BYTES_MAX:
                yield start + at, CHUNK_BYTES_MAX
                at += CHUNK_BYTES_MAX
            if cut - at >= CHUNK_BYTES_MIN or (cut == len(part) and cut > at):
                yield start + at, cut - at
                at = cut


def chunk_name(piece: bytes | memoryview) -> str:
    """The name of a chunk: its truncated SHA-256."""
    return hashlib.sha256(piece).digest()[:NAME_BYTES].hex()


def _cuts(data: bytes | memoryview) -> list[int]:
    """Positions after which a chunk may end."""
    hashes = _GEAR[np.frombuffer(data, np.uint8)]
    width = 1
    while width < 32:
        moved = hashes[:-width] << np.uint32(width) if len(hashes) > width else hashes[:0]
        hashes = hashes.copy()
        hashes[width:] += moved
        width *= 2
    return [int(position) + 1 for position in np.flatnonzero((hashes & MASK) == 0)]
