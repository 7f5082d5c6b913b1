"""`edgefleet restore FILE`: a server's folder from a backup."""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import tarfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from edgefleet_contract.core.atomic_files import move_file, move_folder, read_if_there, remove_file, remove_folder, write_atomic
from edgefleet_contract.core.command_line import add_secret_option
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_server.cli.admin import dump
from edgefleet_server.cli.admin.backup import CHUNK, DATABASE, FORMAT, TABLE
from edgefleet_server.cli.client import print_json
from edgefleet_server.cli.parsers import add_data_argument
from edgefleet_server.core.errors import ConflictError, InputError, StoreError
from edgefleet_server.db.backend import integrity
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import server_facts
from edgefleet_server.registry.archive import BoundedReader
from edgefleet_server.registry.integrity import data_folder
from edgefleet_server.registry.signing.stored_metadata import check_metadata

TABLE_BYTES_MAX: Final = 256 * 1024 * 1024
FILES_MAX: Final = 2_000_000
RESTORING: Final = ".restoring"
MOVING: Final = "moving"
OF_THE_DISK: Final = "lost+found"
LOADING: Final = "loading"
LOADING_BYTES_MAX: Final = 8192


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", type=Path, help="Backup file written by `edgefleet backup`")
    add_data_argument(parser, "New data folder")
    add_secret_option(
        parser,
        "--database",
        "Empty PostgreSQL database, for a backup of a PostgreSQL server (default: $EDGEFLEET_DATABASE)",
        metavar="URL",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
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
    only after every byte, the database and the signed metadata were verified.

    A restore that was interrupted can be run again: its parts are in `.NAME.restoring` beside the folder, with the name of the
    database that it was loading. That database was empty before, and is loaded in one transaction. If the folder is the root of
    a disk, which cannot be renamed, the parts are in it, and are moved one by one, the one without which no server starts last.

    Raises:
        ConflictError: the folder or the database is not empty, or another restore into the folder is running.
        InputError: the file is not a backup, of a newer version, or damaged.
        StoreError: the disk refuses.
    """
    is_disk = data.is_dir() and data.is_mount()
    parts = data / RESTORING if is_disk else data.with_name(f".{data.name}{RESTORING}")
    last = data_folder.FILE if url else DATABASE
    interrupted = (parts / MOVING).exists() and not (data / last).exists()
    if data.exists() and (not data.is_dir() or (_content(data, parts) and not interrupted)):
        raise ConflictError(f"{data} is not empty; restore into a new folder with --data")
    try:
        with file.open("rb") as source, _parts_folder(parts) as loading:
            _check_space(source, parts)
            folder = parts / "data"
            folder.mkdir(mode=0o700)
            table = _unpack(source, file, folder)
            _verify(file, folder, table["sha256"])
            _bring_back(folder, url, table["sha256"].get(dump.FILE, ""), parts / LOADING, loading)
            _identify(file, folder, url)
            _give(folder, data)
            if is_disk:
                _move_content(folder, data, parts / MOVING, last)
            else:
                move_folder(folder, data)
            shutil.rmtree(parts)
    except tarfile.TarError as error:
        raise InputError(f"{file} is not a backup, or cut off: {error}") from error
    except OSError as error:
        raise StoreError(f"cannot restore {file} to {data}: {error.strerror or error}; check path and free space") from error
    return {"files": len(table["sha256"]), "created_at": table["created_at"], "data": str(data)}


def _content(data: Path, parts: Path) -> list[Path]:
    """The content of the folder, without the parts of a restore."""
    return [each for each in data.iterdir() if each != parts and each.name != OF_THE_DISK]


def _move_content(folder: Path, data: Path, moving: Path, last: str) -> None:
    """Move what is in `folder` to `data`; `last`: the part with which the restore is complete. `moving`: the file that exists
    meanwhile."""
    write_atomic(moving, b"")
    for before in _content(data, moving.parent):  # moved by a restore that was interrupted
        remove_folder(before) if before.is_dir() else remove_file(before)
    for part in sorted(folder.iterdir(), key=lambda each: each.name == last):
        (move_folder if part.is_dir() else move_file)(part, data / part.name)


@contextmanager
def _parts_folder(parts: Path) -> Iterator[str]:
    """Lock and empty the folder for the parts; yields the database that an interrupted restore was loading, "" = none. After an
    error the parts are removed, except for that name."""
    parts.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(parts, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(parts / "data", ignore_errors=True)
        loading = (read_if_there(parts / LOADING, LOADING_BYTES_MAX) or b"").decode(errors="replace")
        yield loading
    except BlockingIOError as error:
        raise ConflictError(f"another restore into {parts.parent} is running; wait for its end") from error
    except BaseException:
        shutil.rmtree(parts / "data", ignore_errors=True)
        if not (parts / LOADING).exists() and not (parts / MOVING).exists():
            shutil.rmtree(parts, ignore_errors=True)
        raise
    finally:
        os.close(descriptor)


def _check_space(source: IO[bytes], parts: Path) -> None:
    needed, free = os.fstat(source.fileno()).st_size, shutil.disk_usage(parts).free
    if needed > free:
        raise StoreError(f"{needed / 1e6:.0f} MB are needed for {parts.parent}, {free / 1e6:.0f} MB are free; free some space")


def _unpack(source: IO[bytes], file: Path, folder: Path) -> dict[str, Any]:
    """Write every file of the archive below `folder`; returns the table that they were verified against."""
    sums: dict[str, str] = {}
    table: dict[str, Any] | None = None
    bounded: Any = BoundedReader(source)  # tarfile's type hints require more methods than it uses
    try:
        with tarfile.open(fileobj=bounded, mode="r:") as archive:
            for member in archive:
                if table is not None or len(sums) > FILES_MAX:
                    raise InputError(f"{file} is damaged: there are files behind its table; nothing was restored")
                name = _checked(member, folder)
                content = archive.extractfile(member)
                assert content is not None
                if name == TABLE:
                    table = _table(file, content.read(TABLE_BYTES_MAX))
                else:
                    sums[name] = _copy(content, folder / name)
    except (ValueError, OverflowError, UnicodeError) as error:  # tarfile lets some of a damaged header through
        raise InputError(f"{file} is damaged: {str(error).splitlines()[0]}; nothing was restored") from error
    if table is None:
        raise InputError(f"{file} is not a backup, or cut off: it has no {TABLE} at its end; use another one")
    wrong = sorted(set(table["sha256"].items()) ^ set(sums.items()))
    if wrong:
        raise InputError(f"{file} is damaged: the SHA-256 of {wrong[0][0]} does not match; use another backup")
    return table


def _table(file: Path, data: bytes) -> dict[str, Any]:
    """The table of contents: format, time, SHA-256 by name."""
    try:
        table = msgspec.json.decode(data, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise InputError(f"{file} is damaged: {TABLE}: {field_fault(error)}; use another backup") from error
    if table.get("format") != FORMAT:
        raise InputError(f"{file}: backup format {table.get('format')!r} is not supported; must be {FORMAT}")
    try:
        msgspec.convert(table, _Table)
    except msgspec.ValidationError as error:
        raise InputError(f"{file} is damaged: {TABLE}: {field_fault(error)}; use another backup") from error
    return table


class _Table(msgspec.Struct):
    """The fields of the table of contents."""

    format: int
    created_at: float
    sha256: dict[str, str]


def _checked(member: tarfile.TarInfo, folder: Path) -> str:
    """The name of a member, which has to be a regular file below the folder."""
    target = (folder / member.name).resolve()
    plain = member.isreg() and not member.issparse()
    if not plain or not target.is_relative_to(folder.resolve()) or member.name.startswith("/"):
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


def _verify(file: Path, folder: Path, sums: dict[str, str]) -> None:
    """Check what the SHA-256 of the archive says nothing about: it may have been made from damaged data."""
    wrong = [name for name, digest in sums.items() if name.startswith("blobs/") and name.rpartition("/")[2] != digest]
    if wrong:
        raise InputError(f"{file} has a damaged blob, {wrong[0]}; use another backup")
    if (folder / "trust" / "metadata").is_dir():
        try:
            check_metadata(folder / "trust" / "metadata", Path("trust"))
        except StoreError as error:
            raise InputError(f"{file}: {error}") from error
    try:
        data_folder.check_keys(folder, Path())
    except StoreError as error:
        raise InputError(f"{file} has a damaged key: {error}") from error


def _bring_back(folder: Path, url: str, digest: str, record: Path, loading: str) -> None:
    """Restore the database and migrate it to this version. `digest`: SHA-256 of the dump; `record`: the file with the name of
    the database that is being loaded; `loading`: its content after an interrupted restore."""
    if (folder / DATABASE).is_file():
        if url:
            raise InputError("this is a backup of an SQLite server; omit --database and unset $EDGEFLEET_DATABASE")
        _check_database(folder / DATABASE)
        return
    if not url:
        raise InputError("this is a backup of a PostgreSQL server; specify an empty database with --database postgresql://…")
    source = folder / dump.FILE
    if not source.is_file():
        raise InputError("the backup has no database; use another one")
    name = f"{dump.name(url)} {digest}"
    if dump.is_empty(url):
        write_atomic(record, name.encode())
        dump.load(source, url)
    elif loading != name:
        raise ConflictError(f"database {dump.name(url)} is not empty; create a new one with `createdb`")
    dump.migrate(url)
    source.unlink()


def _identify(file: Path, folder: Path, url: str) -> None:
    """Check that the folder has every part that the restored database needs, and record where that database is."""
    with closing(Database(url or folder / DATABASE)) as database:
        with database.read() as connection:
            facts = server_facts.read(raw(connection))
        try:
            data_folder.check_parts(folder, None, facts)
        except StoreError as error:
            raise InputError(f"{file} is not complete: {str(error).replace(f'{folder}/', '')}; use another backup") from error
        if facts.server:
            name = database.name if url else DATABASE
            data_folder.write_identity(folder, data_folder.Identity(facts.server, name))


def _check_database(path: Path) -> None:
    damage = integrity.full_check(path)
    if damage is not None:
        raise InputError(f"the database in the backup is damaged: {damage.detail or damage.text(path)}; use another backup")
    database = Database(path)
    try:
        database.migrate()
    finally:
        database.close()


def _give(folder: Path, data: Path) -> None:
    """Give the restored files to the owner of the empty folder that they replace, if root restores for the user of a service."""
    if os.geteuid() != 0 or not data.exists():
        return
    owner = data.stat()
    for path in (*folder.rglob("*"), folder):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
