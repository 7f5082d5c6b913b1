"""`/metrics` in Prometheus' text format: our names by default, Triton's names with `?names=triton`.

Triton's names have no base units and no `_total`, which `promtool check metrics` refuses; so they are a separate set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.protocol.histogram import Histogram
from edgefleet_agent.serving.protocol.statistics import Statistics
from edgefleet_contract.encoding.metrics_text import OPENMETRICS_TYPE, TEXT_TYPE, Family, HistogramFamily, write_metrics

Count = Callable[[Statistics], float]

_COUNTERS: tuple[tuple[str, str, Count], ...] = (
    ("edgefleet_inference_rows_total", "Inferences performed; a batch of n counts as n", lambda each: each.inferences),
    ("edgefleet_inference_executions_total", "Model executions; a batch counts as one", lambda each: each.executions),
    ("edgefleet_inference_cache_hits_total", "Requests answered from the response cache", lambda each: each.cache_hit.count),
    (
        "edgefleet_inference_cache_misses_total",
        "Requests not found in the response cache",
        lambda each: each.cache_miss.count,
    ),
)
_HISTOGRAMS: tuple[tuple[str, str, Callable[[Statistics], Histogram]], ...] = (
    (
        "edgefleet_inference_request_duration_seconds",
        "Request duration from validation to result",
        lambda each: each.request_spread,
    ),
    ("edgefleet_inference_queue_duration_seconds", "Time a request waits for a model instance", lambda each: each.queue_spread),
    ("edgefleet_inference_compute_duration_seconds", "Runtime duration of one model execution", lambda each: each.compute_spread),
    ("edgefleet_inference_batch_rows", "Batch size of one model execution", lambda each: each.rows_spread),
)
_GAUGES: tuple[tuple[str, str, Callable[[ServedModel], float]], ...] = (
    ("edgefleet_inference_pending_requests", "Pending requests", lambda served: served.engine.pending),
    ("edgefleet_model_load_duration_seconds", "Duration of the last model load", lambda served: round(served.load_s, 3)),
    (
        "edgefleet_model_out_of_service",
        "1 while the model, or one that it calls, is out of service after repeated failures or not served, else 0",
        lambda served: bool(served.unavailable),
    ),
)
_TRITON_COUNTERS: tuple[tuple[str, str, Count], ...] = (
    ("nv_inference_request_success", "Successful requests", lambda each: each.success.count),
    ("nv_inference_count", "Inferences performed; a batch of n counts as n", lambda each: each.inferences),
    ("nv_inference_exec_count", "Model executions; a batch counts as one", lambda each: each.executions),
    (
        "nv_inference_request_duration_us",
        "Cumulative duration of successful requests in microseconds",
        lambda each: each.success.ns // 1000,
    ),
    ("nv_inference_queue_duration_us", "Cumulative queueing duration in microseconds", lambda each: each.queue.ns // 1000),
    (
        "nv_inference_compute_input_duration_us",
        "Cumulative input preparation duration in microseconds",
        lambda each: each.compute_input.ns // 1000,
    ),
    (
        "nv_inference_compute_infer_duration_us",
        "Cumulative inference duration in microseconds",
        lambda each: each.compute_infer.ns // 1000,
    ),
    (
        "nv_inference_compute_output_duration_us",
        "Cumulative output processing duration in microseconds",
        lambda each: each.compute_output.ns // 1000,
    ),
    ("nv_cache_num_hits_per_model", "Requests answered from the response cache", lambda each: each.cache_hit.count),
    ("nv_cache_num_misses_per_model", "Requests not found in the response cache", lambda each: each.cache_miss.count),
    (
        "nv_cache_hit_duration_per_model",
        "Cumulative cache lookup duration in microseconds",
        lambda each: each.cache_hit.ns // 1000,
    ),
    (
        "nv_cache_miss_duration_per_model",
        "Cumulative cache lookup and insertion duration in microseconds",
        lambda each: each.cache_miss.ns // 1000,
    ),
)
_TRITON_GAUGES: tuple[tuple[str, str, Callable[[ServedModel], float]], ...] = (
    ("nv_inference_pending_request_count", "Pending requests", lambda served: served.engine.pending),
    ("nv_model_load_duration_secs", "Model load duration in seconds", lambda served: round(served.load_s, 3)),
)


def content_type(*, openmetrics: bool) -> bytes:
    """The header line of a page."""
    return f"Content-Type: {OPENMETRICS_TYPE if openmetrics else TEXT_TYPE}\r\n".encode()


def render_metrics(catalogue: ModelRegistry, *, triton: bool = False, openmetrics: bool = False) -> bytes:
    """Render the metrics of all served models. openmetrics: in the OpenMetrics format, with exemplars."""
    served = catalogue.all()
    return write_metrics(_triton(served) if triton else _ours(served), openmetrics=openmetrics).encode()


def _ours(served: list[ServedModel]) -> Iterator[Family | HistogramFamily]:
    ended = [
        ({**_labels(each), "outcome": outcome}, number)
        for each in served
        for outcome, number in [("answered", each.statistics.success.count), *_refused(each, str.lower)]
    ]
    yield Family("counter", "edgefleet_inference_requests_total", "Requests by outcome", ended)
    yield from _families(served, _COUNTERS, _GAUGES)
    outages = [(_labels(each), each.availability.outages) for each in served]
    yield Family("counter", "edgefleet_model_outages_total", "Times the model was taken out of service", outages)
    for name, text, spread in _HISTOGRAMS:
        yield HistogramFamily(name, text, [(_labels(each), spread(each.statistics).snapshot()) for each in served])
    yield Family("gauge", "process_resident_memory_bytes", "Resident memory of this process in bytes", [({}, rss_bytes())])


def _triton(served: list[ServedModel]) -> Iterator[Family]:
    yield from _families(served, _TRITON_COUNTERS, _TRITON_GAUGES)
    refused = [({**_labels(each), "reason": reason}, number) for each in served for reason, number in _refused(each)]
    yield Family("counter", "nv_inference_request_failure", "Failed requests by reason", refused)


def _families(
    served: list[ServedModel],
    counters: tuple[tuple[str, str, Count], ...],
    gauges: tuple[tuple[str, str, Callable[[ServedModel], float]], ...],
) -> Iterator[Family]:
    for name, text, count in counters:
        yield Family("counter", name, text, [(_labels(each), count(each.statistics)) for each in served])
    for name, text, value in gauges:
        yield Family("gauge", name, text, [(_labels(each), value(each)) for each in served])


def _refused(served: ServedModel, spell: Callable[[str], str] = str) -> list[tuple[str, int]]:
    return [(spell(reason), number) for reason, number in served.statistics.refused.items()]


def _labels(served: ServedModel) -> dict[str, str]:
    return {"model": served.signature.model, "version": served.signature.version}
