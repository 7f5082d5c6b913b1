"""The stored authority of a server counts for that server only."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from edgefleet_agent.machine.server_authority import FILE, store_authority, stored_authority

URL = "https://fleet.example.com:8443"


def test_it_counts_for_its_server(tmp_path: Path) -> None:
    assert stored_authority(tmp_path, URL) == ""
    store_authority(tmp_path, URL, "one")
    assert stored_authority(tmp_path, f"{URL}/blobs") == "one"
    for other in ("https://fleet.example.com", "https://fleet.example.com:8444", "https://fleet.example.org:8443", ""):
        assert stored_authority(tmp_path, other) == ""
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    store_authority(tmp_path, "https://10.0.0.7:8443", "two")
    assert stored_authority(tmp_path, URL) == "", "a device has one server"


@pytest.mark.parametrize("content", [b"", b"{", b'{"server": "fleet.example.com:8443"}', b"\x00" * 100])
def test_a_damaged_file_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert stored_authority(tmp_path, URL) == ""
