"""A file of state: every damage of it is seen, and files of older versions are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import FILE_BYTES_MAX, StateFile
from edgefleet_contract.encoding.codec import Wire, encode


class Value(Wire):
    """A value on disk."""

    name: str = ""
    number: int = 0


def test_each_changed_byte_is_damage_or_changes_nothing(tmp_path: Path) -> None:
    path, value = tmp_path / "value.json", Value(name="part", number=1_000)
    file = StateFile(path, Value)
    file.store(value)
    data = path.read_bytes()
    damaged = 0
    for place in range(len(data)):
        path.write_bytes(bytes((*data[:place], data[place] ^ 1, *data[place + 1 :])))
        found = file.read()
        assert found is None or (found.name, found.number) == (value.name, value.number), place
        damaged += found is None
    assert damaged >= data.index(b',"checksum"'), "a change in front of the checksum is never overlooked"


@pytest.mark.parametrize("content", [b'{"name":"part","number":3}', b'{"checksum":"00000000","name":"part","number":3}'])
def test_files_of_older_versions_are_read(tmp_path: Path, content: bytes) -> None:
    """Those before 0.3.0 have no checksum, and keep one that they read among the fields that they do not know."""
    path, faults = tmp_path / "value.json", DiskFaults()
    path.write_bytes(content)
    file = StateFile(path, Value, faults)
    value = file.read()
    assert value == Value(name="part", number=3)
    assert not faults.texts()
    file.store(value)
    assert path.read_bytes().count(b"checksum") == 1
    assert file.read() == value


def test_the_longest_value_is_read_with_its_checksum(tmp_path: Path) -> None:
    value = Value(name="x" * (FILE_BYTES_MAX - len(encode(Value(name="x"))) + 1))
    assert len(encode(value)) == FILE_BYTES_MAX
    file = StateFile(tmp_path / "value.json", Value)
    file.store(value)
    assert file.read() == value


def test_a_value_without_fields_has_none_either(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "value.json", Value)
    file.store(Value())
    assert (tmp_path / "value.json").read_bytes() == encode(Value()) == b"{}"
    assert file.read() == Value()
