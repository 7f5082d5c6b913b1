"""Reloads of a slot because of the device on which it runs."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from edgefleet_agent.backends.base import Placement
from edgefleet_agent.pipeline.model.loaded_model import PreferredDevice
from edgefleet_agent.pipeline.scheduling.device_failback import FAILED_MIN, PROBE_S, PROBE_S_MAX, DeviceFailback


class Bench:
    """A slot, an accelerator that works or not, and a bus."""

    def __init__(self, device: str, preferred: PreferredDevice | None, *, beyond: str = "", short: bool = False) -> None:
        model = SimpleNamespace(placement=Placement("lite_rt", "1", device, beyond=beyond, short=short), preferred=preferred)
        self.device = beyond or "edgetpu"
        self.loaded = SimpleNamespace(model=model, frames_total=0, errors_total=0)
        self.slots: dict[str, Any] = {"slot:detector": SimpleNamespace(loaded=self.loaded)}
        self.there = False
        self.probes_s: list[float] = []
        self.bus = {"keyboard"}
        self.now_s = 0.0
        self.failback = DeviceFailback(self._answers, lambda: frozenset(self.bus))

    def _answers(self, runtime: str, device: str) -> bool:
        assert (runtime, device) == ("lite_rt", self.device)
        self.probes_s.append(self.now_s)
        return self.there

    def at(self, now_s: float) -> bool:
        self.now_s = now_s
        return self.failback.due(self.slots, now_s) == ["slot:detector"]


@pytest.fixture
def away() -> Bench:
    return Bench("cpu", PreferredDevice("lite_rt", "edgetpu"))


@pytest.fixture
def working() -> Bench:
    return Bench("edgetpu", None)


def test_probes_become_rarer(away: Bench) -> None:
    assert not any(away.at(second / 2) for second in range(1200))
    gaps = [second - first for first, second in itertools.pairwise(away.probes_s)]
    assert away.probes_s[0] == PROBE_S
    assert gaps == sorted(gaps)
    assert gaps[-1] == PROBE_S_MAX
    assert len(away.probes_s) < 20


def test_a_plugged_in_device_is_probed_at_once(away: Bench) -> None:
    for second in range(300):
        away.at(second)
    probes_s = len(away.probes_s)
    away.at(300.5)
    away.bus.add("2-3")
    away.there = True
    assert away.at(301)
    assert len(away.probes_s) == probes_s + 1
    away.bus.remove("2-3")
    assert not away.at(301.5)


def test_a_model_on_its_preferred_device_is_never_probed(working: Bench) -> None:
    for second in range(100):
        working.loaded.frames_total += 1
        assert not working.at(second)
    assert working.probes_s == []


def test_errors_without_an_answer_are_a_failed_accelerator_and_tried_ever_less_often(working: Bench) -> None:
    assert not working.at(0)
    working.loaded.errors_total += FAILED_MIN - 1
    assert not working.at(0.5)
    working.loaded.errors_total += 1
    assert working.at(1)
    due = []
    for second in range(2, 400):
        working.loaded.errors_total += 30
        if working.at(second):
            due.append(second)
    gaps = [second - first for first, second in itertools.pairwise(due)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == PROBE_S_MAX
    working.loaded.frames_total += 1
    assert not working.at(400)


def test_an_error_now_and_then_is_none(working: Bench) -> None:
    for second in range(100):
        working.loaded.frames_total += 1
        working.loaded.errors_total += 1
        assert not working.at(second)


def test_a_model_that_fails_on_the_cpu_stays_there() -> None:
    bench = Bench("cpu", None)
    for second in range(100):
        bench.loaded.errors_total += 5
        assert not bench.at(second)


def test_a_short_pool_probes_until_the_device_answers() -> None:
    pool = Bench("edgetpu:usb:0", None, beyond="edgetpu:beyond:/sys/2-3", short=True)
    assert not any(pool.at(second) for second in range(600))
    assert 5 < len(pool.probes_s) < 20
    pool.there = True
    assert any(pool.at(600 + second) for second in range(61))


def test_a_full_pool_probes_for_a_while_after_a_device_was_plugged_in() -> None:
    pool = Bench("edgetpu:usb:0", None, beyond="edgetpu:beyond:/sys/2-3")
    assert not any(pool.at(second) for second in range(300))
    assert pool.probes_s == []
    pool.bus.add("2-4")
    assert not any(pool.at(300 + second) for second in range(600))
    assert pool.probes_s[0] == 300
    assert len(pool.probes_s) < 10
    assert pool.probes_s[-1] < 500
    pool.bus.add("2-5")
    pool.there = True
    assert pool.at(900)
