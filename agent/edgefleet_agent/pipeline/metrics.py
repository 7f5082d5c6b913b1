"""Metrics of a pipeline in the last window: rates, drops by cause, latencies, age of frames, coverage, confidence.

Written by the threads that compute, one thread per ring; read by the thread that reports. A frame only stores numbers in place:
rings have a fixed size, and percentiles are computed on request.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from edgefleet_agent.sources.reconnect_state import SourceFault
from edgefleet_contract.wire.label_counts import most_frequent
from edgefleet_contract.wire.messages import PipelineGauges, SourceReason, StageLatency

RING = 512
"""Latencies stored for a window: 20 s at 25 frames/s."""
BINS = 10
"""Bins of the confidence histogram, each 0.1 wide."""
STAGES = ("pre", "wait", "invoke", "post", "rules", "total")
"""Stages with a latency. pre: frame to tensor. wait: for the model. post: outputs to boxes. rules: including tracking. total:
from capture to the events."""

BOUNDS_MS = (1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2500.0, 10000.0)
"""Upper edges of the buckets of a latency histogram; a last bucket holds slower values."""


STATES_SEEING = frozenset({"running"})
"""States in which a pipeline analyses its source."""
TEXT_CHARS_MAX = 1000
LATE_S = 0.5
"""For this time frames that did not come may be late: on a busy machine they come together a moment later."""
SILENT_S = 1.0
"""Frames that have not come for this time, two periods at least, are missed before the next one comes."""


def sees(gauges: PipelineGauges) -> bool:
    """Whether the pipeline analysed its source in this window: without that its counts are unknown, not 0. Frames that a gate
    holds back are analysed; those of a model that fails are not."""
    failing = gauges.skipped_fps > 0.0 and gauges.process_fps + gauges.quiet_fps == 0.0
    return gauges.state in STATES_SEEING and not failing


def source_reasons(faults: Iterable[SourceFault], wall_shift_s: float) -> list[SourceReason]:
    """The faults of a source for its gauges. wall_shift_s: wall time less monotonic time."""
    return [
        SourceReason(
            state=fault.state.value,
            text=fault.text[:TEXT_CHARS_MAX],
            at=round(fault.since_s + wall_shift_s, 3),
            until=round(fault.until_s + wall_shift_s, 3) if fault.until_s is not None else 0.0,
            times=fault.times,
        )
        for fault in faults
    ]


@dataclass(slots=True)
class LatencyHistogram:
    """Latencies since the start. counts: by bucket, not cumulative."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))
    sum_ms: float = 0.0

    def add(self, value_ms: float) -> None:
        """One value."""
        self.counts[bisect_left(BOUNDS_MS, value_ms)] += 1
        self.sum_ms += value_ms

    def copy(self) -> LatencyHistogram:
        """A snapshot of the current counts."""
        return LatencyHistogram(list(self.counts), self.sum_ms)


@dataclass(frozen=True, slots=True)
class Totals:
    """Counters of a pipeline since its start; they never decrease. A sensor's frames are its readings."""

    captured: int = 0
    processed: int = 0
    quiet: int = 0
    detections: int = 0
    boxes_shed: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    losses: int = 0
    stages: dict[str, LatencyHistogram] = field(default_factory=dict)


