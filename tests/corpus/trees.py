"""A folder of a program as files that are text where possible: databases as SQL, files of zeros by their length."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

SQL, SPARSE, LINK = ".sql", ".sparse", ".link"
SPARSE_BYTES_MIN = 16 * 1024
_MAGIC = b"SQLite format 3\x00"


def pack_tree(source: Path, target: Path) -> None:
    """Write the folder `source` to `target`; its databases are closed."""
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            place.with_name(place.name + LINK).write_text(str(path.readlink()) + "\n", encoding="utf-8")
        elif path.is_file() and not path.name.endswith(("-wal", "-shm")):
            _pack_file(path, place)


def _pack_file(path: Path, place: Path) -> None:
    data = path.read_bytes()
    if data.startswith(_MAGIC):
        with closing(sqlite3.connect(path)) as database:
            place.with_name(place.name + SQL).write_text(sql_dump(database), encoding="utf-8")
    elif len(data) >= SPARSE_BYTES_MIN and len(data.rstrip(b"\x00")) < SPARSE_BYTES_MIN:
        text = json.dumps({"length": len(data), "begin": data.rstrip(b"\x00").hex()})
        place.with_name(place.name + SPARSE).write_text(text + "\n", encoding="utf-8")
    else:
        shutil.copyfile(path, place)


def unpack_tree(source: Path, target: Path) -> None:
    """Make the folder that `pack_tree` was given, readable by its owner only."""
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        place = target / path.relative_to(source)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.suffix == SQL:
            with closing(sqlite3.connect(place.with_suffix(""))) as database:
                database.executescript(path.read_text(encoding="utf-8"))
        elif path.suffix == LINK:
            place.with_suffix("").symlink_to(path.read_text(encoding="utf-8").strip())
        elif path.suffix == SPARSE:
            plain = json.loads(path.read_text(encoding="utf-8"))
            place.with_suffix("").write_bytes(bytes.fromhex(plain["begin"]).ljust(plain["length"], b"\x00"))
        else:
            shutil.copyfile(path, place)
            place.chmod(0o600)


def sql_dump(database: sqlite3.Connection) -> str:
    """The database as SQL, with the version that its program wrote into the header."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return "\n".join([*database.iterdump(), f"PRAGMA user_version = {version};"]) + "\n"
