"""`edgefleet restore FILE`: a server's folder from a backup."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tarfile
import tempfile
import time
from pathlib import Path
from typing import IO, Any, Final

from edgefleet_contract.core.atomic_files import move_folder
from edgefleet_server.cli.admin import dump
from edgefleet_server.cli.admin.backup import CHUNK, DATABASE, FORMAT, TABLE
from edgefleet_server.cli.client import print_json
from edgefleet_server.core.errors import ConflictError, InputError, StoreError
from edgefleet_server.core.settings import default_data_folder
from edgefleet_server.db.backend.engine import Database, raw

TABLE_BYTES_MAX: Final = 64 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", type=Path, help="Backup file written by `edgefleet backup`")
    parser.add_argument("--data", type=Path, default=default_data_folder(), help="New data folder (default: %(default)s)")
    parser.add_argument(
        "--database",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
        metavar="URL",
        help="Empty PostgreSQL database, for a backup of a PostgreSQL server (default: $EDGEFLEET_DATABASE)",
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    summary = restore(arguments.file, arguments.data, arguments.database)
    if arguments.json:
        print_json(summary)
    else:
        made = time.ctime(summary["created_at"])
        print(
            f"{arguments.data}: {summary['files']} files restored from {made}; start the server"
            f" with `edgefleet serve --data {arguments.data}`"
        )
    return 0


def restore(file: Path, data: Path, url: str = "") -> dict[str, Any]:
    """Restore the data folder of a server from a backup, and its database at `url` if it had a PostgreSQL. The folder appears
    only after every byte was verified.

    Raises:
        ConflictError: the folder is not empty.
        InputError: the file is not a backup, of a newer version, or damaged.
        StoreError: the disk refuses.
    """
    if data.exists() and any(data.iterdir()):
        raise ConflictError(f"{data} is not empty; restore into a new folder with --data")
    data.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=data.parent, prefix=".edgefleet-restore-") as workplace:
            folder = Path(workplace) / "data"
            folder.mkdir(mode=0o700)
            table = _unpack(file, folder)
            _bring_back(folder, url)
            if data.exists():
                data.rmdir()
            move_folder(folder, data)
    except tarfile.TarError as error:
        raise InputError(f"{file} is not a backup: {error}") from error
    except OSError as error:
        raise StoreError(f"cannot restore {file} to {data}: {error.strerror or error}") from error
    return {"files": len(table["sha256"]), "created_at": table["created_at"], "data": str(data)}


def _unpack(file: Path, folder: Path) -> dict[str, Any]:
    """Write every file of the archive below `folder`; returns the table that they were verified against."""
    sums: dict[str, str] = {}
    table: dict[str, Any] = {}
    with tarfile.open(file, mode="r:") as archive:
        for member in archive:
            name = _checked(member, folder)
            source = archive.extractfile(member)
            assert source is not None
            if name == TABLE:
                table = json.loads(source.read(TABLE_BYTES_MAX))
                continue
            sums[name] = _copy(source, folder / name)
    if table.get("format") != FORMAT:
        raise InputError(f"{file}: backup format {table.get('format')!r} is not supported; must be {FORMAT}")
    wrong = sorted(set(table["sha256"].items()) ^ set(sums.items()))
    if wrong:
        raise InputError(f"{file} is damaged: the SHA-256 of {wrong[0][0]} does not match")
    return table


def _checked(member: tarfile.TarInfo, folder: Path) -> str:
    """The name of a member, which has to be a regular file below the folder."""
    target = (folder / member.name).resolve()
    if not member.isreg() or not target.is_relative_to(folder.resolve()) or member.name.startswith("/"):
        raise InputError(f"invalid backup entry {member.name[:200]!r}; nothing was restored")
    return member.name


def _copy(source: IO[bytes], target: Path) -> str:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    total = hashlib.sha256()
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        while chunk := source.read(CHUNK):
            total.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return total.hexdigest()


def _bring_back(folder: Path, url: str) -> None:
    """Restore the database and migrate it to this version."""
    if (folder / DATABASE).is_file():
        if url:
            raise InputError("this is a backup of an SQLite server; omit --database and unset $EDGEFLEET_DATABASE")
        _check_database(folder)
        return
    if not url:
        raise InputError("this is a backup of a PostgreSQL server; specify an empty database with --database postgresql://…")
    dump.load(folder / dump.FILE, url)
    (folder / dump.FILE).unlink()


def _check_database(folder: Path) -> None:
    database = Database(folder / DATABASE)
    try:
        database.migrate()
        with database.read() as connection:
            result = raw(connection).execute("PRAGMA quick_check").fetchone()[0]
    finally:
        database.close()
    if result != "ok":
        raise InputError(f"the database in the backup is damaged: {result}")
