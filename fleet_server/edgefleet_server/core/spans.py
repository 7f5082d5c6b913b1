"""Spans and log rows of the server for an OpenTelemetry collector.

Without a consumer, each call costs one comparison. Both kinds wait in bounded queues: if the consumer is too slow, the oldest are
dropped and counted, and the producers never wait. Like the standard library's log, there is one recorder for the process.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

WAITING_MAX: Final = 4_096
TEXT_CHARS_MAX: Final = 2_000
_PARENT: Final = re.compile(r"^00-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-[0-9a-f]{2}$")

Value = str | int | float | bool


@dataclass(slots=True)
class Span:
    """A timed operation. Times are wall time in nanoseconds; `failed`: its error, empty = none."""

    name: str
    kind: int
    trace: str
    id: str
    parent: str
    began_ns: int
    ended_ns: int = 0
    failed: str = ""
    about: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of the log, and the span in which it was written."""

    at_ns: int
    level: int
    logger: str
    text: str
    trace: str
    span: str


INTERNAL: Final = 1
SERVER: Final = 2
"""SpanKind of OTLP."""
_current: ContextVar[Span | None] = ContextVar("span", default=None)


class Spans:
    """The recorder of spans and log rows. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = False
        self._spans: deque[Span] = deque(maxlen=WAITING_MAX)
        self._lines: deque[LogRow] = deque(maxlen=WAITING_MAX)
        self.dropped = 0

    def open(self) -> None:
        """Start recording."""
        self._open = True

    def close(self) -> None:
        """Stop recording."""
        self._open = False
        self.take()

    @contextmanager
    def span(self, name: str, kind: int = INTERNAL, traceparent: str = "", **about: Value) -> Iterator[Span | None]:
        """Span around the block; None if nothing is recording. `about` may be extended inside the block.
        `traceparent`: of the caller (W3C Trace Context)."""
        if not self._open:
            yield None
            return
        above, parent_match = _current.get(), _PARENT.match(traceparent)
        trace = above.trace if above else parent_match["trace"] if parent_match else secrets.token_hex(16)
        parent = above.id if above else parent_match["span"] if parent_match else ""
        span = Span(name, kind, trace, secrets.token_hex(8), parent, time.time_ns(), about=about)
        token = _current.set(span)
        try:
            yield span
        except BaseException as error:
            span.failed = f"{type(error).__name__}: {error}"[:TEXT_CHARS_MAX]
            raise
        finally:
            _current.reset(token)
            span.ended_ns = time.time_ns()
            with self._lock:
                self.dropped += len(self._spans) == WAITING_MAX
                self._spans.append(span)

    def line(self, record: logging.LogRecord) -> None:
        """Queue a line of the log."""
        if not self._open:
            return
        span = _current.get()
        text = record.getMessage()[:TEXT_CHARS_MAX]
        at_ns = int(record.created * 1e9)
        line = LogRow(at_ns, record.levelno, record.name, text, span.trace if span else "", span.id if span else "")
        with self._lock:
            self.dropped += len(self._lines) == WAITING_MAX
            self._lines.append(line)

    def take(self) -> tuple[list[Span], list[LogRow]]:
        """Remove and return all queued spans and log rows."""
        with self._lock:
            found = list(self._spans), list(self._lines)
            self._spans.clear()
            self._lines.clear()
        return found


SPANS: Final = Spans()


class LogLines(logging.Handler):
    """A log handler that queues the lines of the server's log. Lines about their export are left out, because they would cause
    more exports."""

    def __init__(self, spans: Spans, apart: str) -> None:
        super().__init__(logging.INFO)
        self._spans, self._apart = spans, apart

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != self._apart:
            self._spans.line(record)
