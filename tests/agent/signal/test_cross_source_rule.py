"""Conditions over several pipelines, on one clock."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.signal.cross_source_rule import CombinedEpisode, CrossSourceRule

CYCLE, OPERATOR = "press.cycle", "hall.operator"


def condition(min_s: float = 1.0, gap_s: float = 0.5, settle_s: float = 2.0) -> CrossSourceRule:
    made = CrossSourceRule([CYCLE], [OPERATOR], min_s, gap_s, settle_s)
    for pipeline in ("press", "hall"):
        made.sees(pipeline, 0.0, sees=True)
    return made


def spans(found: list[CombinedEpisode]) -> list[tuple[float, float]]:
    return [(one.start_s, one.end_s) for one in found if one.end_s is not None]


def run(made: CrossSourceRule, until_s: float, step_s: float = 0.25) -> list[CombinedEpisode]:
    found = []
    for turn in range(round(until_s / step_s) + 1):
        found += made.advance(turn * step_s)
    return found


def test_a_press_cycle_without_an_operator() -> None:
    made = condition()
    made.end(OPERATOR, "o1", 5.0, 13.0)
    made.end(CYCLE, "c1", 10.0, 15.0)  # the operator leaves two seconds before it ends
    made.end(CYCLE, "c2", 20.0, 23.0)
    found = run(made, 40.0)
    assert spans(found) == [(13.0, 15.0), (20.0, 23.0)]
    assert [one.parts for one in found if one.end_s is None] == [("c1",), ("c2",)]


def test_late_news_counts_while_time_is_not_settled() -> None:
    """The stay of the operator is reported a second after its start, the cycle at once."""
    made = condition()
    made.advance(0.0)
    made.start(CYCLE, "c1", 10.0)
    assert made.advance(10.5) == []
    made.start(OPERATOR, "o1", 9.8)
    assert run(made, 30.0) == []


def test_a_blind_pipeline_counts_neither_way() -> None:
    made = condition()
    made.sees("hall", 11.0, sees=False)
    made.end(CYCLE, "c1", 10.0, 20.0)
    made.advance(0.0)
    assert made.advance(16.0) == [CombinedEpisode(1, 10.0, None, ("c1",)), CombinedEpisode(1, 10.0, 11.0, ("c1",))]
    made.sees("hall", 17.0, sees=True)
    found = made.advance(40.0)
    assert spans(found) == [(17.0, 20.0)]


def test_short_ones_and_short_gaps() -> None:
    made = condition(min_s=2.0, gap_s=1.0)
    made.end(CYCLE, "c1", 1.0, 2.5)
    made.end(CYCLE, "c2", 10.0, 11.5)
    made.end(CYCLE, "c3", 12.0, 13.0)
    assert spans(run(made, 30.0)) == [(10.0, 13.0)]


def test_ongoing_episodes_end_with_the_input() -> None:
    made = condition()
    made.start(CYCLE, "c1", 1.0)
    run(made, 10.0)
    (last,) = made.finish()
    assert (last.start_s, last.end_s) == (1.0, 8.0)


moments = st.lists(st.tuples(st.floats(0, 50), st.floats(0.1, 10)), max_size=6)


@settings(max_examples=80)
@given(moments, moments, st.sampled_from([0.25, 1.0, 7.0]))
def test_how_often_time_is_judged_changes_nothing(
    cycles: list[tuple[float, float]], stays: list[tuple[float, float]], step_s: float
) -> None:
    """Any step gives the same periods, and none of them has an operator."""
    results = []
    for step in (0.25, step_s):
        made = condition(min_s=0.0, gap_s=0.0)
        for number, (start_s, length_s) in enumerate(cycles):
            made.end(CYCLE, f"c{number}", start_s, start_s + length_s)
        for number, (start_s, length_s) in enumerate(stays):
            made.end(OPERATOR, f"o{number}", start_s, start_s + length_s)
        results.append(spans([*run(made, 70.0, step), *made.finish()]))
    assert [pytest.approx(pair) for pair in results[0]] == results[1]
    for start_s, end_s in results[0]:
        middle_s = (start_s + end_s) / 2
        assert not any(begin_s <= middle_s < begin_s + length_s for begin_s, length_s in stays)
        assert any(begin_s <= middle_s <= begin_s + length_s for begin_s, length_s in cycles)
