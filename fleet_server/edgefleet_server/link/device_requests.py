"""Handles device requests over MQTT that need the database or a key: certificates, download tickets.

It uses a separate thread: signing and the database must not delay the connection. If a device has too many requests waiting, the
next one is dropped, and the device repeats it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_server.core.errors import EdgefleetError
from edgefleet_server.domain.delivery.fair_queue import QueueLimits
from edgefleet_server.link.fair_mailbox import FairMailbox

WAITING: Final = QueueLimits(device_items=64, device_bytes=128 * 1024, total_bytes=8 * 1024**2)
COMPLAIN_S: Final = 1.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RequestHandler:
    """Handler of one kind of request. `answer(device, question, now)` returns the response, which is published to
    `topic(device)`, or raises an error with the reason."""

    kind: type[Wire]
    topic: Callable[[str], str]
    answer: Callable[[str, Any, float], Wire]


class DeviceRequests:
    """The thread that answers requests. `handlers` by the last part of the request topic."""

    def __init__(
        self, link: MqttClient, handlers: dict[str, RequestHandler], refused: Callable[[str], None] = lambda _device: None
    ) -> None:
        """`refused` is called with the device of each request that is not answered."""
        self._link = link
        self._handlers = handlers
        self._refused = refused
        self._complained_s = 0.0
        self._queue: FairMailbox[tuple[str, str, bytes]] = FairMailbox(WAITING)
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current request."""
        self._queue.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def takes(self, rest: str) -> bool:
        """Whether there is a handler for messages on `up/{rest}`."""
        return rest in self._handlers

    def ask(self, device: str, rest: str, payload: bytes) -> None:
        """Queue a device's encoded request; never blocks."""
        if self._queue.put(device, (device, rest, payload), len(payload)):
            log.debug("answers: too many requests at once; devices send them again")

    def discard(self, device: str) -> None:
        """Drop what waits from a device."""
        self._queue.discard(device)

    def _run(self) -> None:
        while taken := self._queue.take(1, 1):
            device, rest, payload = taken[0]
            handler = self._handlers[rest]
            try:
                answer = handler.answer(device, decode(payload, handler.kind), time.time())
            except EdgefleetError as error:
                self._refused(device)
                self._complain(f"{rest} of {device} refused: {error}")
                continue
            self._link.publish(Outgoing(handler.topic(device), encode(answer)))

    def _complain(self, text: str) -> None:
        """Log one line at a limited rate: a broken device must not fill the log."""
        if time.monotonic() - self._complained_s >= COMPLAIN_S:
            self._complained_s = time.monotonic()
            log.warning("%s", text)
