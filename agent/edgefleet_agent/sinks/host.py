"""The process of one event sink: makes the sink, hands it one event at a time, and contains its faults.

The service writes a `SinkStart`, then one event a line, or an empty line to have the sink started again; each line is answered by
a `SinkReply`. End-of-file ends the process: also if the service itself was killed.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.core import plugins
from edgefleet_agent.sinks.base import Sink, SinkContext
from edgefleet_contract.core.errors import EdgefleetError, InputError, MessageError, MissingError, StoreError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.wire.messages import Event

LINE_BYTES_MAX = 512 * 1024
"""Of one line; an event is at most half of it."""
FAULT_CHARS_MAX = 300
MAY_PASS = (UnavailableError, StoreError, MissingError)
"""Errors after which the same event is offered again."""

log = logging.getLogger(__name__)


class SinkStart(Wire):
    """The sink of this process. folder: relative paths of its options are taken from here."""

    kind: str
    name: str
    device: str
    folder: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class SinkReply(Wire):
    """Outcome of the start or of one event. fault: empty if it succeeded; again: it may succeed later."""

    fault: str = ""
    again: bool = False


def serve_sink(connection: socket.socket) -> None:
    """Run the sink that the other end of `connection` names, until it closes."""
    with connection, connection.makefile("rb") as lines:
        first = lines.readline(LINE_BYTES_MAX)
        if not first:
            return
        host = SinkHost(decode(first, SinkStart, bytes_max=LINE_BYTES_MAX))
        with contextlib.closing(host), contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the service is gone
            connection.sendall(encode(host.start()) + b"\n")
            while line := lines.readline(LINE_BYTES_MAX):
                connection.sendall(encode(host.offer(line) if line.strip() else host.start()) + b"\n")


class SinkHost:
    """One sink. It is made and started when it is needed, and again after a fault."""

    def __init__(self, start: SinkStart) -> None:
        self._kind = start.kind
        self._context = SinkContext(start.name, start.device, start.options, Path(start.folder))
        self._sink: Sink | None = None
        self._logged = ""

    def start(self) -> SinkReply:
        """Make and start the sink, unless it runs. Every fault may pass: an operator corrects settings or installs a package."""
        try:
            self._running()
        except BaseException as cause:
            if isinstance(cause, KeyboardInterrupt):
                raise
            self.close()
            return SinkReply(fault=self._noted(cause), again=True)
        return SinkReply()

    def offer(self, line: bytes) -> SinkReply:
        """Hand over the event in `line`."""
        try:
            event = decode(line, Event, bytes_max=LINE_BYTES_MAX)
        except MessageError as cause:
            return SinkReply(fault=str(cause))
        started = self.start()
        if started.fault:
            return started
        try:
            self._running().put(event)
        except BaseException as cause:
            if isinstance(cause, KeyboardInterrupt):
                raise
            again = isinstance(cause, MAY_PASS)
            if again:
                self.close()
            return SinkReply(fault=self._noted(cause), again=again)
        return SinkReply()

    def close(self) -> None:
        """Close the sink if there is one."""
        sink, self._sink = self._sink, None
        if sink is None:
            return
        try:
            sink.close()
        except Exception as cause:  # a fault of a plug-in must not keep the process
            log.warning("sink %s: cannot be closed: %s", self._context.name, _text(cause), exc_info=cause)

    def _running(self) -> Sink:
        if self._sink is None:
            self._sink = _made(self._kind, self._context)
            self._sink.start()
        return self._sink

    def _noted(self, cause: BaseException) -> str:
        """The text of a fault. Of an unexpected exception the log gets the place, once while it is the same."""
        text = _text(cause)
        if not isinstance(cause, EdgefleetError) and text != self._logged:
            self._logged = text
            log.error("%s: unexpected exception", self._context.name, exc_info=cause)
        return text


def options_fault(kind: str, context: SinkContext) -> str:
    """The fault of the options of a sink, empty if there is none. Opens nothing."""
    try:
        _made(kind, context)
    except EdgefleetError as cause:
        return _text(cause)
    except Exception as cause:  # a fault of a plug-in, which keeps nothing else from being checked
        log.warning("sink %s: unexpected exception", context.name, exc_info=cause)
        return _text(cause)
    return ""


def _made(kind: str, context: SinkContext) -> Sink:
    made = plugins.load("sinks", kind, InputError)(context)
    if not isinstance(made, Sink):
        raise InputError(f"sink {kind!r} is no subclass of edgefleet_agent.sinks.base.Sink; correct the plug-in")
    return made


def _text(cause: BaseException) -> str:
    """One line about a fault."""
    return fault_text(cause)[:FAULT_CHARS_MAX]
