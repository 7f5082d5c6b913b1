"""All event sinks of the service."""

from __future__ import annotations

import time

from edgefleet_agent.sinks.event_sink import EventSink
from edgefleet_agent.sinks.host import SinkStart
from edgefleet_agent.sinks.sink_process import SinkProcess
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event

DRAIN_S_MAX = 5.0
"""How long a stop waits until the queues are empty."""


class EventSinks:
    """Hands every event to every sink. command: runs a sink, completed by the number of a socket. starts: one for each sink."""

    def __init__(self, command: list[str], starts: list[SinkStart]) -> None:
        self._sinks = [EventSink(start.name, start.kind, SinkProcess(command, start)) for start in starts]

    def __enter__(self) -> EventSinks:
        return self

    def __exit__(self, *_error: object) -> None:
        ends_s = time.monotonic() + DRAIN_S_MAX
        for sink in self._sinks:
            sink.stop(ends_s)
        for sink in self._sinks:
            sink.join()

    def put(self, event: Event) -> None:
        """Queue one event for every sink. Never waits."""
        if self._sinks:
            line = encode(event)
            for sink in self._sinks:
                sink.put(line)

    def status(self) -> dict[str, dict[str, str | int]]:
        """The state of each sink, by its name."""
        return {sink.name: sink.status() for sink in self._sinks}

    def faults(self) -> tuple[str, ...]:
        """A sentence about each sink that has a fault."""
        return tuple(text for sink in self._sinks if (text := sink.fault()))
