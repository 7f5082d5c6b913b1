"""`edgefleet event list` and `export`."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from edgefleet_client.schemas.pipelines import EventRow
from edgefleet_contract.core.command_line import add_command, seconds
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.parsers import AGE_S_MAX

FILTERS: Final = ("device", "site", "kind", "label", "rule", "zone", "text")
FIELDS: Final = (
    "pipeline",
    "kind",
    "phase",
    "label",
    "rule",
    "zone",
    "line",
    "direction",
    "track_id",
    "count",
    "score",
    "coverage",
)
"""Fields of an event's record that have a column in CSV."""
FORMULA_STARTS: Final = frozenset("=+-@\t\r")
"""First characters of texts that a spreadsheet would take for a formula."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the commands."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(
        commands, "list", "List events, newest first", "edgefleet event list --device line-7 --label person --since 3600"
    )
    _add_filters(listing)
    listing.add_argument("--limit", type=int, default=50, help="Maximum number of events (default: %(default)s)")
    add_server_arguments(listing)
    export = add_command(
        commands,
        "export",
        "Write all matching events to stdout, newest first",
        "edgefleet event export --label person --since 86400 --format csv > events.csv",
    )
    _add_filters(export)
    export.add_argument(
        "--format", choices=("csv", "jsonl"), default="jsonl", help="One record a line as JSON, or a table (default: %(default)s)"
    )
    add_server_arguments(export)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", help="Only events of this device")
    parser.add_argument("--site", help="Only events of devices with this label `site`")
    parser.add_argument("--kind", help="Kind: visit, zone, line, count, …")
    parser.add_argument("--label", help="Label: person, car, …")
    parser.add_argument("--rule", help="Rule name")
    parser.add_argument("--zone", help="Zone name")
    parser.add_argument("--text", help="Text that occurs in the event")
    parser.add_argument(
        "--since", type=seconds(1, AGE_S_MAX), metavar="S", help="Only events of the last S seconds, or of the last 6h"
    )
    parser.add_argument("--unreviewed", action="store_true", help="Only events that no user has marked")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    chosen: dict[str, Any] = {name: getattr(arguments, name) for name in FILTERS}
    if arguments.since:
        chosen["since_at"] = time.time() - arguments.since
    if arguments.unreviewed:
        chosen["reviewed"] = False
    devices = Client(arguments.server).devices
    if arguments.action == "export":
        WRITERS[arguments.format](devices.iterate_events(**chosen))
        return 0
    answer = devices.list_events(**chosen, limit=arguments.limit)
    if arguments.json:
        print_json(answer)
        return 0
    print_table(("ID", "AGO", "DEVICE", "PIPELINE", "KIND", "LABEL", "DETAILS"), [_row(item) for item in answer["items"]])
    return 0


def _write_lines(events: Iterator[EventRow]) -> None:
    for event in events:
        print(json_text(event))


def _write_table(events: Iterator[EventRow]) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("id", "device", "at", "received_at", *FIELDS, "review", "reviewed_by"))
    for row in events:
        record, review = row["event"], row.get("review")
        values = [row["id"], row["device"], record.get("at"), row["received_at"], *(record.get(name) for name in FIELDS)]
        marks = [review["verdict"], review["by"]] if review else ["", ""]
        table.writerow([_cell(value) for value in (*values, *marks)])


def _cell(value: object) -> object:
    """A value of a table: no text that a spreadsheet would run as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in FORMULA_STARTS else value


WRITERS: Final[dict[str, Callable[[Iterator[EventRow]], None]]] = {"csv": _write_table, "jsonl": _write_lines}


def _row(item: EventRow) -> list[object]:
    event = item["event"]
    names = ("rule", "zone", "line", "direction", "count", "score", "coverage")
    what = " ".join(f"{name}={event[name]}" for name in names if event.get(name) not in (None, ""))
    ago = span(time.time() - item["received_at"])
    return [item["id"], ago, item["device"], event.get("pipeline", "-"), event.get("kind", "-"), event.get("label") or "-", what]
