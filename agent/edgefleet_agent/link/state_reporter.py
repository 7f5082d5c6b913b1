"""Sends the device's reported state when it changes, at most once a second, with a rising version.

The report stored by the broker is recorded on disk, so that a restart or an unstable connection does not send it again; after
`REPEAT_S` it is sent with the next connection anyway, for a server that lost its data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_contract.encoding.codec import Wire, encode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Reported

PACE_S = 1.0
REPEAT_S = 600.0


class _Known(Wire):
    """The report stored by the broker: a hash of its content, and the time of publication (wall time)."""

    content: str = ""
    at: float = 0.0


class StateReporter:
    """Decides when a report is sent. Used from one thread."""

    def __init__(self, folder: Path, counters: BootCounters, pace_s: float = PACE_S, faults: DiskFaults | None = None) -> None:
        follows = Consequences("the full report is sent again", "a restart sends the full report again")
        self._file = StateFile(folder / "reported.json", _Known, faults, follows)
        self._counters = counters
        self._pace_s = pace_s
        self._known = self._file.read() or _Known()
        self._sent: tuple[int, str] | None = None
        self._next_s = 0.0
        self._repeat = True

    def reconnected(self) -> None:
        """Reset the state for a new connection: reports in flight may be lost."""
        self._sent = None
        self._repeat = True

    def published(self, mid: int, wall: float) -> None:
        """Record that the broker has stored message `mid`. If the disk cannot be written, the report is sent once more after a
        restart."""
        if self._sent is None or self._sent[0] != mid:
            return
        self._known = _Known(content=self._sent[1], at=wall)
        self._file.write(self._known)

    def turn(self, report: Reported, now: float, publish: Callable[[Outgoing], int | None]) -> None:
        """Send `report` if its content has changed. Its version is set here; `report.sent_at` is wall time."""
        if now < self._next_s:
            return
        self._file.turn()
        content = _content(report)
        fresh = abs(report.sent_at - self._known.at) < REPEAT_S or not self._repeat  # a clock may be set back
        on_its_way = self._sent is not None and self._sent[1] == content
        if on_its_way or (self._sent is None and content == self._known.content and fresh):
            return
        message = replace(report, version=self._counters.next_report())
        mid = publish(Outgoing(topics.reported(report.device), encode(message), qos=1, retain=True))
        self._next_s = now + self._pace_s
        if mid is not None:
            self._sent = (mid, content)
            self._repeat = False


def _content(report: Reported) -> str:
    """A hash of a report's content, without fields that change continuously."""
    return hashlib.sha256(encode(replace(report, version=0, sent_at=0.0, disk_free_bytes=0))).hexdigest()
