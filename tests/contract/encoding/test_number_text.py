"""Numbers that are missing: in texts, in JSON, in messages and in metrics."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.encoding.codec import decode, encode, to_plain
from edgefleet_contract.encoding.metrics_text import Distribution, Exemplar, Family, HistogramFamily, write_metrics
from edgefleet_contract.encoding.number_text import json_text, number_text
from edgefleet_contract.wire.messages import Event, PipelineGauges, StageLatency, Telemetry

ROOT = Path(__file__).resolve().parents[3]
NONE = (math.nan, math.inf, -math.inf)


def strict(text: str | bytes) -> Any:
    """JSON by its standard, which has no such numbers."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} in {text!r}")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("value", [*NONE, None])
def test_a_missing_number_is_a_dash_of_the_same_width(value: float | None) -> None:
    assert number_text(value, ".2f") == "-"
    assert number_text(value, "8.1f") == "       -"
    assert number_text(value) == "-"


def test_a_number_is_formatted() -> None:
    assert number_text(0.126, ".2f") == "0.13"
    assert number_text(3, "8.1f") == "     3.0"


@pytest.mark.parametrize("value", NONE)
def test_json_has_null_in_its_place(value: float) -> None:
    assert strict(json_text({"a": [1.5, value, {"b": (value,)}], "c": "NaN", "d": True})) == {
        "a": [1.5, None, {"b": [None]}], "c": "NaN", "d": True,
    }  # fmt: skip
    assert json_text({"a": 1}, compact=True) == '{"a":1}'


@pytest.mark.parametrize("value", NONE)
def test_a_message_with_such_numbers_is_read_by_the_other_side(value: float) -> None:
    event = Event(kind="anomaly", id="a", at=5.0, score=value, coverage=value, start_s=value, box=[1.0, value, 3.0, 4.0])
    event.data = {"feature": "press.rms", "extreme": value, "values": [value, 1.0]}
    read = decode(encode(event), Event)
    assert (read.score, read.coverage, read.start_s, read.box) == (None, None, None, None)
    assert read.data == {"feature": "press.rms", "extreme": None, "values": [None, 1.0]}
    assert strict(json.dumps(to_plain(event))) == strict(encode(event))
    gauges = PipelineGauges(state="running", camera_fps=value, latency={"total": StageLatency(p50_ms=value, max_ms=3.0)})
    sample = Telemetry(at=1.0, temperature_c=value, pipelines={"hall": gauges})
    shown = decode(encode(sample), Telemetry).pipelines["hall"]
    assert (shown.state, shown.camera_fps, shown.latency["total"].max_ms) == ("running", 0.0, 3.0)


@pytest.mark.parametrize("value", NONE)
@pytest.mark.parametrize("openmetrics", [False, True])
def test_metrics_leave_out_what_is_missing(value: float, openmetrics: bool) -> None:
    families = [
        Family("gauge", "temperature_celsius", "Temperature.", [({"part": "cpu"}, value), ({"part": "disk"}, 40.0)]),
        HistogramFamily("took_seconds", "Duration.", [({}, Distribution([1.0], [1, 0], value, {0: Exemplar("t", value, 1.0)}))]),
    ]
    page = write_metrics(families, openmetrics=openmetrics)
    assert not any(word in page.replace('le="+Inf"', "") for word in ("NaN", "Inf", "nan", "inf"))
    assert 'temperature_celsius{part="disk"} 40' in page


def test_one_function_makes_the_json_that_is_printed_or_served() -> None:
    """`json.dumps` writes words that are no JSON. Other uses are of texts and whole numbers, or of inference (Triton's words)."""
    folders = ("agent/edgefleet_agent/cli", "agent/edgefleet_agent/local_api", "agent/edgefleet_agent/batch")
    allowed = {"enroll.py", "init_files.py", "load_clients.py", "predictor.py", "result_store.py"}
    found = []
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py") if path.name not in allowed):
        nodes = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute))
        found += [f"{path.name}:{node.lineno}" for node in nodes if ast.unparse(node) in ("json.dump", "json.dumps")]
    assert found == []
