"""Decodes bytes from the wire to values for the database. Any invalid message of a hostile or broken device raises a
`MessageError` of one line.

For speed, decoders are created once, and fields that are unknown to this version are dropped, because the server forwards none of
these messages. Records of a batch are stored unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, Wire
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_contract.wire.messages import (
    BlockRequest,
    CommandReply,
    Event,
    PresenceMessage,
    Reported,
    Telemetry,
    TelemetryBatch,
)
from edgefleet_server.core.errors import MessageError

NUMBER_MAX: Final = 2**53
"""Largest accepted whole number: exact in every JSON implementation, and well within the range of SQLite."""
ITEMS_MAX: Final = 64
"""Limit of the labels, runtimes, hardware facts, slots and pipelines of one device."""
RESULT_BYTES_MAX: Final = 128 * 1024

W = TypeVar("W", bound=Wire)

_DECODERS: Final = {
    kind: msgspec.json.Decoder(kind) for kind in (PresenceMessage, Reported, TelemetryBatch, CommandReply, BlockRequest)
}


def decode(payload: bytes, kind: type[W], device: str) -> W:
    """Decode one message of `device`, the name in its topic.

    Raises:
        MessageError: too large, not of this type, or with the name of another device.
    """
    if len(payload) > MESSAGE_BYTES_MAX:
        raise MessageError(f"{kind.__name__}: {len(payload)} bytes is over the limit of {MESSAGE_BYTES_MAX}")
    try:
        message = _DECODERS[kind].decode(payload)  # type: ignore[index]  # one of the five
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"{kind.__name__}: {str(field_fault(error, kind))[:300]}") from error
    assert isinstance(message, kind)
    if getattr(message, "device", device) != device:
        raise MessageError(f"{kind.__name__}: speaks for {getattr(message, 'device', '')!r} on the topic of {device!r}")
    return message


def check_presence(message: PresenceMessage) -> PresenceMessage:
    """Bounds that the contract leaves open.

    Raises:
        MessageError: over one of them.
    """
    _bounded("Presence", connection=message.connection)
    _few("Presence", runtimes=message.runtimes, hardware=message.hardware, labels=message.labels)
    return message


def check_reported(message: Reported) -> Reported:
    """Bounds that the contract leaves open.

    Raises:
        MessageError: over one of them.
    """
    _bounded("Reported", version=message.version, generation=message.generation, disk_free_bytes=message.disk_free_bytes)
    _few("Reported", slots=message.slots, pipelines=message.pipelines)
    for slot in message.slots.values():
        _bounded("Reported", bytes_done=slot.bytes_done, bytes_total=slot.bytes_total)
    return message


def check_batch(message: TelemetryBatch) -> TelemetryBatch:
    """Bounds that the contract leaves open.

    Raises:
        MessageError: over one of them.
    """
    _bounded("Batch", first_seq=message.first_seq, lost_before=message.lost_before)
    return message


@dataclass(frozen=True, slots=True)
class Sample:
    """A telemetry record and its figures for lists. `dropped_per_s`: received frames that were not processed, per second."""

    value: Telemetry
    fps: float
    latency_p95_ms: float
    dropped_per_s: float


def read_sample(record: Mapping[str, Any]) -> Sample:
    """Decode a telemetry record.

    Raises:
        MessageError: it is not one.
    """
    sample = _convert(record, Telemetry)
    _bounded(
        "Telemetry",
        disk_free_bytes=sample.disk_free_bytes,
        outbox_lost=sample.outbox_lost,
        outbox_damaged_files=sample.outbox_damaged_files,
    )
    gauges = sample.pipelines.values()
    return Sample(
        sample,
        fps=sum(pipeline.process_fps for pipeline in gauges),
        latency_p95_ms=max((stage.p95_ms for pipeline in gauges for stage in pipeline.latency.values()), default=0.0),
        dropped_per_s=sum(pipeline.skipped_fps for pipeline in gauges),
    )


def read_event(record: Mapping[str, Any]) -> Event:
    """Decode an event record.

    Raises:
        MessageError: it is not one.
    """
    return _convert(record, Event)


def _convert(record: Mapping[str, Any], kind: type[W]) -> W:
    try:
        return msgspec.convert(record, ensure_decoder(kind))
    except (msgspec.ValidationError, RecursionError) as error:
        raise MessageError(f"{kind.__name__}: {str(field_fault(error, kind))[:300]}") from error


def _bounded(kind: str, **numbers: int) -> None:
    for name, number in numbers.items():
        if number > NUMBER_MAX:
            raise MessageError(f"{kind}: {name} {number:.3g} is over the limit of {NUMBER_MAX:.3g}")


def _few(kind: str, **items: Mapping[str, Any] | list[Any]) -> None:
    for name, values in items.items():
        if len(values) > ITEMS_MAX:
            raise MessageError(f"{kind}: {len(values)} {name}; the limit is {ITEMS_MAX}")
