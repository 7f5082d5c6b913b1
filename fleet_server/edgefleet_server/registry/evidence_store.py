"""Store of snapshots and clips from devices: `folder/DEVICE/EVENT.jpg` and `.mp4`; requested pictures: `COMMAND.now.jpg`, support
bundles: `COMMAND.support.zip`.

It is limited in size for each device, and in age; the oldest files are deleted. In total it leaves a part of the disk free: when
that is reached, devices keep their files until there is space. An existing file is always complete, verified and
synced: files are added by rename.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

from edgefleet_contract.core.atomic_files import make_folder, move_file, remove_file, sync_folder
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES, EVENT_PATTERN, SUPPORT_BYTES_MAX, Kind, Upload
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.registry.disk_space import evidence_shortage

SUFFIXES: Final = {"snapshot": ".jpg", "clip": ".mp4", "picture": ".now.jpg", "support": ".support.zip"}
BUNDLE_KEEP_S: Final = 7 * 86_400.0
"""Age at which a support bundle is deleted, unless other evidence is deleted sooner."""
BUNDLES_MAX: Final = 8
"""Support bundles of one device; the newest are kept."""
PICTURE_BYTES_MAX: Final = 32 * 1024**2
"""Pictures are read into memory when they are viewed live."""
KIND_BYTES_MAX: Final = {"snapshot": PICTURE_BYTES_MAX, "picture": PICTURE_BYTES_MAX, "support": SUPPORT_BYTES_MAX}
PICTURES_MAX: Final = 32
"""Limit per device; the newest are kept. Live pictures count separately."""
LIVE_MAX: Final = 4
LIVE_PREFIX: Final = "live-"
"""Prefix of the ids of live pictures."""
DEVICE_BYTES_MAX: Final = 2 * 1024**3
READ_BYTES: Final = 1024 * 1024
PART_S: Final = 86_400.0
"""Age at which an unfinished file is deleted."""
PARTS_MAX: Final = 8
"""Limit of unfinished files of one device; the oldest is deleted, because a device sends one at a time."""


class EvidenceStore:
    """The store. Used from one thread, except `find`. `keep_s`: age at which files are deleted (may be changed); `device_bytes`:
    limit of all files of one device."""

    def __init__(self, folder: Path, keep_s: float, device_bytes: int = DEVICE_BYTES_MAX) -> None:
        self._folder = folder
        self.keep_s = keep_s
        self._device_bytes = device_bytes
        self._began: set[Path] = set()
        """Unfinished files of this run. A power cut may have torn those of an earlier one."""

    def warnings(self) -> list[str]:
        """The reason why no evidence is taken at present, with what to do, if there is one; for operators."""
        try:
            shortage = evidence_shortage(self._folder) if self._folder.is_dir() else ""
        except StoreError as error:
            shortage = str(error)
        return [shortage] if shortage else []

    def find(self, device: str, event: str, kind: str) -> Path | None:
        """The file, or None. Names are validated by the caller's types."""
        path = self._folder / device / f"{event}{SUFFIXES[kind]}"
        return path if path.is_file() else None

    def kinds(self, device: str, event: str) -> list[Kind]:
        """Kinds of evidence that are stored for an event. Its id comes from a device, and may be invalid as a file name."""
        if re.fullmatch(EVENT_PATTERN, event) is None:
            return []
        return [kind for kind in get_args(Kind) if self.find(device, event, kind) is not None]

    def pictures(self, device: str) -> list[tuple[str, float, int]]:
        """(id, time of arrival, bytes) of the requested pictures of a device, newest first."""
        found = [(path.name.removesuffix(SUFFIXES["picture"]), path.stat()) for path in self._pictures(device)]
        pictures = [(name, stat.st_mtime, stat.st_size) for name, stat in found if not name.startswith(LIVE_PREFIX)]
        return sorted(pictures, key=lambda item: -item[1])

    def begin(self, upload: Upload) -> int | None:
        """Number of whole blocks of the file that are stored; None if it is complete.

        Raises:
            InputError: it is larger than the limit of a device or a picture. StoreError: the disk refuses, or has no room for it.
        """
        found = self.find(upload.device, upload.event, upload.kind)
        if found is not None and found.stat().st_size == upload.length:
            return None
        limit = min(self._device_bytes, KIND_BYTES_MAX.get(upload.kind, self._device_bytes))
        if upload.length > limit:
            raise InputError(f"{upload.length} bytes; the limit for a {upload.kind} is {limit}")
        part = self._part(upload.device, upload.digest)
        with _as_store_error(part):
            make_folder(part.parent, 0o755)
            self._drop_parts(part, upload.length)
            missing = upload.length - (part.stat().st_size if part.exists() else 0)
            if shortage := evidence_shortage(part.parent, missing):
                raise StoreError(shortage)
            if not part.exists():
                self._began.add(part)
                return 0
            return part.stat().st_size // BLOCK_BYTES

    def append(self, upload: Upload, number: int, data: bytes) -> int:
        """Store block `number` if it is the next one; returns the number of stored blocks.

        Raises:
            InputError: a block of the wrong length. StoreError: the disk refuses.
        """
        part = self._part(upload.device, upload.digest)
        with _as_store_error(part):
            have = part.stat().st_size // BLOCK_BYTES if part.exists() else 0
            if number != have or number * BLOCK_BYTES >= upload.length:
                return have
            if len(data) != min(BLOCK_BYTES, upload.length - number * BLOCK_BYTES):
                raise InputError(f"block {number} has {len(data)} bytes")
            with part.open("r+b" if part.exists() else "wb") as file:
                file.truncate(number * BLOCK_BYTES)
                file.seek(number * BLOCK_BYTES)
                file.write(data)
        return number + 1

    def finish(self, upload: Upload) -> None:
        """Verify a file whose blocks are all stored, and give it its name.

        Raises:
            InputError: it differs from the announced file; it has to be offered again. StoreError: the disk refuses, or the part
            that an earlier run had stored is damaged; the next offer begins anew.
        """
        part = self._part(upload.device, upload.digest)
        with _as_store_error(part):
            total = hashlib.sha256()
            with part.open("rb") as file:
                while data := file.read(READ_BYTES):
                    total.update(data)
            if total.hexdigest() != upload.digest or part.stat().st_size != upload.length:
                part.unlink()
                if part not in self._began:
                    raise StoreError(f"{part}: damaged, probably by a power cut")
                raise InputError("the SHA-256 does not match the offer")
            self._began.discard(part)
            self._make_room(upload.device, upload.length)
            move_file(part, self._folder / upload.device / f"{upload.event}{SUFFIXES[upload.kind]}")
            sync_folder(self._folder)  # a killed server may have made the folder of the device
            if upload.kind == "picture":
                self._thin(upload.device)
            elif upload.kind == "support":
                for path in self._bundles(upload.device)[BUNDLES_MAX:]:
                    path.unlink(missing_ok=True)

    def delete(self, device: str, event: str, kind: str) -> None:
        """Delete a file, if it is there.

        Raises:
            StoreError: the disk refuses.
        """
        path = self.find(device, event, kind)
        if path is not None:
            with _as_store_error(path):
                remove_file(path)

    def _drop_parts(self, part: Path, length: int) -> None:
        """Delete the oldest unfinished files of a device, beside `part`, until number and bytes are within its limits."""
        others = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in part.parent.glob(".*.part") if path != part)
        total = sum(size for _, size, _ in others)
        for index, (_, size, path) in enumerate(others):
            if len(others) - index < PARTS_MAX and total + length <= self._device_bytes:
                return
            path.unlink(missing_ok=True)
            self._began.discard(path)
            total -= size

    def tidy(self, now: float) -> int:
        """Delete files that are too old; returns their number."""
        removed = 0
        for path in self._folder.glob("*/*"):
            with contextlib.suppress(FileNotFoundError):
                if now - path.stat().st_mtime > self._keep_s_of(path):
                    path.unlink()
                    removed += 1
        return removed

    def _keep_s_of(self, path: Path) -> float:
        if path.suffix == ".part":
            return PART_S
        return min(self.keep_s, BUNDLE_KEEP_S) if path.name.endswith(SUFFIXES["support"]) else self.keep_s

    def _bundles(self, device: str) -> list[Path]:
        """The support bundles of a device, newest first."""
        found = (self._folder / device).glob(f"[!.]*{SUFFIXES['support']}")
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)

    def _pictures(self, device: str) -> list[Path]:
        return list((self._folder / device).glob(f"[!.]*{SUFFIXES['picture']}"))

    def _thin(self, device: str) -> None:
        """Delete all but the newest pictures of a device."""
        found = sorted(self._pictures(device), key=lambda path: path.stat().st_mtime, reverse=True)
        live = [path for path in found if path.name.startswith(LIVE_PREFIX)]
        pictures = [path for path in found if not path.name.startswith(LIVE_PREFIX)]
        for path in (*live[LIVE_MAX:], *pictures[PICTURES_MAX:]):
            path.unlink(missing_ok=True)

    def _make_room(self, device: str, length: int) -> None:
        stats = [(path.stat(), path) for path in (self._folder / device).glob("[!.]*")]
        files = sorted((stat.st_mtime, stat.st_size, path) for stat, path in stats)
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total + length <= self._device_bytes:
                return
            path.unlink(missing_ok=True)
            self._began.discard(path)
            total -= size

    def _part(self, device: str, digest: str) -> Path:
        return self._folder / device / f".{digest}.part"


@contextlib.contextmanager
def _as_store_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; free some space for evidence") from error
