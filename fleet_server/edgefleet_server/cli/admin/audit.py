"""`edgefleet audit list | verify`: entries of the audit log; verification of its hash chain. With `--data`, without a server."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from typing import Any

from edgefleet_contract.core.command_line import add_command, seconds
from edgefleet_server.cli.admin.table_output import readable_database
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.parsers import AGE_S_MAX, add_instead_argument, local_data
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.people import audit, audit_archive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(commands, "list", "List entries, newest first", "edgefleet audit list --actor alice --since 7d")
    listing.add_argument("--actor", help="Only entries of this user")
    listing.add_argument("--action", dest="operation", help="Only this operation, for example pause_rollout")
    listing.add_argument(
        "--since", type=seconds(1, AGE_S_MAX), metavar="S", help="Only entries of the last S seconds, or of the last 7d"
    )
    listing.add_argument("--limit", type=int, default=50, help="Maximum number of entries (default: %(default)s)")
    verify = add_command(
        commands, "verify", "Verify the hash chain; exit code 6 if it is broken", "edgefleet audit verify --data ./fleet"
    )
    verify.add_argument(
        "--head", default="", metavar="SEQ:DIGEST", help="Head printed by an earlier run, which must still be in the log"
    )
    for child in (listing, verify):
        add_instead_argument(child, "Read this data folder instead of a server")
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    return _verify(arguments) if arguments.action == "verify" else _list(arguments)


def _list(arguments: argparse.Namespace) -> int:
    filters: dict[str, Any] = {
        "actor": arguments.actor or "",
        "action": arguments.operation or "",
        "since_at": time.time() - arguments.since if arguments.since else None,
        "limit": arguments.limit,
    }
    items: list[dict[str, Any]]
    data = local_data(arguments)
    if data is None:
        with Client(arguments.server) as client:
            items = [{**item} for item in client.audit.list_audit(**filters)["items"]]
    else:
        with readable_database(data) as database, database.read() as connection:
            items = audit.newest(connection, **filters)
    if arguments.json:
        print_json({"items": items})
        return 0
    now = time.time()
    rows = [
        (item["seq"], span(now - item["at"]), item["actor"], item["via"], item["source"] or "-", item["action"], _outcome(item))
        for item in items
    ]
    print_table(("SEQ", "AGO", "USER", "VIA", "SOURCE", "ACTION", "TARGET"), rows)
    return 0


def _outcome(item: Mapping[str, Any]) -> str:
    ended = f" → {item['status']}" if item["status"] >= 400 else ""
    detail = "" if item["detail"] in ("", "{}") else f" {item['detail'][:100]}"
    return f"{item['target']}{ended}{detail}"


def _verify(arguments: argparse.Namespace) -> int:
    data = local_data(arguments)
    if data is None:
        with Client(arguments.server) as client:
            answer = client.audit.verify_audit(head=arguments.head)
    else:
        with readable_database(data) as database, database.read() as connection:
            verdict = audit.check(connection, arguments.head, data / audit_archive.FOLDER)
        answer = {"valid": not verdict.fault, "entries": verdict.entries, "head": verdict.head, "fault": verdict.fault}
    if arguments.json:
        print_json(answer)
        return 0 if answer["valid"] else StoreError.exit_code
    if not answer["valid"]:
        raise StoreError(f"the audit log is broken: {answer['fault']}; it is valid up to {answer['head']}")
    print(f"the audit log is valid: {answer['entries']} entries, head {answer['head']}")
    return 0
