"""The tracker on simulated scenes: identities, and first and last frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.tracking.kalman import BoxMotion
from edgefleet_agent.vision.tracking.tracker import BACKDATE_S_MAX, Tracker
from edgefleet_contract.pipeline.stage_options import TrackerOptions
from tests.agent.vision.walks import Walk, seen, steps

ACROSS = Walk(start=(100, 240), speed=(80, 0))
COUNTER = Walk(start=(540, 240), speed=(-80, 0))


def tracks(
    walks: list[Walk], fps: float = 10.0, until_s: float = 8.0, options: TrackerOptions | None = None
) -> dict[int, list[int]]:
    """Frames in which each track was seen."""
    frames: dict[int, list[int]] = {}
    for step in steps(walks, fps, until_s, options):
        for sighting in step.sightings:
            frames.setdefault(sighting.track_id, []).append(sighting.frame)
    return frames


@pytest.mark.parametrize("fps", [30, 10, 5, 2, 1])
def test_one_walker_is_one_track_at_any_rate(fps: float) -> None:
    assert list(tracks([ACROSS], fps)) == [1]


def test_two_who_pass_each_other_stay_who_they_are() -> None:
    seen = tracks([replace(ACROSS, start=(100, 160)), replace(COUNTER, start=(540, 300))])
    assert {number: (frames[0], frames[-1]) for number, frames in seen.items()} == {1: (0, 50), 2: (0, 50)}


def test_times_are_exact() -> None:
    assert tracks([replace(ACROSS, begin_s=1.0, stay_s=3.0)]) == {1: list(range(10, 41))}


@pytest.mark.parametrize(("hidden_s", "numbers"), [(1.5, [1]), (3.0, [1, 2])])
def test_out_of_sight_for_a_while_or_for_good(hidden_s: float, numbers: list[int]) -> None:
    """A person behind a pillar for less than `max_lost_s` is the same person afterwards."""
    before = replace(ACROSS, stay_s=2.0)
    after = Walk((100 + 80 * (2 + hidden_s), 240), (80, 0), begin_s=2 + hidden_s, stay_s=1.5)
    assert list(tracks([before, after])) == numbers


def test_a_track_is_reported_from_its_first_low_score() -> None:
    faint, clear = replace(ACROSS, stay_s=0.55, score=0.3), Walk((148, 240), (80, 0), begin_s=0.6, stay_s=2.0)
    assert tracks([faint, clear])[1][0] == 0
    assert tracks([faint, clear], options=TrackerOptions(low_score=0.5))[1][0] == 6


def test_low_scores_continue_a_track() -> None:
    clear, faint = replace(ACROSS, stay_s=1.0), Walk((188, 240), (80, 0), begin_s=1.1, stay_s=2.0, score=0.25)
    assert tracks([clear, faint])[1][-1] == 31


def test_low_scores_alone_are_no_track() -> None:
    assert tracks([replace(ACROSS, score=0.4)]) == {}


def test_one_box_is_a_blip() -> None:
    assert tracks([replace(ACROSS, stay_s=0.0)]) == {}


def test_back_dating_is_bounded() -> None:
    """A stain on the floor with low scores for minutes does not backdate the track of a person who walks over it."""
    stain, person = Walk((320, 240), (0, 0), stay_s=60, score=0.3), Walk((320, 240), (0, 0), begin_s=60.05, stay_s=2)
    first = tracks([stain, person], until_s=63)[1][0]
    assert first == pytest.approx(601 - BACKDATE_S_MAX * 10, abs=1)


def test_duplicates_of_one_label_are_one_thing() -> None:
    inner = Walk((100, 250), (80, 0), size=(50, 90), score=0.8)
    assert list(tracks([ACROSS, inner])) == [1]


def following(rows: list[list[tuple[float, float]]], fps: float = 10.0) -> list[list[int]]:
    """Track numbers of boxes of 40 x 80 pixels at these places, the left upper corners, frame by frame."""
    tracker, numbers = Tracker(TrackerOptions()), []
    for frame, places in enumerate(rows):
        boxes = np.array([[x, y, x + 40, y + 80] for x, y in places], np.float32).reshape(-1, 4)
        found = Detections(boxes, np.full(len(boxes), 0.9, np.float32), np.zeros(len(boxes), np.int32))
        numbers.append(tracker.update(found, frame, frame / fps).detections.track_ids.tolist())
    return numbers


def test_two_who_stand_close_together_stay_two() -> None:
    """Their boxes overlap by more than those of duplicates do, once both are known."""
    apart = [[(100 + 6.0 * frame, 100.0), (170.0, 106.0)] for frame in range(11)]
    close = [[(163.0, 102.0), (169.0, 106.0)] for _ in range(10)]
    assert following(apart + close)[-1] == [1, 2]


def test_a_hidden_object_does_not_take_the_box_of_another_that_appears_beside_it() -> None:
    """The first walks behind the second; a third appears where the motion of the first cannot have taken it."""
    before = [[(60.0 + 4 * frame, 100.0), (110.0, 104.0)] for frame in range(10)]
    appeared = [[(110.0, 104.0), (126.0, 70.0)] for _ in range(4)]
    assert following(before + appeared)[-1] == [2, 3]
    alone = [[places[0]] for places in before] + [[(126.0, 90.0)] for _ in range(3)]
    assert following(alone)[-1] == [1]


def test_labels_do_not_mix_by_default() -> None:
    other = replace(ACROSS, start=(108, 240), class_id=1, score=0.8)
    assert list(tracks([ACROSS, other])) == [1, 2]
    assert list(tracks([ACROSS, other], options=TrackerOptions(any_label=True))) == [1]


def test_boxes_carry_their_tracks() -> None:
    tracker = Tracker(TrackerOptions())
    boxes = np.array([[10, 10, 60, 110], [300, 10, 350, 110]], np.float32)
    found = Detections(boxes, np.array([0.9, 0.8], np.float32), np.zeros(2, np.int32))
    tracker.update(found, 0, 0.0)
    shown = tracker.update(found[::-1], 1, 0.1).detections
    assert sorted(shown.track_ids.tolist()) == [1, 2]
    assert shown.boxes.tolist() == boxes[::-1].tolist()


walks = st.lists(
    st.builds(
        Walk,
        start=st.tuples(st.floats(0, 640), st.floats(0, 480)),
        speed=st.tuples(st.floats(-150, 150), st.floats(-100, 100)),
        begin_s=st.floats(0, 3),
        stay_s=st.floats(0, 4),
        score=st.floats(0.05, 1),
        class_id=st.integers(0, 1),
    ),
    max_size=5,
)


@settings(deadline=None, max_examples=60)
@given(walks, st.sampled_from([4, 10, 25]))
def test_laws(scene: list[Walk], fps: int) -> None:
    """In any scene a track is seen at most once a frame, in order, not after its end, and every track ends."""
    last: dict[int, int] = {}
    ended: set[int] = set()
    for step in steps(scene, fps, 7.0):
        for sighting in step.sightings:
            assert sighting.track_id not in ended
            assert last.get(sighting.track_id, -1) < sighting.frame <= step.frame
            assert np.isfinite(sighting.box).all()
            last[sighting.track_id] = sighting.frame
        assert not ended & set(step.ended)
        ended.update(step.ended)
    assert ended == set(last)


@given(st.floats(0.01, 1.0))
def test_two_half_steps_are_one_whole(duration_s: float) -> None:
    """The filter is independent of the frame rate."""
    moving = BoxMotion.born(np.array([[0.0, 0.0, 50.0, 100.0]]), np.array([0.9]))
    moving = BoxMotion(moving.edges, moving.speeds + 10.0, moving.variance)
    seen = np.zeros(1, np.bool_)
    once, twice = moving.after(duration_s, seen), moving.after(duration_s / 2, seen).after(duration_s / 2, seen)
    np.testing.assert_allclose(once.edges, twice.edges, rtol=1e-9)
    np.testing.assert_allclose(once.variance, twice.variance, rtol=1e-6)


def embeddings_of(walks: list[Walk], at_s: float) -> np.ndarray:
    """Two embeddings that have little in common, by the walk's number; NaN for a box that another covers."""
    rows = [(number, box) for number, walk in enumerate(walks) if (box := walk.box(at_s)) is not None]
    embeddings = np.full((len(rows), 2), np.nan, np.float32)
    for row, (number, _) in enumerate(rows):
        embeddings[row] = (1, 0.1) if number % 2 == 0 else (0.1, 1)
    return embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)


