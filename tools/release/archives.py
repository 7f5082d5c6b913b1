"""Archives and checksums whose bytes depend on names and contents only: sorted, with one owner, one time and fixed modes."""

from __future__ import annotations

import gzip
import hashlib
import tarfile
from pathlib import Path

SUMS = "SHA256SUMS"
_CHUNK = 1 << 20


def pack(folder: Path, archive: Path, epoch_s: int, top: str = "") -> Path:
    """Write a tar of everything in `folder`, compressed if its name ends with .gz. top: a folder around it."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with archive.open("wb") as out:
        if archive.suffix == ".gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=epoch_s) as packed:
                _write(folder, packed, epoch_s, top)
        else:
            _write(folder, out, epoch_s, top)
    return archive


def _write(folder: Path, out: object, epoch_s: int, top: str) -> None:
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as tar:  # type: ignore[call-overload]
        for path in sorted(folder.rglob("*"), key=lambda each: each.relative_to(folder).as_posix()):
            name = path.relative_to(folder).as_posix()
            entry = tar.gettarinfo(path, f"{top}/{name}" if top else name)
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = epoch_s
            if not entry.issym():
                entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            if entry.isfile():
                with path.open("rb") as content:
                    tar.addfile(entry, content)
            else:
                tar.addfile(entry)


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    total = hashlib.sha256()
    with path.open("rb") as content:
        while part := content.read(_CHUNK):
            total.update(part)
    return total.hexdigest()


def checksums(folder: Path) -> dict[str, str]:
    """Path in `folder` -> SHA-256 of every file, except the file of checksums itself."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path) for path in found if path.name != SUMS}


def write_sums(folder: Path) -> Path:
    """Write SHA256SUMS, which `sha256sum --check` reads."""
    file = folder / SUMS
    file.write_text("".join(f"{digest}  {name}\n" for name, digest in checksums(folder).items()), encoding="utf-8")
    return file


def differences(one: Path, other: Path) -> list[str]:
    """Paths of files that only one of two folders has, or that differ."""
    ours, theirs = checksums(one), checksums(other)
    return sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
