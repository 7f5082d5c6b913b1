"""`edgefleet backup FILE`: all data of a server as one file (`restore` restores it).

A backup may be taken while the server runs: the database is copied by SQLite's own online backup or by `pg_dump`, which see one
consistent snapshot, the signed metadata is copied under its lock, and the blobs that they name never change. What is damaged is
refused, so that a finished backup can be restored. The file contains keys: with it, anyone can impersonate the server.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Final, cast

from edgefleet_contract.core.atomic_files import as_store_error, check_replaceable, move_file
from edgefleet_contract.core.command_line import add_secret_option
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.cli.admin import dump
from edgefleet_server.cli.client import print_json
from edgefleet_server.cli.parsers import add_data_argument
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.settings import DATABASE_FILE
from edgefleet_server.db.backend import integrity, read_only
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import server_facts
from edgefleet_server.db.people.server_facts import ServerFacts
from edgefleet_server.registry.integrity import data_folder
from edgefleet_server.registry.integrity.data_folder import Identity
from edgefleet_server.registry.signing.folder_lock import FolderLock
from edgefleet_server.registry.signing.stored_metadata import check_metadata

FORMAT: Final = 1
TABLE: Final = "backup.json"
DATABASE: Final = DATABASE_FILE
FOLDERS: Final = ("blobs", "authority", "trust", "evidence", "audit")
SMALL_FILES: Final = ("broker/port", "broker/device-port")
CHUNK: Final = 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", type=Path, help="Backup file to write")
    parser.add_argument("--without-evidence", action="store_true", help="Exclude snapshots and clips of events")
    add_data_argument(parser, "Data folder of the server")
    add_secret_option(
        parser,
        "--database",
        "PostgreSQL database of the server, if it uses one (default: $EDGEFLEET_DATABASE)",
        metavar="URL",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    folders = tuple(name for name in FOLDERS if name != "evidence" or not arguments.without_evidence)
    if str(arguments.file) == "-":
        raise InputError("a backup is written to a file, not to stdout; specify its name (./- for this one)")
    earlier = _made_at(arguments.file)
    summary = back_up(arguments.data, arguments.file.resolve(), folders, time.time(), arguments.database)
    if arguments.json:
        print_json(summary)
    else:
        print(
            f"{arguments.file}: {summary['files']} files, {summary['length_bytes'] / 1e6:.1f} MB."
            f" It contains private keys: store it securely{earlier and f'; it replaced the file of {earlier}'}"
        )
    return 0


def _made_at(file: Path) -> str:
    """The time of a file that a backup replaces, as a timer's backups of each night do; empty without one."""
    with as_store_error(file):
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(file.stat().st_mtime)) if file.is_file() else ""


def back_up(data: Path, file: Path, folders: tuple[str, ...], now: float, url: str = "") -> dict[str, Any]:
    """Write a backup of the data folder of a server, running or not, and of its database: the one in the folder, or at `url`.

    Raises:
        InputError: the folder is not that of a server.
        StoreError: the disk refuses, the database, a blob or the signed metadata is damaged, or a blob is missing; an older
            backup under this name is unchanged.
    """
    check_replaceable(file)
    with closing(Database(url or data / DATABASE)) as database:
        identity = data_folder.check_used(data, database, "" if url else ", and --database for a PostgreSQL server")
        name = database.name if url else DATABASE
    beside, workplace = file.with_name(f".{file.name}.new"), file.with_name(f".{file.name}.parts")
    try:
        _clear(workplace)
        workplace.mkdir(mode=0o700)
        copy = workplace / (dump.FILE if url else DATABASE)
        needed, facts = _copy_database(data, url, copy)
        _check_present(needed, data / "blobs")
        data_folder.check_parts(data, identity, facts)
        if facts.server:
            data_folder.write_identity(workplace, Identity(facts.server, name))
        _copy_metadata(data / "trust", workplace / "trust")
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            sums = _write(target, workplace, data, folders, now)
        _check_added(needed, sums, data / "blobs")
        move_file(beside, file)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space" if full else "specify a file in a folder that exists and can be written"
        raise StoreError(f"cannot write {file}: {error.strerror or error}; {advice}") from error
    finally:
        beside.unlink(missing_ok=True)
        _clear(workplace)
    return {"files": len(sums), "length_bytes": file.stat().st_size, "created_at": now}


