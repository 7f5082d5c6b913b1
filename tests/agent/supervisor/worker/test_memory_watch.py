"""The ceiling of the worker's memory: which courses of memory are overruns, and which are not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from edgefleet_agent.supervisor.worker.memory_trend import POINTS_MAX, MemoryTrend
from edgefleet_agent.supervisor.worker.memory_watch import ALLOWANCE_BYTES_MIN, MemoryWatch
from edgefleet_contract.wire.messages import PipelineGauges

MIB = 2**20
BASE = 300 * MIB
BEAT_S = 0.5
HOUR_S = 3600.0


def first_overrun(
    course: Callable[[float], float], length_s: float, limit_bytes: int = 0, every_s: float = BEAT_S
) -> float | None:
    """Seconds until memory with this course is an overrun; None if it never is."""
    watch = MemoryWatch(limit_bytes)
    watch.changed(0.0)
    now = 0.0
    while now < length_s:
        watch.take(int(course(now)), now)
        if watch.overrun:
            return now
        now += every_s
    return None


def leak(bytes_per_s: float) -> Callable[[float], float]:
    return lambda now: BASE + bytes_per_s * now


def noisy(course: Callable[[float], float], spread: float) -> Callable[[float], float]:
    numbers = random.Random(7)
    return lambda now: course(now) + numbers.uniform(0, spread)


def test_a_leak_of_six_megabytes_a_frame_is_found_within_seconds() -> None:
    found = first_overrun(leak(30e6), 600)
    assert found is not None
    assert found < 40


@pytest.mark.parametrize("per_hour", [20e6, 60e6])
def test_a_slow_leak_is_found_once_it_is_over_the_ceiling(per_hour: float) -> None:
    over_s = ALLOWANCE_BYTES_MIN / per_hour * HOUR_S
    found = first_overrun(noisy(leak(per_hour / HOUR_S), 20 * MIB), 3 * over_s, every_s=5.0)
    assert found is not None
    assert over_s * 0.9 < found < over_s * 1.2


HEALTHY: dict[str, Callable[[float], float]] = {
    "steady, with peaks of seconds": lambda now: BASE + (900 * MIB if now % 60 < 20 else 0),
    "one large request, whose memory is kept": lambda now: BASE + (600 * MIB if now > 100 else 0),
    "two of them": lambda now: BASE + 300 * MIB * sum(now > at for at in (100, 900)),
    "buffers that fill in two minutes": lambda now: BASE + min(now, 120) / 120 * 200 * MIB,
    "by day and night": lambda now: BASE + (400 * MIB if now % 600 < 300 else 0),
}


@pytest.mark.parametrize("kind", HEALTHY)
def test_what_does_not_keep_growing_is_no_overrun(kind: str) -> None:
    assert first_overrun(noisy(HEALTHY[kind], 20 * MIB), 1800) is None


def test_a_late_leak_is_found_as_well() -> None:
    found = first_overrun(lambda now: BASE + max(0.0, now - 40_000) * 20_000, 90_000, every_s=5.0)
    assert found is not None
    assert found < 40_000 + 1.3 * ALLOWANCE_BYTES_MIN / 20_000


def test_a_large_need_that_stays_is_a_warning() -> None:
    watch = MemoryWatch()
    watch.changed(0.0)
    for beat in range(2000):
        watch.take(int(HEALTHY["one large request, whose memory is kept"](beat * BEAT_S)), beat * BEAT_S)
    assert not watch.overrun
    assert "does not keep growing" in watch.warning


def test_a_set_limit_holds_without_a_trend_but_not_below_what_is_needed() -> None:
    assert first_overrun(HEALTHY["one large request, whose memory is kept"], 600, limit_bytes=BASE + 100 * MIB) is not None
    assert first_overrun(leak(0), 600, limit_bytes=BASE // 2) is None
    watch = MemoryWatch(BASE // 2)
    for beat in range(200):
        watch.take(BASE, beat * BEAT_S)
    assert watch.ceiling == BASE + ALLOWANCE_BYTES_MIN
    assert "memory_limit_mb = 157 is not applied: models and cameras need 315 MB" in watch.warning


def test_cameras_that_open_later_are_part_of_the_base_and_what_had_leaked_is_not() -> None:
    watch = MemoryWatch()
    camera = 150 * MIB

    def beats(first: int, last: int, level: Callable[[float], float]) -> None:
        for beat in range(first, last):
            watch.take(int(level(beat * BEAT_S)), beat * BEAT_S)

    watch.changed(0.0)
    beats(0, 200, leak(0))
    assert watch.base == BASE
    beats(200, 400, lambda _now: BASE + 100 * MIB)
    watch.on_pipelines({"yard": PipelineGauges(camera_fps=10.0)}, 200.0)
    beats(400, 600, lambda _now: BASE + 100 * MIB + camera)
    assert watch.base == BASE + camera
    watch.on_pipelines({"yard": PipelineGauges(camera_fps=0.0)}, 300.0)
    watch.on_pipelines({"yard": PipelineGauges(camera_fps=10.0)}, 301.0)
    assert watch.base == BASE + camera, "a camera that comes back is no change"
    watch.changed(301.0)
    beats(602, 800, lambda _now: BASE)
    assert watch.base == BASE, "never more than the process has"


def test_the_samples_are_bounded() -> None:
    trend = MemoryTrend()
    for beat in range(20_000):
        trend.add(BASE, float(beat))
    assert len(trend._points) <= POINTS_MAX
    assert trend.lowest(60.0) == BASE
