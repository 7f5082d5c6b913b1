"""What a blob must be, and what became of a block of it: the words that store and link share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from edgefleet_contract.package.manifest import FileEntry
from edgefleet_contract.wire.messages import BLOCK_BYTES


@dataclass(frozen=True, slots=True)
class BlobSpec:
    """What a blob must be. `blocks` are the SHA-256 of each block; empty when only the whole can be checked (descriptors)."""

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
        """Bytes of block `index`: all have `BLOCK_BYTES` but the last."""
        return min(BLOCK_BYTES, self.length - index * BLOCK_BYTES)

    def block_digest(self, index: int) -> str | None:
        """The SHA-256 of block `index`, or None when nobody told it."""
        if self.blocks:
            return self.blocks[index]
        return self.digest if self.block_count == 1 else None


class BlockPut(str, Enum):
    """What became of a block that arrived."""

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
