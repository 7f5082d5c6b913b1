"""Joined windows: counts add up, rates are means, percentiles are never flattered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.supervisor.worker.metrics_merge import join
from edgefleet_contract.wire.messages import PipelineGauges, StageLatency
from edgefleet_contract.worker_process import Gauges


def window(seconds: float, **values: object) -> Gauges:
    return Gauges(window_s=seconds, pipelines={"p": PipelineGauges(**values)})  # type: ignore[arg-type]


def test_a_quiet_and_a_busy_window() -> None:
    quiet = window(
        2.0,
        process_fps=10.0,
        coverage=1.0,
        dropped={"busy": 1},
        boxes_shed=3,
        detections_per_frame=2.0,
        confidence=[1, 0],
        labels={"person": 2},
        latency={"total": StageLatency(10.0, 12.0, 13.0)},
        frames_total=20,
    )
    busy = window(
        6.0,
        process_fps=5.0,
        coverage=0.5,
        dropped={"busy": 30, "late": 2},
        boxes_shed=4,
        detections_per_frame=4.0,
        confidence=[0, 3],
        labels={"person": 1, "car": 4},
        latency={"total": StageLatency(20.0, 90.0, 100.0)},
        frames_total=50,
    )
    joined = join(quiet, busy)
    gauges = joined.pipelines["p"]
    assert joined.window_s == 8.0
    assert (gauges.process_fps, gauges.coverage, gauges.frames_total) == (6.25, 0.625, 50)
    assert gauges.dropped == {"busy": 31, "late": 2}
    assert gauges.boxes_shed == 7
    assert gauges.confidence == [1, 3]
    assert gauges.labels == {"person": 3, "car": 4}
    assert gauges.detections_per_frame == pytest.approx((2.0 * 20 + 4.0 * 30) / 50)
    assert gauges.latency["total"] == StageLatency(16.0, 90.0, 100.0)


def test_another_model_starts_its_own_latency() -> None:
    old = window(2.0, model_digest="a", process_fps=10.0, dropped={"x": 1}, latency={"total": StageLatency(90.0, 90.0, 90.0)})
    old.pipelines["p"].labels = {"person": 2}
    new = window(2.0, model_digest="b", process_fps=10.0, latency={"total": StageLatency(5.0, 6.0, 7.0)})
    gauges = join(old, new).pipelines["p"]
    assert gauges.latency["total"] == StageLatency(5.0, 6.0, 7.0)
    assert gauges.dropped == {"x": 1}
    assert gauges.labels == {}


def test_pipelines_come_and_go() -> None:
    other = Gauges(window_s=2.0, pipelines={"q": PipelineGauges(process_fps=1.0)})
    assert set(join(window(2.0), other).pipelines) == {"q"}
    assert join(None, other) is other


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0, 100), st.integers(0, 1000)), min_size=1, max_size=8))
def test_no_drop_is_forgotten(windows: list[tuple[float, float, int]]) -> None:
    joined = None
    for seconds, fps, dropped in windows:
        joined = join(joined, window(seconds, process_fps=fps, dropped={"x": dropped}))
    assert joined is not None
    assert joined.pipelines["p"].dropped["x"] == sum(dropped for _, _, dropped in windows)
    assert joined.window_s == pytest.approx(sum(seconds for seconds, _, _ in windows))
    frames = sum(seconds * fps for seconds, fps, _ in windows)
    assert joined.pipelines["p"].process_fps * joined.window_s == pytest.approx(frames, rel=0.01, abs=0.1)
