"""Sums that merge: minutes make hours, in any order, and quantiles are right within 2 %."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.statistics import quantile_sketch
from edgefleet_server.domain.statistics.summaries import Figures, Pipeline, Sample, StageSummary, add, merge, pack, unpack

VALUES = st.lists(st.floats(0.01, 1e6), min_size=1, max_size=200)


@given(values=VALUES, share=st.floats(0.0, 1.0))
def test_quantiles_are_right_within_two_percent(values: list[float], share: float) -> None:
    """Against the exact one."""
    counted: quantile_sketch.Sketch = {}
    for value in values:
        quantile_sketch.add(counted, value)
    exact = sorted(values)[int(share * (len(values) - 1))]
    assert quantile_sketch.quantile(counted, share) == pytest.approx(exact, rel=0.0201)


@given(values=VALUES, cut=st.integers(0, 200))
def test_merging_is_counting_together(values: list[float], cut: int) -> None:
    """Wherever the stream is cut, and in either order."""

    def counted(part: list[float]) -> quantile_sketch.Sketch:
        found: quantile_sketch.Sketch = {}
        for value in part:
            quantile_sketch.add(found, value)
        return found

    left, right = counted(values[:cut]), counted(values[cut:])
    assert quantile_sketch.merge([left, right]) == quantile_sketch.merge([right, left]) == counted(values)


def test_sketch_is_bounded() -> None:
    """Whatever is counted; the high quantiles stay right."""
    counted: quantile_sketch.Sketch = {}
    for step in range(2000):
        quantile_sketch.add(counted, 1.02**step)
    merged = quantile_sketch.merge([counted])
    assert len(merged) <= quantile_sketch.BUCKETS_MAX
    assert sum(merged.values()) == 2000
    assert quantile_sketch.quantile(merged, 0.99) == pytest.approx(1.02**1979, rel=0.03)


def sample(latency_ms: float, confidence: list[int] | None = None) -> Sample:
    stages = {"invoke": StageSummary(p95_ms=latency_ms), "pre": StageSummary(p95_ms=0.5)}
    return Sample(100.0, {"belt": Pipeline(25.0, 20.0, 5.0, stages, confidence or [])}, 40.0, 61.5)


def of_sample(*samples: Sample) -> Figures:
    found: Figures = {}
    for each in samples:
        add(found, each)
    return found


def test_figures_of_a_sample() -> None:
    """The slowest stage, the share of frames that were dropped, the confidence of detections in percent."""
    found = of_sample(sample(12.0, [0, 0, 0, 0, 0, 0, 0, 1, 3, 0]))
    assert found["latency_p95_ms"].mean == 12.0
    assert found["dropped_percent"].mean == 20.0
    assert (found["confidence"].count, found["confidence"].mean) == (4, 82.5)
    assert found["temperature_c"].high == 61.5
    assert "temperature_c" not in of_sample(Sample(1.0))


def test_rows_keep_everything() -> None:
    """Packed and read again, merged or not."""
    chance = random.Random(7)
    parts = [of_sample(sample(chance.lognormvariate(2.5, 0.3))) for _ in range(300)]
    whole = merge(parts)
    halves = merge([unpack(pack(merge(parts[:120]))), unpack(pack(merge(parts[120:])))])
    assert halves["latency_p95_ms"].histogram == whole["latency_p95_ms"].histogram
    assert halves["latency_p95_ms"].total == pytest.approx(whole["latency_p95_ms"].total)
    assert len(pack(whole)) < 1500


@given(reported=st.lists(st.tuples(st.floats(0.01, 1e4), st.lists(st.integers(0, 5), max_size=10)), min_size=1, max_size=20))
def test_samples_are_counted_in_one_by_one_or_merged(reported: list[tuple[float, list[int]]]) -> None:
    """To the same figures."""
    samples = [sample(*each) for each in reported]
    one_by_one, merged = of_sample(*samples), merge([of_sample(each) for each in samples])
    assert one_by_one.keys() == merged.keys()
    for name, summary in merged.items():
        mine = one_by_one[name]
        assert (mine.count, mine.low, mine.high, mine.histogram) == (summary.count, summary.low, summary.high, summary.histogram)
        assert mine.total == pytest.approx(summary.total)


def test_candidate_is_summarized_by_its_agreement() -> None:
    """Of several the one that agrees least; one without frames is ignored."""
    seen = {"frames": 12, "agreement": 0.9, "latency": {"p50_ms": 20.0}, "incumbent_latency": {"p50_ms": 10.0}}
    sample = msgspec.convert({"shadows": {"detector": seen, "pose": {**seen, "agreement": 0.5}, "idle": {}}}, Sample)
    figures = of_sample(sample)
    assert figures["shadow_agreement"].mean == 50.0
    assert figures["shadow_latency_percent"].mean == 200.0
    assert "shadow_agreement" not in of_sample(Sample())
