"""The last lines of the log, in memory: those of the service, and those that its worker has sent."""

from __future__ import annotations

import re
import secrets
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from logging import Formatter, Handler, LogRecord, getLevelName
from threading import Lock
from typing import Any

from edgefleet_agent.sources.redact import scrub
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.wire.messages import Command
from edgefleet_contract.worker_process import LoggedLine

LOG_LINES_MAX = 1000
"""Lines that are kept of each of the two programs."""
LOG_CHARS_MAX = 100_000
LINE_CHARS_MAX = 1000
LINE_OVERHEAD = 100
"""Bytes that a line takes in an answer besides its text, about."""
SEARCH_CHARS_MAX = 200
CURSOR_CHARS_MAX = 300
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
SERVICE, WORKER, PIPELINE, JOURNAL = "service", "worker", "pipeline", "journal"
SOURCES = (SERVICE, WORKER, PIPELINE, JOURNAL)
_CURSOR = re.compile(r"^(?P<ring>[0-9a-f]{8}):(?P<service>[0-9]{1,15}):(?P<worker>[0-9]{1,15})$")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record of a log. at: wall time; level: as in `logging`; text: without secrets."""

    number: int
    at: float
    level: int
    logger: str
    text: str

    def plain(self, source: str) -> dict[str, Any]:
        """The line as it is sent."""
        return {"at": self.at, "level": level_name(self.level), "source": source, "logger": self.logger, "text": self.text}

    def as_text(self) -> str:
        """The line as earlier servers show it, its time in UTC."""
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(self.at))
        return f"{moment} {getLevelName(self.level)} {self.logger}: {self.text}"[:LINE_CHARS_MAX]


@dataclass(frozen=True, slots=True)
class LogQuery:
    """The lines to select. level: the lowest; search: part of the text; after: the cursor of the answer before, empty for
    the last lines."""

    source: str
    lines: int = 200
    level: int = 0
    search: str = ""
    pipeline: str = ""
    after: str = ""

    @classmethod
    def of(cls, command: Command) -> LogQuery:
        """The query of a command.

        Raises:
            InputError: an argument is wrong; the text names it.
        """
        args = command.args
        lines = args.get("lines", 200)
        if isinstance(lines, bool) or not isinstance(lines, int) or not 1 <= lines <= LOG_LINES_MAX:
            raise InputError(f"lines: must be a whole number between 1 and {LOG_LINES_MAX}")
        source, level = args.get("source", SERVICE), args.get("level", "debug")
        if source not in SOURCES:
            raise InputError(f"source: must be one of {', '.join(SOURCES)}")
        if level not in LEVELS:
            raise InputError(f"level: must be one of {', '.join(LEVELS)}")
        texts = {name: args.get(name, "") for name in ("search", "pipeline", "after")}
        for name, limit in (("search", SEARCH_CHARS_MAX), ("pipeline", SEARCH_CHARS_MAX), ("after", CURSOR_CHARS_MAX)):
            if not isinstance(texts[name], str) or len(texts[name]) > limit:
                raise InputError(f"{name}: must be a text of at most {limit} characters")
        if source == PIPELINE and not texts["pipeline"]:
            raise InputError("pipeline: specify the name of a pipeline")
        return cls(source, lines, LEVELS[level], texts["search"].casefold(), texts["pipeline"], texts["after"])

    def takes(self, level: int, text: str) -> bool:
        """Whether a line is requested. `text` has no secrets, so that no search can guess them."""
        if level < self.level or self.search not in text.casefold():
            return False
        return not self.pipeline or re.search(rf"(?<![\w-]){re.escape(self.pipeline)}(?![\w-])", text) is not None


def level_name(level: int) -> str:
    """The name of the highest level that is not above `level`."""
    return next((name for name, least in reversed(LEVELS.items()) if level >= least), "debug")


def page(lines: Iterable[dict[str, Any]], query: LogQuery, cursor: str, lost: int) -> dict[str, Any]:
    """The answer with the newest of the requested lines, as many as one message holds, the oldest first. `lost`: lines that were
    dropped before they could be sent, those included that did not fit into an answer that follows another one."""
    found, sent, room = list(lines), [], LOG_CHARS_MAX
    for line in reversed(found[-query.lines :]):
        room -= LINE_OVERHEAD + len(line["text"].encode()) + len(line["logger"])
        if room < 0:
            break
        sent.append(line)
    omitted = len(found) - len(sent)
    return {"records": sent[::-1], "cursor": cursor, "lost": lost + (omitted if query.after else 0)}


class LogRing(Handler):
    """The last lines of the service, and of its worker. A flood of one does not push the other's out. From any thread."""

    def __init__(self) -> None:
        super().__init__()
        self._name = secrets.token_hex(4)
        self._lines: dict[str, deque[LogLine]] = {name: deque(maxlen=LOG_LINES_MAX) for name in (SERVICE, WORKER)}
        self._last = {SERVICE: 0, WORKER: 0}
        self._guard = Lock()
        self.setFormatter(Formatter("%(message)s"))

    def emit(self, record: LogRecord) -> None:
        self.add(SERVICE, record.created, record.levelno, record.name, self.format(record))

    def add(self, program: str, at: float, level: int, logger: str, text: str, lost_before: int = 0) -> None:
        """Add a line. lost_before: lines of this program that were lost before it."""
        shown = scrub(text)[:LINE_CHARS_MAX]
        with self._guard:
            self._last[program] += lost_before + 1
            self._lines[program].append(LogLine(self._last[program], at, level, logger[:100], shown))

    def add_of_worker(self, line: LoggedLine) -> None:
        """Add a line that the worker has sent."""
        self.add(WORKER, line.at, line.level, line.logger, line.text, line.lost_before)

    def every_line(self) -> list[str]:
        """All kept lines of both programs as text, in the order of their times."""
        with self._guard:
            lines = [(line, name) for name, held in self._lines.items() for line in held]
        return [f"{name}: {line.as_text()}" for line, name in sorted(lines, key=lambda found: found[0].at)]

    def last(self, count: int) -> list[str]:
        """The last `count` lines of the service as text, oldest first, as far as they fit into one message."""
        lines: list[str] = []
        room = LOG_CHARS_MAX
        for line in list(self._lines[SERVICE])[::-1][:count]:
            text = line.as_text()
            room -= len(text)
            if room < 0:
                break
            lines.append(text)
        return lines[::-1]

    def read(self, query: LogQuery) -> dict[str, Any]:
        """The lines that a query asks for.

        Raises:
            InputError: its cursor is not one of an answer.
        """
        after = self._after(query.after)
        programs = (SERVICE, WORKER) if query.source == PIPELINE else (query.source,)
        with self._guard:
            held = {name: [line for line in self._lines[name] if line.number > after[name]] for name in programs}
            cursor = f"{self._name}:{self._last[SERVICE]}:{self._last[WORKER]}"
            lost = sum(self._last[name] - after[name] - len(held[name]) for name in programs) if query.after else 0
        lines = [(line, name) for name in programs for line in held[name] if query.takes(line.level, line.text)]
        lines.sort(key=lambda found: found[0].at)
        return page([line.plain(name) for line, name in lines], query, cursor, lost)

    def _after(self, cursor: str) -> dict[str, int]:
        """Numbers of the lines before, by program. The lines of another run of the service are all before."""
        if not cursor:
            return {SERVICE: 0, WORKER: 0}
        match = _CURSOR.match(cursor)
        if match is None:
            raise InputError("after: must be the cursor of an earlier answer from the same source")
        if match["ring"] != self._name:
            return {SERVICE: 0, WORKER: 0}
        return {SERVICE: int(match["service"]), WORKER: int(match["worker"])}
