"""Shuffled labels are found by the class mix; what happens on a scene stops no version.

The scenes are simulated by their objects: how many come per minute of each class, and how long they stay, so that the boxes of an
object follow each other. Streets with sixty objects a minute, and yards with four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from edgefleet_server.domain.statistics import class_mix
from edgefleet_server.domain.statistics.levels import Minutes, levels
from edgefleet_server.domain.statistics.regression_check import Change, Level, RegressionLimits, compare
from edgefleet_server.domain.statistics.summaries import CLASS, Figures, Summary

LABELS = 80
FPS = 5.0
BEFORE, AFTER = 15, 20
"""Minutes."""
ONLY_CLASSES = RegressionLimits(None, None, None, None, None, 40.0, None, None)


def scene(chance: np.random.Generator, hour: float = 1.0) -> np.ndarray:
    """Boxes of each minute and class, of one camera: (`BEFORE` + `AFTER`, `LABELS`). `hour`: objects after the update, as a share
    of those before: closing time, or a busy hour."""
    base = 1.0 / np.arange(1, LABELS + 1) ** 1.5
    mix = chance.dirichlet(8.0 * base / base.sum())
    busy = np.full(BEFORE + AFTER, chance.choice([4.0, 15.0, 60.0]))
    busy[BEFORE:] *= hour
    boxes = np.zeros((BEFORE + AFTER + 1, LABELS))
    stays_s = 6.0 * chance.lognormal(0.0, 0.5, LABELS)
    for minute, count in enumerate(chance.poisson(busy)):
        classes = chance.choice(LABELS, count, p=mix)
        for label in classes:
            begin_s, stay_s = 60.0 * chance.random(), stays_s[label] * chance.lognormal(0.0, 0.8)
            here_s = min(stay_s, 60.0 - begin_s)
            boxes[minute, label] += FPS * here_s
            boxes[minute + 1, label] += FPS * min(60.0, stay_s - here_s)
    if chance.random() < 0.2:  # something parks in view, or leaves
        begin, label = chance.integers(0, BEFORE + AFTER), chance.integers(0, 5)
        boxes[begin : begin + chance.integers(5, 30), label] += 60.0 * FPS
    return np.asarray(boxes[:-1].round())


def minutes(boxes: np.ndarray) -> Minutes:
    """The figures of each minute."""
    return [(60 * number, _figures(row)) for number, row in enumerate(boxes)]


def _figures(row: np.ndarray) -> Figures:
    return {f"{CLASS}{label}": Summary(6, float(row[label]), 0.0, 0.0, {}) for label in np.flatnonzero(row)}


def change(boxes: np.ndarray, elapsed: int = AFTER) -> Change:
    """The change of a device, so many minutes after its update."""
    before = levels(minutes(boxes[:BEFORE]))
    return Change(before, levels(minutes(boxes[BEFORE : BEFORE + elapsed]), before))


def found(boxes: np.ndarray, groups: Mapping[int, Sequence[Change]]) -> bool:
    """Whether one of the comparisons finds the device worse. groups: changes of the others, by minutes since the update."""
    return any(compare(ONLY_CLASSES, change(boxes, elapsed), others).worse for elapsed, others in groups.items())


CAMERAS = 150
"""Of 600 cameras, each compared five times, 0 to 0.3 % gave a false alarm, and 97 % of the shuffled lists were found. After
closing time, with 15 % of the objects, it were 1 % and 88 %."""


def shuffled(boxes: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """The same boxes with the labels of a list in another order after the update."""
    order = chance.permutation(LABELS)
    return np.concatenate([boxes[:BEFORE], boxes[BEFORE:, order]])


@pytest.mark.parametrize(("hour", "others"), [(1.0, 0), (1.0, 6), (6.0, 6)])
def test_shuffled_labels_are_found_and_scenes_stop_no_version(hour: float, others: int) -> None:
    """On streets and in yards, at the same time and in a busy hour, with a control group and with the own past."""
    chance = np.random.default_rng(5)
    cameras = [scene(chance, hour) for _ in range(CAMERAS)]
    groups = {elapsed: [change(one, elapsed) for one in cameras[:others]] for elapsed in (2, 10)}
    false = sum(found(one, groups) for one in cameras[others:])
    hits = sum(found(shuffled(one, chance), groups) for one in cameras[others:])
    assert false <= 0.01 * CAMERAS
    assert hits >= 0.95 * (CAMERAS - others)


def levels_of(change_percent: float, minutes_seen: int, **rates: float) -> dict[str, Level]:
    return {CLASS + label: Level(minutes_seen, rate) for label, rate in rates.items()} | {
        "class_change": Level(minutes_seen, change_percent)
    }


def test_the_sentence_names_the_labels() -> None:
    was = levels_of(8.0, 15, person=62.0, car=37.0, truck=1.0)
    now = levels_of(80.0, 3, person=3.0, car=39.0, truck=58.0)
    assert compare(ONLY_CLASSES, Change(was, now), ()).text == (
        "class mix: 'person' 62 % → 3 %, 'truck' 1 % → 58 %, 'car' 37 % → 39 %, 80 % changed, before 8 %"
        " (compared with its own past: no other device to compare with)"
    )


def test_labels_without_a_common_name_are_named_so() -> None:
    """The list of the new version has other names: that is no silent pass."""
    was, now = levels_of(8.0, 15, person=62.0), levels_of(100.0, 3, human=60.0)
    assert compare(ONLY_CLASSES, Change(was, now), ()).worse == (
        "class mix: labels differ, 'human' 0 % → 100 %, 'person' 100 % → 0 %, 100 % changed, before 8 %"
    )
    assert not compare(RegressionLimits(class_mix_percent=None), Change(was, now), ()).worse


@pytest.mark.parametrize(("before", "after"), [(4, 10), (15, 1)])
def test_few_minutes_are_not_judged(before: int, after: int) -> None:
    seen = compare(ONLY_CLASSES, Change(levels_of(0.0, before, a=9.0), levels_of(100.0, after, b=9.0)), ())
    assert (seen.worse, seen.controls) == ("", None)


def test_older_agents_are_not_judged() -> None:
    """They send no boxes by label."""
    assert compare(ONLY_CLASSES, Change({}, levels_of(100.0, 9, a=9.0)), ()).controls is None


def test_what_comes_in_addition_is_no_change() -> None:
    """A truck that parks in view; closing time; a busy hour."""
    was = {"person": 60.0, "car": 20.0}
    assert class_mix.change_percent(was, was | {"truck": 300.0}) == pytest.approx(0.0)
    assert class_mix.change_percent(was, {"person": 9.0, "car": 3.0}) == pytest.approx(0.0, abs=1.0)
    assert class_mix.change_percent(was, {"person": 360.0, "car": 120.0}) == pytest.approx(0.0, abs=1.0)
    assert class_mix.change_percent(was, {"toaster": 60.0, "kite": 20.0}) == 100.0
    assert class_mix.change_percent(was, {}) == 0.0
