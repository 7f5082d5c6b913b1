"""Server-sent events: text lines to events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

DATA_CHARS_MAX: Final = 16 * 1024 * 1024
"""Limit of one event; longer ones end the stream."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event. name: overview, device, telemetry, rollout, attempt or event. data: the object, of the type that `schemas` has
    for it."""

    name: str
    data: Any
    id: str = ""


def parse_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Parse the lines of a stream; comments and events without data are left out.

    Raises:
        ValueError: the data of an event is not JSON, or longer than the limit.
    """
    name, number, data, length = "message", "", list[str](), 0
    for line in lines:
        if not line:
            if data:
                yield ServerEvent(name, json.loads("\n".join(data)), number)
            name, data, length = "message", [], 0
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "id":
            number = value
        elif field == "data":
            length += len(value)
            if length > DATA_CHARS_MAX:
                raise ValueError(f"an event is longer than {DATA_CHARS_MAX} characters")
            data.append(value)