def met_and_turned(*, by_appearance: bool) -> list[tuple[int, ...]]:
    """Two persons meet behind a pillar, turn round unseen and return: track numbers on the left and on the right, before and
    after."""
    there = [Walk((200, 240), (60, 0), stay_s=1.6), Walk((440, 240), (-60, 0), stay_s=1.6)]
    back = [Walk((290, 240), (-60, 0), begin_s=2.6, stay_s=2.0), Walk((350, 240), (60, 0), begin_s=2.6, stay_s=2.0)]
    tracker = Tracker(TrackerOptions())
    sides: list[tuple[int, ...]] = []
    for frame in range(44):
        at_s = frame / 10
        walks = there if at_s <= 1.65 else back
        found = seen(walks, at_s)
        shown = tracker.update(found, frame, at_s, embeddings_of(walks, at_s) if by_appearance else None).detections
        if frame in (10, 43):
            sides.append(tuple(shown.track_ids[np.argsort(shown.boxes[:, 0])].tolist()))
    return sides


def test_a_turn_out_of_sight_is_resolved_by_appearance_only() -> None:
    assert met_and_turned(by_appearance=True) == [(1, 2), (1, 2)]
    assert met_and_turned(by_appearance=False) == [(1, 2), (2, 1)]


def test_a_return_elsewhere_is_recognised_by_appearance_only() -> None:
    walks = [Walk((100, 240), (20, 0), stay_s=2.0), Walk((0, 0), (0, 0), stay_s=-1)]
    later = [Walk((540, 120), (-20, 0), begin_s=3.0, stay_s=2.0), Walk((300, 400), (0, 0), begin_s=3.0, stay_s=2.0)]
    numbers = {}
    for by_appearance in (False, True):
        tracker = Tracker(TrackerOptions(max_lost_s=5.0))
        for frame in range(50):
            at_s = frame / 10
            now = walks if at_s < 2.5 else later
            step = tracker.update(seen(now, at_s), frame, at_s, embeddings_of(now, at_s) if by_appearance else None)
        numbers[by_appearance] = step.detections.track_ids.tolist()
    assert numbers == {False: [2, 3], True: [1, 2]}


