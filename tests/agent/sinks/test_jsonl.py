"""Events in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.sinks.jsonl import JsonLinesFile
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.messages import Event


def lines(path: Path) -> list[str]:
    return [decode(line, Event).id for line in path.read_bytes().splitlines()]


def test_a_line_is_readable_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with JsonLinesFile(path) as sink:
        sink.write(Event(kind="visit", id="1"))
        assert lines(path) == ["1"]
        sink.write(Event(kind="visit", id="2"))
    with JsonLinesFile(path) as sink:
        sink.write(Event(kind="visit", id="3"))
    assert lines(path) == ["1", "2", "3"]


def test_old_lines_give_way(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with JsonLinesFile(path, bytes_max=100, files_max=3) as sink:
        for number in range(20):
            sink.write(Event(kind="visit", id=f"{number:02}"))
    files = [path.with_name(name) for name in ("events.jsonl.2", "events.jsonl.1", "events.jsonl")]
    numbers = [number for file in files for number in lines(file)]
    assert numbers == [f"{number:02}" for number in range(20 - len(numbers), 20)]
    assert all(file.stat().st_size <= 100 for file in files)
    assert len(list(tmp_path.iterdir())) == 3


def test_one_file_only(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with JsonLinesFile(path, bytes_max=60, files_max=1) as sink:
        for number in range(5):
            sink.write(Event(kind="visit", id=str(number)))
    assert lines(path)[-1] == "4"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot open for writing"):
        JsonLinesFile(tmp_path / "no" / "events.jsonl")
