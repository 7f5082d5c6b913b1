"""Rendered scenes: objects that move through a picture, and what a detector reports of them. The same seed gives the same scene.

An object that another one or a pillar covers is found less often and with a lower score; every box is inaccurate, some are
missed, others are of nothing. Objects that are nearer (lower in the picture) cover those behind them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.boxes import intersections, ious

Floats = npt.NDArray[np.float64]
Random = np.random.Generator
WIDTH, HEIGHT = 1280, 720
STEP_S = 1 / 60
"""Paths are made in steps of this length, at every frame rate."""
SEEN_MIN = 0.25
"""Part of an object that has to be visible and inside the picture."""
SAME_BOX_IOU = 0.7
"""A detector reports one of two boxes that overlap more."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Description of a scene. motion: makes the path of each object. missed: share of clearly visible objects without a box.
    noise: of an edge, in sizes. false: boxes of nothing in a frame. shake: makes the displacement of the picture. jitter: share
    by which the time between frames varies. dropped: share of frames that are lost."""

    name: str
    fps: float
    count: int
    motion: str = "walk"
    height: tuple[float, float] = (90.0, 150.0)
    seconds: float = 20.0
    missed: float = 0.03
    noise: float = 0.03
    false: float = 0.1
    shake: str = "none"
    pillars: int = 0
    jitter: float = 0.0
    dropped: float = 0.0


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame. truth (n, 4) with `ids` (n,): the visible objects. boxes (m, 4), scores (m,): what the detector reports."""

    frame: int
    media_s: float
    truth: Floats
    ids: npt.NDArray[np.intp]
    boxes: Floats
    scores: Floats


@dataclass(slots=True)
class _Path:
    """Centres (steps, 2) of an object, from `begin` on. size: width and height."""

    begin: int
    centres: Floats
    size: tuple[float, float]
    error: Floats = field(default_factory=lambda: np.zeros(4))


SCENES = (
    Scene("walkers, 30 fps", 30, 12),
    Scene("walkers, 15 fps", 15, 12),
    Scene("walkers, 10 fps", 10, 12),
    Scene("walkers, 5 fps", 5, 12),
    Scene("walkers, 2 fps", 2, 12, seconds=40),
    Scene("crossing paths, 15 fps", 15, 16, "cross"),
    Scene("sudden turns, 15 fps", 15, 10, "dance"),
    Scene("traffic, 12 fps", 12, 20, "drive", (50.0, 90.0)),
    Scene("crowd, 25 fps", 25, 45, height=(70.0, 120.0), seconds=12),
    Scene("crowd, 8 fps", 8, 45, height=(70.0, 120.0)),
    Scene("pillars, 10 fps", 10, 12, pillars=3),
    Scene("poor detector, 10 fps", 10, 12, missed=0.3, noise=0.06, false=1.5),
    Scene("uneven times, 10 fps", 10, 12, jitter=0.4, dropped=0.3),
    Scene("shake of 25 px, 30 fps", 30, 12, height=(50.0, 100.0), shake="uniform", seconds=12),
    Scene("swaying pole, 12 fps", 12, 12, height=(50.0, 100.0), shake="sway"),
)


def moments(scene: Scene, seed: int) -> Iterator[Moment]:
    """The frames of a scene."""
    random = np.random.default_rng([seed, zlib.crc32(scene.name.encode())])
    steps = round(scene.seconds / STEP_S)
    paths = [_path(scene, random, steps, number) for number in range(scene.count)]
    pillars = _pillars(scene, random)
    shakes = SHAKES[scene.shake](random, steps)
    for frame, media_s in enumerate(_times(scene, random)):
        step = min(steps - 1, round(media_s / STEP_S))
        ids = np.array([number for number, path in enumerate(paths) if 0 <= step - path.begin < len(path.centres)], np.intp)
        whole = np.array([_box(paths[number], step) for number in ids]).reshape(-1, 4) + np.tile(shakes[step], 2)
        part = _inside(whole)
        seen = _visible(whole, pillars) * part
        known = seen >= SEEN_MIN
        ids, whole, seen = ids[known], whole[known], seen[known]
        boxes, scores = _detected(scene, random, [paths[number] for number in ids], whole, seen)
        yield Moment(frame, media_s, _clipped(whole), ids, boxes, scores)


