"""What an event learns while it lasts."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.pipeline.camera.event_lifecycle import OPEN_MAX, UPDATE_S, EventLifecycle, worth
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.tracking.tracker import Sighting
from edgefleet_contract.wire.messages import Event, EventPhase

WIDTH, HEIGHT = 320, 180


def frame(index: int) -> Frame:
    plane = np.zeros((HEIGHT, WIDTH), np.uint8)
    return Frame(index, index / 10, 0.0, WIDTH, HEIGHT, "gray", (plane,))


def seen(index: int, score: float, side: float = 40.0, left: float = 100.0, track: int = 1) -> Sighting:
    return Sighting(track, 0, index, index / 10, (left, 50.0, left + side, 50.0 + side), score)


def visit(phase: EventPhase = EventPhase.NEW, number: int = 1) -> Event:
    return Event(kind="visit", id=f"v-{number}", phase=phase, track_id=number, start_s=0.0, data={"snapshot": "x"})


def named(frame: Frame) -> bytes:
    return f"picture {frame.index}".encode()


def test_the_best_view_is_told_at_intervals_and_at_the_end() -> None:
    life = EventLifecycle(named)
    life.began(visit(), 0.0)
    updates = []
    for index in range(120):
        score = 0.5 + 0.4 * min(index, 70) / 70  # it comes nearer, and stays
        updates += [(index, *told) for told in life.look(frame(index), [seen(index, score, 20 + min(index, 70))])]
    assert [index for index, *_ in updates] == [round(UPDATE_S * 10), round(UPDATE_S * 20)]
    _, event, picture = updates[0]
    assert (event.phase, event.id) == (EventPhase.UPDATE, "v-1")
    assert event.data["so_far_s"] == 5.0
    assert event.data["best"]["at_s"] >= 4.0
    assert picture == f"picture {round(event.data['best']['at_s'] * 10)}".encode()
    end = visit(EventPhase.END)
    assert life.ends(end) == b""  # the best picture was kept with the last update
    assert end.data["median_score"] == pytest.approx(0.5 + 0.4 * 59.5 / 70, abs=0.02)
    assert end.data["best"]["score"] > 0.85


def test_a_better_view_just_before_the_end_is_not_lost() -> None:
    life = EventLifecycle(named)
    life.began(visit(), 0.0)
    for index, score in enumerate((0.5, 0.5, 0.9)):
        assert life.look(frame(index), [seen(index, score)]) == []
    end = visit(EventPhase.END)
    assert life.ends(end) == b"picture 2"
    assert end.data["median_score"] == 0.5


def test_what_is_never_seen_again_keeps_its_first_words() -> None:
    life = EventLifecycle(named)
    assert life.look(frame(0), [seen(0, 0.9)]) == []
    life.began(visit(), 0.0)
    assert life.look(frame(1), []) == []
    end = visit(EventPhase.END)
    assert life.ends(end) == b""
    assert end.data == {"snapshot": "x"}
    assert life.ends(visit(EventPhase.END, 7)) == b""


def test_without_pictures_the_figures_are_the_same() -> None:
    life = EventLifecycle(None)
    life.began(visit(), 0.0)
    told = [update for index in range(60) for update in life.look(frame(index), [seen(index, 0.4 + index / 100)])]
    assert [picture for _, picture in told] == [b""]
    assert told[0][0].data["median_score"] > 0.5


def test_open_events_are_bounded() -> None:
    life = EventLifecycle(named)
    for number in range(1, OPEN_MAX + 50):
        life.began(visit(number=number), 0.0)
    life.look(frame(0), [seen(0, 0.9, track=number) for number in range(1, OPEN_MAX + 50)])
    ends = [visit(EventPhase.END, number) for number in range(1, OPEN_MAX + 50)]
    for end in ends:
        life.ends(end)
    assert sum("median_score" in end.data for end in ends) == OPEN_MAX


def test_what_a_view_is_worth() -> None:
    usual = worth(seen(0, 0.8), WIDTH, HEIGHT)
    assert worth(seen(0, 0.9), WIDTH, HEIGHT) > usual
    assert worth(seen(0, 0.8, side=60), WIDTH, HEIGHT) > usual
    assert worth(seen(0, 0.8, left=0.0), WIDTH, HEIGHT) < usual  # the border hides a part
    assert worth(seen(0, 0.8, side=100), WIDTH, HEIGHT) == worth(seen(0, 0.8, side=110), WIDTH, HEIGHT)
