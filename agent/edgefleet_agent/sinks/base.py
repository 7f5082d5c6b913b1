"""The interface of event sinks: `[sinks.NAME]` of the settings. The table of kinds is in `core.plugins`.

A sink runs in a process of its own (`sinks.host`), so it may block, use threads and load any library: what it raises, and even a
crash, is a fault of this sink alone. Events arrive in order, one at a time, on one thread. An event whose `put` returned is not
offered again; one whose `put` failed for now is, so a receiver may get an event twice (`Event.id` is the same).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_contract.wire.messages import Event

S = TypeVar("S", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class SinkContext:
    """Arguments of a sink. name: in the settings. device: the name of this device. options: of the sink, unchecked. folder:
    relative paths of the options are taken from here."""

    name: str
    device: str
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = field(default_factory=Path)


class Sink(ABC):
    """Hands events to another system.

    After an error of `start` or `put` that may pass, the sink is closed, and made and started again before the next try: it need
    not reconnect by itself.
    """

    def __init__(self, context: SinkContext) -> None:
        """Check the options; open nothing.

        Raises:
            InputError: an unknown option or an invalid value.
        """
        self.context = context

    def start(self) -> None:  # noqa: B027 - some sinks have nothing to open
        """Connect, or open what events are written to.

        Raises:
            UnavailableError: not now; it is tried again. MissingError: something has to be installed.
        """

    @abstractmethod
    def put(self, event: Event) -> None:
        """Hand over one event; returns when the receiver has it.

        Raises:
            UnavailableError, StoreError, MissingError: not now; the event is offered again. Any other exception: the event cannot
            be handed over, and is skipped.
        """

    def close(self) -> None:  # noqa: B027 - some sinks have nothing to release
        """Release everything; called once after `start`, also after one that failed."""


def parse_options(context: SinkContext, kind: type[S]) -> S:
    """The options of a sink as a struct, whose fields are the known options with their defaults.

    Raises:
        InputError: an unknown option, a missing one, or an invalid value.
    """
    known = [each.encode_name for each in msgspec.structs.fields(kind)]
    strange = next((name for name in context.options if name not in known), None)
    if strange is not None:
        raise InputError(f"sink {context.name!r}: unknown option {strange!r}; known are {', '.join(known) or 'none'}")
    try:
        return msgspec.convert(dict(context.options), kind)
    except msgspec.ValidationError as cause:
        raise InputError(f"sink {context.name!r}: options: {field_fault(cause, kind)}") from cause