def _times(scene: Scene, random: Random) -> Iterator[float]:
    for number in range(round(scene.seconds * scene.fps)):
        moved = random.uniform(-scene.jitter, scene.jitter) if scene.jitter else 0.0
        if number and random.random() < scene.dropped:
            continue
        yield max(0.0, number + moved) / scene.fps


def _path(scene: Scene, random: Random, steps: int, number: int) -> _Path:
    height = random.uniform(*scene.height)
    size = (
        (height * random.uniform(1.5, 1.9), height) if scene.motion == "drive" else (height * random.uniform(0.36, 0.46), height)
    )
    begin = 0 if random.random() < 0.4 else int(random.uniform(0, 0.6) * steps)
    return _Path(begin, MOTIONS[scene.motion](random, steps - begin, height, number), size)


def _walk(random: Random, steps: int, height: float, number: int) -> Floats:
    """A walker who turns slowly and stops now and then."""
    del number
    start = np.array([random.uniform(0, WIDTH), random.uniform(height, HEIGHT - height / 2)])
    heading, speed = random.uniform(0, 2 * np.pi), height * random.uniform(0.5, 1.0)
    turns = np.cumsum(random.normal(0, 0.8 * np.sqrt(STEP_S), steps))
    pace = np.ones(steps)
    for _ in range(int(random.poisson(steps * STEP_S / 10))):
        stop = int(random.integers(0, steps))
        pace[stop : stop + int(random.uniform(1, 4) / STEP_S)] = 0.0
    pace = np.convolve(np.concatenate([np.full(30, pace[0]), pace]), np.full(30, 1 / 30), "same")[30:]
    ways = np.stack([np.cos(heading + turns), 0.4 * np.sin(heading + turns)], axis=1)
    return np.asarray(start + np.cumsum(ways * (pace * speed * STEP_S)[:, None], axis=0))


def _cross(random: Random, steps: int, height: float, number: int) -> Floats:
    """Straight walkers who all pass the middle of the picture, from both sides."""
    way = 1 if number % 2 else -1
    speed = height * random.uniform(0.6, 1.1)
    met_s = random.uniform(3, 14)
    times = np.arange(steps) * STEP_S
    x = WIDTH / 2 + random.uniform(-150, 150) + way * speed * (times - met_s)
    y = HEIGHT / 2 + random.uniform(-60, 60) + random.uniform(-20, 20) * times
    return np.stack([x, y], axis=1)


def _dance(random: Random, steps: int, height: float, number: int) -> Floats:
    """Dancers near each other who change their direction within tenths of a second."""
    del number
    home = np.array([random.uniform(350, WIDTH - 350), random.uniform(260, HEIGHT - 200)])
    marks = np.arange(0, steps + 60, 36)
    stops = home + random.normal(0, 0.6 * height, (len(marks), 2)) * (1.0, 0.35)
    times = np.arange(steps)
    return np.stack([np.interp(times, marks, stops[:, axis]) for axis in (0, 1)], axis=1)


def _drive(random: Random, steps: int, height: float, number: int) -> Floats:
    """Cars in four lanes, which slow down and speed up."""
    lane, way = number % 4, 1 if number % 4 < 2 else -1
    speed = height * random.uniform(3.0, 6.0)
    pace = 1 + 0.35 * np.sin(np.arange(steps) * STEP_S * random.uniform(0.3, 0.9) + random.uniform(0, 6))
    x = (-height if way > 0 else WIDTH + height) + way * np.cumsum(speed * pace * STEP_S)
    return np.stack([x, np.full(steps, 180.0 + 110 * lane + random.uniform(-8, 8))], axis=1)


def _none(random: Random, steps: int) -> Floats:
    del random
    return np.zeros((steps, 2))


