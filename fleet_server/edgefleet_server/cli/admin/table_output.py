"""Direct access to a data folder for its owner, with audit entries, and output of the commands that use it."""

from __future__ import annotations

import json
import os
import pwd
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.settings import database_of
from edgefleet_server.db.backend import read_only
from edgefleet_server.db.backend.engine import Connection, Database
from edgefleet_server.db.people import audit
from edgefleet_server.registry.integrity import data_folder


@contextmanager
def open_database(data: Path) -> Iterator[Database]:
    """The database of the data folder of a server, with the schema of this version; the server may be running on it.

    Raises:
        InputError: the folder is not that of a server.
        StoreError: it cannot be used, or was lost.
    """
    with closing(Database(database_of(data))) as database:
        data_folder.check_used(data, database)
        database.migrate()
        yield database


@contextmanager
def new_database(data: Path) -> Iterator[Database]:
    """`open_database`, of a folder that is made if it is not there: for what comes before the first start of a server.

    Raises:
        StoreError: it cannot be used, or was lost.
    """
    try:
        make_folder(data, 0o755)
    except StoreError as error:
        raise StoreError(f"data folder {data}: {fault_text(error)}; choose another folder with --data") from error
    with closing(Database(database_of(data))) as database:
        data_folder.check_database(data, database)
        database.migrate()
        yield database


@contextmanager
def readable_database(data: Path) -> Iterator[Database]:
    """The database of a data folder to be read only; of one on a read-only disk, a temporary copy.

    Raises:
        InputError: the folder is not that of a server.
        StoreError: it cannot be used, or was lost.
    """
    where = database_of(data)
    with as_store_error(data):
        is_file = isinstance(where, Path) and where.is_file()
    if not isinstance(where, Path) or not is_file or not read_only.is_read_only(where):
        with open_database(data) as database:
            yield database
        return
    with closing(Database(where)) as original:
        data_folder.check_used(data, original)
    with as_store_error(where), read_only.readable(where) as copy, closing(Database(copy)) as database:
        database.migrate()
        yield database


def note(connection: Connection, action: str, target: str, detail: Mapping[str, Any]) -> None:
    """Write an audit entry about the change of this transaction."""
    audit.append(
        connection,
        at=time.time(),
        actor=f"{_system_user()} (on the server)",
        role="admin",
        via="data",
        source="",
        action=action,
        target=target,
        status=0,
        detail=json.dumps(dict(detail)),
    )


def _system_user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
