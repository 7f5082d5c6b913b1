"""Writes events to a topic of Apache Kafka, or of what speaks its protocol (Redpanda, Azure Event Hubs).

[sinks.plant]
kind = "kafka"
options = { brokers = "kafka-1:9092,kafka-2:9092", topic = "edgefleet.events" }

Each message is one event as JSON, with the device's name as its key: events of one device keep their order. The producer is
idempotent, and `put` returns when all in-sync replicas have the message. `client_file` names a file of further settings of
librdkafka, one `name=value` a line, for TLS and credentials: `security.protocol=SASL_SSL`, `sasl.password=...`.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from edgefleet_agent.core.extras import install_hint
from edgefleet_agent.sinks.base import Sink, SinkContext, parse_options
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError, MissingError, UnavailableError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event

FILE_BYTES_MAX = 64 * 1024
OWN = ("bootstrap.servers", "client.id", "enable.idempotence", "delivery.timeout.ms", "linger.ms", "log_level")
"""Settings of librdkafka that `client_file` cannot change."""


class KafkaOptions(msgspec.Struct):
    """brokers: HOST:PORT of some brokers, with commas. topic: must exist, or be created by the brokers. timeout_s: of the
    delivery of one event. client_file: further settings of librdkafka."""

    brokers: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    topic: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,249}$")]
    timeout_s: Annotated[float, msgspec.Meta(ge=1.0, le=25.0)] = 10.0
    client_file: str = ""


class KafkaSink(Sink):
    """Kind `kafka`."""

    def __init__(self, context: SinkContext) -> None:
        super().__init__(context)
        self._options = parse_options(context, KafkaOptions)
        self._producer: Any = None
        self._fault = ""

    def start(self) -> None:
        """Connect to one of the brokers, and ask for the topic.

        Raises:
            MissingError: the library is not installed. InputError: it refuses a setting. UnavailableError: no broker answers.
        """
        try:
            from confluent_kafka import KafkaException, Producer
        except ImportError as cause:
            raise MissingError(f"sink kafka needs confluent-kafka: {install_hint('kafka')}") from cause
        try:
            self._producer = Producer(self._settings())
        except KafkaException as cause:
            raise InputError(f"sink {self.context.name!r}: {cause.args[0].str()}; correct the options or client_file") from cause
        try:
            self._producer.list_topics(self._options.topic, timeout=self._options.timeout_s)
        except KafkaException as cause:
            raise UnavailableError(f"no answer of {self._options.brokers} ({self._fault or cause.args[0].str()})") from cause

    def put(self, event: Event) -> None:
        from confluent_kafka import KafkaException

        outcome: list[Any] = []
        try:
            self._producer.produce(
                self._options.topic, encode(event), self.context.device, on_delivery=lambda error, _message: outcome.append(error)
            )
        except KafkaException as cause:  # too large for the brokers, for example
            raise InputError(f"{self._options.topic}: {cause.args[0].str()}") from cause
        self._producer.flush(self._options.timeout_s + 1.0)
        error = outcome[0] if outcome else None
        if not outcome or error is not None:
            why = self._fault or (error.str() if error is not None else "no answer")
            raise UnavailableError(f"{self._options.topic}: not delivered to {self._options.brokers} ({why})")
        self._fault = ""

    def close(self) -> None:
        """Give up what is not delivered."""
        if self._producer is not None:
            self._producer.purge()
            self._producer.flush(1.0)

    def _settings(self) -> dict[str, Any]:
        options = self._options
        return {
            **self._further(),
            "bootstrap.servers": options.brokers,
            "client.id": f"edgefleet-{self.context.device}",
            "enable.idempotence": True,
            "delivery.timeout.ms": int(options.timeout_s * 1000),
            "linger.ms": 0,
            "log_level": 0,
            "error_cb": self._note,
        }

    def _note(self, error: Any) -> None:
        """Called by the library: the reason why a connection fails."""
        self._fault = str(error.str())[:200]

    def _further(self) -> dict[str, str]:
        """Settings of `client_file`."""
        if not self._options.client_file:
            return {}
        path = self.context.folder / self._options.client_file
        data = read_if_there(path, FILE_BYTES_MAX)
        if data is None:
            raise InputError(f"{path}: no such file, or larger than {FILE_BYTES_MAX} bytes; correct client_file")
        lines = [line.strip() for line in data.decode(errors="replace").splitlines()]
        pairs = [line.partition("=") for line in lines if line and not line.startswith("#")]
        wrong = next((name.strip() for name, _, _ in pairs if name.strip() in OWN), None)
        if wrong is not None:
            raise InputError(f"{path}: {wrong} is set by the options of the sink; remove the line")
        return {name.strip(): value.strip() for name, _, value in pairs}
