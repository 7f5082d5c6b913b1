"""Sensors that publish their values on an MQTT broker: gateways, PLCs, home automation."""

from __future__ import annotations

import contextlib
import json
import math
import queue
import secrets
import socket
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from edgefleet_agent.sources.base import SilentSourceError
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.sources.redact import redact
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor, moment_s, number
from edgefleet_contract.core.errors import InputError, PipelineError, UnavailableError
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, ReceivedMessage
from edgefleet_contract.pipeline.spec import SourceSpec

WAITING_MAX = 1000
"""Readings between the connection and the pipeline; beyond it the oldest are dropped."""
POLL_S = 0.25
CONNECT_PROBE_TIMEOUT_S = 2.0
CONNECT_TIMEOUT_S = 10.0
PAYLOAD_BYTES_MAX = 64 * 1024


class MqttSensor(Sensor):
    """Kind `mqtt`: `uri` is `mqtt://host[:port]/topic` (`mqtts` for TLS); the topic may have `+` and `#`.

    Options: `channels`, comma-separated: names of the numbers in a JSON object (`motor.temperature` for a nested one), or one
    name if the payload is a number; `time`, the name of the time in it, in seconds, milliseconds, microseconds or nanoseconds
    since 1970 (default: time of arrival); `silence_s` (60): time without a reading after which the source is lost.

    Raises:
        PipelineError: an invalid address or option.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        known: dict[str, Value] = {"channels": "value", "time": "", "silence_s": 60.0}
        options = read_options(spec, known, {"silence_s": (0.1, 86400.0)})
        self.channels = [name.strip() for name in options["channels"].split(",") if name.strip()]
        self._time: str = options["time"]
        self._silence_s: float = options["silence_s"]
        try:
            parts = urlsplit(spec.uri)
            self._topic = unquote(parts.path.lstrip("/") + (f"#{parts.fragment}" if spec.uri.endswith("#") else ""))
            usable = parts.scheme in ("mqtt", "mqtts") and bool(parts.hostname) and bool(self._topic)
            self._broker = BrokerAddress.parse(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}") if usable else None
        except (ValueError, InputError):
            self._broker = None
        if self._broker is None or not 0 < len(self.channels) <= CHANNELS_MAX:
            raise PipelineError(
                f"source of kind 'mqtt': {redact(spec.uri)!r}: use a URL like mqtt://192.168.1.5/plant/press, and channels"
            )
        self._login = Login(unquote(parts.username or ""), unquote(parts.password or ""))
        self._arrived: queue.Queue[LinkEvent] = queue.Queue(WAITING_MAX)
        self._link: MqttClient | None = None

    def open(self) -> None:
        """Connect and subscribe.

        Raises:
            UnavailableError: the broker refuses the connection.
        """
        assert self._broker is not None
        shown = redact(self.spec.uri)
        try:
            socket.create_connection((self._broker.host, self._broker.port), CONNECT_PROBE_TIMEOUT_S).close()
        except OSError as cause:
            raise UnavailableError(f"{shown} does not respond ({cause.strerror or cause}); check the broker") from cause
        name = f"edgefleet-{secrets.token_hex(6)}"
        self._link = MqttClient(self._broker, name, [(self._topic, 0)], self._take, login=self._login)
        self._link.start()
        ends_s = time.monotonic() + CONNECT_TIMEOUT_S
        while not self.closing.is_set() and time.monotonic() < ends_s:
            if isinstance(self._next(), Connected):
                return
        raise UnavailableError(f"{shown} rejects the connection; check the broker, user and password")

    def readings(self) -> Iterator[Reading]:
        """One reading for each message that has the channels; other messages are skipped.

        Raises:
            UnavailableError: the broker is gone, or silence.
        """
        received_s = time.monotonic()
        while not self.closing.is_set():
            event = self._next()
            if isinstance(event, Disconnected):
                raise UnavailableError(f"{redact(self.spec.uri)}: {event.text}")
            reading = self._reading(event) if isinstance(event, ReceivedMessage) else None
            if reading is not None:
                received_s = time.monotonic()
                yield reading
            elif time.monotonic() - received_s > self._silence_s:
                raise SilentSourceError(
                    f"{redact(self.spec.uri)}: no reading for {self._silence_s:g} s; check topic and channels"
                )

    def close(self) -> None:
        """Disconnect."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def _take(self, event: LinkEvent) -> None:
        """Called on the connection's thread, the only one that puts."""
        if self._arrived.full():
            self._next(0.0)
        with contextlib.suppress(queue.Full):
            self._arrived.put_nowait(event)

    def _next(self, wait_s: float = POLL_S) -> LinkEvent | None:
        try:
            return self._arrived.get(timeout=wait_s) if wait_s else self._arrived.get_nowait()
        except queue.Empty:
            return None

    def _reading(self, event: ReceivedMessage) -> Reading | None:
        """The reading in a message. Retained messages are old and skipped."""
        if event.retained or len(event.payload) > PAYLOAD_BYTES_MAX:
            return None
        try:
            parsed = json.loads(event.payload)
        except (ValueError, RecursionError):
            return None
        values = tuple(number(_within(parsed, name)) for name in self.channels)
        if not isinstance(parsed, dict):
            values = (number(parsed),) * (len(self.channels) == 1)
        if not values or all(math.isnan(value) for value in values):
            return None
        at_s = moment_s(number(_within(parsed, self._time))) if self._time else time.time()
        return None if math.isnan(at_s) else Reading(at_s, values)


def _within(value: Any, name: str) -> Any:
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
