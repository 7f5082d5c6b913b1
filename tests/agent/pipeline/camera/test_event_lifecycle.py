"""Updates of an event while it lasts."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.pipeline.camera.event_lifecycle import OPEN_MAX, UPDATE_S, EventLifecycle, view_quality
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


def test_the_best_view_is_published_at_intervals_and_at_the_end() -> None:
    lifecycle = EventLifecycle(named)
    lifecycle.on_new(visit(), 0.0)
    updates = []
    for index in range(120):
        score = 0.5 + 0.4 * min(index, 70) / 70  # it comes nearer, then stays
        updates += [(index, *update) for update in lifecycle.on_frame(frame(index), [seen(index, score, 20 + min(index, 70))])]
    assert [index for index, *_ in updates] == [round(UPDATE_S * 10), round(UPDATE_S * 20)]
    _, event, picture = updates[0]
    assert (event.phase, event.id) == (EventPhase.UPDATE, "v-1")
    assert event.data["so_far_s"] == 5.0
    assert event.data["best"]["at_s"] >= 4.0
    assert picture == f"picture {round(event.data['best']['at_s'] * 10)}".encode()
    end = visit(EventPhase.END)
    assert lifecycle.on_end(end) == b""  # the best picture was kept with the last update
    assert end.data["median_score"] == pytest.approx(0.5 + 0.4 * 59.5 / 70, abs=0.02)
    assert end.data["best"]["score"] > 0.85


def test_a_better_view_just_before_the_end_is_not_lost() -> None:
    lifecycle = EventLifecycle(named)
    lifecycle.on_new(visit(), 0.0)
    for index, score in enumerate((0.5, 0.5, 0.9)):
        assert lifecycle.on_frame(frame(index), [seen(index, score)]) == []
    end = visit(EventPhase.END)
    assert lifecycle.on_end(end) == b"picture 2"
    assert end.data["median_score"] == 0.5


def test_what_is_never_seen_again_keeps_its_first_words() -> None:
    lifecycle = EventLifecycle(named)
    assert lifecycle.on_frame(frame(0), [seen(0, 0.9)]) == []
    lifecycle.on_new(visit(), 0.0)
    assert lifecycle.on_frame(frame(1), []) == []
    end = visit(EventPhase.END)
    assert lifecycle.on_end(end) == b""
    assert end.data == {"snapshot": "x"}
    assert lifecycle.on_end(visit(EventPhase.END, 7)) == b""


def test_without_pictures_the_figures_are_the_same() -> None:
    lifecycle = EventLifecycle(None)
    lifecycle.on_new(visit(), 0.0)
    updates = [update for index in range(60) for update in lifecycle.on_frame(frame(index), [seen(index, 0.4 + index / 100)])]
    assert [picture for _, picture in updates] == [b""]
    assert updates[0][0].data["median_score"] > 0.5


def test_open_events_are_bounded() -> None:
    lifecycle = EventLifecycle(named)
    for number in range(1, OPEN_MAX + 50):
        lifecycle.on_new(visit(number=number), 0.0)
    lifecycle.on_frame(frame(0), [seen(0, 0.9, track=number) for number in range(1, OPEN_MAX + 50)])
    ends = [visit(EventPhase.END, number) for number in range(1, OPEN_MAX + 50)]
    for end in ends:
        lifecycle.on_end(end)
    assert sum("median_score" in end.data for end in ends) == OPEN_MAX


def test_what_a_view_is_worth() -> None:
    usual = view_quality(seen(0, 0.8), WIDTH, HEIGHT)
    assert view_quality(seen(0, 0.9), WIDTH, HEIGHT) > usual
    assert view_quality(seen(0, 0.8, side=60), WIDTH, HEIGHT) > usual
    assert view_quality(seen(0, 0.8, left=0.0), WIDTH, HEIGHT) < usual  # the border hides a part
    assert view_quality(seen(0, 0.8, side=100), WIDTH, HEIGHT) == view_quality(seen(0, 0.8, side=110), WIDTH, HEIGHT)
