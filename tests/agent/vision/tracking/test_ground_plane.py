"""Metres from pixels, and kilometres an hour."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.tracking.ground_plane import GroundPlane, Speeds
from edgefleet_agent.vision.tracking.tracker import Sighting
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import PlaneSpec

ROAD = PlaneSpec(  # a lane 4 m wide that goes away from the camera for 40 m, as a trapeze
    points=((0.4, 0.2), (0.6, 0.2), (0.9, 1.0), (0.1, 1.0)), metres=((0, 40), (4, 40), (4, 0), (0, 0))
)


def test_the_four_points_are_where_they_were_measured() -> None:
    plane = GroundPlane(ROAD, 1000, 500)
    for (x, y), metres in zip(ROAD.points, ROAD.metres, strict=True):
        assert plane.metres((x * 1000, y * 500)) == pytest.approx(metres, abs=1e-6)
    middle = plane.metres((500, 300))
    assert middle[0] == pytest.approx(2.0)
    assert 0 < middle[1] < 20  # perspective: the middle of the picture is near


def test_three_on_a_line_are_no_plane() -> None:
    flat = PlaneSpec(points=((0, 0), (0.5, 0.5), (1, 1), (0, 1)), metres=ROAD.metres)
    with pytest.raises(PipelineError, match="on one line"):
        GroundPlane(flat, 100, 100)


@given(st.floats(1, 40), st.sampled_from([5, 12.5, 30]))
def test_a_car_of_known_speed(speed_ms: float, fps: float) -> None:
    """A car that goes away along the lane, with two pixels of jitter in its box."""
    plane, speeds, dice = GroundPlane(ROAD, 1000, 500), Speeds(ROAD, 1000, 500), np.random.default_rng(0)
    back = np.linalg.inv(plane._matrix)
    for frame in range(round(fps * 1.2)):
        away = 2.0 + speed_ms * frame / fps
        if away > 20:
            break
        x, y, scale = back @ (2.0, away, 1.0)
        x, y = x / scale, y / scale + dice.normal(0, 0.3)
        speeds.update([Sighting(1, 0, frame, frame / fps, (x - 20, y - 40, x + 20, y), 0.9)], ())
    found = speeds.kmh(1)
    if found is not None:
        assert found == pytest.approx(speed_ms * 3.6, rel=0.25, abs=4.0)
    speeds.update([], (1,))
    assert speeds.kmh(1) is None
