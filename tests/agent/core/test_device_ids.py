"""Device IDs with a mark of the machine."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from edgefleet_agent.core.device_ids import device_id
from edgefleet_agent.settings import read_settings
from edgefleet_contract.core.errors import InputError


def machine(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("line-7", "line-7"),
        ("cam-{serial}", "cam-10000000abcdef01"),
        ("{machine_id}", "0123456789ab"),
        ("cam-{mac}-front", "cam-dca632010203-front"),
    ],
)
def test_marks(tmp_path: Path, text: str, expected: str) -> None:
    files = {"proc__device_tree__serial_number": "10000000ABCDEF01\0", "etc__machine_id": "0123456789abcdef0123456789abcdef\n"}
    root = machine(tmp_path, **files, sys__class__net__lo__address="00:00:00:00:00:00\n")
    (root / "sys/class/net/eth0/device").mkdir(parents=True)
    machine(root, sys__class__net__eth0__address="dc:a6:32:01:02:03\n")
    assert device_id(text, "agent.toml: device", root) == expected


def test_a_host_name_is_made_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Press.Hall-2 (new)")
    assert device_id("{hostname}", "device") == "press-hall-2-new"


@pytest.mark.parametrize("serial", ["", "0", "To Be Filled By O.E.M.", "\0\0"])
def test_a_serial_number_that_is_none_is_refused(tmp_path: Path, serial: str) -> None:
    root = machine(tmp_path, proc__device_tree__serial_number=serial)
    with pytest.raises(InputError, match=r"no \{serial\} that this user can read; use another, for example \{mac\}"):
        device_id("cam-{serial}", "device", root)


@pytest.mark.parametrize("text", ["cam-{imei}", "Cam", "{serial}{mac}", "cam-{serial", "cam-{{serial}}", ""])
def test_other_marks_are_refused_with_file_and_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "agent.toml"
    path.write_text(f'device = "{text}"\n')
    with pytest.raises(InputError, match=r"agent\.toml.*device"):
        read_settings(path)


def test_a_text_that_becomes_too_long_is_refused(tmp_path: Path) -> None:
    root = machine(tmp_path, proc__device_tree__serial_number="1" * 40)
    with pytest.raises(InputError, match="invalid device id"):
        device_id("x" * 40 + "{serial}", "device", root)
