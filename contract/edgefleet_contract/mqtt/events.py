"""Messages to a broker, and what a connection to it reports."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol


class Receiver(Protocol):
    """The connection that brought a message and wants its PUBACK."""

    def ack(self, mid: int, qos: int) -> object:
        """Confirm message `mid`; nothing happens when the connection is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to publish. correlation, headers: properties of MQTT 5, left out where 3.1.1 is spoken."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False
    correlation: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker took us; subscriptions are on their way. What was published before and not confirmed is lost. `connection` is
    the number in our will."""

    connection: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The line is gone; `text` says why."""

    text: str


@dataclass(slots=True)
class ReceivedMessage:
    """A message from the broker. Not frozen, because one is made for each of thousands in a second. `retained`: the broker had
    stored it, it is not new. reply_to, correlation, headers: properties of MQTT 5, empty if absent. mid, qos, receiver: for its
    confirmation. `came_s`: arrival, on the monotonic clock."""

    topic: str
    payload: bytes
    retained: bool
    reply_to: str = ""
    correlation: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    mid: int = 0
    qos: int = 0
    receiver: Receiver | None = field(default=None, compare=False, repr=False)
    came_s: float = field(default_factory=time.monotonic, compare=False)

    def acknowledge(self) -> None:
        """Send the PUBACK, to the connection that brought the message. Only of a client that confirms by hand."""
        if self.qos and self.receiver is not None:
            self.receiver.ack(self.mid, self.qos)


@dataclass(frozen=True, slots=True)
class Published:
    """The broker has confirmed message `mid` (PUBACK), or refused it (not `taken`). It does not mean that anyone has read it."""

    mid: int
    taken: bool = True


LinkEvent = Connected | Disconnected | ReceivedMessage | Published
