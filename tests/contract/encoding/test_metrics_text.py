"""Pages of metrics, read back by a parser that takes nothing else than the two formats."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.encoding.metrics_text import Distribution, Exemplar, Family, HistogramFamily, write_metrics

HEAD = re.compile(r"# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)")
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?|[+-]Inf|NaN"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"'
BRACES = rf"\{{{LABEL}(?:,{LABEL})*\}}"
SAMPLE = re.compile(rf"([a-zA-Z_:][a-zA-Z0-9_:]*)({BRACES})? ({NUMBER})(?: # ({BRACES}) ({NUMBER}) ({NUMBER}))?")
ENDINGS = {"counter": {"_total"}, "histogram": {"_bucket", "_sum", "_count"}, "gauge": {""}, "unknown": {""}}
ESCAPED = {r"\\": "\\", r"\n": "\n", r"\"": '"'}


@dataclass
class Read:
    """A family as the parser reads it: `samples` by name and labels."""

    kind: str
    summary: str
    samples: dict[tuple[str, tuple[tuple[str, str], ...]], float] = field(default_factory=dict)
    exemplars: list[tuple[dict[str, str], float, float]] = field(default_factory=list)


def parse(page: str, *, openmetrics: bool = False) -> dict[str, Read]:
    """Families by name. ValueError for anything that the format does not allow."""
    lines = page.split("\n")
    if lines.pop() != "" or (openmetrics and lines.pop() != "# EOF"):
        raise ValueError("the end is missing")
    found: dict[str, Read] = {}
    current, help_name, summary = "", "", ""
    for line in lines:
        head, sample = HEAD.fullmatch(line), SAMPLE.fullmatch(line)
        if head and head[1] == "HELP":
            help_name, summary = head[2], re.sub(r"\\\\|\\n|\\\"", lambda match: ESCAPED[match[0]], head[3])
        elif head and head[2] == help_name and head[2] not in found:
            current, found[head[2]] = head[2], Read(head[3], summary)
        elif sample and current:
            _take(found[current], current, sample, openmetrics=openmetrics)
        else:
            raise ValueError(f"not of the format: {line!r}")
    return found


def _take(family: Read, name: str, sample: re.Match[str], *, openmetrics: bool) -> None:
    endings = ENDINGS[family.kind] if openmetrics or family.kind == "histogram" else {""}
    key = sample[1], tuple(_labels(sample[2] or "").items())
    if sample[1].removeprefix(name) not in endings or not sample[1].startswith(name) or key in family.samples:
        raise ValueError(f"{sample[1]} in the family {name}")
    family.samples[key] = float(sample[3])
    if sample[4]:
        if not openmetrics:
            raise ValueError("an exemplar in the old format")
        family.exemplars.append((_labels(sample[4]), float(sample[5]), float(sample[6])))


def _labels(braces: str) -> dict[str, str]:
    found = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"', braces)
    labels = {name: re.sub(r"\\[\\n\"]", lambda match: ESCAPED[match[0]], text) for name, text in found}
    if len(labels) != len(found):
        raise ValueError("a label twice")
    return labels


LATENCY = HistogramFamily(
    "edgefleet_wait_seconds",
    "Wait",
    [({"stage": "invoke"}, Distribution((0.005, 0.1, 1.0), (2, 0, 3, 1), 4.25, {2: Exemplar("ab" * 16, 0.5, 1789.5)}))],
)


@pytest.mark.parametrize("page", ["x 1\n", '# HELP x y\n# TYPE x gauge\nx{a="\n"} 1\n', "# HELP x y\n# TYPE x gauge\nx 1"])
def test_the_parser_is_strict(page: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(page)


def test_families_are_sorted_and_headed() -> None:
    page = write_metrics([LATENCY, Family("gauge", "b", "B", [({}, 1)]), Family("counter", "a_total", "A", [])])
    assert list(parse(page)) == ["a_total", "b", "edgefleet_wait_seconds"]
    assert page.startswith("# HELP a_total A\n# TYPE a_total counter\n# HELP b B\n# TYPE b gauge\nb 1\n")


@given(st.dictionaries(st.sampled_from(["a", "b", "le_"]), st.text(st.characters(codec="utf-8"))))
def test_any_text_is_a_label(labels: dict[str, str]) -> None:
    page = write_metrics([Family("gauge", "x", "X", [(labels, 1)])])
    ((_, read),) = parse(page)["x"].samples
    assert dict(read) == labels


@pytest.mark.parametrize("openmetrics", [False, True])
def test_a_summary_of_any_text(openmetrics: bool) -> None:
    summary = "one\nand \\ two"
    assert parse(write_metrics([Family("gauge", "x", summary, [])], openmetrics=openmetrics), openmetrics=openmetrics) == {
        "x": Read("gauge", summary)
    }


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**60), 2**60))
def test_a_number_comes_back(value: float) -> None:
    ((read),) = parse(write_metrics([Family("gauge", "x", "X", [({}, value)])]))["x"].samples.values()
    assert read == float(value) or (math.isnan(read) and math.isnan(value)), "a reader keeps 64-bit floats"


def test_whole_numbers_have_no_fraction() -> None:
    samples = [({"of": "float"}, 3.0), ({"of": "int"}, 2**40), ({"of": "part"}, 0.1)]
    lines = write_metrics([Family("gauge", "x", "X", samples)]).splitlines()
    assert lines[2:] == ['x{of="float"} 3', f'x{{of="int"}} {2**40}', 'x{of="part"} 0.1']


@pytest.mark.parametrize("openmetrics", [False, True])
def test_a_histogram_grows_to_its_count(openmetrics: bool) -> None:
    family = parse(write_metrics([LATENCY], openmetrics=openmetrics), openmetrics=openmetrics)["edgefleet_wait_seconds"]
    buckets = [(dict(labels)["le"], value) for (name, labels), value in family.samples.items() if name.endswith("_bucket")]
    assert buckets == [("0.005", 2.0), ("0.1", 2.0), ("1", 5.0), ("+Inf", 6.0)]
    labels = (("stage", "invoke"),)
    assert family.samples["edgefleet_wait_seconds_sum", labels] == 4.25
    assert family.samples["edgefleet_wait_seconds_count", labels] == 6.0
    assert family.exemplars == ([({"trace_id": "ab" * 16}, 0.5, 1789.5)] if openmetrics else [])


def test_openmetrics_names_a_counter_without_its_ending() -> None:
    page = write_metrics(
        [Family("counter", "x_total", "X", [({}, 7)]), Family("counter", "nv_count", "N", [({}, 8)])], openmetrics=True
    )
    found = parse(page, openmetrics=True)
    assert {name: (each.kind, list(each.samples.values())) for name, each in found.items()} == {
        "nv_count": ("unknown", [8.0]),
        "x": ("counter", [7.0]),
    }
