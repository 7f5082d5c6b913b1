"""Cuts bytes where their content says so, and names the pieces: what two versions of a file share is found wherever it has moved
to.

Content-defined chunking with a gear hash (Xia et al., "FastCDC", USENIX ATC 2016): a cut where the low bits of a hash over
the last 32 bytes are zero. The hash at every place is computed at once, by doubling: h_2k[i] = h_k[i] + (h_k[i-k] << k).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
import numpy as np

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.package.delta_limits import RECIPE_BYTES_MAX

__all__ = ["RECIPE_BYTES_MAX", "DeltaManifest", "chunks", "name_of"]

CHUNK_BYTES_MIN = 4 * 1024
CHUNK_BYTES_MAX = 64 * 1024
MASK = np.uint32((1 << 13) - 1)
"""13 bits: chunks of 12 KiB on average, with the smallest taken into account."""
NAME_BYTES = 16
PART_BYTES = 16 * 1024 * 1024
"""Hashed at once; memory is some ten times that."""

_GEAR = np.frombuffer(b"".join(hashlib.sha256(bytes([byte])).digest()[:4] for byte in range(256)), dtype="<u4")


class DeltaManifest(Wire):
    """How files are put together, by SHA-256: (bytes, name) of each chunk in order. Unsigned: what comes of it is verified."""

    files: dict[str, list[tuple[int, str]]] = msgspec.field(default_factory=dict)


def chunks(data: bytes | memoryview) -> Iterator[tuple[int, int]]:
    """(offset, bytes) of each chunk of `data`, in order."""
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


def name_of(piece: bytes | memoryview) -> str:
    """What a chunk is called."""
    return hashlib.sha256(piece).digest()[:NAME_BYTES].hex()


def _cuts(data: bytes | memoryview) -> list[int]:
    """Places behind which a chunk may end."""
    hashes = _GEAR[np.frombuffer(data, np.uint8)]
    width = 1
    while width < 32:
        moved = hashes[:-width] << np.uint32(width) if len(hashes) > width else hashes[:0]
        hashes = hashes.copy()
        hashes[width:] += moved
        width *= 2
    return [int(place) + 1 for place in np.flatnonzero((hashes & MASK) == 0)]