def _uniform(random: Random, steps: int) -> Floats:
    """At every frame somewhere else within 25 pixels."""
    return random.uniform(-25, 25, (steps, 2))


def _sway(random: Random, steps: int) -> Floats:
    """A pole in gusts of wind: oscillations of two to four a second that grow and fade."""
    times = np.arange(steps) * STEP_S
    gusts = np.clip(np.sin(times * random.uniform(0.4, 0.8) + random.uniform(0, 6)), 0, 1)
    waves = [np.sin(2 * np.pi * random.uniform(2, 4) * times + random.uniform(0, 6)) for _ in range(2)]
    return np.stack([28 * gusts * waves[0], 12 * gusts * waves[1]], axis=1)


MOTIONS: dict[str, Callable[[Random, int, float, int], Floats]] = {
    "walk": _walk,
    "cross": _cross,
    "dance": _dance,
    "drive": _drive,
}
SHAKES: dict[str, Callable[[Random, int], Floats]] = {"none": _none, "uniform": _uniform, "sway": _sway}


def _pillars(scene: Scene, random: Random) -> Floats:
    lefts = [WIDTH * (number + random.uniform(0.4, 0.9)) / max(1, scene.pillars) for number in range(scene.pillars)]
    return np.array([[left - 45, 0, left + 45, HEIGHT] for left in lefts]).reshape(-1, 4)


def _box(path: _Path, step: int) -> list[float]:
    (x, y), (width, height) = path.centres[step - path.begin].tolist(), path.size
    return [x - width / 2, y - height / 2, x + width / 2, y + height / 2]


def _clipped(boxes: Floats) -> Floats:
    return np.clip(boxes, 0, [WIDTH, HEIGHT, WIDTH, HEIGHT])


def _inside(boxes: Floats) -> Floats:
    """The part of each box that is in the picture."""
    clipped = _clipped(boxes)
    return np.prod(clipped[:, 2:] - clipped[:, :2], axis=1) / np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)


def _visible(boxes: Floats, pillars: Floats) -> Floats:
    """The part of each box that nothing nearer covers."""
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    nearer = boxes[None, :, 3] > boxes[:, None, 3]
    covered = (intersections(boxes, boxes) * nearer).max(axis=1, initial=0.0)
    if len(pillars):
        covered = np.maximum(covered, intersections(boxes, pillars).max(axis=1, initial=0.0))
    return np.asarray(1 - np.minimum(covered / np.maximum(areas, 1e-9), 1))


def _detected(scene: Scene, random: Random, paths: list[_Path], whole: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Boxes and scores of the detector, best first."""
    boxes, scores = [], []
    for path, box, visible in zip(paths, whole, seen.tolist(), strict=True):
        chance = (1 - scene.missed) * min(1.0, max(0.0, (visible - 0.2) / 0.4))
        size = float(np.sqrt(path.size[0] * path.size[1]))
        path.error = 0.7 * path.error + 0.71 * random.normal(0, scene.noise * size * (1.5 - visible / 2), 4)
        score = float(np.clip(0.88 - 0.55 * (1 - visible) + random.normal(0, 0.07) - scene.missed / 2, 0.06, 0.98))
        if random.random() < chance:
            boxes.append(box + path.error)
            scores.append(score)
    for _ in range(int(random.poisson(scene.false))):
        x, y, height = random.uniform(0, WIDTH), random.uniform(0, HEIGHT), random.uniform(*scene.height)
        boxes.append(np.array([x - height / 4, y - height / 2, x + height / 4, y + height / 2]))
        scores.append(float(random.beta(2, 4)))
    found, sure = _clipped(np.array(boxes).reshape(-1, 4)), np.array(scores)
    order = np.argsort(-sure)
    found, sure = found[order], sure[order]
    same = np.triu(ious(found, found) > SAME_BOX_IOU, 1)
    single = np.ones(len(found), np.bool_)
    for row in range(len(found)):
        if single[row]:
            single &= ~same[row]
    return found[single], sure[single]
