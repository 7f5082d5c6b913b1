"""A thread that computes in the background keeps to its share."""

from __future__ import annotations

import time

import pytest

from edgefleet_server.core.background_share import SHARE, WORK_S, BackgroundShare


def test_computing_thread_waits_for_the_rest_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    share = BackgroundShare()
    share.pause()
    assert not waits, "it has done nothing yet"
    began_s = time.thread_time()
    while time.thread_time() - began_s < 25 * WORK_S:
        share.pause()
    used_s = time.thread_time() - began_s
    assert used_s / (used_s + sum(waits)) == pytest.approx(SHARE, abs=0.05)
