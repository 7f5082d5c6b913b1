"""Maps the picture to the ground in metres, from four measured points, and computes the speed of tracks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.geometry import Place
from edgefleet_agent.vision.tracking.false_positive_filter import anchor_of
from edgefleet_agent.vision.tracking.tracker import Sighting
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import PlaneSpec

Floats = npt.NDArray[np.float64]

WINDOW_S = 1.0
"""Window of the speed estimate; a longer one averages out a car's braking, a shorter one shows the detector's jitter."""
SPAN_S_MIN = 0.3
SIGHTINGS_MAX = 64
KMH = 3.6


class GroundPlane:
    """Mapping from a picture of `width` x `height` pixels to flat ground.

    Raises:
        PipelineError: three of the four points lie on one line, so that no plane is defined.
    """

    def __init__(self, spec: PlaneSpec, width: int, height: int) -> None:
        pixels = np.array(spec.points, np.float64) * (width, height)
        self._matrix = _homography(pixels, np.array(spec.metres, np.float64))

    def metres(self, place: Place) -> Place:
        """Position on the ground of a pixel."""
        x, y, scale = (self._matrix @ (place[0], place[1], 1.0)).tolist()
        return x / scale, y / scale


def _homography(pixels: Floats, metres: Floats) -> Floats:
    """The 3 x 3 map from four pixels to four places: eight equations (Hartley and Zisserman, 2003, §4.1)."""
    rows, targets = [], []
    for (x, y), (u, v) in zip(pixels.tolist(), metres.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        targets += [u, v]
    try:
        if min(_flatness(pixels), _flatness(metres)) < 1e-3:
            raise np.linalg.LinAlgError
        solved = np.linalg.solve(np.array(rows), np.array(targets))
    except np.linalg.LinAlgError as cause:
        raise PipelineError("plane: three of its four points lie on one line; choose the corners of a quadrangle") from cause
    return np.append(solved, 1.0).reshape(3, 3)


def _flatness(points: Floats) -> float:
    """Smallest deviation from one line of any three of the four points: 0 on a line, about 0.5 in a square."""
    least = np.inf
    for left in range(4):
        a, b, c = np.delete(points, left, axis=0)
        sides = np.linalg.norm([b - a, c - b, a - c], axis=1)
        area = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        least = min(least, float(area / max(1e-12, sides.max() ** 2)))
    return least


class Speeds:
    """Speed of each track on the ground plane."""

    def __init__(self, spec: PlaneSpec, width: int, height: int) -> None:
        self._plane = GroundPlane(spec, width, height)
        self._anchor = spec.anchor
        self._paths: dict[int, deque[tuple[float, float, float]]] = {}

    def update(self, sightings: Sequence[Sighting], ended: Sequence[int]) -> None:
        """Process the tracks of one frame."""
        for sighting in sightings:
            x, y = self._plane.metres(anchor_of(sighting.steady_box, self._anchor))
            path = self._paths.setdefault(sighting.track_id, deque(maxlen=SIGHTINGS_MAX))
            path.append((sighting.media_s, x, y))
            while path[-1][0] - path[0][0] > WINDOW_S + 1e-6:
                path.popleft()
        for number in ended:
            self._paths.pop(number, None)

    def kmh(self, track_id: int) -> float | None:
        """Kilometres an hour now; None until a track has been seen for long enough."""
        path = self._paths.get(track_id)
        if path is None or len(path) < 3 or path[-1][0] - path[0][0] < SPAN_S_MIN - 1e-6:
            return None
        rows = np.array(path)
        times = rows[:, 0] - rows[:, 0].mean()
        slopes = (times[:, None] * rows[:, 1:]).sum(axis=0) / (times**2).sum()
        return float(np.hypot(*slopes)) * KMH
