"""The parts of a data folder that belong together: database, authority, signed metadata, models. A part that was lost is never
made anew beside the others: a new database would forget users and blocked devices, a new authority would lock out every device.

`identity.json` names the server and the place of its database; the database has the same id once all parts exist.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from edgefleet_contract.core.atomic_files import as_store_error, read_if_there, write_atomic
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.settings import DATABASE_FILE
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import server_facts
from edgefleet_server.db.people.server_facts import ServerFacts
from edgefleet_server.registry.identity import certificate_authority
from edgefleet_server.registry.signing import keys

FILE: Final = "identity.json"
BYTES_MAX: Final = 4096
RESTORE: Final = "restore the last backup into a new folder: `edgefleet restore FILE --data NEW`"
ANEW: Final = "to begin anew without its users and devices, use an empty folder"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """`server`: the id in the database; `database`: "fleet.db", or the URL of a PostgreSQL without its password."""

    server: str
    database: str


def read_identity(data: Path) -> Identity | None:
    """The identity of a data folder; None for a new one, and for one of version 0.2.0.

    Raises:
        StoreError: the file is damaged or cannot be read.
    """
    file = data / FILE
    content = read_if_there(file, BYTES_MAX)
    if content is None and not file.exists():
        return None
    try:
        return msgspec.json.decode(content or b"", type=Identity)
    except msgspec.DecodeError as error:
        raise StoreError(f"{file} is damaged; copy it from the last backup, or delete it if {data} is complete") from error


def check_database(data: Path, database: Database) -> Identity | None:
    """Check, before `database` is used for `data`, that it is the one of this folder and was not lost. A new folder has none yet.
    Returns the identity of the folder.

    Raises:
        StoreError: it is missing or empty although other parts of the server exist, or the server uses another one.
    """
    identity = read_identity(data)
    moved = identity is not None and identity.database != DATABASE_FILE
    if identity is not None and moved and not database.shared:
        raise StoreError(
            f"data folder {data}: its database is {identity.database}, not {DATABASE_FILE}; set EDGEFLEET_DATABASE"
            f" (to go back to the state in {DATABASE_FILE}, delete {data / FILE})"
        )
    with as_store_error(data):
        left = sorted(_left(data))
    if not left or not database.is_empty():
        return identity
    parts = ", ".join(left)
    if database.shared and not moved and (data / DATABASE_FILE).exists():
        raise StoreError(f"database {database.name} is empty; copy {data / DATABASE_FILE} to it with `edgefleet migrate-db`")
    raise StoreError(f"database {database.name} is missing or empty, but {data} is that of a server ({parts}); {RESTORE}; {ANEW}")


def check_used(data: Path, database: Database, more: str = "") -> Identity | None:
    """`check_database` for a command that works on what is there: a mistyped folder is no new server. `more`: further advice.

    Raises:
        InputError: the folder, or its database, is not there or empty.
        StoreError: as `check_database`.
    """
    identity = check_database(data, database)
    if database.is_empty() or not data.is_dir():
        raise InputError(f"{data} is not the data folder of a server: {database.name} is empty; specify it with --data{more}")
    return identity


def check_parts(data: Path, identity: Identity | None, facts: ServerFacts) -> None:
    """Check that the folder has every part that a database with these `facts` needs, and that its keys are usable. `identity`:
    that of the folder before the facts were read.

    Raises:
        StoreError: a part is missing or damaged, or of another server.
    """
    if identity is not None and identity.server != facts.server:
        raise StoreError(f"data folder {data}: the database is of another server than {FILE}; {RESTORE}")
    with as_store_error(data):
        lost = list(_lost(data, facts))
    if lost:
        raise StoreError(f"data folder {data}: {'; '.join(lost)}; {RESTORE}")
    check_keys(data, data)


def check_keys(data: Path, shown: Path) -> None:
    """Check each key of a data folder that has one: that it can be loaded, and belongs to its certificate or signed root.
    `shown`: the folder that errors name.

    Raises:
        StoreError: a key is damaged.
    """
    if any((data / "authority" / name).exists() for name in certificate_authority.FILES):
        certificate_authority.check(data / "authority", shown / "authority")
    if _has_trust(data):
        keys.check(data / "trust", shown / "trust")


def record(data: Path, database: Database) -> None:
    """Record that every part exists, in the database and then in the folder.

    Raises:
        StoreError: the disk or the database refuses.
    """
    with database.read() as connection:
        server = server_facts.read(raw(connection)).server
    if not server:
        server = secrets.token_hex(16)
        with database.write() as connection:
            server_facts.name(raw(connection), server)
    write_identity(data, Identity(server, database.name if database.shared else DATABASE_FILE))


def write_identity(data: Path, identity: Identity) -> None:
    """Write the identity of a data folder, if it is not the same already.

    Raises:
        StoreError: the disk refuses.
    """
    if read_identity(data) != identity:
        write_atomic(data / FILE, msgspec.json.encode(identity), 0o644)


def _left(data: Path) -> Iterator[str]:
    """The parts of a server that exist. A certificate and key in `authority` alone may be an operator's, for a new server."""
    if (data / FILE).exists():
        yield FILE
    if (data / "authority" / "ticket.key").exists():
        yield "authority/"
    if _has_trust(data) or any((data / "trust" / "keys").glob("*.pem")):
        yield "trust/"
    if _has_blobs(data):
        yield "blobs/"


def _lost(data: Path, facts: ServerFacts) -> Iterator[str]:
    missing = [name for name in certificate_authority.FILES if not (data / "authority" / name).is_file()]
    if missing and (facts.server or facts.certificates):
        yield f"{' and '.join(f'authority/{name}' for name in missing)} missing, {facts.certificates} device certificates need it"
    if not _has_trust(data) and (facts.server or facts.packages):
        yield f"trust/metadata missing, it signs {facts.packages} model versions"
    in_bucket = (data / "blob-cache").is_dir()
    if facts.packages and not in_bucket and not _has_blobs(data):
        yield f"blobs/ missing, it has the files of {facts.packages} model versions"


def _has_trust(data: Path) -> bool:
    return any((data / "trust" / "metadata").glob("*.root.json"))


def _has_blobs(data: Path) -> bool:
    return any((data / "blobs").glob("[0-9a-f][0-9a-f]/*"))
