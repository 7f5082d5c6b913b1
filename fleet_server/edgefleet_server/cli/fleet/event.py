"""`edgefleet event list`."""

from __future__ import annotations

import argparse
import time
from typing import Any

from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = commands.add_parser("list", help="what the devices saw, newest first")
    listing.add_argument("--device")
    listing.add_argument("--kind", help="visit, zone, line, count, …")
    listing.add_argument("--label", help="person, car, …")
    listing.add_argument("--rule")
    listing.add_argument("--zone")
    listing.add_argument("--text", help="anywhere in the event")
    listing.add_argument("--since", type=float, metavar="S", help="only those of the last S seconds")
    listing.add_argument("--limit", type=int, default=50)
    add_server_arguments(listing)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    since_at = time.time() - arguments.since if arguments.since else None
    answer = Client(arguments.server).get(
        "/events",
        **{name: getattr(arguments, name) for name in ("device", "kind", "label", "rule", "zone", "text", "limit")},
        since_at=since_at,
    )
    if arguments.json:
        print_json(answer)
        return 0
    print_table(("ID", "AGO", "DEVICE", "PIPELINE", "KIND", "LABEL", "WHAT"), [_row(item) for item in answer["items"]])
    return 0


def _row(item: dict[str, Any]) -> list[object]:
    event = item["event"]
    names = ("rule", "zone", "line", "direction", "count", "score", "coverage")
    what = " ".join(f"{name}={event[name]}" for name in names if event.get(name) not in (None, ""))
    ago = span(time.time() - item["received_at"])
    return [item["id"], ago, item["device"], event.get("pipeline", "-"), event.get("kind", "-"), event.get("label") or "-", what]
