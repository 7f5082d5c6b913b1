"""Local sources of blocks, which need no connection: a USB stick, or a patch of older versions.

Their data is untrusted: the store verifies each block as if it had been received.
"""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import BLOCK_BYTES


class LocalSources:
    """Folders of files named by their SHA-256. Used from one thread."""

    def __init__(self) -> None:
        self._folders: list[Path] = []

    def add(self, folder: Path) -> None:
        """Add a folder to search."""
        if folder not in self._folders:
            self._folders.append(folder)

    def forget(self, folder: Path) -> None:
        self._folders = [known for known in self._folders if known != folder]

    def holds(self, digest: str) -> bool:
        """Whether some folder has a file of that name."""
        return any((folder / digest).is_file() for folder in self._folders)

    def read(self, spec: BlobSpec, index: int) -> bytes | None:
        """Unverified data of block `index`; None if there is no block of its length, or the stick was removed."""
        for folder in self._folders:
            try:
                with (folder / spec.digest).open("rb") as file:
                    file.seek(index * BLOCK_BYTES)
                    data = file.read(spec.block_length(index))
            except OSError:
                continue
            if len(data) == spec.block_length(index):
                return data
        return None
