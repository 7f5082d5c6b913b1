"""`edgefleet event list`."""

from __future__ import annotations

import argparse
import time

from edgefleet_client.schemas.devices import EventRow
from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(
        commands, "list", "List events, newest first", "edgefleet event list --device line-7 --label person --since 3600"
    )
    listing.add_argument("--device", help="Only events of this device")
    listing.add_argument("--kind", help="Kind: visit, zone, line, count, …")
    listing.add_argument("--label", help="Label: person, car, …")
    listing.add_argument("--rule", help="Rule name")
    listing.add_argument("--zone", help="Zone name")
    listing.add_argument("--text", help="Text that occurs in the event")
    listing.add_argument("--since", type=float, metavar="S", help="Only events of the last S seconds")
    listing.add_argument("--limit", type=int, default=50, help="Maximum number of events (default: %(default)s)")
    add_server_arguments(listing)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    since_at = time.time() - arguments.since if arguments.since else None
    answer = Client(arguments.server).devices.list_events(
        **{name: getattr(arguments, name) for name in ("device", "kind", "label", "rule", "zone", "text", "limit")},
        since_at=since_at,
    )
    if arguments.json:
        print_json(answer)
        return 0
    print_table(("ID", "AGO", "DEVICE", "PIPELINE", "KIND", "LABEL", "DETAILS"), [_row(item) for item in answer["items"]])
    return 0


def _row(item: EventRow) -> list[object]:
    event = item["event"]
    names = ("rule", "zone", "line", "direction", "count", "score", "coverage")
    what = " ".join(f"{name}={event[name]}" for name in names if event.get(name) not in (None, ""))
    ago = span(time.time() - item["received_at"])
    return [item["id"], ago, item["device"], event.get("pipeline", "-"), event.get("kind", "-"), event.get("label") or "-", what]
