"""Every MQTT message with its topic, QoS and retain flag, and every line between supervisor and worker."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from edgefleet_contract import worker_process
from edgefleet_contract.encoding.codec import Wire, encode, to_plain
from edgefleet_contract.wire import topics
from tests.corpus import samples, structs
from tests.corpus.folder import ROOT, write_json

MQTT, SUBSCRIPTIONS, WORKER = "mqtt.json", "subscriptions.json", "worker.json"
DEVICE, BLOB, NUMBER = "press-07", "ab" * 32, 3
RAW = b"\x00block\xff"
_ROW = re.compile(
    r"^\| `(?P<topic>[^`]+)` \| (?P<source>device|server)[^|]*\| (?P<qos>[012])(?P<retain>, yes)? \| (?P<message>.*) \|$"
)
_NOT_TOPICS = ("all_", "parse_")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table in docs/protocol.md. kinds: the message and, for a batch, its records; none for raw bytes."""

    topic: str
    source: str
    qos: int
    retain: bool
    kinds: tuple[type[Wire], ...]


def topic_functions() -> dict[str, Callable[..., str]]:
    """The functions of `topics` that name a topic, by name."""
    every = inspect.getmembers(topics, inspect.isfunction)
    return {name: make for name, make in every if make.__module__ == topics.__name__ and not name.startswith(_NOT_TOPICS)}


def subscriptions() -> dict[str, str]:
    """Subscriptions of each side."""
    every = inspect.getmembers(topics, inspect.isfunction)
    made = {name: make(*_arguments(make)) for name, make in every if name.startswith("all_")}
    return {"ALL_UP": topics.ALL_UP, **made}


def made_topic(name: str) -> str:
    """The topic of the function called `name`, of the corpus' device."""
    make = topic_functions()[name]
    return make(*_arguments(make))


def _arguments(make: Callable[..., str]) -> list[str | int]:
    """An argument for each parameter: numbers where it is one, a device, else a digest."""
    values: list[str | int] = []
    for parameter in inspect.signature(make).parameters.values():
        number = parameter.annotation in (int, "int")
        values.append(NUMBER if number else DEVICE if parameter.name == "device" else BLOB)
    return values


def rows() -> list[Row]:
    """The table of docs/protocol.md, with the corpus' device in its topics."""
    names = {name.rpartition(".")[2]: kind for name, kind in structs.every().items()}
    return list(_rows((ROOT / "docs" / "protocol.md").read_text(encoding="utf-8"), names))


def _rows(text: str, names: dict[str, type[Wire]]) -> Iterator[Row]:
    filled = {"{id}": DEVICE, "{blob}": BLOB, "{channel}": BLOB, "{digest}": BLOB, "{n}": str(NUMBER)}
    for line in text.split("\n"):
        match = _ROW.match(line)
        if match is None:
            continue
        topic = match["topic"]
        for name, value in filled.items():
            topic = topic.replace(name, value)
        kinds = tuple(names[name] for name in re.findall(r"`(\w+)`", match["message"]) if name in names)
        yield Row(f"{topics.ROOT}/{topic}", match["source"], int(match["qos"]), bool(match["retain"]), kinds)


def record(folder: Path) -> None:
    """Write the three files."""
    by_topic = {row.topic: row for row in rows()}
    found: dict[str, Any] = {}
    for name in topic_functions():
        topic = made_topic(name)
        row = by_topic.pop(topic)
        case: dict[str, Any] = {"topic": topic, "from": row.source, "qos": row.qos, "retain": row.retain}
        if row.kinds:
            case["struct"] = _name_of(row.kinds[0])
            case["payloads"] = {which: _text(message) for which, message in _payloads(row.kinds)}
        else:
            case["bytes"] = RAW.hex()
        found[name] = case
    assert not by_topic, f"docs/protocol.md has topics without a function: {sorted(by_topic)}"
    write_json(folder / MQTT, found)
    write_json(folder / SUBSCRIPTIONS, subscriptions())
    write_json(folder / WORKER, {side: _lines(kinds) for side, kinds in worker_sides().items()})


def worker_sides() -> dict[str, tuple[type[Wire], ...]]:
    """Messages that each side of the worker's socket sends."""
    return {"to_worker": get_args(worker_process.ToWorker), "from_worker": get_args(worker_process.FromWorker)}


def _payloads(kinds: tuple[type[Wire], ...]) -> Iterator[tuple[str, Wire]]:
    kind = kinds[0]
    least, most = samples.minimal(kind), samples.full(kind)
    if len(kinds) == 2:  # a batch: its records are messages themselves
        least = _with_records(least, samples.minimal(kinds[1]))
        most = _with_records(most, samples.full(kinds[1]))
    yield "minimal", least
    yield "full", most
    yield "unknown", samples.with_future(most)


def _with_records(batch: Wire, record: Wire) -> Wire:
    """The batch with one record in place of its list of plain data."""
    field = next(field for field in samples.fields_of(type(batch)) if isinstance(getattr(batch, field.name), list))
    plain = to_plain(samples.with_future(record))
    setattr(batch, field.name, [plain])
    return batch


def _text(message: Wire) -> str:
    return encode(message).decode()


def _lines(kinds: tuple[type[Wire], ...]) -> list[str]:
    """Minimal, full and with unknown fields, one line each."""
    return [
        _text(message)
        for kind in kinds
        for message in (samples.minimal(kind), samples.full(kind), samples.with_future(samples.full(kind)))
    ]


def _name_of(kind: type[Wire]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
