"""Damages a page of an SQLite file, chosen by what it holds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

PAGE: Final = 4096
INTERIOR: Final = (2, 5)
"""Kinds of pages that point to others: of an index, of a table."""


def damage(path: Path, kind: str, name: str = "") -> None:
    """Overwrite the beginning of a page: `header`, `schema`, `freelist`, or `leaf` and `root` of the table or index `name`."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = db.execute("PRAGMA page_size").fetchone()
        assert size == PAGE
        found = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    data = bytearray(path.read_bytes())
    at, length = {"header": (0, 16), "schema": (100, 40)}.get(kind, (0, 48))
    if kind == "freelist":
        trunk = int.from_bytes(data[32:36], "big")
        assert trunk, "the file has no free pages"
        at, length = (trunk - 1) * PAGE, 8
    elif found is not None:
        page = int(found[0])
        while kind == "leaf" and data[(page - 1) * PAGE] in INTERIOR:
            page = int.from_bytes(data[(page - 1) * PAGE + 8 : (page - 1) * PAGE + 12], "big")
        at = (page - 1) * PAGE
    data[at : at + length] = b"\xff" * length
    path.write_bytes(data)


def grow(path: Path, rows: int = 3000) -> None:
    """Give the database of a server a table of several pages, and free ones."""
    with closing(sqlite3.connect(path)) as db:
        db.executemany(
            "INSERT INTO telemetry (device, at, received_at, record) VALUES (?, ?, ?, ?)",
            [(f"d{number % 50}", float(number), float(number), "{}" * 40) for number in range(rows)],
        )
        db.execute("CREATE TABLE room (text)")
        db.executemany("INSERT INTO room VALUES (?)", [("x" * 3000,)] * 20)
        db.execute("DROP TABLE room")
        db.commit()
