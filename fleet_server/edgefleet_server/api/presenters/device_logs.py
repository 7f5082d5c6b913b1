"""Log lines as the REST API shows them, from the answer of a device of any version."""

from __future__ import annotations

import calendar
import re
import time
from typing import Any, Final

from edgefleet_server.api.schemas.fleet.diagnosis import DeviceLog, LogLevel, LogRecord

TEXT_CHARS_MAX: Final = 1000
AT_MAX: Final = 253_402_300_800.0
"""The year 10000, in seconds since 1970."""
_LINE: Final = re.compile(
    r"^(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(,\d+)? (?P<level>[A-Z]+) (?P<logger>[^:]{1,100}): (?P<text>.*)$", re.DOTALL
)
_LEVELS: Final[dict[str, LogLevel]] = {
    "debug": "debug", "info": "info", "warning": "warning", "error": "error", "critical": "error",
}  # fmt: skip


def device_log(row: dict[str, Any], args: dict[str, Any]) -> DeviceLog:
    """The log of an answered command. `args`: its arguments."""
    result = row["result"]
    records, texts = result.get("records"), result.get("lines")
    limited = not isinstance(records, list)
    old = [_old(str(line)) for line in texts] if isinstance(texts, list) else []
    found = [_record(each) for each in records] if isinstance(records, list) else old
    lost = result.get("lost")
    return DeviceLog(
        device=row["device"],
        source="service" if limited else args.get("source", "service"),
        pipeline="" if limited else args.get("pipeline", ""),
        level="debug" if limited else args.get("level", "debug"),
        search="" if limited else args.get("search", ""),
        received_at=row["finished_at"] or row["created_at"],
        records=found,
        cursor=str(result.get("cursor") or "")[:300],
        lost=lost if isinstance(lost, int) and lost > 0 else 0,
        limited=limited,
    )


def _record(each: Any) -> LogRecord:
    plain = each if isinstance(each, dict) else {"text": str(each)}
    at = plain.get("at")
    return LogRecord(
        at=float(at) if isinstance(at, int | float) and 0.0 <= at < AT_MAX else 0.0,
        level=_LEVELS.get(str(plain.get("level")), "info"),
        source=str(plain.get("source", ""))[:32],
        logger=str(plain.get("logger", ""))[:100],
        text=str(plain.get("text", ""))[:TEXT_CHARS_MAX],
    )


def _old(line: str) -> LogRecord:
    """A line of an agent before 0.3.0: its text has everything. The zone of its time is not known."""
    match = _LINE.match(line)
    if match is None:
        return LogRecord(at=0.0, level="info", source="service", logger="", text=line[:TEXT_CHARS_MAX])
    try:
        at = calendar.timegm(time.strptime(match["at"], "%Y-%m-%d %H:%M:%S"))
    except ValueError:  # no date: month 13
        at = 0
    level = _LEVELS.get(match["level"].lower(), "info")
    return LogRecord(at=float(at), level=level, source="service", logger=match["logger"], text=match["text"][:TEXT_CHARS_MAX])
