"""Reloads of a slot because of the device on which it runs."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from edgefleet_agent.backends.base import Placement
from edgefleet_agent.pipeline.model.variant_order import ChosenDevice
from edgefleet_agent.pipeline.scheduling.device_failback import (
    FAILED_MIN,
    PAUSE_S,
    PAUSE_S_MAX,
    PROBE_S,
    PROBE_S_MAX,
    STEADY_S,
    DeviceFailback,
)

EDGE_TPU = ChosenDevice("lite_rt", "edgetpu")


class Bench:
    """A slot, an accelerator that works or not, and a bus."""

    def __init__(self, device: str, preferred: ChosenDevice | None, *, beyond: str = "", short: bool = False) -> None:
        self.device = beyond or "edgetpu"
        placement = Placement("lite_rt", "1", device, beyond=beyond, short=short)
        model = SimpleNamespace(placement=placement, chosen=ChosenDevice("lite_rt", device), preferred=preferred)
        self.loaded = SimpleNamespace(model=model, frames_total=0, failed_runs_total=0, run_error="no answer")
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
    return Bench("cpu", ChosenDevice("lite_rt", "edgetpu"))


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


def test_runs_that_fail_without_an_answer_are_a_failed_accelerator_and_tried_ever_less_often(working: Bench) -> None:
    assert not working.at(0)
    working.loaded.failed_runs_total += FAILED_MIN - 1
    assert not working.at(0.5)
    working.loaded.failed_runs_total += 1
    assert working.at(1)
    due = []
    for second in range(2, 2000):
        working.loaded.failed_runs_total += 30
        if working.at(second):
            due.append(second)
    gaps = [second - first for first, second in itertools.pairwise(due)]
    assert gaps == sorted(gaps)
    assert gaps[0] == 2 * PAUSE_S
    assert gaps[-1] == PAUSE_S_MAX
    working.loaded.frames_total += 1
    assert not working.at(2000)


def fall_back(bench: Bench, to: str = "cpu") -> None:
    """The slot's model is another one, on another device."""
    model = bench.loaded.model
    bench.loaded.model = SimpleNamespace(
        placement=Placement("lite_rt", "1", to),
        chosen=ChosenDevice("lite_rt", to),
        preferred=None if to == "edgetpu" else model.chosen,
    )


def fail(bench: Bench, now_s: float) -> bool:
    """Whether the slot is due after an answer and a row of failed runs."""
    bench.loaded.frames_total += 1
    assert not bench.at(now_s)
    bench.loaded.failed_runs_total += FAILED_MIN
    return bench.at(now_s)


def test_a_device_that_opens_and_fails_each_run_is_avoided_for_growing_pauses(working: Bench) -> None:
    """It answers every probe, so only its failed runs count."""
    working.there = True
    pauses = []
    now_s = 0.0
    for _ in range(8):
        assert fail(working, now_s)
        began_s = now_s
        assert "edgetpu failed 3 runs in a row: no answer" in working.failback.avoided("slot:detector", now_s)[EDGE_TPU]
        assert working.failback.avoided("slot:other", now_s) == {}
        fall_back(working)
        while not working.at(now_s):
            working.loaded.frames_total += 1
            now_s += 0.5
            assert now_s - began_s < 2 * PAUSE_S_MAX
        pauses.append(now_s - began_s)
        assert working.failback.avoided("slot:detector", now_s) == {}
        fall_back(working, "edgetpu")
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (PAUSE_S, PAUSE_S_MAX)


def test_a_device_that_computed_for_a_while_is_trusted_as_before(working: Bench) -> None:
    for now_s in (0.0, PAUSE_S, 3 * PAUSE_S):
        assert fail(working, now_s)
    end_s = 7 * PAUSE_S
    for second in range(int(STEADY_S) + 2):
        working.loaded.frames_total += 1
        assert not working.at(end_s + second)
    assert fail(working, end_s + 100)
    assert list(working.failback.avoided("slot:detector", end_s + 100 + PAUSE_S - 0.1)) == [EDGE_TPU]
    assert working.failback.avoided("slot:detector", end_s + 100 + PAUSE_S) == {}


def test_a_device_that_is_plugged_in_again_is_not_avoided(working: Bench) -> None:
    working.there = True
    assert fail(working, 0)
    fall_back(working)
    assert not working.at(1)
    working.bus.add("2-3")
    assert working.at(1.5)


def test_errors_of_the_head_are_none_of_the_accelerator(working: Bench) -> None:
    """`errors_total` counts them, `failed_runs_total` does not."""
    working.loaded.errors_total = 0
    for second in range(100):
        working.loaded.errors_total += 5
        assert not working.at(second)


def test_an_error_now_and_then_is_none(working: Bench) -> None:
    for second in range(100):
        working.loaded.frames_total += 1
        working.loaded.failed_runs_total += 1
        assert not working.at(second)


def test_a_model_that_fails_on_the_cpu_stays_there() -> None:
    bench = Bench("cpu", None)
    for second in range(100):
        bench.loaded.failed_runs_total += 5
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
