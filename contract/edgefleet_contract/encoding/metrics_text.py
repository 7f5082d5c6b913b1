"""Metrics as text: Prometheus' format 0.0.4, and OpenMetrics 1.0 where a scraper asks for it.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

TEXT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS_TYPE: Final = "application/openmetrics-text; version=1.0.0; charset=utf-8"
WHOLE_MAX: Final = 2**53
"""Whole numbers up to here are written without a fraction."""

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A counted value and the trace that it belongs to. `at_s`: wall time."""

    trace_id: str
    value: float
    at_s: float


@dataclass(frozen=True, slots=True)
class Distribution:
    """A histogram. counts: values up to each of the ascending `bounds` and over the one before; last, those over all bounds.
    `total`: sum of the values. exemplars: by index of their count."""

    bounds: Sequence[float]
    counts: Sequence[int]
    total: float
    exemplars: Mapping[int, Exemplar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """A metric, with a value for each set of labels. A counter's name ends in `_total`. `summary`: one sentence."""

    kind: Literal["gauge", "counter"]
    name: str
    summary: str
    samples: Sequence[tuple[Labels, float]]


@dataclass(frozen=True, slots=True)
class HistogramFamily:
    """A histogram for each set of labels. Its bounds are in the unit that the name ends with."""

    name: str
    summary: str
    samples: Sequence[tuple[Labels, Distribution]]


def write_metrics(families: Iterable[Family | HistogramFamily], *, openmetrics: bool = False) -> str:
    """The page with all families, sorted by name; with exemplars if `openmetrics`. NaN and infinity are no values: their samples
    are left out."""
    lines = [
        line for family in sorted(families, key=lambda family: family.name) for line in _lines(family, openmetrics=openmetrics)
    ]
    return "\n".join([*lines, *(["# EOF"] if openmetrics else []), ""])


def _lines(family: Family | HistogramFamily, *, openmetrics: bool) -> Iterator[str]:
    kind: str = family.kind if isinstance(family, Family) else "histogram"
    name = family.name
    if openmetrics and kind == "counter":
        # A counter's family is named without the ending of its samples there, and one without the ending is none.
        kind, name = ("counter", name.removesuffix("_total")) if name.endswith("_total") else ("unknown", name)
    yield f"# HELP {name} {_escaped(family.summary, quotes=openmetrics)}"
    yield f"# TYPE {name} {kind}"
    if isinstance(family, Family):
        finite = ((labels, value) for labels, value in family.samples if math.isfinite(value))
        yield from (f"{family.name}{_braces(labels)} {_number(value)}" for labels, value in finite)
    else:
        for labels, distribution in family.samples:
            yield from _buckets(name, labels, distribution, exemplars=openmetrics)


def _buckets(name: str, labels: Labels, distribution: Distribution, *, exemplars: bool) -> Iterator[str]:
    below = 0
    bounds = [*(f"{bound:g}" for bound in distribution.bounds), "+Inf"]
    for index, (bound, count) in enumerate(zip(bounds, distribution.counts, strict=True)):
        below += count
        shown = distribution.exemplars.get(index) if exemplars else None
        tail = ""
        if shown is not None and math.isfinite(shown.value):
            tail = f" # {_braces({'trace_id': shown.trace_id})} {_number(shown.value)} {shown.at_s:.3f}"
        yield f"{name}_bucket{_braces({**labels, 'le': bound})} {below}{tail}"
    if math.isfinite(distribution.total):
        yield f"{name}_sum{_braces(labels)} {_number(distribution.total)}"
    yield f"{name}_count{_braces(labels)} {below}"


def _braces(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(text, quotes=True)}"' for name, text in labels.items()) + "}"


def _escaped(text: str, *, quotes: bool) -> str:
    escaped = text.replace("\\", r"\\").replace("\n", r"\n")
    return escaped.replace('"', r"\"") if quotes else escaped


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) <= WHOLE_MAX else repr(float(value))
