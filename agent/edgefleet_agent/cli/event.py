"""`edgefleet-agent event search|show`: searches the events in the device's store; the service need not run."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.support.argument_types import count
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.recording.event_store import Query, StoredEvent, find, moment_at, search
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import to_plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `event`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    example = "edgefleet-agent event search --label person --zone door --since 6h"
    finding = add_command(actions, "search", "Search events, newest first", example)
    summary = "Show an event and the paths of its snapshot and clip"
    showing = add_command(actions, "show", summary, "edgefleet-agent event show ID")
    showing.add_argument("id", metavar="ID", help="Event id, as printed by `event search`")
    for name in ("label", "zone", "line", "pipeline", "rule", "kind"):
        finding.add_argument(f"--{name}", default="", metavar=name.upper(), help=f"Only events with this {name}")
    moment = "90m, 6h or 2d ago, 2026-05-01T12:00, or seconds since 1970"
    finding.add_argument("--since", default="", metavar="WHEN", help=f"Only events that started at or after WHEN: {moment}")
    finding.add_argument("--before", default="", metavar="WHEN", help="Only events that started before WHEN")
    finding.add_argument("--limit", type=count, default=50, metavar="N", help="Maximum number of events (default: %(default)s)")
    for action in (finding, showing):
        where = action.add_mutually_exclusive_group()
        add_config_option(where)
        where.add_argument("--evidence", type=Path, metavar="DIR", help="Evidence folder (default: from the settings)")
        action.add_argument("--json", action="store_true", help="Print one JSON object per event")


def run(arguments: argparse.Namespace) -> int:
    """Print the events found.

    Raises:
        InputError: no such event, or an invalid time. StoreError: the store cannot be read.
    """
    folder = arguments.evidence or Path(configuration.read_settings(arguments.config).state) / "evidence"
    if arguments.action == "show":
        stored = find(folder, arguments.id)
        if stored is None:
            raise InputError(f"no event {arguments.id} in {folder}; list events: edgefleet-agent event search")
        print(json.dumps(_plain(stored, folder), indent=None if arguments.json else 2))
        return 0
    now = time.time()
    names = ("label", "zone", "line", "pipeline", "rule", "kind")
    query = Query(
        **{name: getattr(arguments, name) for name in names},
        since_at=moment_at(arguments.since, now) if arguments.since else None,
        before_at=moment_at(arguments.before, now) if arguments.before else None,
        limit=max(1, arguments.limit),
    )
    found = search(folder, query)
    if arguments.json:
        for stored in found:
            print(json.dumps(_plain(stored, folder)))
        return 0
    for line in _table(found):
        print(line)
    return 0


def _plain(stored: StoredEvent, folder: Path) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(stored.event)
    files = {key: str(folder / name) for key in ("snapshot", "clip") if (name := stored.event.data.get(key))}
    return plain | {"began_at": round(stored.began_at, 3), "open": stored.open, "files": files}


def _table(found: list[StoredEvent]) -> Iterator[str]:
    if not found:
        yield "no matching events"
        return
    yield f"{'began':19}  {'lasted':>8}  {'pipeline':16}  {'rule':16}  {'label':12}  {'where':16}  {'score':>5}  id"
    for stored in found:
        event = stored.event
        began = datetime.fromtimestamp(stored.began_at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        lasted = "ongoing" if stored.open else f"{(event.end_s or 0.0) - (event.start_s or 0.0):.1f} s"
        where = event.zone or " ".join(part for part in (event.line, event.direction) if part)
        score = f"{event.score:.2f}" if event.score is not None else ""
        words = f"{event.pipeline:16}  {event.rule:16}  {event.label:12}  {where:16}"
        yield f"{began:19}  {lasted:>8}  {words}  {score:>5}  {event.id}"
