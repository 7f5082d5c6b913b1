"""Several sessions used as one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Placement, Session
from edgefleet_agent.backends.session_pool import RETRY_S, SessionPool
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError

ONE = {"x": np.zeros(1, np.uint8)}


class Clock:
    """A clock set by the test."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s

    def wall(self) -> float:
        return self.now_s


class Unit(Session):
    """A device that works or not."""

    def __init__(self, name: str) -> None:
        self.inputs = self.outputs = (TensorSpec("x", (1,), np.dtype(np.uint8)),)
        self.placement = Placement("stand-in", "1", name)
        self.works = True
        self.fault: Exception | None = None
        self.runs = 0
        self.closed = False

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        self.runs += 1
        if not self.works:
            raise ModelError(f"{self.placement.device} is broken")
        if self.fault is not None:
            raise self.fault
        return {"x": inputs["x"].copy()}

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def units() -> list[Unit]:
    return [Unit("a"), Unit("b")]


def pool_of(units: list[Unit], clock: Clock) -> SessionPool:
    return SessionPool(units, Placement("stand-in", "1", "a,b"), clock)


def test_runs_go_round(units: list[Unit]) -> None:
    pool = pool_of(units, Clock())
    for _ in range(6):
        pool.infer(ONE)
    assert [unit.runs for unit in units] == [3, 3]
    pool.close()
    assert all(unit.closed for unit in units)


def test_a_broken_one_is_left_alone_for_a_while_and_then_tried_again(units: list[Unit]) -> None:
    clock = Clock()
    pool = pool_of(units, clock)
    units[0].works = False
    for _ in range(5):
        pool.infer(ONE)
    assert [unit.runs for unit in units] == [1, 5]
    assert pool.lost == ["a"]
    clock.now_s += RETRY_S
    units[0].works = True
    for _ in range(4):
        pool.infer(ONE)
    assert [unit.runs for unit in units] == [3, 7]
    assert pool.lost == []


def test_only_when_none_is_left_a_run_fails_and_the_next_tries_all(units: list[Unit]) -> None:
    pool = pool_of(units, Clock())
    units[0].works = units[1].works = False
    with pytest.raises(ModelError, match="is broken"):
        pool.infer(ONE)
    units[0].works = True
    pool.infer(ONE)
    assert pool.lost in ([], ["b"])


def test_what_does_not_fit_is_nobodys_fault(units: list[Unit]) -> None:
    pool = pool_of(units, Clock())
    with pytest.raises(ModelError, match="uint8"):
        pool.infer({"x": np.zeros(2, np.uint8)})
    assert pool.lost == []
    assert [unit.runs for unit in units] == [0, 0]


def test_an_unexpected_fault_takes_no_device_away(units: list[Unit]) -> None:
    """A run waits for a free device; a device that was not returned would be missing permanently."""
    pool = pool_of(units, Clock())
    for unit in units:
        unit.fault = ZeroDivisionError("nobody foresaw this")
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            pool.infer(ONE)
    for unit in units:
        unit.fault = None
    assert [int(pool.infer(ONE)["x"][0]) for _ in range(4)] == [0] * 4
    assert pool.lost == []
