"""Blobs and their blocks: expected digests and results of storing a block. Shared by store and link."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from edgefleet_contract.package.manifest import FileEntry
from edgefleet_contract.wire.messages import BLOCK_BYTES


@dataclass(frozen=True, slots=True)
class BlobSpec:
    """Expected digest and length of a blob. `blocks`: SHA-256 of each block; empty if only the whole can be verified."""

    digest: str
    length: int
    blocks: tuple[str, ...] = ()

    @classmethod
    def of(cls, entry: FileEntry) -> BlobSpec:
        """The blob behind one file of a package."""
        return cls(entry.sha256, entry.length, tuple(entry.blocks))

    @property
    def block_count(self) -> int:
        return -(-self.length // BLOCK_BYTES)

    def block_length(self, index: int) -> int:
        """Bytes of block `index`: all except the last have `BLOCK_BYTES`."""
        return min(BLOCK_BYTES, self.length - index * BLOCK_BYTES)

    def block_digest(self, index: int) -> str | None:
        """The SHA-256 of block `index`; None if unknown."""
        if self.blocks:
            return self.blocks[index]
        return self.digest if self.block_count == 1 else None


class BlockPut(str, Enum):
    """Result of storing a received block."""

    VERIFIED = "verified"
    DUPLICATE = "duplicate"
    WRONG_LENGTH = "wrong_length"
    WRONG_HASH = "wrong_hash"


def ranges_of(indices: list[int]) -> list[tuple[int, int]]:
    """Indices as (first, count), neighbours joined."""
    ranges: list[tuple[int, int]] = []
    for index in sorted(indices):
        if ranges and sum(ranges[-1]) == index:
            ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
        else:
            ranges.append((index, 1))
    return ranges
