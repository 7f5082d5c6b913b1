"""Prometheus metrics of pipelines. Rates have Frigate's names; units come last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from edgefleet_agent.pipeline.metrics import BOUNDS_MS, Totals
from edgefleet_contract.wire.messages import PipelineGauges

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PREFIX = "edgefleet_"
STATES = ("waiting", "opening", "running", "stalled", "source_lost", "ended", "failed")

_GAUGES: tuple[tuple[str, str, Callable[[PipelineGauges], float]], ...] = (
    ("camera_fps", "Frames a second that the source gives", lambda one: one.camera_fps),
    ("process_fps", "Frames a second that went through all stages", lambda one: one.process_fps),
    ("skipped_fps", "Frames a second that nobody had time for", lambda one: one.skipped_fps),
    ("quiet_fps", "Frames a second that the motion stage kept from the models", lambda one: one.quiet_fps),
    ("detection_fps", "Looks of models a second", lambda one: one.detection_fps),
    ("coverage_ratio", "Frames looked at over frames there were", lambda one: one.coverage),
    ("frame_age_seconds", "Age of the last frame when its events were told", lambda one: one.frame_age_ms / 1000),
    ("queue_wait_seconds", "Median wait of a frame for its model", lambda one: _median_s(one, "wait")),
)
_COUNTERS: tuple[tuple[str, str, Callable[[Totals], float]], ...] = (
    ("frames_captured_total", "Frames that the source gave", lambda one: one.captured),
    ("frames_processed_total", "Frames that went through all stages", lambda one: one.processed),
    ("frames_quiet_total", "Frames that the motion stage kept from the models", lambda one: one.quiet),
    ("detections_total", "Boxes above the score that the pipeline asks for", lambda one: one.detections),
    ("source_losses_total", "How often the source was lost", lambda one: one.losses),
)


def render_metrics(
    gauges: Mapping[str, PipelineGauges],
    totals: Mapping[str, Totals],
    events: Mapping[tuple[str, str, str], int],
    viewers: int,
) -> str:
    """Render all metrics. events: how many started, by pipeline, rule and label."""
    return "\n".join(_lines(gauges, totals, events, viewers)) + "\n"


def _lines(
    gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals], events: Mapping[tuple[str, str, str], int], viewers: int
) -> Iterator[str]:
    yield from _head("pipeline_state", "1 for the state that the pipeline is in", "gauge")
    for name, one in gauges.items():
        for state in STATES:
            yield f'{PREFIX}pipeline_state{{pipeline="{name}",state="{state}"}} {int(one.state == state)}'
    for metric, text, read in _GAUGES:
        yield from _head(metric, text, "gauge")
        yield from (f'{PREFIX}{metric}{{pipeline="{name}"}} {read(one):g}' for name, one in gauges.items())
    for metric, text, count in _COUNTERS:
        yield from _head(metric, text, "counter")
        yield from (f'{PREFIX}{metric}{{pipeline="{name}"}} {count(each)}' for name, each in totals.items())
    yield from _head("frames_dropped_total", "Frames lost, by cause", "counter")
    for name, each in totals.items():
        for cause, number in sorted(each.dropped.items()):
            yield f'{PREFIX}frames_dropped_total{{pipeline="{name}",cause="{_escaped(cause)}"}} {number}'
    yield from _head("events_total", "Events that began", "counter")
    for (name, rule, label), number in sorted(events.items()):
        yield f'{PREFIX}events_total{{pipeline="{name}",rule="{rule}",label="{_escaped(label)}"}} {number}'
    yield from _head("live_viewers", "Who looks at live pictures now", "gauge")
    yield f"{PREFIX}live_viewers {viewers}"
    yield from _histograms(totals)


def _histograms(totals: Mapping[str, Totals]) -> Iterator[str]:
    metric = "stage_duration_seconds"
    yield from _head(metric, "How long a frame spent in a stage; total: from the source's hand to its events", "histogram")
    for name, each in totals.items():
        for stage, histogram in each.stages.items():
            labels, below = f'pipeline="{name}",stage="{stage}"', 0
            for bound_ms, count in zip(BOUNDS_MS, histogram.counts, strict=False):
                below += count
                yield f'{PREFIX}{metric}_bucket{{{labels},le="{bound_ms / 1000:g}"}} {below}'
            total = sum(histogram.counts)
            yield f'{PREFIX}{metric}_bucket{{{labels},le="+Inf"}} {total}'
            yield f"{PREFIX}{metric}_sum{{{labels}}} {histogram.sum_ms / 1000:.6f}"
            yield f"{PREFIX}{metric}_count{{{labels}}} {total}"


def _head(metric: str, text: str, kind: str) -> tuple[str, str]:
    return f"# HELP {PREFIX}{metric} {text}", f"# TYPE {PREFIX}{metric} {kind}"


def _median_s(one: PipelineGauges, stage: str) -> float:
    latency = one.latency.get(stage)
    return latency.p50_ms / 1000 if latency is not None else 0.0


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
