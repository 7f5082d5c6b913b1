"""Reads the service's log from the journal of systemd: it has the lines of earlier runs, and those that libraries print."""

from __future__ import annotations

from typing import Any

import msgspec

from edgefleet_agent.sources.redact import scrub
from edgefleet_agent.supervisor.diagnosis.child_output import ChildOutput, last_line
from edgefleet_agent.supervisor.diagnosis.log_ring import JOURNAL, LEVELS, LINE_CHARS_MAX, LogQuery, level_name, page
from edgefleet_agent.supervisor.diagnosis.long_command import Answer
from edgefleet_contract.core.errors import UnavailableError

LIMIT_S = 20.0
LINES_MAX = 5000
"""Lines that are searched."""
OUTPUT_BYTES_MAX = 8 * 1024 * 1024
FIELDS = "MESSAGE,PRIORITY,EDGEFLEET_LOGGER,_COMM"
_ADVICE = "choose another source, or allow it on the device: usermod -aG systemd-journal edgefleet"


class JournalRead:
    """One read of the journal. `command`: the program that shows the journal of the service.

    Raises:
        UnavailableError: there is no journal on this device.
    """

    def __init__(self, command: list[str], query: LogQuery, now: float) -> None:
        self._query = query
        options = ["--output=json", f"--output-fields={FIELDS}", "--no-pager", "--quiet", f"--lines={LINES_MAX}"]
        options += [f"--after-cursor={query.after}"] if query.after else []
        try:
            self._child = ChildOutput([*command, *options], now, LIMIT_S, OUTPUT_BYTES_MAX)
        except UnavailableError as error:
            raise UnavailableError(f"this device has no journal: {error}; choose another source") from error

    def turn(self, now: float, _wall: float, /) -> Answer | None:
        done = self._child.turn(now)
        if done is None:
            return None
        code, text = done
        if code is None:
            return False, f"the journal was not read within {LIMIT_S:.0f} s", {}
        rows = [_row(line) for line in text.splitlines()]
        found = [row for row in rows if row is not None]
        if not found and (code or text.strip()):
            line = last_line(text, f"journalctl exited with code {code}")
            return False, f"the journal cannot be read: {scrub(line)[:300]}; {_ADVICE}", {}
        cursor = found[-1].get("__CURSOR", "") if found else self._query.after
        lines = [line for line in map(_line, found) if self._query.takes(LEVELS[line["level"]], line["text"])]
        return True, "", page(lines, self._query, cursor if isinstance(cursor, str) else "", 0)

    def stage(self) -> str:
        return "the journal is being read"

    def stop(self) -> None:
        self._child.stop()


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return None
    return row if isinstance(row, dict) else None


def _line(row: dict[str, Any]) -> dict[str, Any]:
    """A line as it is sent. journald shows a text that is not printable as the list of its bytes."""
    message = row.get("MESSAGE", "")
    text = (
        bytes(each & 255 for each in message if isinstance(each, int)).decode(errors="replace")
        if isinstance(message, list)
        else str(message)
    )
    at, priority = str(row.get("__REALTIME_TIMESTAMP", "")), str(row.get("PRIORITY", ""))
    level = {"7": 10, "6": 20, "5": 20, "4": 30}.get(priority, 40 if priority else 20)
    return {
        "at": int(at) / 1e6 if at.isdigit() else 0.0,
        "level": level_name(level),
        "source": JOURNAL,
        "logger": str(row.get("EDGEFLEET_LOGGER") or row.get("_COMM") or "")[:100],
        "text": scrub(text)[:LINE_CHARS_MAX],
    }
