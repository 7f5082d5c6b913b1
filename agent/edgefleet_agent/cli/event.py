"""`edgefleet-agent event search|show|export`: the events in the device's store; the service need not run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.support.argument_types import whole_number
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.recording.event_export import export_events
from edgefleet_agent.recording.event_store import FILTERS, LIMIT_MAX, Query, StoredEvent, find, moment_at, search
from edgefleet_agent.service.status_socket import ask
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text, number_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `event`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    example = "edgefleet-agent event search --label person --zone door --since 6h"
    finding = add_command(actions, "search", "Search events, newest first", example)
    summary = "Show an event and the paths of its snapshot and clip"
    showing = add_command(actions, "show", summary, "edgefleet-agent event show ID")
    showing.add_argument("id", metavar="ID", help="Event id, as printed by `event search`")
    exporting = add_command(
        actions,
        "export",
        "Export all events, open ones too, with their snapshots and clips, to a new folder: events.jsonl, events.csv and files",
        "edgefleet-agent event export events-of-may --since 2026-05-01 --before 2026-06-01",
    )
    exporting.add_argument("into", type=Path, metavar="DIR", help="Folder to create")
    exporting.add_argument("--no-files", action="store_true", help="Leave out snapshots and clips")
    moment = "90m, 6h or 2d ago, 2026-05-01T12:00, or seconds since 1970"
    for action in (finding, exporting):
        for name in FILTERS:
            action.add_argument(f"--{name}", default="", metavar=name.upper(), help=f"Only events with this {name}")
        action.add_argument("--since", default="", metavar="WHEN", help=f"Only events that started at or after WHEN: {moment}")
        action.add_argument("--before", default="", metavar="WHEN", help="Only events that started before WHEN")
    finding.add_argument(
        "--limit",
        type=whole_number(1, LIMIT_MAX),
        default=50,
        metavar="N",
        help="Maximum number of events (default: %(default)s)",
    )
    for action in (finding, showing, exporting):
        where = action.add_mutually_exclusive_group()
        add_config_option(where)
        where.add_argument("--evidence", type=Path, metavar="DIR", help="Evidence folder (default: from the settings)")
        printed = "the summary as JSON" if action is exporting else "one JSON object per event"
        action.add_argument("--json", action="store_true", help=f"Print {printed}")


def run(arguments: argparse.Namespace) -> int:
    """Print the events found, or export them.

    Raises:
        InputError: no such event or evidence folder, an invalid time, or an export that exists.
        StoreError: the store cannot be read.
    """
    folder = arguments.evidence or Path(configuration.read_settings(arguments.config).state) / "evidence"
    if arguments.evidence is not None and not folder.is_dir():
        raise InputError(f"{folder}: no such folder; specify the folder `evidence` of a device's state")
    if arguments.action == "show":
        stored = find(folder, arguments.id)
        if stored is None:
            raise InputError(f"no event {arguments.id} in {folder}; list events: edgefleet-agent event search")
        print(json_text(_plain(stored, folder), indent=None if arguments.json else 2))
        return 0
    if arguments.action == "export":
        return _export(arguments, folder)
    found = search(folder, _query(arguments, arguments.limit))
    for line in (json_text(_plain(stored, folder)) for stored in found) if arguments.json else _table(found):
        print(line)
    return 0


def _query(arguments: argparse.Namespace, limit: int) -> Query:
    now = time.time()
    return Query(
        **{name: getattr(arguments, name) for name in FILTERS},
        since_at=moment_at(arguments.since, now) if arguments.since else None,
        before_at=moment_at(arguments.before, now) if arguments.before else None,
        limit=limit,
    )


def _export(arguments: argparse.Namespace, folder: Path) -> int:
    into = arguments.into.absolute()
    summary = export_events(folder, _query(arguments, 1), into, time.time(), files=not arguments.no_files)
    newest = _in_memory(folder)
    if arguments.json:
        print(json_text({"folder": str(into), **summary.plain(), "newest_in_memory": newest}))
        return 0
    print(f"{into}: {summary.events} events ({summary.open} open), {summary.files} files, {summary.bytes / 1e6:.1f} MB")
    if summary.missing:
        print(f"{summary.missing} snapshots and clips are not on the device any more, or cannot be read")
    if newest:
        print("the disk takes no events now: the newest are in the memory of the service; free some space, and export again")
    return 0


def _in_memory(folder: Path) -> bool:
    """Whether the service holds events in memory because its disk refuses them."""
    try:
        return "events" in ask(folder.parent).get("stores", {})
    except UnavailableError:
        return False


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
        lasted = "ongoing" if stored.open else f"{number_text((event.end_s or 0.0) - (event.start_s or 0.0), '.1f')} s"
        where = event.zone or " ".join(part for part in (event.line, event.direction) if part)
        score = number_text(event.score, ".2f") if event.score is not None else ""
        words = f"{event.pipeline:16}  {event.rule:16}  {event.label:12}  {where:16}"
        yield f"{began:19}  {lasted:>8}  {words}  {score:>5}  {event.id}"
