"""Digests of files on the disk: each file was hashed by this process and is unchanged since.

The cache is not stored over restarts. A disk that loses bytes does so silently: length, date and inode stay the same, so a digest
from an earlier process would hide the damage.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

FILES_MAX = 4096
PIECE_BYTES = 1024 * 1024

UNREADABLE = ""
"""Result in place of a digest: the file is missing, or the disk cannot read it."""

_Place = tuple[int, int]
_State = tuple[int, int]


@dataclass(slots=True)
class _Hashing:
    state: _State
    done_bytes: int = 0
    hasher: hashlib._Hash = field(default_factory=hashlib.sha256)


class HashCache:
    """SHA-256 of files, by inode, so that all hard links of a file share its digest. Used from one thread."""

    def __init__(self) -> None:
        self._known: dict[_Place, tuple[_State, str]] = {}
        self._hashing: dict[_Place, _Hashing] = {}

    def digest_of(self, path: Path) -> str | None:
        """Digest of the file; None if unknown, or if the file changed since."""
        try:
            place, state = _stat(path)
        except OSError:
            return None
        known = self._known.get(place)
        return known[1] if known is not None and known[0] == state else None

    def note(self, path: Path, digest: str) -> None:
        """Record the digest of `path`, which another component has just computed."""
        place, state = _stat(path)
        self._known.pop(place, None)
        self._known[place] = state, digest
        while len(self._known) > FILES_MAX:
            del self._known[next(iter(self._known))]

    def doubt(self, path: Path) -> None:
        """Forget the digest of `path`: it is hashed again."""
        try:
            place, _ = _stat(path)
        except OSError:
            return
        self._known.pop(place, None)
        self._hashing.pop(place, None)

    def find_out(self, path: Path, budget_bytes: int) -> str | None:
        """Hash at most `budget_bytes` more of the file. Returns its SHA-256, `UNREADABLE`, or None while more has to be read."""
        known = self.digest_of(path)
        if known is not None:
            return known
        try:
            place, state = _stat(path)
            work = self._hashing.get(place)
            if work is None or work.state != state:
                work = self._hashing[place] = _Hashing(state)
            if not _hash(path, work, budget_bytes):
                return None
        except OSError:  # a sector that cannot be read is damage, not a reason to stop
            return UNREADABLE
        del self._hashing[place]
        digest = work.hasher.hexdigest()
        self.note(path, digest)
        return digest


def _stat(path: Path) -> tuple[_Place, _State]:
    stat_result = path.stat()
    return (stat_result.st_dev, stat_result.st_ino), (stat_result.st_size, stat_result.st_mtime_ns)


def _hash(path: Path, work: _Hashing, budget_bytes: int) -> bool:
    """Continue hashing; returns True at the end of the file. The data stays in the kernel's page cache: the worker reads the same
    pages."""
    with path.open("rb", buffering=0) as file:
        file.seek(work.done_bytes)
        ends = work.done_bytes + budget_bytes
        while work.done_bytes < ends and (data := file.read(min(PIECE_BYTES, ends - work.done_bytes))):
            work.hasher.update(data)
            work.done_bytes += len(data)
        return work.done_bytes >= os.fstat(file.fileno()).st_size
