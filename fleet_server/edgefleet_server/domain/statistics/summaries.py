"""Aggregates of samples: for each figure count, sum, extremes and a histogram, all of them mergeable.

The aggregate of a minute merges the samples of a device, that of an hour merges minutes, that of a day (UTC) merges hours, that
of a fleet merges devices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from edgefleet_contract.wire.label_counts import LABEL_CHARS_MAX, LABELS_MAX, OTHERS, most_frequent
from edgefleet_server.domain.statistics import quantile_sketch
from edgefleet_server.domain.statistics.quantile_sketch import Sketch

NAMES: Final = (
    "fps", "latency_p95_ms", "dropped_percent", "temperature_c", "cpu_percent", "confidence", "memory_bytes",
    "detections_per_frame",
    "shadow_agreement", "shadow_latency_percent", "shadow_confidence_points",
)  # fmt: skip
"""`confidence`: of detections, in percent, from the histograms that devices send. `memory_bytes`: of the agent's processes.
`detections_per_frame`: of all pipelines together, of samples with analyzed frames.
`shadow_*`: of shadow candidates: agreement with the incumbent in percent, median latency in percent of the incumbent's, and mean
confidence minus that of the incumbent."""
CLASS: Final = "class:"
"""Begin of the names of figures with the boxes of one label. They have a count of samples and a total of boxes only."""
CLASSES_MAX: Final = 2 * LABELS_MAX
DETECTIONS_MAX: Final = 1e6
"""A device may report any number."""
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400
SPANS_S: Final = (MINUTE_S, HOUR_S, DAY_S)
"""Each is a multiple of the one before it."""


class Summary(msgspec.Struct, array_like=True):
    """One figure over a span. `low`, `high`: the smallest and largest value; the sketch holds every value."""

    count: int = 0
    total: float = 0.0
    low: float = 0.0
    high: float = 0.0
    histogram: Sketch = {}

    @property
    def mean(self) -> float:
        """The mean; 0 without values."""
        return self.total / self.count if self.count else 0.0

    def quantile(self, share: float) -> float:
        """A quantile, limited to the range from `low` to `high`."""
        return min(self.high, max(self.low, quantile_sketch.quantile(self.histogram, share)))


Figures = dict[str, Summary]
"""By name of `NAMES`, or `CLASS` and a label; a figure without a value is missing."""


class StageSummary(msgspec.Struct):
    """The aggregated fields of a pipeline's stage."""

    p95_ms: float = 0.0


class Median(msgspec.Struct):
    """The median of latencies."""

    p50_ms: float = 0.0


class Pipeline(msgspec.Struct):
    """The aggregated fields of a pipeline's gauges."""

    camera_fps: float = 0.0
    process_fps: float = 0.0
    skipped_fps: float = 0.0
    latency: dict[str, StageSummary] = {}
    confidence: list[int] = []
    detections_per_frame: float = 0.0
    labels: dict[str, int] = {}


class Shadow(msgspec.Struct):
    """The aggregated fields of a shadow candidate's gauges."""

    frames: int = 0
    agreement: float = 0.0
    latency: Median = msgspec.field(default_factory=Median)
    incumbent_latency: Median = msgspec.field(default_factory=Median)
    confidence: float = 0.0
    incumbent_confidence: float = 0.0


class Sample(msgspec.Struct):
    """The aggregated fields of a telemetry record (`edgefleet_contract.wire.messages.Telemetry` has all fields)."""

    at: float = 0.0
    pipelines: dict[str, Pipeline] = {}
    cpu_percent: float = 0.0
    temperature_c: float | None = None
    shadows: dict[str, Shadow] = {}
    supervisor_rss_bytes: int = 0
    worker_rss_bytes: int = 0
    window_s: float = 0.0


def add(figures: Figures, sample: Sample) -> None:
    """Add one sample."""
    for name, value in _values(sample).items():
        summary = figures.get(name)
        if summary is None:
            figures[name] = Summary(1, value, value, value, {quantile_sketch.bucket(value): 1})
            continue
        summary.count += 1
        summary.total += value
        summary.low, summary.high = min(summary.low, value), max(summary.high, value)
        quantile_sketch.add(summary.histogram, value)
    _count_labels(figures, sample)
    confidence = _confidence([pipeline.confidence for pipeline in sample.pipelines.values() if pipeline.confidence])
    if confidence.count:
        known = figures.get("confidence")
        figures["confidence"] = _merged([known, confidence]) if known else confidence


