"""Figures of a metrics window."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from edgefleet_agent.pipeline.metrics import RING, PipelineMeter, Ring


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
    for frame in range(18):
        meter.captured(50.0 + frame / 9)
    for _ in range(12):
        meter.processed([0.55, 0.97, 1.0], 42.0)
        meter.boxes_shed(2)
    gauges = meter.drain(2.0, 52.0, Counter(busy=5, error=1))
    assert (gauges.camera_fps, gauges.process_fps, gauges.skipped_fps) == (9.0, 6.0, 3.0)
    assert gauges.dropped == {"busy": 5, "error": 1}
    assert gauges.coverage == round(12 / 18, 4)
    assert gauges.confidence == [0, 0, 0, 0, 0, 12, 0, 0, 0, 24]
    assert (gauges.detections_per_frame, gauges.frame_age_ms) == (3.0, 42.0)
    assert (gauges.boxes_shed, meter.drain(2.0, 54.0, Counter()).boxes_shed) == (24, 0)
    assert meter.totals(Counter(), 0).boxes_shed == 24


def test_boxes_are_counted_by_label() -> None:
    """The most frequent labels; the rest together, under a name that no label has."""
    meter = PipelineMeter()
    meter.processed([0.5, 0.5], 1.0, ["person", "person"])
    meter.processed([0.5], 1.0, ["x" * 100])
    assert meter.drain(1.0, 1.0, Counter()).labels == {"person": 2, "x" * 64: 1}
    assert meter.drain(1.0, 2.0, Counter()).labels == {}
    meter.processed([], 1.0, [f"class {number}" for number in range(100) for _ in range(100 - number)])
    labels = meter.drain(1.0, 3.0, Counter()).labels
    assert (len(labels), labels["class 0"], labels[""]) == (33, 100, sum(range(1, 69)))


def test_the_next_window_starts_empty() -> None:
    meter = PipelineMeter()
    meter.expect(10.0)
    meter.captured(50.0)
    meter.processed([0.5], 1.0)
    meter.drain(1.0, 50.05, Counter(busy=3))
    empty = meter.drain(1.0, 51.05, Counter(busy=3))
    assert (empty.process_fps, empty.dropped, empty.coverage, sum(empty.confidence)) == (0.0, {}, 0.0, 0)
    assert empty.frames_total == 1


def test_frames_that_did_not_come_are_not_covered() -> None:
    """A camera that is silent for half a second of ten frames, and one that is slightly slower than its nominal rate."""
    meter = PipelineMeter()
    meter.expect(10.0)
    for now_s in (0.1, 0.2, 0.3, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3):
        meter.captured(now_s)
        meter.processed([], 1.0)
    assert meter.drain(1.3, 1.3, Counter()).coverage == round(9 / 13, 4)
    for frame in range(40):
        meter.captured(1.42 + 0.12 * frame)
        meter.processed([], 1.0)
    assert meter.drain(5.0, 6.2, Counter()).coverage == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_frames_that_come_late_are_not_missed(seed: int) -> None:
    """A busy machine takes frames late and together, also over the end of a window; in all of it no frame is lost."""
    random = np.random.default_rng(seed)
    late = random.choice([0.0, 0.03, 0.09, 0.2, 0.4], 2000, p=[0.6, 0.2, 0.1, 0.06, 0.04])
    arrivals = np.maximum.accumulate(10.0 + np.arange(2000) / 20 + late)
    meter, coverages, now_s = PipelineMeter(), list[float](), 12.0
    meter.expect(20.0)
    for arrival_s in arrivals:
        while arrival_s > now_s:
            coverages.append(meter.drain(2.0, now_s, Counter()).coverage)
            now_s += 2.0
        meter.captured(arrival_s)
        meter.processed([], 1.0)
    assert min(coverages) == 1.0
    for frame in range(40):  # every fourth is lost
        if frame % 4:
            meter.captured(arrivals[-1] + (frame + 1) / 20)
            meter.processed([], 1.0)
    end_s = arrivals[-1] + 2.05
    lossy = [meter.drain(1.0, end_s + wait_s, Counter()) for wait_s in (0.0, 0.6)]
    assert lossy[0].coverage < 0.95
    assert sum(gauges.process_fps > 0 for gauges in lossy) == 1


def test_the_coverage_of_a_source_that_has_ended_is_its_own() -> None:
    meter = PipelineMeter()
    meter.expect(10.0)
    for frame in range(30):
        meter.captured(frame / 10 + (1.0 if frame > 9 else 0.0))
        meter.processed([], 1.0)
    meter.end()
    for now_s in (5.0, 9.0, 13.0):
        meter.drain(4.0, now_s, Counter())
        assert meter.coverage_total(Counter()) == 0.75


def test_frames_that_could_not_be_decoded_are_counted_once() -> None:
    """They are damaged, and not missed too; also where the window of the gap was reported before."""
    meter = PipelineMeter()
    meter.expect(10.0)
    for now_s, damaged in ((0.1, 0), (0.2, 0), (0.6, 3), (0.7, 0)):
        assert meter.captured(now_s, damaged) == damaged
        meter.processed([], 1.0)
    gauges = meter.drain(1.0, 0.75, Counter(damaged=3))
    assert (gauges.coverage, gauges.dropped) == (round(4 / 7, 4), {"damaged": 3})
    assert meter.drain(1.1, 1.8, Counter(damaged=3)).coverage == 0.0
    assert meter.captured(1.9, 11) == 1, "ten of the eleven were missed in the window before"
    meter.processed([], 1.0)
    assert meter.drain(0.1, 1.9, Counter(damaged=4)).coverage == 0.5


def test_a_file_with_damage_is_not_covered() -> None:
    meter = PipelineMeter()
    meter.expect(0.0)
    for damaged in (0, 9, 0):
        assert meter.captured(1.0, damaged) == damaged
        meter.processed([], 1.0)
    assert meter.drain(1.0, 2.0, Counter(damaged=9)).coverage == 0.25


def test_nothing_seen_yet_is_nothing_covered() -> None:
    assert PipelineMeter().drain(1.0, 1.0, Counter()).coverage == 0.0


def test_a_file_at_full_speed_expects_what_it_gives() -> None:
    meter = PipelineMeter()
    meter.expect(0.0)
    meter.captured(1.0)
    meter.processed([], 1.0)
    assert meter.drain(1.0, 9.0, Counter()).coverage == 1.0
    assert meter.drain(1.0, 10.0, Counter()).coverage == 1.0
