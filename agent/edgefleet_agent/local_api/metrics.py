"""Prometheus metrics of pipelines. Rates have Frigate's names; units come last."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from edgefleet_agent.pipeline.metrics import BOUNDS_MS, Totals, sees
from edgefleet_contract.encoding.metrics_text import Distribution, Family, HistogramFamily, write_metrics
from edgefleet_contract.wire.messages import PipelineGauges

PREFIX = "edgefleet_"
STATES = ("waiting", "opening", "running", "off", "stalled", "source_lost", "ended", "failed")
BOUNDS_S = tuple(bound_ms / 1000 for bound_ms in BOUNDS_MS)

_GAUGES: tuple[tuple[str, str, Callable[[PipelineGauges], float]], ...] = (
    ("camera_fps", "Frames per second from the source", lambda one: one.camera_fps),
    ("process_fps", "Frames per second processed by all stages", lambda one: one.process_fps),
    ("skipped_fps", "Frames per second skipped because of insufficient compute", lambda one: one.skipped_fps),
    ("quiet_fps", "Frames per second held back from the models by the motion stage", lambda one: one.quiet_fps),
    ("detection_fps", "Frames per second analyzed by models", lambda one: one.detection_fps),
    ("coverage_ratio", "Analyzed frames as a share of all frames", lambda one: one.coverage),
    ("pipeline_seen", "1 while the pipeline analyses its source: without that nothing is known of its scene", sees),
)
_MEASURES: tuple[tuple[str, str, Callable[[PipelineGauges], float]], ...] = (
    ("frame_age_seconds", "Age of the last frame when its events were published", lambda one: one.frame_age_ms / 1000),
    ("queue_wait_seconds", "Median wait of a frame for its model", lambda one: _median_s(one, "wait")),
)
_COUNTERS: tuple[tuple[str, str, Callable[[Totals], float]], ...] = (
    ("frames_captured_total", "Frames received from the source", lambda one: one.captured),
    ("frames_processed_total", "Frames processed by all stages", lambda one: one.processed),
    ("frames_quiet_total", "Frames held back from the models by the motion stage", lambda one: one.quiet),
    ("detections_total", "Detections above the confidence threshold", lambda one: one.detections),
    ("boxes_shed_total", "Boxes that stages left out because a frame had too many", lambda one: one.boxes_shed),
    ("source_losses_total", "Source connection losses", lambda one: one.losses),
)


def render_metrics(
    gauges: Mapping[str, PipelineGauges],
    totals: Mapping[str, Totals],
    events: Mapping[tuple[str, str, str], int],
    viewers: int,
    stores: Collection[str] = (),
    home: bool | None = None,
) -> str:
    """Render all metrics. events: how many started, by pipeline, rule and label. stores: those that the disk refuses. home:
    whether the broker of home automation takes messages; None without one."""
    return write_metrics([*_families(gauges, totals, events, viewers), _disk_faults(stores), *_home(home)])


def _home(connected: bool | None) -> Iterator[Family]:
    if connected is not None:
        text = "1 while the broker of home automation takes messages"
        yield Family("gauge", f"{PREFIX}home_broker_connected", text, [({}, int(connected))])


def _disk_faults(stores: Collection[str]) -> Family:
    text = "1 for each store of the device that its disk refuses or has damaged"
    return Family("gauge", f"{PREFIX}disk_fault", text, [({"store": store}, 1) for store in stores])


def _families(
    gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals], events: Mapping[tuple[str, str, str], int], viewers: int
) -> Iterator[Family | HistogramFamily]:
    states = [({"pipeline": name, "state": state}, int(one.state == state)) for name, one in gauges.items() for state in STATES]
    yield Family("gauge", f"{PREFIX}pipeline_state", "1 for the current state of the pipeline", states)
    for metric, text, read in _GAUGES:
        yield Family("gauge", PREFIX + metric, text, [({"pipeline": name}, read(one)) for name, one in gauges.items()])
    for metric, text, read in _MEASURES:  # of analysed frames: without any there is no value
        values = [({"pipeline": name}, read(one)) for name, one in gauges.items() if sees(one)]
        yield Family("gauge", PREFIX + metric, text, values)
    for metric, text, count in _COUNTERS:
        yield Family("counter", PREFIX + metric, text, [({"pipeline": name}, count(each)) for name, each in totals.items()])
    dropped = [
        ({"pipeline": name, "cause": cause}, number)
        for name, each in totals.items()
        for cause, number in sorted(each.dropped.items())
    ]
    yield Family("counter", f"{PREFIX}frames_dropped_total", "Frames dropped, by cause", dropped)
    began = [({"pipeline": name, "rule": rule, "label": label}, number) for (name, rule, label), number in sorted(events.items())]
    yield Family("counter", f"{PREFIX}events_total", "Events started", began)
    yield Family("gauge", f"{PREFIX}live_viewers", "Open live view connections", [({}, viewers)])
    stages = [
        ({"pipeline": name, "stage": stage}, Distribution(BOUNDS_S, histogram.counts, histogram.sum_ms / 1000))
        for name, each in totals.items()
        for stage, histogram in each.stages.items()
    ]
    summary = "Time of a frame in a stage; total: from arrival to events"
    yield HistogramFamily(f"{PREFIX}stage_duration_seconds", summary, stages)


def _median_s(one: PipelineGauges, stage: str) -> float:
    latency = one.latency.get(stage)
    return latency.p50_ms / 1000 if latency is not None else 0.0