def _count_labels(figures: Figures, sample: Sample) -> None:
    """Add the boxes by label of all pipelines. Of more than `LABELS_MAX` labels the rest are counted together."""
    found: Counter[str] = Counter()
    for pipeline in sample.pipelines.values():
        found.update({label[:LABEL_CHARS_MAX]: count for label, count in pipeline.labels.items() if count > 0})
    for label, count in most_frequent(found).items():
        name = CLASS + label
        if name not in figures and sum(known.startswith(CLASS) for known in figures) >= CLASSES_MAX:
            name = CLASS + OTHERS
        known = figures.setdefault(name, Summary(0, 0.0, 0.0, 0.0, {}))
        known.count += 1
        known.total += min(count, DETECTIONS_MAX)


def labels_of(figures: Figures) -> dict[str, int]:
    """Number of boxes by label."""
    return {name.removeprefix(CLASS): int(found.total) for name, found in figures.items() if name.startswith(CLASS)}


def without_labels(figures: Figures) -> Figures:
    """The figures without boxes by label, which are kept for minutes only."""
    return {name: found for name, found in figures.items() if not name.startswith(CLASS)}


def _values(sample: Sample) -> dict[str, float]:
    """The figures of one sample that have one value."""
    values: dict[str, float] = {"cpu_percent": sample.cpu_percent}
    if sample.temperature_c is not None:
        values["temperature_c"] = sample.temperature_c
    if memory := sample.supervisor_rss_bytes + sample.worker_rss_bytes:
        values["memory_bytes"] = float(memory)
    if not sample.pipelines:
        return values | _beside(list(sample.shadows.values()))
    pipelines = sample.pipelines.values()
    fps = sum([pipeline.process_fps for pipeline in pipelines])
    skipped = sum([pipeline.skipped_fps for pipeline in pipelines])
    values["fps"] = fps
    if fps > 0:
        found = sum([pipeline.detections_per_frame for pipeline in pipelines])
        values["detections_per_frame"] = min(found, DETECTIONS_MAX)
    values["dropped_percent"] = 100.0 * skipped / (fps + skipped) if fps + skipped > 0 else 0.0
    p95 = [stage.p95_ms for pipeline in pipelines for stage in pipeline.latency.values()]
    if p95:
        values["latency_p95_ms"] = max(p95)
    return values | _beside(list(sample.shadows.values())) if sample.shadows else values


def _beside(shadows: list[Shadow]) -> dict[str, float]:
    """The figures of the candidate with the lowest agreement: a device rarely has two."""
    seen = [shadow for shadow in shadows if shadow.frames]
    if not seen:
        return {}
    worst = min(seen, key=lambda shadow: shadow.agreement)
    values = {
        "shadow_agreement": 100.0 * worst.agreement,
        "shadow_confidence_points": 100.0 * (worst.confidence - worst.incumbent_confidence),
    }
    if worst.incumbent_latency.p50_ms > 0:
        values["shadow_latency_percent"] = 100.0 * worst.latency.p50_ms / worst.incumbent_latency.p50_ms
    return values


def merge(parts: Iterable[Mapping[str, Summary]]) -> Figures:
    """Merge aggregates; their order does not matter."""
    by_name: dict[str, list[Summary]] = {}
    for part in parts:
        for name, summary in part.items():
            by_name.setdefault(name, []).append(summary)
    return {name: _merged(summaries) for name, summaries in by_name.items()}


def _merged(parts: list[Summary]) -> Summary:
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    count, total, low, high = first.count, first.total, first.low, first.high
    for part in parts[1:]:
        count += part.count
        total += part.total
        low = min(low, part.low)
        high = max(high, part.high)
    return Summary(count, total, low, high, quantile_sketch.merge(part.histogram for part in parts))


@lru_cache(maxsize=64)
def _steps(count: int) -> tuple[tuple[float, int], ...]:
    """(percent, bucket) of each of `count` equal steps from 0 to 1."""
    percents = [100.0 * (step + 0.5) / count for step in range(count)]
    return tuple((percent, quantile_sketch.bucket(percent)) for percent in percents)


def _confidence(histograms: list[list[int]]) -> Summary:
    """Counts of equal steps from 0 to 1 as one figure in percent."""
    summary = Summary(0, 0.0, 100.0, 0.0, {})
    found: Sketch = {}
    for counts in histograms:
        for (percent, key), count in zip(_steps(len(counts)), counts, strict=True):
            if count > 0:
                summary.count += count
                summary.total += count * percent
                summary.low, summary.high = min(summary.low, percent), max(summary.high, percent)
                found[key] = found.get(key, 0) + count
    summary.histogram = found
    return summary


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Figures)


def pack(figures: Figures) -> bytes:
    """Serialize for a row of the database."""
    return _encoder.encode(figures)


def unpack(data: bytes) -> Figures:
    """Deserialize from a row of the database."""
    return _decoder.decode(data)
