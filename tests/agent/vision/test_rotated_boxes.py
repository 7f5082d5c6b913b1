"""Rotated boxes: overlaps against OpenCV's polygons, suppression against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.rotated_boxes import CANDIDATES_MAX, angles_of, quad_ious, quads_of, remaining_quads, upright

Point = tuple[float, float]
Quad = np.typing.NDArray[np.float32]

SIDES = st.tuples(st.floats(0, 60), st.floats(0, 60), st.floats(1, 40), st.floats(1, 40), st.floats(-7, 7))


def quad(x: float, y: float, width: float, height: float, angle: float) -> Quad:
    made: Quad = quads_of(np.array([[x, y, width, height]], np.float32), np.array([angle], np.float32))[0]
    return made


def area(polygon: list[Point]) -> float:
    return sum(x * y2 - y * x2 for (x, y), (x2, y2) in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)) / 2


def iou_of_polygons(first: Quad, second: Quad) -> float:
    """Clips the first by each side of the second (Sutherland and Hodgman, 1974)."""
    polygon: list[Point] = [(x, y) for x, y in first.tolist()]
    corners = second.tolist()
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in polygon]
        clipped = []
        for (x, y), side, (x3, y3), other in zip(
            polygon, sides, [*polygon[1:], *polygon[:1]], [*sides[1:], *sides[:1]], strict=True
        ):
            if side >= 0:
                clipped.append((x, y))
            if side * other < 0:
                share = side / (side - other)
                clipped.append((x + share * (x3 - x), y + share * (y3 - y)))
        polygon = clipped
    shared = area(polygon)
    union = sum(area([(x, y) for x, y in each.tolist()]) for each in (first, second)) - shared
    return shared / union if union else 0.0


@given(SIDES, SIDES)
def test_the_overlap_is_that_of_the_polygons(first: tuple[float, ...], second: tuple[float, ...]) -> None:
    one, other = quad(*first), quad(*second)
    found = quad_ious(one, np.stack([other, one]))
    assert found[0] == pytest.approx(iou_of_polygons(one, other), abs=0.01)
    assert found[1] == pytest.approx(1.0, abs=1e-6)
    assert quad_ious(other, one[None])[0] == pytest.approx(found[0], abs=1e-5)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((10, 10, 10, 10, 0), (10, 10, 10, 10, np.pi / 2), 1.0),
        ((10, 10, 10, 10, 0), (15, 10, 10, 10, 0), 1 / 3),
        ((10, 10, 10, 10, 0), (20, 10, 10, 10, 0), 0.0),
        ((10, 10, 10, 10, 0), (50, 50, 10, 10, 1), 0.0),
        ((10, 10, 20, 20, 0), (10, 10, 10, 10, 0.3), 0.25),
        ((10, 10, 40, 4, 0), (10, 10, 40, 4, np.pi / 2), 16 / (320 - 16)),
        ((10, 10, 0, 0, 0), (10, 10, 10, 10, 0), 0.0),
    ],
)
def test_known_overlaps(first: tuple[float, ...], second: tuple[float, ...], expected: float) -> None:
    assert quad_ious(quad(*first), quad(*second)[None])[0] == pytest.approx(expected, abs=1e-4)


def test_corners_are_turned_clockwise_and_give_the_angle() -> None:
    turned = quad(0, 0, 10, 4, np.pi / 2)
    assert np.allclose(turned, [[2, -5], [2, 5], [-2, 5], [-2, -5]], atol=1e-5)
    angles = np.array([0.1, 1.0, 3.0, -0.5], np.float32)
    quads = quads_of(np.tile(np.array([[5, 5, 10, 4]], np.float32), (4, 1)), angles)
    assert np.allclose(angles_of(quads), np.degrees(angles) % 180, atol=1e-3)
    assert upright(quads[:0]).shape == (0, 4)
    assert np.allclose(upright(turned[None]), [[-2, -5, 2, 5]], atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_suppression_is_that_of_its_definition(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = 40
    sides = np.concatenate([random.uniform(0, 60, (count, 2)), random.uniform(5, 40, (count, 2))], axis=1).astype(np.float32)
    quads = quads_of(sides, random.uniform(-3, 3, count).astype(np.float32))
    scores, classes = random.random(count).astype(np.float32), random.integers(0, 2, count).astype(np.int32)
    expected: list[int] = []
    for row in np.argsort(-scores).tolist():
        if all(classes[row] != classes[best] or iou_of_polygons(quads[row], quads[best]) <= 0.3 for best in expected):
            expected.append(row)
    assert remaining_quads(quads, scores, classes, 0.3).tolist() == expected


def test_no_more_than_the_limit_are_compared() -> None:
    quads = quads_of(np.tile(np.array([[5, 5, 10, 4]], np.float32), (1000, 1)), np.linspace(0, 3, 1000, dtype=np.float32))
    assert len(remaining_quads(quads, np.ones(1000, np.float32), np.arange(1000, dtype=np.int32), 0.5)) == CANDIDATES_MAX
    assert len(remaining_quads(quads[:0], np.empty(0, np.float32), np.empty(0, np.int32), 0.5)) == 0
