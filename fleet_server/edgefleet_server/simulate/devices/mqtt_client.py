"""MQTT 3.1.1 as far as a device needs it, on a bare `asyncio.Protocol`: thousands of connections in one process.

paho needs one thread per connection, and the server's own client is made for one connection; this client costs one object per
device, without a task or thread. Section numbers are those of the OASIS standard "MQTT Version 3.1.1" (2014). Clean sessions,
QoS 0 and 1, no redelivery: the caller sends unconfirmed messages again, like every device of this fleet.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from edgefleet_contract.mqtt.packets import (
    CONNACK,
    DISCONNECT,
    PINGREQ,
    PUBACK,
    PUBLISH,
    publish,
    read_length,
    subscribe,
    unsubscribe,
)

REFUSED_CODES: Final = (4, 5)
"""Codes of a CONNACK (3.2.2.3): user name or password are wrong, or required."""
PACKET_BYTES_MAX: Final = 1 << 20
"""Above the largest block with its topic; a larger packet is an error."""
IN_FLIGHT_MAX: Final = 256
WAITING_BYTES_MAX: Final = 1 << 20
"""Limit of a connection's send buffer in bytes; above it publishing fails, as if the connection were down."""


class MqttMessages(Protocol):
    """Receiver of the messages of one connection. Called on the event loop."""

    def up(self) -> None:
        """Called when the broker has accepted the connection, to subscribe."""
        ...

    def on_message(self, topic: str, payload: memoryview) -> None:
        """Called for a message; the payload is valid only during the call."""
        ...

    def down(self, text: str) -> None:
        """Called after the loss of the connection, or if it could not be opened."""
        ...


class SimulatedMqttClient(asyncio.Protocol):
    """One connection, from CONNECT to its end. Every connection needs a new object."""

    def __init__(self, hello: bytes, listener: MqttMessages) -> None:
        self._hello = hello
        self._listener = listener
        self._transport: asyncio.Transport | None = None
        self._data = bytearray()
        self._needed = 2
        self._number = 0
        self._in_flight: set[int] = set()
        self._up = False
        self._text = "the broker closed the connection"
        self.code = 0
        """Return code of the broker's refusal; 0 if it did not refuse."""
        self.quiet = True
        """Whether nothing was sent since the last `ping`."""

    # -- asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send CONNECT when TCP is connected."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=WAITING_BYTES_MAX)
        transport.write(self._hello)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes: complete packets are dispatched, the rest is buffered."""
        self._data += data
        if len(self._data) < self._needed:
            return
        try:
            taken = self._read()
        except ValueError as error:
            self._text = f"not MQTT: {error}"
            self.abort()
            return
        if taken:
            del self._data[:taken]

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the loss of the connection."""
        self._transport = None
        self._up = False
        self._listener.down(str(exc) if exc else self._text)

    # -- the device's side

    @property
    def is_up(self) -> bool:
        """Whether the broker has accepted the connection."""
        return self._up and self._transport is not None

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Send a message; False if there is no connection or its send buffer is full."""
        if not self.is_up or (qos and len(self._in_flight) >= IN_FLIGHT_MAX):
            return False
        assert self._transport is not None
        if self._transport.get_write_buffer_size() > WAITING_BYTES_MAX:
            return False
        number = self._next_number() if qos else 0
        if qos:
            self._in_flight.add(number)
        self.quiet = False
        self._transport.write(publish(topic, payload, number, retain=retain))
        return True

    def listen(self, filters: list[tuple[str, int]]) -> None:
        """Subscribe."""
        if self.is_up and self._transport is not None:
            self._transport.write(subscribe(self._next_number(), filters))

    def unlisten(self, filters: list[str]) -> None:
        """Unsubscribe."""
        if self.is_up and self._transport is not None:
            self._transport.write(unsubscribe(self._next_number(), filters))

    def ping(self) -> None:
        """Called twice per keepalive: sends a PINGREQ if nothing was sent (3.1.2.10)."""
        if self.quiet and self.is_up and self._transport is not None:
            self._transport.write(PINGREQ)
        self.quiet = True

    def close(self) -> None:
        """Disconnect cleanly: the broker does not publish the will."""
        if self._transport is not None:
            self._transport.write(DISCONNECT)
            self._transport.close()

    def abort(self) -> None:
        """Drop the connection without DISCONNECT, as in a power failure: the broker publishes the will."""
        if self._transport is not None:
            self._transport.abort()

    # -- packets

    def _next_number(self) -> int:
        self._number = self._number % 0xFFFF + 1
        while self._number in self._in_flight:
            self._number = self._number % 0xFFFF + 1
        return self._number

    def _read(self) -> int:
        """Handle every complete packet; returns the number of consumed bytes."""
        at = 0
        self._needed = 2
        with memoryview(self._data) as view:
            while len(self._data) - at >= 2:
                found = read_length(self._data, at + 1)
                if found is None:
                    break
                size, body = found
                if size > PACKET_BYTES_MAX:
                    raise ValueError(f"a packet of {size} bytes")
                if len(self._data) < body + size:
                    self._needed = body + size - at
                    break
                with view[body : body + size] as packet:
                    self._packet(self._data[at], packet)
                at = body + size
        return at

    def _packet(self, first: int, body: memoryview) -> None:
        kind = first & 0xF0
        if kind == PUBLISH:
            self._publish((first >> 1) & 3, body)
        elif kind == PUBACK:
            self._in_flight.discard(int.from_bytes(body[:2], "big"))
        elif kind == CONNACK:
            if len(body) != 2 or body[1]:
                self.code = body[1] if len(body) == 2 else 0
                self._text = f"the broker refused the connection (code {body[1] if len(body) > 1 else '?'})"
                self.abort()
                return
            self._up = True
            self._listener.up()

    def _publish(self, qos: int, body: memoryview) -> None:
        end = 2 + int.from_bytes(body[:2], "big")
        start = end + (2 if qos else 0)
        if len(body) < start:
            raise ValueError("a PUBLISH shorter than its topic")
        if qos and self._transport is not None:
            self._transport.write(b"\x40\x02" + bytes(body[end:start]))
        with body[start:] as payload:
            self._listener.on_message(str(body[2:end], "utf-8"), payload)
