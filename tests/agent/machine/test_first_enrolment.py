"""The first enrolment by the service: tried again with pauses, ended with it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_agent.machine.first_enrolment import RETRY_S_MAX, RETRY_S_MIN, FirstEnrolment


def turned(first: FirstEnrolment, now: float, is_done: Callable[[], bool]) -> float:
    """Turn until it is done; the time of the last turn."""
    until = time.monotonic() + 60.0
    while time.monotonic() < until and not is_done():
        time.sleep(0.02)
        now += 1.0
        first.turn(now)
    return now


def test_the_reason_is_shown_and_it_tries_again_after_a_pause(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tries = tmp_path / "tries"
    lines = (
        "import pathlib, sys",
        f"tries = pathlib.Path({str(tries)!r})",
        "count = len(tries.read_text()) if tries.exists() else 0",
        "tries.write_text('x' * (count + 1))",
        "sys.exit(0 if count else 'edgefleet-agent: no response from https://fleet; check the URL')",
    )
    first = FirstEnrolment([sys.executable, "-c", "\n".join(lines)])
    failed = turned(first, 0.0, lambda: "trying again in" in caplog.text)
    assert first.text == "no response from https://fleet; check the URL"
    assert not first.enrolled
    for second in range(int(RETRY_S_MIN)):
        first.turn(failed + second)
    assert len(tries.read_text()) == 1, "not before the pause is over"
    later = failed + RETRY_S_MIN + RETRY_S_MAX + 1.0
    turned(first, later, lambda: first.enrolled)
    assert (first.enrolled, first.text) == (True, "")
    first.turn(later + 10_000.0)
    assert len(tries.read_text()) == 2, "enrolled once"


def test_its_process_ends_with_the_service() -> None:
    first = FirstEnrolment([sys.executable, "-c", "import time; time.sleep(600)"])
    first.turn(0.0)
    first.stop()
    first.stop()


def test_without_a_command_nothing_happens() -> None:
    first = FirstEnrolment(None)
    first.turn(1e9)
    assert not first.enrolled
