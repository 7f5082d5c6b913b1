"""Prometheus metrics of pipelines. Rates have Frigate's names; units come last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from edgefleet_agent.pipeline.metrics import BOUNDS_MS, Totals
from edgefleet_contract.encoding.metrics_text import Distribution, Family, HistogramFamily, write_metrics
from edgefleet_contract.wire.messages import PipelineGauges

PREFIX = "edgefleet_"
STATES = ("waiting", "opening", "running", "stalled", "source_lost", "ended", "failed")
BOUNDS_S = tuple(bound_ms / 1000 for bound_ms in BOUNDS_MS)

_GAUGES: tuple[tuple[str, str, Callable[[PipelineGauges], float]], ...] = (
    ("camera_fps", "Frames per second from the source", lambda one: one.camera_fps),
    ("process_fps", "Frames per second processed by all stages", lambda one: one.process_fps),
    ("skipped_fps", "Frames per second skipped because models were busy", lambda one: one.skipped_fps),
    ("quiet_fps", "Frames per second not analyzed for lack of motion", lambda one: one.quiet_fps),
    ("detection_fps", "Inferences per second", lambda one: one.detection_fps),
    ("coverage_ratio", "Ratio of analyzed frames to all frames", lambda one: one.coverage),
    ("frame_age_seconds", "Age of the last frame at the time its events were published", lambda one: one.frame_age_ms / 1000),
    ("queue_wait_seconds", "Median time frames wait for a model", lambda one: _median_s(one, "wait")),
)
_COUNTERS: tuple[tuple[str, str, Callable[[Totals], float]], ...] = (
    ("frames_captured_total", "Frames from the source", lambda one: one.captured),
    ("frames_processed_total", "Frames processed by all stages", lambda one: one.processed),
    ("frames_quiet_total", "Frames not analyzed for lack of motion", lambda one: one.quiet),
    ("detections_total", "Detections above the confidence threshold of the pipeline", lambda one: one.detections),
    ("source_losses_total", "Number of times the source was lost", lambda one: one.losses),
)


def render_metrics(
    gauges: Mapping[str, PipelineGauges],
    totals: Mapping[str, Totals],
    events: Mapping[tuple[str, str, str], int],
    viewers: int,
) -> str:
    """Render all metrics. events: how many started, by pipeline, rule and label."""
    return write_metrics(_families(gauges, totals, events, viewers))


def _families(
    gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals], events: Mapping[tuple[str, str, str], int], viewers: int
) -> Iterator[Family | HistogramFamily]:
    states = [({"pipeline": name, "state": state}, int(one.state == state)) for name, one in gauges.items() for state in STATES]
    yield Family("gauge", f"{PREFIX}pipeline_state", "1 for the current state of the pipeline", states)
    for metric, text, read in _GAUGES:
        yield Family("gauge", PREFIX + metric, text, [({"pipeline": name}, read(one)) for name, one in gauges.items()])
    for metric, text, count in _COUNTERS:
        yield Family("counter", PREFIX + metric, text, [({"pipeline": name}, count(each)) for name, each in totals.items()])
    dropped = [
        ({"pipeline": name, "cause": cause}, number)
        for name, each in totals.items()
        for cause, number in sorted(each.dropped.items())
    ]
    yield Family("counter", f"{PREFIX}frames_dropped_total", "Dropped frames by cause", dropped)
    began = [({"pipeline": name, "rule": rule, "label": label}, number) for (name, rule, label), number in sorted(events.items())]
    yield Family("counter", f"{PREFIX}events_total", "Started events", began)
    yield Family("gauge", f"{PREFIX}live_viewers", "Open live view connections", [({}, viewers)])
    stages = [
        ({"pipeline": name, "stage": stage}, Distribution(BOUNDS_S, histogram.counts, histogram.sum_ms / 1000))
        for name, each in totals.items()
        for stage, histogram in each.stages.items()
    ]
    summary = "Time per frame and stage; total: from arrival to publication of events"
    yield HistogramFamily(f"{PREFIX}stage_duration_seconds", summary, stages)


def _median_s(one: PipelineGauges, stage: str) -> float:
    latency = one.latency.get(stage)
    return latency.p50_ms / 1000 if latency is not None else 0.0
