"""A camera that shakes: identities, zones, lines and stationary objects are those of the camera at rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.rules.rule_set import RuleSet, Scene
from edgefleet_agent.vision.tracking.camera_shake import CameraShake
from edgefleet_agent.vision.tracking.stationary import StationaryWatch
from edgefleet_agent.vision.tracking.tracker import Tracker, TrackResult
from edgefleet_contract.pipeline.spec import read_pipeline
from edgefleet_contract.pipeline.stage_options import TrackerOptions

SIDES = np.array([30.0, 60.0])
OBJECTS = 12
LINE = (
    'name = "gate"\n[source]\nkind = "file"\nuri = "x"\n[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:a"\n'
    '[[stages]]\nname = "follow"\nkind = "track"\nfrom = "find"\n'
    '[[lines]]\nname = "edge"\npoints = [[0.0, 0.5], [1.0, 0.5]]\n[[rules]]\nname = "over"\nkind = "line"\nline = "edge"\n'
    'anchor = "center"\n'
)


def starts(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres of objects in a grid, somewhat off it, and their speeds in pixels a second."""
    random = np.random.default_rng(seed)
    grid = np.array([[160 + 240 * column, 140 + 200 * row] for row in range(3) for column in range(4)], float)
    return grid + random.uniform(-30, 30, (OBJECTS, 2)), random.uniform(-12, 12, (OBJECTS, 2))


def shaken(seed: int, size: float, fps: float = 30.0, seconds: float = 6.0, moving: bool = True) -> Iterator[TrackResult]:
    """The tracks of twelve objects before a camera that is somewhere else within `size` pixels at every frame, after a second
    at rest."""
    centres, speeds = starts(seed)
    random, tracker = np.random.default_rng(seed + 100), Tracker(TrackerOptions())
    for frame in range(round(seconds * fps)):
        media_s = frame / fps
        shift = random.uniform(-size, size, 2) if media_s >= 1 else np.zeros(2)
        now = centres + (speeds * media_s if moving else 0.0) + shift
        boxes = np.concatenate([now - SIDES / 2, now + SIDES / 2], axis=1) + random.normal(0, 0.5, (OBJECTS, 4))
        seen = random.random(OBJECTS) > 0.03
        found = Detections(
            boxes[seen].astype(np.float32), np.full(int(seen.sum()), 0.9, np.float32), np.zeros(seen.sum(), np.int32)
        )
        yield tracker.update(found, frame, media_s)


@pytest.mark.parametrize("fps", [30.0, 12.0])
def test_identities_outlast_the_shake(fps: float) -> None:
    numbers = {one.track_id for step in shaken(1, 25.0, fps) for one in step.sightings}
    assert len(numbers) == OBJECTS


def test_a_shaking_picture_is_found_and_one_at_rest_is_not() -> None:
    assert all(one.shake == (0.0, 0.0) for step in shaken(2, 0.0) for one in step.sightings)
    last = [one for step in shaken(2, 25.0) for one in step.sightings if step.media_s > 2]
    assert max(abs(one.shake[0]) for one in last) > 15
    assert all(np.subtract(one.box, one.steady_box) == pytest.approx(one.shake * 2) for one in last)


def test_what_stands_beside_a_line_does_not_cross_it() -> None:
    centres, _ = starts(3)
    spec = read_pipeline(LINE.replace("0.5]", f"{(centres[5, 1] + 14) / 720:.4f}]"), "gate.toml")
    rules = RuleSet(spec, Scene(1280, 720, 1 / 30, ["person"]))
    events = [event for step in shaken(3, 25.0, moving=False) for event in rules.step(step)]
    assert events == []


def test_what_stands_is_stationary_in_a_shaking_picture() -> None:
    watch = StationaryWatch(3.0, ["person"])
    last = list(map(watch.mark, shaken(4, 25.0, moving=False)))[-1]
    assert sum(one.stationary for one in last.sightings) >= OBJECTS - 2 - (OBJECTS - len(last.sightings))
    assert watch.changes == OBJECTS


def test_objects_that_start_together_are_no_shake() -> None:
    """A queue at a traffic light: all cars stand, and then move off at 2.5 sizes a second²."""
    tracker, offsets = Tracker(TrackerOptions()), set()
    for frame in range(120):
        way = 0.5 * 150 * max(0.0, frame / 15 - 2) ** 2
        left = np.arange(5) * 130.0 + way
        boxes = np.stack([left, np.full(5, 200.0), left + 90, np.full(5, 250.0)], axis=1).astype(np.float32)
        step = tracker.update(Detections(boxes, np.full(5, 0.9, np.float32), np.zeros(5, np.int32)), frame, frame / 15)
        offsets |= {one.shake for one in step.sightings}
    assert offsets == {(0.0, 0.0)}
    assert sorted(step.detections.track_ids.tolist()) == [1, 2, 3, 4, 5]


def test_the_offset_follows_a_camera_that_stays_turned() -> None:
    shake = CameraShake()
    shake.offset = (40.0, -8.0)
    shake.rest(5.0, 5.0)
    assert 10 < shake.offset[0] < 20
    shake.rest(60.0, 65.0)
    assert shake.offset == (0.0, 0.0)
