"""Clears retained messages that the broker should not have: on topics that need none, and of devices that left the fleet.

While the server is connected it sees such messages as they come (`link.ingest`, `app.leader_services`). The sweep finds those
from before: it subscribes to all topics of devices once, at the start and from time to time, and reads what is retained.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import LinkEvent, Outgoing, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import identities

EVERY_S: Final = 3_600.0
FIRST_S: Final = 5.0
QUIET_S: Final = 3.0
SENT_S: Final = 0.5
READING_S_MAX: Final = 300.0
DOWN_RETAINED: Final = "down/desired"
RETAINED_BYTES_MAX: Final = 64 * 1024
"""Longest presence or report: a device whose own is longer publishes it again at its next connection, and is read then."""

log = logging.getLogger(__name__)


class RetainedSweep:
    """The thread. `connect(subscriptions, deliver)` makes a connection that is not started yet."""

    def __init__(
        self, database: Database, connect: Callable[[list[tuple[str, int]], Callable[[LinkEvent], None]], MqttClient]
    ) -> None:
        self._database = database
        self._connect = connect
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="retained", daemon=True)
        self._link: MqttClient | None = None
        self._departed: frozenset[str] = frozenset()
        self._received_s = 0.0
        self._wake = threading.Event()
        self.cleared = 0

    def wake(self) -> None:
        """Sweep soon: a device was disconnected, and the connections may have missed what it retained."""
        self._wake.set()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def _run(self) -> None:
        self._closing.wait(FIRST_S)
        while not self._closing.is_set():
            self._wake.clear()
            try:
                with self._database.read() as connection:
                    self._departed = identities.departed(connection, time.time())
            except StoreError as error:
                log.warning("retained messages: %s", error)
                self._closing.wait(FIRST_S)
                continue
            if self._sweep() == 0:  # what the broker has no room to send in one sweep is found in the next
                self._wake.wait(EVERY_S)
                self._closing.wait(FIRST_S)

    def _sweep(self) -> int:
        """Read all retained messages once; returns how many were deleted."""
        before = self.cleared
        self._received_s = 0.0
        link = self._link = self._connect([(f"{topics.ROOT}/d/#", 1)], self._on_link_event)
        deadline = time.monotonic() + READING_S_MAX
        link.start()
        while not self._closing.wait(0.5) and time.monotonic() < deadline:
            if link.connected and self._received_s == 0.0:
                self._received_s = time.monotonic()
            if 0 < self._received_s < time.monotonic() - QUIET_S:
                break
        self._closing.wait(SENT_S)
        link.close()
        cleared = self.cleared - before
        if cleared:
            log.warning("%d retained messages that no device needs were deleted from the broker", cleared)
        return cleared

    def _on_link_event(self, event: LinkEvent) -> None:
        if not isinstance(event, ReceivedMessage):
            return
        event.acknowledge()
        if not event.retained:
            return
        self._received_s = time.monotonic()
        if event.payload and not self._is_needed(event.topic, len(event.payload)) and self._link is not None:
            self._link.publish(Outgoing(event.topic, b"", retain=True))
            self.cleared += 1

    def _is_needed(self, topic: str, length: int) -> bool:
        device, _, rest = topic.removeprefix(f"{topics.ROOT}/d/").partition("/")
        if device in self._departed:
            return False
        if rest == DOWN_RETAINED:
            return True
        return rest.removeprefix("up/") in topics.RETAINED_UP_KINDS and rest.startswith("up/") and length <= RETAINED_BYTES_MAX
