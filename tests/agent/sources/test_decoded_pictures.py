"""Times of pictures and lost pictures, from rows of numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.sources.decoded_pictures import DecodeLosses, PictureTimes, seconds


@given(st.integers(-(1 << 62), 1 << 62), st.integers(1, 1 << 31), st.integers(1, 1 << 31))
def test_seconds_are_those_of_the_exact_product(ticks: int, numerator: int, denominator: int) -> None:
    base = Fraction(numerator, denominator)
    assert seconds(ticks, base) == float(ticks * base)


@pytest.mark.parametrize(
    ("pts", "dts", "expected"),
    [
        ([0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]),
        ([0, 1, 2, 3], [None] * 4, [0, 1, 2, 3]),
        ([None] * 4, [5, 6, 7, 8], [5, 6, 7, 8]),
        ([None] * 3, [None] * 3, [None] * 3),
        ([0, None, None, 3, None, None], [1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5]),
        ([0, 0, 0, 0], [0, 1, 2, 3], [0, 1, 2, 3]),
        ([4, 5, 6, 7], [9, 9, 9, 9], [4, 5, 6, 7]),
    ],
)
def test_the_better_row_of_times(pts: list[int | None], dts: list[int | None], expected: list[int | None]) -> None:
    times = PictureTimes()
    assert [times.ticks(one, other) for one, other in zip(pts, dts, strict=True)] == expected


def play(losses: DecodeLosses, script: str, step_s: float = 0.1) -> list[int]:
    """Plays packets in display order. `.`: gives a picture; `o`: gives none; `c`: marked as damaged and gives none; `-`: not even
    a packet; `v`: a packet that is no picture, and takes no time. Returns the losses by picture."""
    found, number = [], 0
    for letter in script:
        if letter == "-":
            number += 1
            continue
        losses.packet(damaged=letter == "c")
        if letter == ".":
            found.append(losses.picture(number * step_s, step_s))
        number += letter != "v"
    return found


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("..........", 0),
        ("...o......", 1),
        ("...oo..o..", 3),
        ("...c......", 1),
        ("...c--....", 3),
        ("...--.....", 0),  # few steps are known: a stream whose rate changes
        ("..............--..", 2),
        ("..............o--..", 3),
        (".v.v.v.v.v.", 0),
        ("oo........", 2),
        ("....v....-..", 1),  # looks like a lost picture
    ],
)
def test_what_is_lost(script: str, expected: int) -> None:
    assert sum(play(DecodeLosses(0.1), script)) == expected


def test_a_loss_is_counted_once_where_pictures_are_held_back() -> None:
    """With pictures that refer to later ones the gap is shown some pictures after the decoder refused a packet."""
    losses, found = DecodeLosses(0.1), []
    for number in range(20):
        losses.packet(damaged=False)
        if number >= 2 and number != 10:
            found.append(losses.picture((number - 2) * 0.1))
    assert sum(found) == 1


def test_a_camera_that_changes_its_rate_is_not_lossy_for_ever() -> None:
    losses = DecodeLosses(1 / 30)
    play(losses, "." * 60, 1 / 30)
    slow = []
    for number in range(200):
        losses.packet(damaged=False)
        slow.append(losses.picture(2.0 + number / 15))
    assert sum(slow) <= 4
    assert sum(slow[10:]) == 0


def test_a_live_camera_that_pauses_lost_nothing() -> None:
    assert sum(play(DecodeLosses(0.1, live=True), "." * 30 + "-----...")) == 0
    assert sum(play(DecodeLosses(0.1, live=True), "." * 30 + "ooc--...")) == 5


def test_a_declared_pause_is_none() -> None:
    losses = DecodeLosses(0.1)
    play(losses, "." * 30)
    losses.packet(damaged=False)
    assert losses.picture(3.0, 0.5) == 0
    losses.packet(damaged=False)
    assert losses.picture(3.5, 0.1) == 0


@pytest.mark.parametrize(
    ("script", "end_s", "expected"), [("....oo", 0.6, 2), ("....cc", 0.6, 2), ("......", 0.6, 0), ("....oo", None, 0)]
)
def test_the_end(script: str, end_s: float | None, expected: int) -> None:
    losses = DecodeLosses(0.1)
    assert sum(play(losses, script)) == 0
    assert losses.end(end_s) == expected
