"""Answers devices that ask for a new certificate. A thread of its own: signing and the database must not hold up the line."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

from agent.contract import topics
from agent.contract.codec import decode, encode
from agent.contract.identity import Certificate, Renew
from fleet_server.errors import EdgefleetError
from fleet_server.link.mqtt import MqttLink

WAITING_MAX: Final = 1000

log = logging.getLogger(__name__)


class Renewals:
    """`renew(device, request, now)` signs, or raises why not. What does not fit the queue is asked for again by the device."""

    def __init__(self, link: MqttLink, renew: Callable[[str, str, float], Certificate]) -> None:
        self._link = link
        self._renew = renew
        self._asked: queue.Queue[tuple[str, bytes] | None] = queue.Queue(WAITING_MAX)
        self._thread = threading.Thread(target=self._run, name="renewals", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """End after what is under way."""
        self._asked.put(None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    def ask(self, device: str, payload: bytes) -> None:
        """A device's `Renew`, still as bytes; never blocks."""
        try:
            self._asked.put_nowait((device, payload))
        except queue.Full:
            log.warning("renewals: too many at once; devices will ask again")

    def _run(self) -> None:
        while (asked := self._asked.get()) is not None:
            device, payload = asked
            try:
                answer = self._renew(device, decode(payload, Renew).request, time.time())
            except EdgefleetError as error:
                log.warning("renewal of %s refused: %s", device, error)
                continue
            self._link.publish(topics.certificate(device), encode(answer), qos=1)
