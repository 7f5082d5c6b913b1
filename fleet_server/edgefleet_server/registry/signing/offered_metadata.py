"""The metadata files that devices may fetch now, and those of the last offers, which devices may still be fetching."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from edgefleet_contract.wire.messages import BLOCK_BYTES, METADATA_FILES_MAX, MetadataFile, TrustOffer

OFFERED_MAX: Final = METADATA_FILES_MAX + 8
"""Most files that are kept in memory."""


class OfferedMetadata:
    """Not thread-safe, but for `read_block`."""

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}
        self.offer = TrustOffer(files=[])

    def replace(self, files: Mapping[str, bytes], now: float) -> None:
        """Offer these files, content by name, from now on (wall time, seconds)."""
        described = []
        for name, data in files.items():
            digest = hashlib.sha256(data).hexdigest()
            self._data.pop(digest, None)
            self._data[digest] = data
            described.append(MetadataFile(name=name, digest=digest, length=len(data)))
        while len(self._data) > OFFERED_MAX:
            del self._data[next(iter(self._data))]
        self.offer = TrustOffer(files=described, sent_at=now)

    def content(self, digest: str) -> bytes:
        """A file of the present offer or of a recent one; empty if there is none."""
        return self._data.get(digest, b"")

    def read_block(self, digest: str, index: int) -> bytes:
        """A block of such a file; empty if there is none."""
        return self.content(digest)[index * BLOCK_BYTES : (index + 1) * BLOCK_BYTES]
