"""`edgefleet migrate-db --database postgresql://…`: copies the SQLite database of a server into an empty PostgreSQL.

The server has to be stopped: rows written during the copy would be lost. The SQLite file is not changed.
"""

from __future__ import annotations

import argparse
import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from edgefleet_contract.core.command_line import add_secret_option
from edgefleet_server.cli.admin.stopped_server import stopped_server
from edgefleet_server.cli.admin.table_output import note
from edgefleet_server.cli.client import print_json
from edgefleet_server.cli.parsers import add_data_argument
from edgefleet_server.core.errors import InputError
from edgefleet_server.db import transfer
from edgefleet_server.db.backend.engine import Connection, Database
from edgefleet_server.model_tools.progress_bar import Progress
from edgefleet_server.registry.integrity import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_data_argument(parser, "Data folder of the server")
    add_secret_option(
        parser,
        "--database",
        "Empty PostgreSQL database: postgresql://user:password@host/name (default: $EDGEFLEET_DATABASE)",
        metavar="URL",
        default=os.environ.get("EDGEFLEET_DATABASE", ""),
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    summary = migrate_to_postgresql(arguments.data, arguments.database)
    if arguments.json:
        print_json(summary)
        return 0
    copied = f"{summary['rows']} rows of {summary['tables']} tables in {summary['took_s']:.0f} s"
    print(f"copied {copied}; the audit log is valid up to {summary['head']}")
    print(f"next: EDGEFLEET_DATABASE=postgresql://… edgefleet serve --data {arguments.data}")
    return 0


def migrate_to_postgresql(data: Path, url: str) -> dict[str, Any]:
    """Copy the database of the data folder of a stopped server to `url`, completely or not at all.

    Raises:
        ConflictError: the target is not empty.
        InputError: the folder is not that of a server, or the URL is not one of PostgreSQL.
        StoreError: a database refuses; nothing was copied.
        UnavailableError: the server is running.
    """
    file = data / "fleet.db"
    if not file.exists():
        raise InputError(f"{data} is not the data folder of a server: no {file.name}; specify it with --data")
    if not url:
        raise InputError("--database is missing; specify an empty PostgreSQL database: postgresql://user:password@host/name")
    began = time.monotonic()
    with (
        stopped_server(data, "later writes would not be copied"),
        closing(Database(file)) as source,
        closing(Database(url)) as target,
    ):
        data_folder.check_used(data, source)
        source.migrate()
        target.migrate()

        def sign(connection: Connection) -> None:
            note(connection, "migrate_db", target.name, {"from": str(file)})

        with Progress("copying", transfer.count(source)) as bar:
            copied = transfer.copy(source, target, bar.to, sign)
        data_folder.record(data, target)
    rows = sum(copied.rows.values())
    return {"rows": rows, "tables": len(copied.rows), "head": copied.head, "took_s": time.monotonic() - began, "of": copied.rows}
