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

from edgefleet_contract.wire import topics
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.link.ingest import Ingest
from edgefleet_server.link.ingest_writer import BatchResult
from edgefleet_server.link.mqtt_client import BrokerAddress, MqttClient, ReceivedMessage

UPLINK_KINDS: Final = ("presence", "reported", "telemetry", "events", "reply")
RETAINED_KINDS: Final = ("presence", "reported")
QUIET_S: Final = 5.0
READING_S_MAX: Final = 300.0


class IngestService:
    """A connection and the thread that writes. `group` empty: no shared subscription."""

    def __init__(
        self,
        database: Database,
        address: BrokerAddress,
        name: str,
        group: str,
        devices_max: int,
        committed: Callable[[BatchResult], None],
    ) -> None:
        self._address, self._name, self._shared = address, name, bool(group)
        share = f"$share/{group}/" if group else ""
        self.link = MqttClient(address, name, [(f"{share}{_topic_filter(kind)}", 1) for kind in UPLINK_KINDS], self)
        self.ingest = Ingest(database, self.link, devices_max, committed)
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

    # -- listener of the connection

    def up(self) -> None:
        if not self._shared:
            return
        if self._reading is not None:
            self._reading.close()
        self._reading = _Reading(self._address, f"{self._name}-kept", self.ingest)
        self._reading.start()

    def down(self) -> None:
        """Nothing to do: the state of the connection is queried when needed."""

    def published(self, mid: int) -> None:
        """Nothing to do: a device that misses an acknowledgement sends its records again."""

    def arrived(self, message: ReceivedMessage) -> None:
        self.ingest.offer(message)


class _Reading:
    """Reads the broker's retained messages of all devices once, on a separate connection."""

    def __init__(self, address: BrokerAddress, name: str, ingest: Ingest) -> None:
        self._ingest = ingest
        self._link = MqttClient(address, name, [(_topic_filter(kind), 1) for kind in RETAINED_KINDS], self)
        self._closing = threading.Event()
        self._received_s = 0.0
        self._thread = threading.Thread(target=self._run, name="kept-words", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called from the connection's own thread, so it does not join."""
        self._closing.set()

    def up(self) -> None:
        self._received_s = time.monotonic()

    def down(self) -> None:
        """Reconnect and subscribe again."""

    def published(self, mid: int) -> None:
        """Nothing to do: this connection publishes no messages."""

    def arrived(self, message: ReceivedMessage) -> None:
        if message.retained:
            self._received_s = time.monotonic()
            self._ingest.offer(message)
        else:
            MqttClient.acknowledge(message)  # another message than a retained one: the shared subscription delivers it as well

    def _run(self) -> None:
        deadline = time.monotonic() + READING_S_MAX
        self._link.start()
        while not self._closing.wait(0.5) and time.monotonic() < deadline:
            if 0 < self._received_s < time.monotonic() - QUIET_S:
                break
        self._link.close()


def _topic_filter(kind: str) -> str:
    return f"{topics.ROOT}/d/+/up/{kind}"
