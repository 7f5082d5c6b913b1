"""`edgefleet backup FILE`: all data of a server as one file (`restore` restores it).

A backup may be taken while the server runs: the database is copied by SQLite's own online backup or by `pg_dump`, which see one
consistent snapshot, and the blobs that it names never change. The file contains keys: with it, anyone can impersonate the server.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import sqlite3
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Final

from edgefleet_contract.core.atomic_files import move_file
from edgefleet_server.cli.admin import dump
from edgefleet_server.cli.client import print_json
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.settings import default_data_folder

FORMAT: Final = 1
TABLE: Final = "backup.json"
DATABASE: Final = "fleet.db"
FOLDERS: Final = ("blobs", "authority", "trust", "evidence", "audit")
SMALL_FILES: Final = ("broker/port", "broker/device-port")
CHUNK: Final = 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", type=Path, help="Backup file to write")
    parser.add_argument("--without-evidence", action="store_true", help="Exclude snapshots and clips of events")
    parser.add_argument(
        "--data", type=Path, default=default_data_folder(), help="Data folder of the server (default: %(default)s)"
    )
    parser.add_argument(
        "--database",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
        metavar="URL",
        help="PostgreSQL database of the server, if it uses one (default: $EDGEFLEET_DATABASE)",
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    folders = tuple(name for name in FOLDERS if name != "evidence" or not arguments.without_evidence)
    summary = back_up(arguments.data, arguments.file, folders, time.time(), arguments.database)
    if arguments.json:
        print_json(summary)
    else:
        print(
            f"{arguments.file}: {summary['files']} files, {summary['length_bytes'] / 1e6:.1f} MB."
            " It contains private keys: store it securely"
        )
    return 0


def back_up(data: Path, file: Path, folders: tuple[str, ...], now: float, url: str = "") -> dict[str, Any]:
    """Write a backup of the data folder of a server, running or not, and of its database: the one in the folder, or at `url`.

    Raises:
        InputError: the folder is not that of a server.
        StoreError: the disk refuses, or the database names a missing blob.
    """
    if not (data / ("trust" if url else DATABASE)).exists():
        hint = "" if url else f": no {DATABASE}"
        more = "" if url else ", and --database for a PostgreSQL server"
        raise InputError(f"{data} is not the data folder of a server{hint}; specify it with --data{more}")
    beside = file.with_name(f".{file.name}.new")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".edgefleet-backup-") as workplace:
            copy = Path(workplace) / (dump.FILE if url else DATABASE)
            if url:
                dump.dump(url, copy)
            else:
                _copy_database(data / DATABASE, copy)
            _check_blobs(dump.blobs(url) if url else _blobs_of(copy), data / "blobs")
            descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                sums = _write(target, copy, data, folders, now)
                target.flush()
                os.fsync(target.fileno())
        move_file(beside, file)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror or error}; check free space") from error
    finally:
        beside.unlink(missing_ok=True)
    return {"files": len(sums), "length_bytes": file.stat().st_size, "created_at": now}


def _write(target: IO[bytes], copy: Path, data: Path, folders: tuple[str, ...], now: float) -> dict[str, str]:
    sums: dict[str, str] = {}
    with tarfile.open(fileobj=target, mode="w") as archive:
        sums[copy.name] = _add(archive, copy.name, copy)
        for name, path in _files(data, folders):
            with contextlib.suppress(FileNotFoundError):  # evidence that retention has just deleted
                sums[name] = _add(archive, name, path)
        table = json.dumps({"format": FORMAT, "created_at": now, "sha256": sums}, indent=1).encode()
        info = tarfile.TarInfo(TABLE)
        info.size = len(table)
        archive.addfile(info, io.BytesIO(table))
    return sums


def _files(data: Path, folders: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    for folder in folders:
        for path in sorted((data / folder).rglob("*")):
            unfinished = path.name.startswith(".") or "incoming" in path.parts
            if path.is_file() and not path.is_symlink() and not unfinished:
                yield str(path.relative_to(data)), path
    for name in SMALL_FILES:
        if (data / name).is_file():
            yield name, data / name


def _add(archive: tarfile.TarFile, name: str, path: Path) -> str:
    """Add a file; returns the SHA-256 of the added bytes."""
    with path.open("rb") as file:
        digest = _digest(file)
        file.seek(0)
        info = tarfile.TarInfo(name)
        info.size = path.stat().st_size
        info.mode = 0o600
        archive.addfile(info, file)
    return digest


def _digest(file: IO[bytes]) -> str:
    total = hashlib.sha256()
    while chunk := file.read(CHUNK):
        total.update(chunk)
    return total.hexdigest()


def _copy_database(source: Path, target: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        raise StoreError(f"database {source}: {error}; cannot back it up") from error


def _blobs_of(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as db:
        return [row[0] for row in db.execute("SELECT sha256 FROM package_blob")]


def _check_blobs(names: list[str], blobs: Path) -> None:
    """Check that every blob named in the copy exists: without it, the backup could not be restored."""
    missing = [name for name in names if not (blobs / name[:2] / name).is_file()]
    if missing:
        raise StoreError(f"{len(missing)} blobs of the database are missing from {blobs}, for example {missing[0]}")
