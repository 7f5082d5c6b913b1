"""Blobs on disk, named by their SHA-256. An existing file is always complete and synced: files are added by rename."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from edgefleet_contract.core.atomic_files import as_store_error, make_folders, move_file, sync_folder
from edgefleet_contract.package.manifest import PACKAGE_BYTES_MAX, FileEntry
from edgefleet_contract.wire.messages import BLOCK_BYTES
from edgefleet_server.core.errors import StoreError

_STAGING: Final = "incoming"
_NAMES: Final = (_STAGING, *(f"{number:02x}" for number in range(256)))


class BlobStore:
    """`folder/ab/abcd…` contains the blobs, `folder/incoming/` files that are not verified yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._staging = folder / _STAGING

    def open(self) -> None:
        """Create the folders, and delete unfinished files of an earlier run.

        Raises:
            StoreError: the disk refuses.
        """
        shutil.rmtree(self._staging, ignore_errors=True)
        make_folders(self._folder, _NAMES, 0o755)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that it needs, the outermost first."""
        return (self._folder, *(self._folder / name for name in _NAMES))

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder on the same disk that is removed at the end."""
        path = Path(tempfile.mkdtemp(dir=self._staging))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def path(self, sha256: str) -> Path:
        """Path of a blob, present or not."""
        return self._place(sha256)

    def _place(self, sha256: str) -> Path:
        """The path of a blob in the folder."""
        return self._folder / sha256[:2] / sha256

    def adopt(self, file: Path, sha256: str) -> None:
        """Move a staged file into the store. Its bytes are synced before its name appears, and its name when this returns.

        Raises:
            StoreError: the disk refuses.
        """
        target = self._place(sha256)
        if not target.exists():
            move_file(file, target)
            return
        with as_store_error(target):
            sync_folder(target.parent)  # another thread or process has stored it, and may not have flushed its name yet

    def has(self, sha256: str) -> bool:
        """Whether the store has a blob."""
        return self._place(sha256).is_file()

    def drop(self, sha256: str) -> None:
        """Delete a blob that is not needed.

        Raises:
            StoreError: the disk refuses.
        """
        try:
            self._place(sha256).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot delete a blob in {self._folder}: {error.strerror}") from error

    def read_block(self, sha256: str, index: int) -> bytes:
        """Block `index`; empty if the blob or the block does not exist."""
        if index * BLOCK_BYTES > PACKAGE_BYTES_MAX:
            return b""
        try:
            with self.path(sha256).open("rb") as file:
                file.seek(index * BLOCK_BYTES)
                return file.read(BLOCK_BYTES)
        except FileNotFoundError:
            return b""

    def sweep(self, keep: Collection[str]) -> int:
        """Delete blobs that are not in `keep`: those of uploads that failed late. Only while no upload is in progress."""
        removed = 0
        for path in self._folder.glob("[0-9a-f][0-9a-f]/*"):
            if path.name not in keep:
                path.unlink()
                removed += 1
        return removed


def describe_file(path: str, file: Path) -> FileEntry:
    """The entry of a file on disk: length, SHA-256 of the whole and of each block, read once."""
    whole = hashlib.sha256()
    blocks: list[str] = []
    length = 0
    with file.open("rb") as handle:
        while block := handle.read(BLOCK_BYTES):
            whole.update(block)
            blocks.append(hashlib.sha256(block).hexdigest())
            length += len(block)
    return FileEntry(path=path, length=length, sha256=whole.hexdigest(), blocks=blocks)
