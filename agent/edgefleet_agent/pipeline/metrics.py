"""What a pipeline did in the last window: rates, drops by cause, latencies, age of frames, coverage, confidence.

Written by the threads that do the work, one thread a ring; read by the thread that reports. Per frame only numbers are stored in
place: rings are fixed, percentiles are computed when somebody asks.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from edgefleet_contract.wire.messages import PipelineGauges, StageLatency

RING = 512
"""Latencies kept for a window: 20 s at 25 frames/s."""
BINS = 10
"""Bins of the confidence histogram, each 0.1 wide."""
STAGES = ("pre", "wait", "invoke", "post", "rules", "total")
"""pre: frame to tensor. wait: in the hand-over and for the model. post: outputs to boxes. rules: tracking
included. total: from the source's hand to the events."""

BOUNDS_MS = (1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2500.0, 10000.0)
"""Upper edges of the buckets of a latency histogram; one more bucket holds what is slower."""


@dataclass(slots=True)
class LatencyHistogram:
    """Latencies since the start. counts: of each bucket alone, `BOUNDS_MS` and the rest."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))
    sum_ms: float = 0.0

    def add(self, value_ms: float) -> None:
        """One value."""
        self.counts[bisect_left(BOUNDS_MS, value_ms)] += 1
        self.sum_ms += value_ms

    def copy(self) -> LatencyHistogram:
        """As it is now."""
        return LatencyHistogram(list(self.counts), self.sum_ms)


@dataclass(frozen=True, slots=True)
class Totals:
    """What a pipeline did since its start: counters never go back. Frames are readings, of a sensor."""

    captured: int = 0
    processed: int = 0
    quiet: int = 0
    detections: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    losses: int = 0
    stages: dict[str, LatencyHistogram] = field(default_factory=dict)


class Ring:
    """The last `RING` values of something, in milliseconds."""

    def __init__(self) -> None:
        self._values = array("d", bytes(8 * RING))
        self._count = 0

    def add(self, value_ms: float) -> None:
        """One value; the oldest gives way."""
        self._values[self._count % RING] = value_ms
        self._count += 1

    def drain(self) -> StageLatency:
        """Percentiles since the last call."""
        values = np.frombuffer(self._values, np.float64)[: min(self._count, RING)]
        self._count = 0
        if not len(values):
            return StageLatency()
        median, high = np.percentile(values, (50, 95))
        return StageLatency(round(float(median), 3), round(float(high), 3), round(float(values.max()), 3))


class PipelineMeter:
    """One pipeline's gauges."""

    def __init__(self) -> None:
        self._fps: float | None = None
        self._looked_s = 0.0
        self._missed = 0
        self._rings = {stage: Ring() for stage in STAGES}
        self._bins = [0] * BINS
        self._captured = self._processed = self._detections = self._quiet = self._looks = 0
        self._crops = self._crops_shed = 0
        self._age_ms = 0.0
        self._dropped_before: Counter[str] = Counter()
        self._histograms = {stage: LatencyHistogram() for stage in STAGES}
        self._captured_total = self._detections_total = 0
        self.frames_total = 0
        self.quiet_total = 0

    def expect(self, fps: float) -> None:
        """Frames that should be looked at in a second, 0 where the source goes as fast as it is pulled."""
        self._fps = fps

    def captured(self, now_s: float) -> None:
        """The source gave a frame that is due for a look, at this monotonic time."""
        self._notice_gap(now_s)
        self._captured += 1
        self._captured_total += 1
        self._looked_s = now_s

    def _notice_gap(self, now_s: float) -> None:
        """Count frames that did not come. Jitter and a camera a little slower than it says are no gaps."""
        if self._fps and self._looked_s:
            self._missed += max(0, round((now_s - self._looked_s) * self._fps) - 1)

    def stage(self, name: str, duration_ms: float) -> None:
        """A stage took so long for one frame."""
        if name not in self._rings:  # `motion` or `crops`, where there is such a stage
            self._rings = {name: Ring(), **self._rings}
            self._histograms = {name: LatencyHistogram(), **self._histograms}
        self._rings[name].add(duration_ms)
        self._histograms[name].add(duration_ms)
        self._looks += name == "invoke"

    def processed(self, scores: list[float], age_ms: float) -> None:
        """A frame went through all stages. scores: of its boxes. age_ms: since the source gave it."""
        self.frames_total += 1
        self._processed += 1
        self._detections += len(scores)
        self._detections_total += len(scores)
        self._age_ms = age_ms
        for score in scores:
            self._bins[min(BINS - 1, int(score * BINS))] += 1

    def gated(self, count: int, now_s: float) -> None:
        """The source's own gate looked at so many pictures and kept them back."""
        self._captured += count
        self._captured_total += count
        self._quiet += count
        self.quiet_total += count
        self._looked_s = now_s

    def quiet(self) -> None:
        """The motion stage looked at a frame and nothing moved: no more was done with it."""
        self._quiet += 1
        self.quiet_total += 1

    def totals(self, dropped_total: Counter[str], losses: int) -> Totals:
        """Everything since the start."""
        return Totals(
            captured=self._captured_total,
            processed=self.frames_total,
            quiet=self.quiet_total,
            detections=self._detections_total,
            dropped=dict(dropped_total),
            losses=losses,
            stages={name: histogram.copy() for name, histogram in self._histograms.items()},
        )

    def crops(self, looked: int, shed: int) -> None:
        """A cascade looked at so many crops of a frame, and left out so many that it wanted."""
        self._crops += looked
        self._crops_shed += shed

    def drain(self, window_s: float, now_s: float, dropped_total: Counter[str]) -> PipelineGauges:
        """The window of `window_s` that ends now. dropped_total: frames dropped since the start, by cause."""
        dropped = dropped_total - self._dropped_before
        self._dropped_before = Counter(dropped_total)
        lost = sum(dropped.values())
        if self._fps and now_s - self._looked_s > 2 / self._fps:
            self._notice_gap(now_s)
            self._looked_s = now_s
        looked = self._processed + self._quiet
        expected = looked + lost + self._missed
        gauges = PipelineGauges(
            camera_fps=round(self._captured / window_s, 2),
            process_fps=round(self._processed / window_s, 2),
            quiet_fps=round(self._quiet / window_s, 2),
            skipped_fps=round(lost / window_s, 2),
            detection_fps=round(self._looks / window_s, 2),
            frames_total=self.frames_total,
            dropped=dict(dropped),
            latency={stage: ring.drain() for stage, ring in self._rings.items()},
            frame_age_ms=round(self._age_ms, 3),
            coverage=round(looked / expected, 4) if expected else float(self._fps is not None),
            detections_per_frame=round(self._detections / self._processed, 3) if self._processed else 0.0,
            confidence=self._bins,
            crops_fps=round(self._crops / window_s, 2),
            crops_shed=self._crops_shed,
        )
        self._bins = [0] * BINS
        self._captured = self._processed = self._detections = self._missed = self._quiet = self._looks = 0
        self._crops = self._crops_shed = 0
        return gauges
