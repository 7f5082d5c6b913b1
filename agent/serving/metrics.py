"""`/metrics` in Prometheus' text format, under Triton's names where the meaning is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agent.probe import rss_bytes
from agent.serving.catalogue import Catalogue, Served
from agent.serving.statistics import Statistics

CONTENT_TYPE = b"Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"

_COUNTERS: tuple[tuple[str, str, Callable[[Statistics], float]], ...] = (
    ("nv_inference_request_success", "Requests answered with outputs", lambda each: each.success.count),
    ("nv_inference_count", "Inferences performed; a batch of n counts n", lambda each: each.inferences),
    ("nv_inference_exec_count", "Executions of the model; a batch counts one", lambda each: each.executions),
    ("nv_inference_request_duration_us", "Time of answered requests, microseconds", lambda each: each.success.ns // 1000),
    ("nv_inference_queue_duration_us", "Time that requests waited, microseconds", lambda each: each.queue.ns // 1000),
    ("nv_inference_compute_input_duration_us", "Time to gather inputs, microseconds", lambda each: each.compute_input.ns // 1000),
    ("nv_inference_compute_infer_duration_us", "Time in the runtime, microseconds", lambda each: each.compute_infer.ns // 1000),
    ("nv_inference_compute_output_duration_us", "Time to answer, microseconds", lambda each: each.compute_output.ns // 1000),
)
_GAUGES: tuple[tuple[str, str, Callable[[Served], float]], ...] = (
    ("nv_inference_pending_request_count", "Requests that wait now", lambda served: served.engine.pending),
    ("nv_model_load_duration_secs", "How long loading took, seconds", lambda served: round(served.load_s, 3)),
)


def tell_metrics(catalogue: Catalogue) -> bytes:
    """Everything that is served, as one page."""
    served = catalogue.all()
    return ("\n".join(_lines(served)) + "\n").encode()


def _lines(served: list[Served]) -> Iterator[str]:
    for name, text, count in _COUNTERS:
        yield from _head(name, text, "counter")
        for each in served:
            yield f"{name}{{{_labels(each)}}} {count(each.statistics)}"
    yield from _head("nv_inference_request_failure", "Requests not answered, by reason", "counter")
    for each in served:
        for reason, number in each.statistics.refused.items():
            yield f'nv_inference_request_failure{{{_labels(each)},reason="{reason}"}} {number}'
    for name, text, value in _GAUGES:
        yield from _head(name, text, "gauge")
        for each in served:
            yield f"{name}{{{_labels(each)}}} {value(each)}"
    yield from _head("process_resident_memory_bytes", "Memory of this process that is in RAM", "gauge")
    yield f"process_resident_memory_bytes {rss_bytes()}"


def _head(name: str, text: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {text}", f"# TYPE {name} {kind}"


def _labels(served: Served) -> str:
    return f'model="{_escaped(served.signature.model)}",version="{_escaped(served.signature.version)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
