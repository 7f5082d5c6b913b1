"""Dumps a PostgreSQL to one file and restores it, by its own programs: `pg_dump` sees one consistent snapshot, `pg_restore` is
atomic."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url

from edgefleet_server.core.errors import ConflictError, MissingError, StoreError
from edgefleet_server.db.backend.engine import Database

FILE: Final = "fleet.pgdump"
SECONDS_MAX: Final = 24 * 3600
PLACES: Final = Path("/usr/lib/postgresql")
"""Folder of the programs of each version on Debian; the newest reads the dumps of older ones."""


def dump(url: str, target: Path) -> None:
    """Dump the database at `url` to `target`.

    Raises:
        MissingError: pg_dump is not installed.
        StoreError: it fails; the text is that of pg_dump.
    """
    _run("pg_dump", url, ["--format=custom", "--no-owner", "--no-acl", f"--file={target}"])


def load(source: Path, url: str) -> None:
    """Restore the dump `source` into an empty database, and migrate it to this version.

    Raises:
        ConflictError: the database is not empty.
        MissingError: pg_restore is not installed.
        StoreError: it fails; nothing was changed.
    """
    database = Database(url)
    try:
        with database.read() as connection:
            found = connection.exec_driver_sql("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()").scalar_one()
        if found:
            raise ConflictError(f"database {database.name} is not empty; create a new one with `createdb`")
        _run("pg_restore", url, ["--no-owner", "--no-acl", "--exit-on-error", "--single-transaction", str(source)])
        database.migrate()
    finally:
        database.close()


def blobs(url: str) -> list[str]:
    """The blobs that packages of the database need."""
    database = Database(url)
    try:
        with database.read() as connection:
            return list(connection.exec_driver_sql("SELECT sha256 FROM package_blob").scalars())
    finally:
        database.close()


def _run(program: str, url: str, arguments: list[str]) -> None:
    parts = make_url(url)
    done = subprocess.run(
        [_found(program), "--no-password", f"--dbname={_public(parts)}", *arguments],
        env={**os.environ, **({"PGPASSWORD": str(parts.password)} if parts.password else {})},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    if done.returncode != 0:
        detail = (done.stderr.strip().splitlines() or ["no error message"])[0]
        raise StoreError(f"{program}: {detail}; check the log of the database server")


def _public(parts: URL) -> str:
    """The URL without its password, which would be visible in the list of processes."""
    bare = parts.set(drivername="postgresql")
    return URL.create(bare.drivername, bare.username, None, bare.host, bare.port, bare.database, bare.query).render_as_string()


def _found(program: str) -> str:
    newest = sorted(PLACES.glob(f"*/bin/{program}"), key=lambda path: -float(path.parts[-3]))
    found = str(newest[0]) if newest else shutil.which(program)
    if not found:
        raise MissingError(f"{program} is not installed; run `apt-get install postgresql-client`")
    return found