class Ring:
    """The last `RING` values of something, in milliseconds."""

    def __init__(self) -> None:
        self._values = array("d", bytes(8 * RING))
        self._count = 0

    def add(self, value_ms: float) -> None:
        """Add one value; it replaces the oldest."""
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
        self._last_frame_s = 0.0
        self._missed = self._missed_early = self._missed_total = 0
        self._gaps: deque[tuple[float, int]] = deque(maxlen=RING)  # end and missing frames of gaps that are not judged yet
        self._accounted_s = 0.0  # the time up to which the frames that came are enough
        self._rings = {stage: Ring() for stage in STAGES}
        self._bins = [0] * BINS
        self._labels: Counter[str] = Counter()
        self._captured = self._processed = self._detections = self._quiet = self._invocations = 0
        self._crops = self._crops_shed = 0
        self._age_ms = 0.0
        self._dropped_before: Counter[str] = Counter()
        self._histograms = {stage: LatencyHistogram() for stage in STAGES}
        self._captured_total = self._detections_total = 0
        self._boxes_shed = self._boxes_shed_total = 0
        self.frames_total = 0
        self.quiet_total = 0

    def expect(self, fps: float) -> None:
        """Set the expected analyzed frames a second; 0 for a source without a clock."""
        self._fps = fps

    def captured(self, now_s: float, damaged: int = 0) -> int:
        """Count a due frame, captured at this monotonic time. damaged: due frames before it that could not be decoded; returns
        those of them that no window has counted as missed."""
        damaged -= min(damaged, self._missed_early)
        self._missed_early = 0
        gap = self._missed_until(now_s) - damaged
        if gap > 0:
            self._gaps.append((now_s, gap))
        self._account(1 + damaged, now_s)
        self._captured += 1
        self._captured_total += 1
        return damaged

    def _account(self, frames: int, now_s: float) -> None:
        if self._fps:
            accounted_s = self._accounted_s + frames / self._fps if self._last_frame_s else now_s
            self._accounted_s = min(accounted_s, now_s + LATE_S)
        self._last_frame_s = now_s

    def _judge_gaps(self, now_s: float) -> None:
        """Count the frames of gaps as missed, unless they came later than they should."""
        if not self._fps:
            return
        old = 0
        while self._gaps and now_s - self._gaps[0][0] >= LATE_S:
            old += self._gaps.popleft()[1]
        late = sum(count for _, count in self._gaps)  # they may come yet
        missed = max(0, min(old, round((self._last_frame_s - self._accounted_s) * self._fps) - late))
        self._missed += missed
        self._accounted_s += missed / self._fps
        if not self._gaps:  # a camera that is slightly slower than its nominal rate makes no gaps
            self._accounted_s = max(self._accounted_s, self._last_frame_s)

    def _missed_until(self, now_s: float) -> int:
        """Missing frames since the last one. Jitter, and a camera slightly slower than its nominal rate, make no gaps."""
        if not (self._fps and self._last_frame_s):
            return 0
        return max(0, round((now_s - self._last_frame_s) * self._fps) - 1)

    def stage(self, name: str, duration_ms: float) -> None:
        """Add the duration of a stage for one frame."""
        if name not in self._rings:  # `motion` or `crops`, if the graph has such a stage
            self._rings = {name: Ring(), **self._rings}
            self._histograms = {name: LatencyHistogram(), **self._histograms}
        self._rings[name].add(duration_ms)
        self._histograms[name].add(duration_ms)
        self._invocations += name == "invoke"

    def processed(self, scores: list[float], age_ms: float, labels: Iterable[str] = ()) -> None:
        """Count a finished frame. scores: of its boxes. age_ms: since capture. labels: of its boxes and crops."""
        self._labels.update(labels)
        self.frames_total += 1
        self._processed += 1
        self._detections += len(scores)
        self._detections_total += len(scores)
        self._age_ms = age_ms
        for score in scores:
            self._bins[min(BINS - 1, int(score * BINS))] += 1

    def gated(self, count: int, now_s: float) -> None:
        """Count pictures that the source's own gate skipped."""
        self._captured += count
        self._captured_total += count
        self._quiet += count
        self.quiet_total += count
        self._account(count, now_s)

    def coverage_total(self, dropped_total: Counter[str]) -> float:
        """Analyzed frames as a share of all frames since the start."""
        analyzed = self.frames_total + self.quiet_total
        expected = analyzed + sum(dropped_total.values()) + self._missed_total
        return round(analyzed / expected, 4) if expected else float(self._fps is not None)

    def end(self) -> None:
        """The source has ended: no more frames are expected."""
        self._judge_gaps(float("inf"))
        self._fps = 0.0 if self._fps is not None else None

    def quiet(self) -> None:
        """Count a frame in which nothing moved, so that no model ran."""
        self._quiet += 1
        self.quiet_total += 1

    def totals(self, dropped_total: Counter[str], losses: int) -> Totals:
        """Totals since the start."""
        return Totals(
            captured=self._captured_total,
            processed=self.frames_total,
            quiet=self.quiet_total,
            detections=self._detections_total,
            boxes_shed=self._boxes_shed_total,
            dropped=dict(dropped_total),
            losses=losses,
            stages={name: histogram.copy() for name, histogram in self._histograms.items()},
        )

    def crops(self, analyzed: int, shed: int) -> None:
        """Count the crops of one frame: analyzed, and left out above the limit."""
        self._crops += analyzed
        self._crops_shed += shed

    def boxes_shed(self, count: int) -> None:
        """Count the boxes of one frame that stages left out because there were too many."""
        self._boxes_shed += count
        self._boxes_shed_total += count

    def drain(self, window_s: float, now_s: float, dropped_total: Counter[str]) -> PipelineGauges:
        """The window of `window_s` that ends now. dropped_total: frames dropped since the start, by cause."""
        dropped = dropped_total - self._dropped_before
        self._dropped_before = Counter(dropped_total)
        lost = sum(dropped.values())
        self._judge_gaps(now_s)
        if self._fps and now_s - self._last_frame_s > max(SILENT_S, 2 / self._fps):
            missed = self._missed_until(now_s)
            self._missed, self._missed_early = self._missed + missed, self._missed_early + missed
            self._last_frame_s = self._accounted_s = now_s
        self._missed_total += self._missed
        analyzed = self._processed + self._quiet
        expected = analyzed + lost + self._missed
        labels, self._labels = self._labels, Counter()  # before it is read: frames are counted by another thread
        gauges = PipelineGauges(
            camera_fps=round(self._captured / window_s, 2),
            process_fps=round(self._processed / window_s, 2),
            quiet_fps=round(self._quiet / window_s, 2),
            skipped_fps=round(lost / window_s, 2),
            detection_fps=round(self._invocations / window_s, 2),
            frames_total=self.frames_total,
            dropped=dict(dropped),
            latency={stage: ring.drain() for stage, ring in self._rings.items()},
            frame_age_ms=round(self._age_ms, 3),
            coverage=round(analyzed / expected, 4) if expected else float(self._fps is not None),
            detections_per_frame=round(self._detections / self._processed, 3) if self._processed else 0.0,
            confidence=self._bins,
            crops_fps=round(self._crops / window_s, 2),
            crops_shed=self._crops_shed,
            boxes_shed=self._boxes_shed,
            labels=most_frequent(labels),
        )
        self._bins = [0] * BINS
        self._captured = self._processed = self._detections = self._missed = self._quiet = self._invocations = 0
        self._crops = self._crops_shed = self._boxes_shed = 0
        return gauges
