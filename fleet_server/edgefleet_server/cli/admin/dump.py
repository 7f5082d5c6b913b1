"""Dumps a PostgreSQL to one file and restores it, by its own programs: `pg_dump` sees one consistent snapshot, `pg_restore` is
atomic."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url

from edgefleet_server.core.errors import MissingError, StoreError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import server_facts
from edgefleet_server.db.people.server_facts import ServerFacts

FILE: Final = "fleet.pgdump"
SECONDS_MAX: Final = 24 * 3600
LINES_MAX: Final = 3
TEXT_MAX: Final = 500
PLACES: Final = Path("/usr/lib/postgresql")
"""Folder of the programs of each version on Debian; the newest reads the dumps of older ones."""


def check(url: str) -> None:
    """Check tables and indexes with `pg_amcheck`, if the database has the extension amcheck. Without it, only what `pg_dump`
    reads is checked: all rows, no index.

    Raises:
        MissingError: pg_amcheck is not installed.
        StoreError: something is damaged; the text is PostgreSQL's, which names it.
    """
    database = Database(url)
    try:
        with database.read() as connection:
            there = connection.exec_driver_sql("SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'").scalar_one()
    finally:
        database.close()
    if there:
        _run("pg_amcheck", url, [], "REINDEX the index, or restore the table from the last backup")


def dump(url: str, target: Path) -> None:
    """Dump the database at `url` to `target`, and read the dump to its end.

    Raises:
        MissingError: pg_dump is not installed.
        StoreError: it fails; the text is that of pg_dump.
    """
    _run("pg_dump", url, ["--format=custom", "--no-owner", "--no-acl", f"--file={target}"])
    verify(target)


def verify(source: Path) -> None:
    """Read a dump to its end without a database.

    Raises:
        MissingError: pg_restore is not installed.
        StoreError: it is damaged or cut off.
    """
    _done("pg_restore", ["--file=/dev/null", str(source)], "", "make another backup")


def is_empty(url: str) -> bool:
    """Whether a database has no tables."""
    database = Database(url)
    try:
        with database.read() as connection:
            text = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
            return not connection.exec_driver_sql(text).scalar_one()
    finally:
        database.close()


def name(url: str) -> str:
    """The URL of a database without its password."""
    return _public(make_url(url))


def load(source: Path, url: str) -> None:
    """Restore the dump `source` into an empty database in one transaction.

    Raises:
        MissingError: pg_restore is not installed.
        StoreError: it fails; nothing was changed.
    """
    _run("pg_restore", url, ["--no-owner", "--no-acl", "--exit-on-error", "--single-transaction", str(source)])


def migrate(url: str) -> None:
    """Migrate a restored database to this version.

    Raises:
        StoreError: it is of a newer version.
    """
    database = Database(url)
    try:
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


def facts(url: str) -> ServerFacts:
    """Read what the database at `url` needs of its data folder."""
    database = Database(url)
    try:
        with database.read() as connection:
            return server_facts.read(raw(connection))
    finally:
        database.close()


def _run(program: str, url: str, arguments: list[str], advice: str = "check the log of the database server") -> None:
    parts = make_url(url)
    public = ["--no-password", f"--dbname={_public(parts)}"]
    if program == "pg_amcheck":  # it has no --dbname
        public = ["--no-password", _public(parts)]
    _done(program, [*public, *arguments], str(parts.password) if parts.password else "", advice)


def _done(program: str, arguments: list[str], password: str, advice: str) -> None:
    done = subprocess.run(
        [_found(program), *arguments],
        env={**os.environ, **({"PGPASSWORD": password} if password else {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS_MAX,
        check=False,
    )
    if done.returncode != 0:
        lines = " ".join(line.strip() for line in (done.stderr or done.stdout).strip().splitlines()[:LINES_MAX])
        raise StoreError(f"{program}: {lines[:TEXT_MAX] or 'no error message'}; {advice}")


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
