"""Sessions of disconnected devices are ended at once, and again when they come back."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from edgefleet_server.jobs import session_ending
from edgefleet_server.jobs.session_ending import SessionEnder
from tests.fleet_server.fakes.server_process import eventually


def test_the_sessions_of_authenticated_devices_are_ended_together(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    def end_sessions(devices: Sequence[str]) -> None:
        ended.extend(devices)

    monkeypatch.setattr(session_ending, "AGAIN_S", 0.2)
    ender = SessionEnder(end_sessions, lambda devices: [device for device in devices if device != "without"])
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
