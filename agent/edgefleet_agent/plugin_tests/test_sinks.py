"""The contract of event sinks (`edgefleet_agent.sinks.base`), in the process in which the service runs them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.plugin_tests.examples import PACE_S_MAX, example, installed
from edgefleet_agent.sinks.base import SinkContext
from edgefleet_agent.sinks.event_sinks import EventSinks
from edgefleet_agent.sinks.host import SinkStart
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.wire.messages import Event

EVENTS = 20
KINDS = installed("sinks")


@pytest.mark.parametrize("kind", KINDS)
def test_events_are_handed_over(kind: str, tmp_path: Path) -> None:
    start = SinkStart(kind=kind, name="test", device="d-1", folder=str(tmp_path), options=example("sinks", kind, tmp_path))
    command = [sys.executable, "-m", "edgefleet_agent", "sink", "--fd"]
    with EventSinks(command, [start]) as sinks:
        for number in range(EVENTS):
            sinks.put(Event(kind="visit", id=f"e{number}", at=time.time(), pipeline="hall", rule="door", label="person", count=1))
        ends_s = time.monotonic() + PACE_S_MAX
        while (status := sinks.status()["test"])["written"] != EVENTS and time.monotonic() < ends_s:
            time.sleep(0.01)
        assert (status["written"], status["refused"], status["fault"]) == (EVENTS, 0, "")
    assert sinks.status()["test"]["lost"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_options_are_refused(kind: str, tmp_path: Path) -> None:
    options = {**example("sinks", kind, tmp_path), "flux": 1}
    with pytest.raises(InputError, match="flux"):
        plugins.load("sinks", kind)(SinkContext("test", "d-1", options, tmp_path))
