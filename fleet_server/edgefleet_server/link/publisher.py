"""Publishes from the database to the devices: desired documents (retained, and again at every birth) and commands.

The database is the source of truth; the broker's retained messages are a cache. A document counts as published when the broker
has confirmed it, and is published again whenever its device connects, so that the loss of a broker or of a message has no
effect.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing, Published
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.enrolment import AuthorityOffer
from edgefleet_contract.wire.messages import Command, Desired, TrustOffer
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import commands

TURN_S: Final = 0.5
PART: Final = 500
WAITING_MAX: Final = 5_000
REFUSED_S: Final = 30.0
"""Pause after the broker has refused a document."""
CLEAR_S: Final = 4.0
"""Delay of the clearing after a device was removed: longer than its session still lasts (`app.server_builder`)."""

log = logging.getLogger(__name__)


class Publisher:
    """A thread that publishes documents, commands and signed metadata (`offer` returns the latest, by wall time), and the
    `authorities` that devices should trust. `ordered` is
    called with each device and the digest of the package in its new document; `hint` adds the delta recipe that may save bytes.
    A document that the broker refuses is not published yet: it is sent again `refused_s` later.

    Its inputs may be called from any thread, and never block.
    """

    def __init__(
        self,
        database: Database,
        link: MqttClient,
        offer: Callable[[float], TrustOffer],
        ordered: Callable[[str, str], None] = lambda _device, _package: None,
        hint: Callable[[Desired], Desired] = lambda desired: desired,
        refused_s: float = REFUSED_S,
        authorities: Callable[[float], AuthorityOffer] | None = None,
    ) -> None:
        self._hint = hint
        self._database = database
        self._ordered = ordered
        self._offer = offer
        self._offered: TrustOffer | None = None
        self._authorities = authorities
        self._named: AuthorityOffer | None = None
        self._link = link
        self._born: deque[str] = deque()
        self._leaving: deque[tuple[float, str]] = deque()
        self._news: deque[Published | None] = deque()
        self._refused_s = refused_s
        self._again_s = 0.0
        self._waiting: dict[int, tuple[str, int]] = {}
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop; unconfirmed documents are published after the next start."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def wake(self) -> None:
        """Check soon for new documents."""
        self._wake.set()

    def greet(self, device: str) -> None:
        """Publish the document and the pending commands of a device that has connected or has new commands."""
        self._born.append(device)
        self._wake.set()

    def clear(self, device: str) -> None:
        """Delete all retained messages of this device at the broker, also that of its will, which is published shortly."""
        self._leaving.append((time.monotonic() + CLEAR_S, device))

    def _clear(self, device: str) -> None:
        for topic in (topics.presence(device), topics.reported(device), topics.desired(device)):
            self._link.publish(Outgoing(topic, b"", retain=True))

    def line_up(self) -> None:
        """Handle a new connection: the arrival of messages in flight is unknown."""
        self._news.append(None)
        self._wake.set()

    def answered(self, news: Published) -> None:
        """Handle the broker's answer to a message."""
        self._news.append(news)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._wake.wait(TURN_S)
            self._wake.clear()
            try:
                self._settle()
                if self._link.connected:
                    self._publish_authorities()
                    self._publish_offer()  # before any document: a device needs the signatures of the packages in it
                    self._greet_all()
                    while self._leaving and self._leaving[0][0] <= time.monotonic():
                        self._clear(self._leaving.popleft()[1])
                    while self._publish_some() and not self._closing.is_set():
                        self._settle()
            except StoreError as error:
                log.error("publisher: %s", error)
                self._closing.wait(TURN_S)

    def _settle(self) -> None:
        """Store the confirmations of the broker."""
        done: list[tuple[str, int]] = []
        while self._news:
            news = self._news.popleft()
            if news is None:
                self._waiting.clear()
                self._offered = self._named = None
                self._again_s = 0.0
                continue
            known = self._waiting.pop(news.mid, None)
            if known is not None and news.taken:
                done.append(known)
            elif known is not None:
                self._refused(*known)
        if done:
            with self._database.write() as connection:
                assignments.confirm(raw(connection), done)

    def _refused(self, device: str, generation: int) -> None:
        """Pause: the broker would refuse the others, too."""
        if time.monotonic() >= self._again_s:
            log.error(
                "the broker refuses document %d of device %s; let the server's user write %s; next try in %.0f s",
                generation, device, topics.desired("+"), self._refused_s,
            )  # fmt: skip
        self._again_s = time.monotonic() + self._refused_s

    def _publish_offer(self) -> None:
        offer = self._offer(time.time())
        if offer is not self._offered:
            message = Outgoing(topics.trust(), encode(offer), retain=True)
            if self._link.publish(message) is not None:
                self._offered = offer

    def _publish_authorities(self) -> None:
        offer = self._authorities(time.time()) if self._authorities is not None else None
        if offer is None or offer is self._named:
            return
        if self._link.publish(Outgoing(topics.authorities(), encode(offer), retain=True)) is not None:
            self._named = offer

    def _publish_some(self) -> bool:
        """Publish unconfirmed documents; True if there may be more."""
        if len(self._waiting) >= WAITING_MAX or time.monotonic() < self._again_s:
            return False
        with self._database.read() as connection:
            todo = assignments.unpublished(raw(connection), PART + len(self._waiting))
        on_their_way = set(self._waiting.values())
        fresh = [item for item in todo if (item[0], item[1]) not in on_their_way]
        return bool(fresh) and self._publish(fresh)

    def _publish(self, documents: Sequence[tuple[str, int, str]]) -> bool:
        """Publish (device, generation, document); False if the connection did not accept all."""
        ready = [(device, generation, decode(document.encode(), Desired)) for device, generation, document in documents]
        # Announce all devices first: the fastest device of a wave sends its request before the next document is published, and
        # would be served alone.
        for device, _, desired in ready:
            for target in desired.slots.values():
                self._ordered(device, target.digest)
        taken = True
        for device, generation, desired in ready:
            payload = encode(self._hint(replace(desired, sent_at=time.time())))
            mid = self._link.publish(Outgoing(topics.desired(device), payload, retain=True))
            if mid is not None:
                self._waiting[mid] = (device, generation)
            taken = taken and mid is not None
        return taken

    def _greet_all(self) -> None:
        devices: dict[str, None] = {}
        while self._born and len(devices) < PART:
            devices[self._born.popleft()] = None
        if not devices:
            return
        now = time.time()
        with self._database.read() as connection:
            documents = assignments.documents(raw(connection), devices)
            waiting = {device: commands.pending(connection, device, now) for device in devices}
        self._publish(documents)
        for device, records in waiting.items():
            for record in records:
                command = Command(id=record["id"], op=record["op"], deadline_at=record["deadline_at"], args=record["args"])
                self._link.publish(Outgoing(topics.command(device), encode(command)))
        if self._born:
            self._wake.set()
