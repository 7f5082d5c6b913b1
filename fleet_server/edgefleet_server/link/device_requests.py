"""Handles device requests over MQTT that need the database or a key: certificates, download tickets.

A thread of its own: signing and the database must not hold up the line. What does not fit the queue is asked again by the device.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_server.core.errors import EdgefleetError

WAITING_MAX: Final = 1000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RequestHandler:
    """One kind of question. `answer(device, question, now)` answers, or raises why not; the answer goes to `topic(device)`."""

    kind: type[Wire]
    topic: Callable[[str], str]
    answer: Callable[[str, Any, float], Wire]


class DeviceRequests:
    """`handlers` by the last part of the topic that devices ask on."""

    def __init__(self, link: MqttClient, handlers: dict[str, RequestHandler]) -> None:
        self._link = link
        self._handlers = handlers
        self._queue: queue.Queue[tuple[str, str, bytes] | None] = queue.Queue(WAITING_MAX)
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """End after what is under way."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    def takes(self, rest: str) -> bool:
        """Whether there is a desk for what comes on `up/{rest}`."""
        return rest in self._handlers

    def ask(self, device: str, rest: str, payload: bytes) -> None:
        """A device's question, still as bytes; never blocks."""
        try:
            self._queue.put_nowait((device, rest, payload))
        except queue.Full:
            log.warning("answers: too many questions at once; devices will ask again")

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            device, rest, payload = item
            handler = self._handlers[rest]
            try:
                answer = handler.answer(device, decode(payload, handler.kind), time.time())
            except EdgefleetError as error:
                log.warning("%s of %s refused: %s", rest, device, error)
                continue
            self._link.publish(Outgoing(handler.topic(device), encode(answer)))
