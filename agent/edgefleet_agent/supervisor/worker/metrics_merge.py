"""Merges windows of gauges: the worker sends one every few seconds, telemetry is sampled less often. Pure.

Counts are added, rates and coverage weighted by the length of their window. Percentiles cannot be joined exactly: the median is
weighted by frames, p95 and max are the larger ones, so a joined window never looks faster than it was.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from edgefleet_contract.wire.label_counts import most_frequent
from edgefleet_contract.wire.messages import PipelineGauges, ShadowGauges, StageLatency
from edgefleet_contract.worker_process import Gauges


def join(earlier: Gauges | None, later: Gauges) -> Gauges:
    """One window out of two that follow each other. Pipelines that have ended are left out."""
    if earlier is None or earlier.window_s <= 0 or later.window_s <= 0:
        return later
    pipelines = {
        name: _join_one(earlier.pipelines[name], earlier.window_s, gauges, later.window_s)
        if name in earlier.pipelines
        else gauges
        for name, gauges in later.pipelines.items()
    }
    shadows = {
        slot: _join_shadow(earlier.shadows[slot], gauges) if slot in earlier.shadows else gauges
        for slot, gauges in later.shadows.items()
    }
    return Gauges(window_s=earlier.window_s + later.window_s, pipelines=pipelines, shadows=shadows)


def _join_shadow(earlier: ShadowGauges, later: ShadowGauges) -> ShadowGauges:
    if earlier.model_digest != later.model_digest:
        return later
    before, after = float(earlier.frames), float(later.frames)
    return replace(
        later,
        frames=earlier.frames + later.frames,
        frames_offered=earlier.frames_offered + later.frames_offered,
        errors=earlier.errors + later.errors,
        frames_empty=earlier.frames_empty + later.frames_empty,
        agreement=_mean(earlier.agreement, before, later.agreement, after),
        confidence=_mean(earlier.confidence, before, later.confidence, after),
        incumbent_confidence=_mean(earlier.incumbent_confidence, before, later.incumbent_confidence, after),
        latency=_join_latency(earlier.latency, before, later.latency, after),
        incumbent_latency=_join_latency(earlier.incumbent_latency, before, later.incumbent_latency, after),
    )


def _join_one(earlier: PipelineGauges, earlier_s: float, later: PipelineGauges, later_s: float) -> PipelineGauges:
    frames = earlier.process_fps * earlier_s, later.process_fps * later_s
    dropped = {cause: earlier.dropped.get(cause, 0) + later.dropped.get(cause, 0) for cause in earlier.dropped | later.dropped}
    joined = replace(
        later,
        camera_fps=_mean(earlier.camera_fps, earlier_s, later.camera_fps, later_s),
        process_fps=_mean(earlier.process_fps, earlier_s, later.process_fps, later_s),
        skipped_fps=_mean(earlier.skipped_fps, earlier_s, later.skipped_fps, later_s),
        quiet_fps=_mean(earlier.quiet_fps, earlier_s, later.quiet_fps, later_s),
        detection_fps=_mean(earlier.detection_fps, earlier_s, later.detection_fps, later_s),
        crops_fps=_mean(earlier.crops_fps, earlier_s, later.crops_fps, later_s),
        crops_shed=earlier.crops_shed + later.crops_shed,
        boxes_shed=earlier.boxes_shed + later.boxes_shed,
        coverage=_mean(earlier.coverage, earlier_s, later.coverage, later_s),
        dropped=dropped,
    )
    if earlier.model_digest != later.model_digest:
        return joined  # what another model needed and was sure of says nothing about this one
    bins = earlier.confidence, later.confidence
    return replace(
        joined,
        detections_per_frame=_mean(earlier.detections_per_frame, frames[0], later.detections_per_frame, frames[1]),
        labels=most_frequent(Counter(earlier.labels) + Counter(later.labels)),
        confidence=[sum(pair) for pair in zip(*bins, strict=True)] if len(bins[0]) == len(bins[1]) else later.confidence,
        latency={
            stage: _join_latency(earlier.latency.get(stage, latency), frames[0], latency, frames[1])
            for stage, latency in later.latency.items()
        },
    )


def _join_latency(earlier: StageLatency, earlier_frames: float, later: StageLatency, later_frames: float) -> StageLatency:
    return StageLatency(
        p50_ms=_mean(earlier.p50_ms, earlier_frames, later.p50_ms, later_frames),
        p95_ms=max(earlier.p95_ms, later.p95_ms),
        max_ms=max(earlier.max_ms, later.max_ms),
    )


def _mean(first: float, first_weight: float, second: float, second_weight: float) -> float:
    weight = first_weight + second_weight
    return round((first * first_weight + second * second_weight) / weight, 4) if weight > 0 else second
