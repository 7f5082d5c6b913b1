"""When a slot is loaded again because of where it computes."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from edgefleet_agent.backends.base import Placement
from edgefleet_agent.pipeline.model.loaded_model import PreferredDevice
from edgefleet_agent.pipeline.scheduling.device_failback import ASK_S, ASK_S_MAX, FAILED_MIN, DeviceFailback


class Bench:
    """A slot, an accelerator that answers or not, and a bus."""

    def __init__(self, device: str, home: PreferredDevice | None, *, beyond: str = "", short: bool = False) -> None:
        model = SimpleNamespace(placement=Placement("lite_rt", "1", device, beyond=beyond, short=short), home=home)
        self.wanted = beyond or "edgetpu"
        self.occupant = SimpleNamespace(model=model, frames_total=0, errors_total=0)
        self.slots: dict[str, Any] = {"slot:detector": SimpleNamespace(occupant=self.occupant)}
        self.there = False
        self.asked: list[float] = []
        self.bus = {"keyboard"}
        self.now_s = 0.0
        self.homing = DeviceFailback(self._answers, lambda: frozenset(self.bus))

    def _answers(self, runtime: str, device: str) -> bool:
        assert (runtime, device) == ("lite_rt", self.wanted)
        self.asked.append(self.now_s)
        return self.there

    def at(self, now_s: float) -> bool:
        self.now_s = now_s
        return self.homing.due(self.slots, now_s) == ["slot:detector"]


@pytest.fixture
def away() -> Bench:
    return Bench("cpu", PreferredDevice("lite_rt", "edgetpu"))


@pytest.fixture
def working() -> Bench:
    return Bench("edgetpu", None)


def test_it_is_asked_ever_less_often(away: Bench) -> None:
    assert not any(away.at(second / 2) for second in range(1200))
    gaps = [second - first for first, second in itertools.pairwise(away.asked)]
    assert away.asked[0] == ASK_S
    assert gaps == sorted(gaps)
    assert gaps[-1] == ASK_S_MAX
    assert len(away.asked) < 20


def test_what_is_plugged_in_is_asked_at_once(away: Bench) -> None:
    for second in range(300):
        away.at(second)
    asked = len(away.asked)
    away.at(300.5)
    away.bus.add("2-3")
    away.there = True
    assert away.at(301)
    assert len(away.asked) == asked + 1
    away.bus.remove("2-3")
    assert not away.at(301.5)


def test_a_model_at_home_is_never_asked_for(working: Bench) -> None:
    for second in range(100):
        working.occupant.frames_total += 1
        assert not working.at(second)
    assert working.asked == []


def test_errors_without_an_answer_are_a_failed_accelerator_and_tried_ever_less_often(working: Bench) -> None:
    assert not working.at(0)
    working.occupant.errors_total += FAILED_MIN - 1
    assert not working.at(0.5)
    working.occupant.errors_total += 1
    assert working.at(1)
    due = []
    for second in range(2, 400):
        working.occupant.errors_total += 30
        if working.at(second):
            due.append(second)
    gaps = [second - first for first, second in itertools.pairwise(due)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == ASK_S_MAX
    working.occupant.frames_total += 1
    assert not working.at(400)


def test_an_error_now_and_then_is_none(working: Bench) -> None:
    for second in range(100):
        working.occupant.frames_total += 1
        working.occupant.errors_total += 1
        assert not working.at(second)


def test_a_model_that_fails_on_the_cpu_stays_there() -> None:
    bench = Bench("cpu", None)
    for second in range(100):
        bench.occupant.errors_total += 5
        assert not bench.at(second)


def test_a_pool_that_lacks_one_asks_for_it_until_it_answers() -> None:
    pool = Bench("edgetpu:usb:0", None, beyond="edgetpu:beyond:/sys/2-3", short=True)
    assert not any(pool.at(second) for second in range(600))
    assert 5 < len(pool.asked) < 20
    pool.there = True
    assert any(pool.at(600 + second) for second in range(61))


def test_a_pool_of_all_asks_for_more_only_after_something_was_plugged_in_and_not_for_ever() -> None:
    pool = Bench("edgetpu:usb:0", None, beyond="edgetpu:beyond:/sys/2-3")
    assert not any(pool.at(second) for second in range(300))
    assert pool.asked == []
    pool.bus.add("2-4")
    assert not any(pool.at(300 + second) for second in range(600))
    assert pool.asked[0] == 300
    assert len(pool.asked) < 10
    assert pool.asked[-1] < 500
    pool.bus.add("2-5")
    pool.there = True
    assert pool.at(900)
