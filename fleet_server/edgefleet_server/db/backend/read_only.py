"""Reads an SQLite file as it is: SQLite itself has to create files beside one in WAL mode, which a read-only disk refuses."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


def is_read_only(path: Path) -> bool:
    """Whether the disk of a path is mounted read-only.

    Raises:
        OSError: the path does not exist, or its disk does not answer.
    """
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


@contextmanager
def readable(path: Path, beside: Path | None = None) -> Iterator[Path]:
    """The file itself or, if its disk is read-only, a copy of it with its log in a folder that is removed at the end. `beside`:
    the folder for the copy; None = that for temporary files.

    Raises:
        OSError: it cannot be copied.
    """
    if not is_read_only(path):
        yield path
        return
    with tempfile.TemporaryDirectory(dir=beside) as folder:
        copy = Path(folder) / path.name
        for end in ("", "-wal"):
            source = path.with_name(path.name + end)
            if source.exists():
                shutil.copyfile(source, copy.with_name(copy.name + end))
        yield copy


def has_table(path: Path, name: str) -> bool:
    """Whether a file has a table; true as well for one that cannot be read, because its reader finds the reason.

    Raises:
        OSError: it cannot be copied from a read-only disk.
    """
    try:
        with readable(path) as file, closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone() is not None
    except sqlite3.Error:
        return True
