"""Extrapolation over the border of the picture."""

from __future__ import annotations

import pytest

from edgefleet_agent.vision.tracking.edge_times import LEAD_S_MAX, lag_s, lead_s
from edgefleet_agent.vision.tracking.tracker import Sighting
from tests.agent.vision.walks import HEIGHT, WIDTH, Walk


def sightings(walk: Walk, first: int, last: int, fps: float = 20.0) -> list[Sighting]:
    """The walk as tracked from frame `first` to `last`."""
    found = []
    for frame in range(first, last + 1):
        box = walk.box(frame / fps)
        assert box is not None
        found.append(Sighting(1, 0, frame, frame / fps, (box[0], box[1], box[2], box[3]), 0.9))
    return found


# Comes in over the left border: at 0 s its right edge is at x = 0.
ENTERS = Walk(start=(-60, 240), speed=(300, 0), size=(120, 240), stay_s=3)
LEAVES = Walk(start=(400, 240), speed=(300, 0), size=(120, 240), stay_s=3)  # its left edge reaches 640 after 1 s


def test_an_entry_that_was_noticed_late() -> None:
    """The object is detected from frame 4 on, 60 pixels deep; 3 % of the width may be background, so 0.06 s of the 0.2 s are not
    added."""
    assert lead_s(sightings(ENTERS, 4, 20), WIDTH, HEIGHT) == pytest.approx((60 - 0.03 * WIDTH) / 300, abs=0.01)


def test_an_exit_that_was_noticed_early() -> None:
    assert lag_s(sightings(LEAVES, 0, 16), WIDTH, HEIGHT) == pytest.approx((60 - 0.03 * WIDTH) / 300, abs=0.01)


def test_never_far() -> None:
    slow = Walk(start=(0, 240), speed=(100, 0), size=(120, 240), stay_s=3)
    assert lead_s(sightings(slow, 0, 10), WIDTH, HEIGHT) == LEAD_S_MAX


@pytest.mark.parametrize(
    "walk",
    [
        Walk(start=(320, 240), speed=(300, 0)),  # appears in the middle (a door)
        Walk(start=(30, 240), speed=(0, 0)),  # stands at the border
        Walk(start=(200, 470), speed=(200, 0), size=(60, 120)),  # walks along the lower border
    ],
)
def test_nothing_is_added(walk: Walk) -> None:
    seen = sightings(walk, 0, 10)
    assert lead_s(seen, WIDTH, HEIGHT) == 0.0
    assert lag_s(seen, WIDTH, HEIGHT) == 0.0


def test_one_sighting_is_not_enough() -> None:
    assert lead_s(sightings(ENTERS, 4, 4), WIDTH, HEIGHT) == lag_s(sightings(ENTERS, 4, 4), WIDTH, HEIGHT) == 0.0
