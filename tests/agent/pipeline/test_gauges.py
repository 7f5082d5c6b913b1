"""What a window says."""

from __future__ import annotations

from collections import Counter

import pytest

from agent.pipeline.gauges import RING, PipelineMeter, Ring


def test_percentiles_of_the_last_values() -> None:
    ring = Ring()
    for value in range(1, 101):
        ring.add(float(value))
    drained = ring.drain()
    assert (drained.p50_ms, drained.p95_ms, drained.max_ms) == (50.5, 95.05, 100.0)
    assert ring.drain().max_ms == 0.0


def test_old_values_give_way() -> None:
    ring = Ring()
    for value in range(3 * RING):
        ring.add(float(value))
    assert ring.drain().p50_ms == pytest.approx(2.5 * RING, abs=1)


def test_a_window_of_a_live_pipeline() -> None:
    meter = PipelineMeter()
    meter.expect(10.0)
    for _ in range(18):
        meter.captured()
    for _ in range(12):
        meter.processed([0.55, 0.97, 1.0], 42.0)
    gauges = meter.drain(2.0, Counter(busy=5, error=1))
    assert (gauges.camera_fps, gauges.process_fps, gauges.skipped_fps) == (9.0, 6.0, 3.0)
    assert gauges.dropped == {"busy": 5, "error": 1}
    assert gauges.coverage == 0.6
    assert gauges.confidence == [0, 0, 0, 0, 0, 12, 0, 0, 0, 24]
    assert (gauges.detections_per_frame, gauges.frame_age_ms) == (3.0, 42.0)


def test_the_next_window_begins_empty() -> None:
    meter = PipelineMeter()
    meter.expect(10.0)
    meter.captured()
    meter.processed([0.5], 1.0)
    meter.drain(1.0, Counter(busy=3))
    empty = meter.drain(1.0, Counter(busy=3))
    assert (empty.process_fps, empty.dropped, empty.coverage, sum(empty.confidence)) == (0.0, {}, 0.0, 0)
    assert empty.frames_total == 1


def test_a_file_at_full_speed_expects_what_it_gives() -> None:
    meter = PipelineMeter()
    meter.processed([], 1.0)
    assert meter.drain(1.0, Counter()).coverage == 1.0
