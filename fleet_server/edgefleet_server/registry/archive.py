"""Unpacks an untrusted tar: names, kinds, counts and sizes are checked before a byte is written, into one staging folder that is
always removed.

It refuses paths outside the package's alphabet (`..`, absolute, hidden, backslashes), links and devices of every kind, sparse
files, duplicate paths, too many files, more bytes than allowed, and headers with a declared length of megabytes.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

from edgefleet_contract.encoding.names import FILE_PATTERN
from edgefleet_server.core.errors import ManifestError

FILES_MAX: Final = 256
ENTRIES_MAX: Final = 1024
PATH_LENGTH_MAX: Final = 200
READ_BYTES: Final = 1024 * 1024
HEADER_BYTES_MAX: Final = READ_BYTES
"""Longest single header that tarfile may read into memory (extended headers declare their own length)."""

_FILE = re.compile(FILE_PATTERN)


class BoundedReader(io.RawIOBase):
    """An archive as a stream for tarfile: limits a single read to the size of a valid header and of a copied block."""

    def __init__(self, upload: IO[bytes]) -> None:
        self._upload = upload

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > HEADER_BYTES_MAX:
            raise tarfile.ReadError(f"it has a header of {size} bytes")
        return self._upload.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._upload.seek(offset, whence)


def unpack(upload: IO[bytes], folder: Path, bytes_max: int) -> list[str]:
    """Write the files of a plain tar under `folder`; returns their paths, in the archive's order.

    Raises:
        ManifestError: it is not a tar, or it has a forbidden entry; the text names it.
    """
    paths: list[str] = []
    left = bytes_max
    try:
        bounded: Any = BoundedReader(upload)  # tarfile's type hints require more methods than it uses: read, seek, tell
        with tarfile.open(fileobj=bounded, mode="r:") as archive:
            for member in _members(archive):
                path = _path(member, paths)
                left -= member.size
                if left < 0:
                    raise ManifestError(
                        f"the package exceeds the limit of {bytes_max} bytes; remove files that `model.toml` does not name"
                    )
                content = archive.extractfile(member)
                assert content is not None
                _write(content, folder / path, member.size)
                paths.append(path)
    except (tarfile.TarError, EOFError, ValueError, OverflowError, UnicodeError) as error:
        raise ManifestError(f"not a tar archive ({error}); pack the folder with `tar -cf package.tar -C FOLDER .`") from error
    return paths


def _members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The regular files. Folders are skipped: they are created from the paths of files."""
    for count, member in enumerate(archive, 1):
        if count > ENTRIES_MAX:
            raise ManifestError(f"the archive has over {ENTRIES_MAX} entries; remove files that `model.toml` does not name")
        if member.isdir():
            continue
        if not member.isreg() or member.issparse():
            raise ManifestError(f"the archive's {member.name[:200]!r} is not a regular file")
        yield member


def _path(member: tarfile.TarInfo, taken: list[str]) -> str:
    path = member.name.removeprefix("./")
    if len(path) > PATH_LENGTH_MAX or _FILE.fullmatch(path) is None:
        raise ManifestError(
            f"the archive's path {member.name[:200]!r} is not allowed: it must be relative, of letters, digits and `_ . -`,"
            " at most 5 levels deep, with nothing hidden"
        )
    clash = next(
        (other for other in taken if other == path or other.startswith(f"{path}/") or path.startswith(f"{other}/")), None
    )
    if clash is not None:
        raise ManifestError(f"the archive's {path!r} clashes with {clash!r}; each path may occur once")
    if len(taken) >= FILES_MAX:
        raise ManifestError(f"the archive has over {FILES_MAX} files; remove files that `model.toml` does not name")
    return path


def _write(content: IO[bytes], path: Path, size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("xb") as file:
        while chunk := content.read(READ_BYTES):
            written += file.write(chunk)
    if written != size:
        raise ManifestError(f"the archive is truncated in {path.name!r}: {written} of {size} bytes; upload it again")
