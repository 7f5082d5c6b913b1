"""Resumable package uploads: create, append pieces, finish.

`folder/ID.json` describes the announced upload, `folder/ID.part` contains the received bytes. At the end, the whole file is
compared with the announced SHA-256, and then unpacked and checked like any other package.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import msgspec

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError, StoreError
from edgefleet_server.registry.disk_space import check_room

PIECE_BYTES_MAX: Final = 8 * 1024 * 1024
RETENTION_S: Final = 86_400.0
UNFINISHED_MAX: Final = 16
"""Limit of unfinished uploads of all users together; of one user, a quarter of it."""
READ_BYTES: Final = 1024 * 1024
COPIES: Final = 2
"""An archive is on the disk twice when it has been unpacked."""
ID_PATTERN: Final = r"^[0-9a-f]{32}$"


class IncomingUpload(msgspec.Struct, frozen=True):
    """An announced upload. `by`: the user who may continue it."""

    id: str
    by: str
    length: int
    sha256: str
    started_at: float


@dataclass(frozen=True, slots=True)
class UploadStatus:
    """The state of an upload. `offset`: number of bytes that are stored and synced."""

    coming: IncomingUpload
    offset: int


class IncomingPiece:
    """A piece that is arriving. Not for several threads at once."""

    def __init__(self, coming: IncomingUpload, file: IO[bytes], offset: int) -> None:
        self._coming = coming
        self._file = file
        self._offset = offset

    def write(self, data: bytes) -> None:
        """Append bytes.

        Raises:
            InputError: they are more than was announced. StoreError: the disk refuses.
        """
        if self._offset + len(data) > self._coming.length:
            raise InputError(f"{self._offset + len(data)} bytes exceed the announced {self._coming.length}")
        with _as_upload_error(Path(self._file.name)):
            self._file.write(data)
            self._file.flush()
        self._offset += len(data)

    def finish(self) -> UploadStatus:
        """Sync the piece; returns the state of the upload.

        Raises:
            StoreError: the disk refuses.
        """
        with _as_upload_error(Path(self._file.name)):
            self._file.flush()
            os.fsync(self._file.fileno())
        return UploadStatus(self._coming, self._offset)


class PackageUploads:
    """Uploads in a folder. Thread-safe; several processes may share the folder, if only one at a time continues an upload."""

    def __init__(self, folder: Path, bytes_max: int) -> None:
        self._folder = folder
        self._bytes_max = bytes_max
        self._lock = threading.Lock()
        self._arriving: set[str] = set()

    def begin(self, by: str, length: int, sha256: str, now: float) -> UploadStatus:
        """Announce an archive, or find an earlier upload of the same one.

        Raises:
            InputError: it is too large. ConflictError: too many uploads are unfinished. StoreError: the disk refuses, or has no
            room for it.
        """
        if not 0 < length <= self._bytes_max:
            raise InputError(f"{length} bytes; the maximum is {self._bytes_max}")
        with self._lock, _as_upload_error(self._folder):
            make_folder(self._folder, 0o755)
            self._tidy(now)
            known = list(self._all())
            for one in known:
                if (one.by, one.length, one.sha256) == (by, length, sha256):
                    return UploadStatus(one, self._offset(one.id))
            if len(known) >= UNFINISHED_MAX or sum(one.by == by for one in known) >= UNFINISHED_MAX // 4:
                raise ConflictError("too many unfinished uploads; finish or delete one, or wait a day")
            unfinished = sum(max(0, one.length - self._offset(one.id)) for one in known)
            check_room(self._folder, unfinished + COPIES * length)
            coming = IncomingUpload(secrets.token_hex(16), by, length, sha256, now)
            self._part(coming.id).touch()
            write_atomic(self._folder / f"{coming.id}.json", msgspec.json.encode(coming))  # flushes the name of the part as well
            return UploadStatus(coming, 0)

    def status(self, upload: str, by: str) -> UploadStatus:
        """The state of an upload.

        Raises:
            NotFoundError: this user has no such upload.
        """
        coming = self._read(upload, by)
        return UploadStatus(coming, self._offset(upload))

    @contextlib.contextmanager
    def piece(self, upload: str, by: str, offset: int) -> Iterator[IncomingPiece]:
        """A piece that starts at the end of the last one, to be written as it arrives. If it breaks off, the bytes so far are
        kept.

        Raises:
            NotFoundError: this user has no such upload. ConflictError: the next piece starts elsewhere (the text gives the
            offset), or another one is arriving. StoreError: the disk refuses.
        """
        with self._lock:
            coming = self._read(upload, by)
            if upload in self._arriving:
                raise ConflictError("another piece of this upload is arriving; wait for its end")
            here = self._offset(upload)
            if offset != here:
                raise ConflictError(f"wrong offset {offset}; the upload continues at byte {here}")
            check_room(self._folder, coming.length - here)
            self._arriving.add(upload)
        try:
            with _as_upload_error(self._folder), self._part(upload).open("ab") as file:
                yield IncomingPiece(coming, file, here)
        finally:
            self._arriving.discard(upload)

    @contextlib.contextmanager
    def whole(self, upload: str, by: str) -> Iterator[IO[bytes]]:
        """The complete archive; it is deleted at the end of the block, unless the block failed because the disk was full.

        Raises:
            NotFoundError: this user has no such upload. ConflictError: it is not complete.
            InputError: it differs from the announced archive; it has to be uploaded again. StoreError: the disk refuses.
        """
        coming = self._read(upload, by)
        here = self._offset(upload)
        if here != coming.length:
            raise ConflictError(f"{here} of {coming.length} bytes received; send the rest")
        with _as_upload_error(self._folder), self._part(upload).open("rb") as file:
            digest = hashlib.sha256()
            while data := file.read(READ_BYTES):
                digest.update(data)
            if digest.hexdigest() != coming.sha256:
                self._drop(upload)
                raise InputError("the SHA-256 does not match the announced one; start a new upload")
            file.seek(0)
            try:
                yield file
            except StoreError:
                raise
            except Exception:
                self._drop(upload)
                raise
        self._drop(upload)

    def drop(self, upload: str, by: str) -> None:
        """Cancel an upload.

        Raises:
            NotFoundError: this user has no such upload.
        """
        self._read(upload, by)
        self._drop(upload)

    def _read(self, upload: str, by: str) -> IncomingUpload:
        found = self._decoded(self._folder / f"{upload}.json") if re.match(ID_PATTERN, upload) else None
        if found is None or found.by != by:
            raise NotFoundError("no such upload; it is finished, cancelled or older than a day; start a new upload")
        return found

    def _decoded(self, path: Path) -> IncomingUpload | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=ensure_decoder(IncomingUpload))
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return None

    def _all(self) -> Iterator[IncomingUpload]:
        for path in self._folder.glob("*.json"):
            if (found := self._decoded(path)) is not None:
                yield found

    def tidy(self, now: float) -> int:
        """Delete uploads that are too old, and remains of interrupted ones; returns the number of files.

        Raises:
            StoreError: the disk refuses.
        """
        with self._lock, _as_upload_error(self._folder):
            return self._tidy(now)

    def _tidy(self, now: float) -> int:
        removed = 0
        known = {one.id: one for one in self._all()}
        for path in [*self._folder.glob("*.json"), *self._folder.glob("*.part"), *self._folder.glob(".*.new")]:
            one = known.get(path.stem)
            if path.stem not in self._arriving and (one is None or now - one.started_at > RETENTION_S):
                path.unlink(missing_ok=True)
                removed += 1
        return removed

    def _offset(self, upload: str) -> int:
        try:
            return self._part(upload).stat().st_size
        except FileNotFoundError as error:
            raise NotFoundError("no such upload; start a new upload") from error

    def _drop(self, upload: str) -> None:
        (self._folder / f"{upload}.json").unlink(missing_ok=True)
        self._part(upload).unlink(missing_ok=True)

    def _part(self, upload: str) -> Path:
        return self._folder / f"{upload}.part"


@contextlib.contextmanager
def _as_upload_error(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}; free some space for uploads") from error
