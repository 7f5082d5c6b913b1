"""Sessions of disconnected devices are ended at once, and again when they come back."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import identities
from edgefleet_server.jobs import session_ending
from edgefleet_server.jobs.session_ending import SessionEnder
from tests.fleet_server.fakes.server_process import eventually


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "fleet.db")
    opened.migrate()
    now = time.time()
    with opened.write() as connection:
        for device in ("one", "two"):
            record = {"serial": f"{device}-1", "device": device, "issued_at": now, "expires_at": now + 1e6, "revoked_at": None}
            identities.add_certificate(connection, record)
    yield opened
    opened.close()


def test_the_sessions_of_certified_devices_are_ended_together(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    def end_sessions(devices: Sequence[str]) -> None:
        ended.extend(devices)

    monkeypatch.setattr(session_ending, "AGAIN_S", 0.2)
    ender = SessionEnder(database, end_sessions)
    ender.start()
    for device in ("one", "without", "two", "one", "one"):
        ender.end(device)
    eventually("ended", lambda: len(ended) >= 2)
    assert sorted(ended) == ["one", "two"], "each once, and not the name that others may use"
    time.sleep(0.3)
    ender.end("one")
    eventually("ended again", lambda: len(ended) >= 3)
    assert ended[2:] == ["one"]
    ender.close()
