"""Ingest of all messages of devices that the database stores: one service, or several that share the work.

Several services share one subscription, so that the broker gives each message to one of them. The broker does not send retained
messages (presence, reports) to shared subscriptions: each service reads those after each connect on a separate connection. Both
may deliver a message twice, which does not change the tables.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from edgefleet_contract.mqtt.events import Connected, LinkEvent, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.link.broker_access import BrokerAccess, server_client
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.ingest import Ingest
from edgefleet_server.link.ingest_writer import BatchResult

UPLINK_KINDS: Final = ("presence", "reported", "telemetry", "events", "reply")
QUIET_S: Final = 5.0
READING_S_MAX: Final = 300.0


class IngestService:
    """A connection and the thread that writes. `group` empty: no shared subscription."""

    def __init__(
        self,
        database: Database,
        access: BrokerAccess,
        name: str,
        group: str,
        devices_max: int,
        committed: Callable[[BatchResult], None],
        guard: DeviceGuard,
    ) -> None:
        self._access, self._name, self._shared = access, name, bool(group)
        share = f"$share/{group}/" if group else ""
        subscriptions = [(f"{share}{_topic_filter(kind)}", 1) for kind in UPLINK_KINDS]
        as_published = frozenset(f"{share}{_topic_filter(kind)}" for kind in UPLINK_KINDS if kind not in topics.RETAINED_UP_KINDS)
        self.link = server_client(access, name, subscriptions, self._on_link_event, as_published)
        self.ingest = Ingest(database, self.link, devices_max, committed, guard)
        self._reading: _Reading | None = None

    def start(self) -> None:
        """Start the thread and the connection."""
        self.ingest.start()
        self.link.start()

    def close(self) -> None:
        """Stop after the current batch."""
        if self._reading is not None:
            self._reading.close()
        self.link.close()
        self.ingest.close()

    def _on_link_event(self, event: LinkEvent) -> None:
        """Confirmations of acknowledgements are not waited for: a device that misses one sends again."""
        if isinstance(event, ReceivedMessage):
            self.ingest.offer(event)
        elif isinstance(event, Connected) and self._shared:
            if self._reading is not None:
                self._reading.close()
            self._reading = _Reading(self._access, f"{self._name}-kept", self.ingest)
            self._reading.start()


class _Reading:
    """Reads the broker's retained messages of all devices once, on a separate connection."""

    def __init__(self, access: BrokerAccess, name: str, ingest: Ingest) -> None:
        self._ingest = ingest
        subscriptions = [(_topic_filter(kind), 1) for kind in sorted(topics.RETAINED_UP_KINDS)]
        self._link = server_client(access, name, subscriptions, self._on_link_event)
        self._closing = threading.Event()
        self._received_s = 0.0
        self._thread = threading.Thread(target=self._run, name="kept-words", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called from the connection's own thread, so it does not join."""
        self._closing.set()

    def _on_link_event(self, event: LinkEvent) -> None:
        if isinstance(event, ReceivedMessage) and not event.retained:
            event.acknowledge()  # the shared subscription delivers it as well
        elif isinstance(event, ReceivedMessage | Connected):
            self._received_s = time.monotonic()
            if isinstance(event, ReceivedMessage):
                self._ingest.offer(event)

    def _run(self) -> None:
        deadline = time.monotonic() + READING_S_MAX
        self._link.start()
        while not self._closing.wait(0.5) and time.monotonic() < deadline:
            if 0 < self._received_s < time.monotonic() - QUIET_S:
                break
        self._link.close()


def _topic_filter(kind: str) -> str:
    return f"{topics.ROOT}/d/+/up/{kind}"
