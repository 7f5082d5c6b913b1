"""Exports the events of a device's store with their snapshots and clips: a folder with `events.jsonl`, `events.csv` and `files`.

Events are read in pages and written one by one, so that memory does not grow with their number. The folder appears with its name
when it is complete. The source is only read: it may be on a disk that is full or read-only.
"""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from edgefleet_agent.recording.event_journal import read_found
from edgefleet_agent.recording.event_store import Query, StoredEvent, began_at, every, matches
from edgefleet_contract.core.atomic_files import as_store_error, move_folder
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.wire.messages import Event, EventPhase

FILES = "files"
COPY_BYTES = 256 * 1024
KINDS = ("snapshot", "clip")
COLUMNS = (
    "id", "kind", "pipeline", "rule", "label", "began", "ended", "lasted_s", "open", "zone", "line", "direction", "count",
    "score", "coverage", "track_id", "model", "snapshot", "clip", "data",
)  # fmt: skip


@dataclass(slots=True)
class ExportSummary:
    """Counts of an export. missing: files that the store names and the device does not have, or cannot read."""

    events: int = 0
    open: int = 0
    files: int = 0
    bytes: int = 0
    missing: int = 0

    def plain(self) -> dict[str, int]:
        """The counts as a dictionary."""
        return asdict(self)


def export_events(folder: Path, query: Query, into: Path, now: float, *, files: bool = True) -> ExportSummary:
    """Write all matching events of the store in `folder` to the new folder `into`. query: its limit does not count. files: with
    snapshots and clips.

    Raises:
        InputError: `into` exists. StoreError: the store cannot be read, or `into` cannot be written; then it does not exist.
    """
    if into.exists() or into.is_symlink():
        raise InputError(f"{into} exists; specify a new folder")
    parts = into.with_name(f".{into.name}.{os.getpid()}.part")
    try:
        with as_store_error(into):
            parts.mkdir(parents=True)
            summary = _write(folder, query, parts, now, files=files)
        if into.exists():
            raise InputError(f"{into} exists; specify a new folder")
        move_folder(parts, into)
    finally:
        shutil.rmtree(parts, ignore_errors=True)
    return summary


def _write(folder: Path, query: Query, into: Path, now: float, *, files: bool) -> ExportSummary:
    summary = ExportSummary()
    with (
        (into / "events.jsonl").open("w", encoding="utf-8") as lines,
        (into / "events.csv").open("w", encoding="utf-8", newline="") as rows,
    ):
        table = csv.DictWriter(rows, COLUMNS)
        table.writeheader()
        for stored in _all(folder, query, now):
            names = {kind: _copied(folder, into, stored.event.data.get(kind), summary) for kind in KINDS} if files else {}
            shown = {kind: name for kind, name in names.items() if name}
            _write_line(lines, stored, shown)
            table.writerow(_row(stored, shown))
            summary.events += 1
            summary.open += stored.open
    return summary


def _all(folder: Path, query: Query, now: float) -> Iterator[StoredEvent]:
    """The events of the store in the order of their start, then those that only the journal has: the last before the service was
    killed."""
    journal = _unstored(folder)
    for stored in every(folder, query):
        newer = journal.pop(stored.event.id, None)
        ended = newer is not None and stored.open and newer.phase is EventPhase.END
        yield StoredEvent(newer, stored.began_at, open=False) if newer is not None and ended else stored
    for event in journal.values():
        stored = StoredEvent(event, began_at(event, now), open=event.phase is not EventPhase.END)
        if matches(stored, query):
            yield stored


def _unstored(folder: Path) -> dict[str, Event]:
    """The last state of each event in the journals, which are small, by its id."""
    found: dict[str, Event] = {}
    for each in read_found(folder):
        event = each.event
        before = found.get(event.id)
        if event.id and event.kind != "count" and (before is None or before.phase is not EventPhase.END):
            found[event.id] = event
    return found


def _copied(folder: Path, into: Path, name: object, summary: ExportSummary) -> str:
    """Copies a file of an event. Returns its path in the export; empty without one."""
    if not isinstance(name, str) or not name:
        return ""
    path = PurePosixPath(name)
    target = into / FILES / path
    if path.is_absolute() or ".." in path.parts:
        summary.missing += 1
        return ""
    if not target.exists():  # several events may share a file
        if not _copy(folder / path, target):
            summary.missing += 1
            return ""
        summary.files += 1
        summary.bytes += target.stat().st_size
    return f"{FILES}/{path}"


def _copy(source: Path, target: Path) -> bool:
    """Copies a file. False if it cannot be read; errors of the target are raised."""
    try:
        reading = source.open("rb")
    except OSError:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    with reading, target.open("xb") as writing:
        while True:
            try:
                block = reading.read(COPY_BYTES)
            except OSError:
                target.unlink()
                return False
            if not block:
                return True
            writing.write(block)


def _write_line(lines: TextIO, stored: StoredEvent, files: dict[str, str]) -> None:
    plain: dict[str, Any] = to_plain(stored.event)
    about = {"began_at": round(stored.began_at, 3), "open": stored.open, "files": files}
    lines.write(json_text(plain | about, compact=True, ascii_only=False) + "\n")


def _row(stored: StoredEvent, files: dict[str, str]) -> dict[str, Any]:
    event = stored.event
    lasted_s = event.end_s - event.start_s if event.end_s is not None and event.start_s is not None and not stored.open else None
    plain = to_plain(event)
    return {
        **{name: _cell(plain.get(name, "")) for name in COLUMNS},
        "began": _iso(stored.began_at),
        "ended": _iso(stored.began_at + lasted_s) if lasted_s is not None else "",
        "lasted_s": "" if lasted_s is None else round(lasted_s, 3),
        "open": "yes" if stored.open else "no",
        **{kind: files.get(kind, "") for kind in KINDS},
        "data": json_text(event.data, compact=True, ascii_only=False),
    }


def _cell(value: Any) -> Any:
    """A value for a spreadsheet: a missing number is empty, and a text is none of its formulas."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
