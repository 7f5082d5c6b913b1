"""Sends the worker's log to the supervisor, which keeps its last lines for operators."""

from __future__ import annotations

import time
from collections.abc import Callable
from logging import Formatter, Handler, LogRecord

from edgefleet_agent.sources.redact import scrub
from edgefleet_contract import worker_process as wire

LINES_PER_S = 20.0
LINES_MAX = 100
"""Lines that are sent at once. Events and gauges use the same connection: a flood of lines must not delay them."""
TEXT_CHARS_MAX = 1000


class WorkerLog(Handler):
    """Hands records to `send`, without waiting. What exceeds the rate, or is not taken, is counted with the next line."""

    def __init__(self, send: Callable[[wire.LoggedLine], bool], monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.setFormatter(Formatter("%(message)s"))
        self._send = send
        self._monotonic = monotonic
        self._tokens = float(LINES_MAX)
        self._filled_s = monotonic()
        self._lost = 0

    def emit(self, record: LogRecord) -> None:
        now = self._monotonic()
        self._tokens = min(float(LINES_MAX), self._tokens + (now - self._filled_s) * LINES_PER_S)
        self._filled_s = now
        if self._tokens < 1.0 or not self._send(self._line(record)):
            self._lost += 1
            return
        self._tokens -= 1.0
        self._lost = 0

    def _line(self, record: LogRecord) -> wire.LoggedLine:
        text = scrub(self.format(record))[:TEXT_CHARS_MAX]
        return wire.LoggedLine(record.created, min(record.levelno, 100), record.name[:100], text, self._lost)
