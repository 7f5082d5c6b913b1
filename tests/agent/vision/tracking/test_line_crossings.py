"""Line crossings: one for every real change of sides."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.geometry import LineSegment, inside
from edgefleet_agent.vision.tracking.line_crossings import Crossing, LineCrossings
from edgefleet_agent.vision.tracking.tracker import Sighting

LINE = LineSegment((100.0, 200.0), (500.0, 200.0))
SIZE = 100.0


def walk(ys: list[float], x: float = 300.0, line: LineSegment = LINE) -> list[Crossing]:
    """Crossings of an object of `SIZE` whose point moves through these heights, one a frame."""
    crossings = LineCrossings(line)
    found = []
    for frame, y in enumerate(ys):
        sighting = Sighting(1, 0, frame, frame / 10, (x - SIZE / 2, y - SIZE, x + SIZE / 2, y), 0.9)
        crossing = crossings.move(sighting, (x, y))
        if crossing is not None:
            found.append(crossing)
    return found


@pytest.mark.parametrize(
    ("ys", "forward"),
    [
        ([100, 150, 250, 300], [True]),  # down: from left of the line to its right
        ([300, 250, 150, 100], [False]),
        ([100, 300, 100], [True, False]),  # there and back
        ([100, 195, 205, 195, 205, 195, 150], []),  # jitter on the line
        ([100, 195, 205, 195, 205, 250], [True]),  # jitter, then over
        ([205, 195, 205, 250], []),  # appeared on the line: from an unknown side
        ([100, 200, 250], [True]),  # exactly on the line for a moment
        ([100, 150, 199], []),
    ],
)
def test_directions(ys: list[float], forward: list[bool]) -> None:
    assert [crossing.forward for crossing in walk(ys)] == forward


def test_the_moment_is_interpolated() -> None:
    (crossing,) = walk([100, 180, 260, 340])
    assert (crossing.frame, crossing.media_s) == (1, pytest.approx(0.125))


def test_past_the_end_of_the_line_is_no_crossing() -> None:
    assert walk([100, 300], x=550.0) == []


@given(st.lists(st.floats(0, 400), max_size=30))
def test_directions_alternate(ys: list[float]) -> None:
    """An object cannot cross twice in the same direction without returning."""
    found = [crossing.forward for crossing in walk(ys)]
    assert all(first != second for first, second in pairwise(found))


@given(st.lists(st.floats(0, 400), max_size=30))
def test_a_line_turned_round_sees_the_opposite(ys: list[float]) -> None:
    turned = LineSegment(LINE.end, LINE.start)
    assert [crossing.forward for crossing in walk(ys)] == [not crossing.forward for crossing in walk(ys, line=turned)]


def test_inside_a_bent_polygon() -> None:
    bent = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 5.0), (0.0, 10.0)]
    assert [inside(place, bent) for place in [(2, 2), (5, 8), (1, 8), (9, 8), (-1, 2), (5, 4.9)]] == [
        True, False, True, True, False, True
    ]  # fmt: skip