def _clear(workplace: Path) -> None:
    """Remove the parts of a backup, also those of an interrupted one."""
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(workplace)


def _copy_database(data: Path, url: str, copy: Path) -> tuple[list[str], ServerFacts]:
    """Copy and check the database; returns the digests of the blobs that it names, and what it needs of the folder."""
    if url:
        dump.check(url)
        dump.dump(url, copy)
        return dump.blobs(url), dump.facts(url)
    source = data / DATABASE
    try:
        with (
            read_only.readable(source, copy.parent) as file,
            closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(copy)) as new,
        ):
            old.backup(new)
    except sqlite3.Error as error:
        advice = integrity.RESTORE if integrity.is_damage(error) else "check its owner and the state of the disk"
        raise StoreError(f"database {source}: {fault_text(error)}; {advice}") from error
    damage = integrity.full_check(copy)
    if damage is not None:
        raise StoreError(f"no backup was made: database {source}: {damage.text(source)}")
    with closing(sqlite3.connect(copy)) as db:
        return [row[0] for row in db.execute("SELECT sha256 FROM package_blob")], server_facts.read(db)


def _check_present(names: list[str], blobs: Path) -> None:
    """Check that every blob named in the copy exists: without it, the backup could not be restored. The blobs of a server with a
    bucket are not in its folder."""
    if not blobs.is_dir():
        return
    missing = [name for name in names if not (blobs / name[:2] / name).is_file()]
    if missing:
        raise StoreError(f"{len(missing)} blobs of the database are missing from {blobs}, for example {missing[0]}; {PUSH_AGAIN}")


def _check_added(names: list[str], sums: dict[str, str], blobs: Path) -> None:
    """Check the blobs in the backup against their names."""
    if not blobs.is_dir():
        return
    deleted = [name for name in names if f"blobs/{name[:2]}/{name}" not in sums]
    if deleted:
        raise StoreError(f"{len(deleted)} blobs were deleted while the backup was made; run it again")
    wrong = [name for name, digest in sums.items() if name.startswith("blobs/") and name.rpartition("/")[2] != digest]
    if wrong:
        raise StoreError(
            f"no backup was made: {len(wrong)} blobs are damaged, for example {blobs.parent / wrong[0]}; {PUSH_AGAIN}"
        )


PUSH_AGAIN: Final = "delete the damaged files, stop the server and push their packages again, or restore the last backup"


def _copy_metadata(source: Path, target: Path) -> None:
    """Copy keys and signed metadata under the lock of those who sign, and verify their chain."""
    metadata = source / "metadata"
    if metadata.is_dir():
        with FolderLock(metadata / "timestamp.json", lambda: None):
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(".*"))
        check_metadata(target / "metadata", metadata)


def _write(target: IO[bytes], workplace: Path, data: Path, folders: tuple[str, ...], now: float) -> dict[str, str]:
    sums: dict[str, str] = {}
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, path in (*_files(workplace, (".",)), *_files(data, tuple(name for name in folders if name != "trust"))):
            with contextlib.suppress(FileNotFoundError):  # evidence that retention has just deleted
                sums[name] = _add(archive, name, path)
        for name in SMALL_FILES:
            if (data / name).is_file():
                sums[name] = _add(archive, name, data / name)
        table = json.dumps({"format": FORMAT, "created_at": now, "sha256": sums}, indent=1).encode()
        info = tarfile.TarInfo(TABLE)
        info.size = len(table)
        archive.addfile(info, io.BytesIO(table))
    return sums


def _files(data: Path, folders: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    for folder in folders:
        for path in sorted((data / folder).rglob("*")):
            unfinished = path.name.startswith(".") or "incoming" in path.relative_to(data).parts
            if path.is_file() and not path.is_symlink() and not unfinished:
                yield str(path.relative_to(data)), path


def _add(archive: tarfile.TarFile, name: str, path: Path) -> str:
    """Add a file; returns the SHA-256 of the added bytes. A file that grows meanwhile is added as it was at the beginning."""
    with path.open("rb") as file:
        info = tarfile.TarInfo(name)
        info.size = os.fstat(file.fileno()).st_size
        info.mode = 0o600
        counted = _Hashed(file)
        archive.addfile(info, cast("IO[bytes]", counted))
    return counted.digest.hexdigest()


class _Hashed:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        return data
