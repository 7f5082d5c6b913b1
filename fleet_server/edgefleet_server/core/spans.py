"""Spans of the server, and the lines of its log for an OpenTelemetry collector. Like the standard library's log they are one for
the process.

Log rows wait in a queue that is bounded: if the consumer is too slow, the oldest are dropped and counted, and
the producers never wait.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.tracing.tracer import SpanRecorder

WAITING_MAX: Final = 4_096
TEXT_CHARS_MAX: Final = 2_000

SPANS: Final = SpanRecorder()


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of the log, and the span in which it was written (hexadecimal ids; empty: none)."""

    at_ns: int
    level: int
    logger: str
    text: str
    trace: str
    span: str


class LogLines(logging.Handler):
    """Keeps lines of the log. Loggers in `apart` are left out: what is said about sending them would feed itself."""

    def __init__(self, spans: SpanRecorder, apart: frozenset[str]) -> None:
        super().__init__(logging.INFO)
        self._spans, self._apart = spans, apart
        self._guard = threading.Lock()
        self._lines: deque[LogRow] = deque(maxlen=WAITING_MAX)
        self.dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line of the log."""
        if record.name in self._apart:
            return
        span = self._spans.current()
        trace_id, span_id = (f"{span.trace_id:032x}", f"{span.span_id:016x}") if span is not None else ("", "")
        at_ns = int(record.created * 1e9)
        row = LogRow(at_ns, record.levelno, record.name, record.getMessage()[:TEXT_CHARS_MAX], trace_id, span_id)
        with self._guard:
            self.dropped += len(self._lines) == WAITING_MAX
            self._lines.append(row)

    def take(self) -> list[LogRow]:
        """Remove and return all queued rows."""
        with self._guard:
            found = list(self._lines)
            self._lines.clear()
        return found
