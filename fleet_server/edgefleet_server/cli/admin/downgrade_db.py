"""`edgefleet downgrade-db VERSION`: brings the database of a stopped server back to the schema of an older version."""

from __future__ import annotations

import argparse
import os
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, Final

from edgefleet_contract.core.command_line import add_secret_option
from edgefleet_server.cli.admin.backup import DATABASE
from edgefleet_server.cli.admin.stopped_server import stopped_server
from edgefleet_server.cli.admin.table_output import note
from edgefleet_server.cli.client import print_json
from edgefleet_server.cli.parsers import add_data_argument
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.registry.integrity import data_folder

REVISIONS: Final = {"0.2.0": "0001"}
"""Released version -> the newest migration that it has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("version", metavar="VERSION", help=f"Version to go back to, one of {', '.join(REVISIONS)}")
    add_data_argument(parser, "Data folder of the server")
    add_secret_option(
        parser,
        "--database",
        "PostgreSQL database, postgresql://user:password@host/name; stop all of its servers first (default:"
        " $EDGEFLEET_DATABASE, else the SQLite database of --data)",
        metavar="URL",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    summary = downgrade(arguments.data, arguments.database, arguments.version)
    if arguments.json:
        print_json(summary)
        return 0
    print(f"database {summary['database']} has the schema of {summary['version']}; install that version and start it")
    return 0


def downgrade(data: Path, url: str, version: str) -> dict[str, Any]:
    """Bring the database of a stopped server back to the schema of `version`.

    Raises:
        InputError: an unknown version, or the folder is not that of a server.
        StoreError: the database refuses; its schema is unchanged.
        UnavailableError: the server is running.
    """
    if version not in REVISIONS:
        raise InputError(f"version {version}: must be one of {', '.join(REVISIONS)}")
    if not url and not (data / DATABASE).exists():
        raise InputError(f"{data} is not the data folder of a server: no {DATABASE}; specify it with --data")
    alone = nullcontext() if url else stopped_server(data, "it needs the present schema")
    with alone, closing(Database(url or data / DATABASE)) as database:
        data_folder.check_used(data, database)
        database.downgrade(REVISIONS[version])
        with database.write() as connection:
            note(connection, "downgrade_db", database.name, {"version": version})
        return {"database": database.name, "version": version}