def test_uncertainty_grows_out_of_sight() -> None:
    tracker = Tracker(TrackerOptions())
    for frame in range(10):
        tracker.update(seen([ACROSS], frame / 10), frame, frame / 10)
    sure = tracker.uncertainty()
    for frame in range(10, 16):
        tracker.update(Detections.empty(), frame, frame / 10)
    assert 0 < 3 * sure < tracker.uncertainty() <= 1


def crowd(count: int) -> Detections:
    """Boxes in a row, the first with the best score."""
    left = np.arange(count) * 50.0
    boxes = np.stack([left, np.zeros(count), left + 30, np.full(count, 60.0)], axis=1).astype(np.float32)
    return Detections(boxes, np.linspace(0.95, 0.7, count).astype(np.float32), np.zeros(count, np.int32))


def test_boxes_beyond_the_limit_are_left_out_and_counted() -> None:
    tracker = Tracker(TrackerOptions(max_objects=3))
    first, second = tracker.update(crowd(5), 0, 0.0), tracker.update(crowd(5), 1, 0.1)
    assert (first.left_out, second.left_out) == (2, 2)
    assert second.detections.track_ids.tolist() == [1, 2, 3, -1, -1]
    assert tracker.update(crowd(3), 2, 0.2).left_out == 0


def test_new_objects_are_left_out_and_counted_while_lost_ones_fill_the_tracks() -> None:
    tracker = Tracker(TrackerOptions(max_objects=2))
    for frame in range(6):  # every two frames, two objects elsewhere
        found = crowd(20)[np.arange(2) + 4 * (frame // 2)]
        step = tracker.update(found, frame, frame / 10)
    assert step.left_out == 2
    assert step.detections.track_ids.tolist() == [-1, -1]


def test_five_hundred_objects_can_be_followed() -> None:
    tracker = Tracker(TrackerOptions(max_objects=500))
    for frame in range(3):
        step = tracker.update(crowd(500), frame, frame / 10)
    assert (len(set(step.detections.track_ids.tolist())), step.left_out) == (500, 0)
