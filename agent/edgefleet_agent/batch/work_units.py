"""Finds the files of a job by patterns and cuts them into work units."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from edgefleet_contract.core.errors import InputError

PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
VIDEOS = frozenset({".avi", ".gif", ".m4v", ".mkv", ".mov", ".mp4", ".mpg", ".ts", ".webm"})
TABLES = frozenset({".csv"})
PICTURES_EACH = 16
"""Pictures of one unit, and thus the largest loss per process if the job is killed; a video or a table is a separate unit."""
FILES_MAX = 10_000_000

Kind = Literal["pictures", "video", "table"]


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """One unit of work."""

    number: int
    kind: Kind
    files: tuple[str, ...]


def find_files(patterns: Iterable[str]) -> list[Path]:
    """The files of patterns (`**` for any folders) and of folders, each once, in the order of their names.

    Raises:
        InputError: there is no file of a known kind, or there are too many.
    """
    known = PICTURES | VIDEOS | TABLES
    found: dict[Path, None] = {}
    for pattern in patterns:
        folder = Path(pattern).is_dir()
        paths = Path(pattern).rglob("*") if folder else map(Path, glob.iglob(pattern, recursive=True))  # noqa: PTH207 - absolute ones
        for path in sorted(each for each in paths if each.suffix.lower() in known and each.is_file()):
            found[path] = None
            if len(found) > FILES_MAX:
                raise InputError(f"more than {FILES_MAX} files; use a narrower pattern")
    if not found:
        raise InputError(f"no file matches {', '.join(patterns)}; supported formats are {', '.join(sorted(known))}")
    return list(found)


def cut(files: Sequence[Path]) -> list[WorkUnit]:
    """The work units, in the order of the files."""
    units: list[WorkUnit] = []
    pictures: list[str] = []

    def close() -> None:
        if pictures:
            units.append(WorkUnit(len(units), "pictures", tuple(pictures)))
            pictures.clear()

    for path in files:
        if path.suffix.lower() in PICTURES:
            pictures.append(str(path))
            if len(pictures) == PICTURES_EACH:
                close()
            continue
        close()
        units.append(WorkUnit(len(units), "video" if path.suffix.lower() in VIDEOS else "table", (str(path),)))
    close()
    return units


def fingerprint(files: Iterable[Path], job: str) -> str:
    """A digest of the job's options and of its files with their sizes and times."""
    digest = hashlib.sha256(job.encode())
    for path in files:
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
