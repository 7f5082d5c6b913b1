"""Metal parts seen from above: a silhouette and a height map, shaded once into a sprite that is cheap to paste.

Parts are drawn at twice the final size and reduced, so that edges and small holes are antialiased.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_server.simulate.conveyor.lighting import Float32, Lighting

LABELS = ("part_ok", "part_scratched", "part_missing_hole")
KINDS = ("flange", "gear", "plate")

_SUPERSAMPLING = 2
_MARGIN = 1.3  # canvas half-size in part radii: room for corners and the cast shadow
_SHIFT = 4  # OpenCV's fixed-point bits for sub-pixel drawing

METALS: dict[str, tuple[float, float, float]] = {
    "steel": (0.56, 0.58, 0.60),
    "zinc": (0.50, 0.55, 0.62),
    "brass": (0.66, 0.55, 0.31),
    "cast": (0.40, 0.40, 0.41),
}


@dataclass(frozen=True)
class PartSpec:
    """Description of a part. ``radius`` in pixels, ``angle_rad`` clockwise on screen, ``seed`` fixes every random detail."""

    label: str
    kind: str
    metal: str
    radius: float
    angle_rad: float
    brightness: float
    seed: int


@dataclass(frozen=True)
class Sprite:
    """A shaded part. A frame region becomes ``region * keep + add``; ``box`` is (x1, y1, x2, y2) inside the sprite.

    ``keep`` and ``add`` are float32 (side, side, 3) and (side, side, 3), ``add`` in 0..255.
    """

    keep: Float32
    add: Float32
    box: tuple[int, int, int, int]

    @property
    def side(self) -> int:
        """Width and height in pixels."""
        return int(self.keep.shape[0])


@dataclass(frozen=True)
class _Canvas:
    """Part coordinates of every supersampled pixel: x, y and radius in units of the part's radius, angle in radians."""

    side: int
    scale: float
    x: Float32
    y: Float32
    radius: Float32
    angle: Float32
    rotation: float

    @classmethod
    def of(cls, spec: PartSpec) -> _Canvas:
        scale = spec.radius * _SUPERSAMPLING
        side = 2 * _SUPERSAMPLING * int(np.ceil(spec.radius * _MARGIN))
        v, u = (np.mgrid[0:side, 0:side].astype(np.float32) - (side - 1) / 2) / np.float32(scale)
        cos, sin = np.float32(np.cos(spec.angle_rad)), np.float32(np.sin(spec.angle_rad))
        x, y = u * cos + v * sin, v * cos - u * sin
        return cls(side, scale, x, y, np.hypot(x, y), np.arctan2(y, x), spec.angle_rad)

    def pixels(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Part coordinates (n, 2) as OpenCV's fixed-point pixels."""
        p = np.asarray(points, np.float64)
        cos, sin = np.cos(self.rotation), np.sin(self.rotation)
        turned = np.stack([p[:, 0] * cos - p[:, 1] * sin, p[:, 0] * sin + p[:, 1] * cos], axis=1)
        return np.round((turned * self.scale + (self.side - 1) / 2) * (1 << _SHIFT)).astype(np.int32)

    def polygon(self, points: npt.ArrayLike) -> Float32:
        """Coverage 0..1 of a filled polygon given in part coordinates."""
        plane = np.zeros((self.side, self.side), np.uint8)
        cv2.fillPoly(plane, [self.pixels(points)], 255, cv2.LINE_AA, _SHIFT)
        return np.asarray(plane / 255, np.float32)

    def disc(self, x: float, y: float, radius: float) -> Float32:
        """Coverage 0..1 of a disc given in part coordinates."""
        column, row = self.pixels([(x, y)])[0] >> _SHIFT
        reach = int(radius * self.scale) + 3
        window = np.s_[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach]
        distance = np.hypot(self.x[window] - x, self.y[window] - y)
        plane = np.zeros((self.side, self.side), np.float32)
        plane[window] = np.clip((radius - distance) * self.scale + 0.5, 0, 1)
        return plane


@dataclass(frozen=True)
class _Design:
    """The drawing of a part kind: outline, bores that are always there, holes of which a bad part lacks one."""

    outline: Callable[[_Canvas], Float32]
    bores: tuple[tuple[float, float, float], ...]
    holes: tuple[tuple[float, float, float], ...]
    relief: Callable[[_Canvas], Float32]
    turned: bool


def _ring(count: int, distance: float, radius: float) -> tuple[tuple[float, float, float], ...]:
    angles = 2 * np.pi * (np.arange(count) + 0.5) / count
    return tuple((float(distance * np.cos(a)), float(distance * np.sin(a)), radius) for a in angles)


def _step(distance: Float32, at: float, width: float) -> Float32:
    """0 below ``at``, 1 above, smooth over ``width``."""
    t = np.clip((distance - at) / width + 0.5, 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _gear_outline(canvas: _Canvas) -> Float32:
    teeth, points = 20, []
    for tooth in range(teeth):
        for offset, radius in ((-0.30, 0.86), (-0.17, 1.0), (0.17, 1.0), (0.30, 0.86)):
            angle = 2 * np.pi * (tooth + offset) / teeth
            points.append((radius * np.cos(angle), radius * np.sin(angle)))
    return canvas.polygon(points)


def _plate_outline(canvas: _Canvas) -> Float32:
    half_x, half_y, corner = 1.0, 0.76, 0.18
    dx, dy = np.abs(canvas.x) - (half_x - corner), np.abs(canvas.y) - (half_y - corner)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - corner
    return np.clip(0.5 - outside * canvas.scale, 0, 1).astype(np.float32)


DESIGNS: dict[str, _Design] = {
    "flange": _Design(
        outline=lambda c: c.disc(0, 0, 1.0),
        bores=((0.0, 0.0, 0.24),),
        holes=_ring(6, 0.72, 0.115),
        relief=lambda c: 1.0 - _step(c.radius, 0.47, 0.05),
        turned=True,
    ),
    "gear": _Design(
        outline=_gear_outline,
        bores=((0.0, 0.0, 0.17),),
        holes=_ring(5, 0.51, 0.13),
        relief=lambda c: 0.8 * (_step(c.radius, 0.74, 0.04) + 1.0 - _step(c.radius, 0.29, 0.04)),
        turned=True,
    ),
    "plate": _Design(
        outline=_plate_outline,
        bores=((0.0, 0.0, 0.27),),
        holes=((-0.76, -0.52, 0.12), (0.76, -0.52, 0.12), (0.76, 0.52, 0.12), (-0.76, 0.52, 0.12)),
        relief=lambda c: 0.7 * (1.0 - _step(c.radius, 0.42, 0.05)),
        turned=False,
    ),
}


def _scratch(canvas: _Canvas, metal: Float32, rng: np.random.Generator) -> Float32:
    """Depth 0..1 of one to three neighbouring scratches that run over visible metal for at least half a radius."""
    for _ in range(12):
        plane = np.zeros((canvas.side, canvas.side), np.uint8)
        heading, around = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
        start = rng.uniform(0.25, 0.6) * np.array([np.cos(around), np.sin(around)])
        length, bend = rng.uniform(0.8, 1.5), rng.uniform(-0.7, 0.7)
        along = np.linspace(-0.5, 0.5, 14) * length
        headings = heading + bend * along
        path = start + along[:, None] * np.stack([np.cos(headings), np.sin(headings)], axis=1)
        path += rng.normal(0, 0.008, path.shape)
        across = np.array([-np.sin(heading), np.cos(heading)])
        for twin in range(int(rng.integers(1, 4))):
            line = path + across * (0.075 * twin + rng.normal(0, 0.01))
            line = line[int(rng.integers(0, 3)) : 14 - int(rng.integers(0, 3))] if twin else line
            width = max(1, round(canvas.scale * rng.uniform(0.032, 0.055)))
            cv2.polylines(plane, [canvas.pixels(line)], False, 255, width, cv2.LINE_AA, _SHIFT)
        depth = cv2.GaussianBlur(plane.astype(np.float32) / 255, (0, 0), 0.7) * metal
        if float((depth > 0.4).sum()) >= 0.5 * 0.04 * canvas.scale**2:
            return depth
    return depth


def _texture(canvas: _Canvas, turned: bool, light: Lighting, rng: np.random.Generator) -> Float32:
    """Tool marks around 1.0: lathe rings with the bow-tie glint of turned metal, or straight brushing."""
    table = cv2.GaussianBlur(rng.normal(0, 1, (1, 512)).astype(np.float32), (0, 0), 0.8)[0]
    if not turned:
        streaks = table[np.clip((canvas.y * 200 + 256), 0, 511).astype(np.int32)]
        grain = cv2.GaussianBlur(rng.normal(0, 1, canvas.x.shape).astype(np.float32), (0, 0), 1.2)
        sheen = np.cos(1.4 * (canvas.x * np.cos(light.azimuth_rad) + canvas.y * np.sin(light.azimuth_rad)))
        return np.asarray(1 + 0.035 * streaks + 0.05 * grain + 0.16 * (sheen - 0.6), np.float32)
    rings = table[np.clip(canvas.radius * 330, 0, 511).astype(np.int32)]
    # Grooves of a lathe run around the axis, so they glint where they are across the light, at any rotation of the part.
    screen_angle = canvas.angle + canvas.rotation
    glint = np.abs(np.cos(screen_angle - light.azimuth_rad - 0.35 * rings)) ** 14
    glint += 0.4 * np.abs(np.cos(screen_angle - light.azimuth_rad - 1.1)) ** 24
    return np.asarray(0.93 + 0.04 * rings + 0.38 * glint * _step(canvas.radius, 0.2, 0.3), np.float32)


def _shade(height: Float32, light: Lighting) -> tuple[Float32, Float32]:
    """Diffuse factor and specular term of a height map in supersampled pixels (Blinn-Phong, one distant lamp)."""
    slope_x = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    slope_y = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    norm = 1 / np.sqrt(slope_x**2 + slope_y**2 + 1)
    lamp = np.array([0.62 * np.cos(light.azimuth_rad), 0.62 * np.sin(light.azimuth_rad), 0.78])
    half = lamp + np.array([0.0, 0.0, 1.0])  # the camera looks straight down
    half /= np.linalg.norm(half)
    diffuse = (-slope_x * lamp[0] - slope_y * lamp[1] + lamp[2]) * norm
    specular = np.clip((-slope_x * half[0] - slope_y * half[1] + half[2]) * norm, 0, 1) ** 40
    return np.clip(0.28 + 0.92 * diffuse, 0, 2).astype(np.float32), specular.astype(np.float32)


def _smudges(canvas: _Canvas, rng: np.random.Generator) -> Float32:
    """Oil and dust around 1.0, on good parts too: a detector must not take every blemish for a scratch."""
    cells = cv2.resize(rng.normal(0, 1, (7, 7)).astype(np.float32), (canvas.side, canvas.side), interpolation=cv2.INTER_CUBIC)
    factor = 1 + 0.04 * cells
    for _ in range(int(rng.integers(0, 4))):
        x, y, radius = rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7), rng.uniform(0.05, 0.16)
        spot = np.exp(-((canvas.x - x) ** 2 + (canvas.y - y) ** 2) / (2 * radius**2))
        factor = factor * (1 - rng.uniform(0.05, 0.22) * spot)
    return factor.astype(np.float32)


def _holes(spec: PartSpec, rng: np.random.Generator) -> tuple[tuple[float, float, float], ...]:
    design = DESIGNS[spec.kind]
    missing = int(rng.integers(0, len(design.holes))) if spec.label == "part_missing_hole" else -1
    return design.bores + tuple(hole for index, hole in enumerate(design.holes) if index != missing)


def render_part(spec: PartSpec, light: Lighting) -> Sprite:
    """Shade one part under one light.

    Raises:
        ValueError: the label or the kind is not one of ``LABELS`` and ``KINDS``.
    """
    if spec.label not in LABELS or spec.kind not in KINDS:
        raise ValueError(f"no part {spec.label!r} of kind {spec.kind!r}; choose from {LABELS} and {KINDS}")
    canvas, design = _Canvas.of(spec), DESIGNS[spec.kind]
    # Separate random streams: with the same seed, a good and a bad part have the same surface and differ in the defect only.
    surface, defect = np.random.default_rng([spec.seed, 0]), np.random.default_rng([spec.seed, 1])
    body = design.outline(canvas)
    open_area = np.zeros_like(body)
    for x, y, radius in _holes(spec, defect):
        open_area = np.maximum(open_area, canvas.disc(x, y, radius))
    metal = body * (1 - open_area)

    bevel = 0.045 * canvas.scale
    edge = np.asarray(cv2.distanceTransform((metal > 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    height = bevel * 0.9 * _step(edge, 0.5 * bevel, bevel) + 0.05 * canvas.scale * design.relief(canvas)
    depth = _scratch(canvas, metal, defect) if spec.label == "part_scratched" else np.zeros_like(metal)
    diffuse, specular = _shade(np.asarray(cv2.GaussianBlur(height, (0, 0), 1.0) - 2.2 * depth, np.float32), light)

    albedo = np.asarray(METALS[spec.metal], np.float32) * spec.brightness
    tone = _texture(canvas, design.turned, light, surface) * _smudges(canvas, surface) * diffuse
    bare = float(defect.uniform(0.35, 0.65)) * (1 if defect.random() < 0.6 else -1)
    tone = tone * (1 + bare * depth)
    colour = tone[:, :, None] * albedo + (0.22 * specular)[:, :, None]
    # A hole is a dark well whose far wall catches some light.
    lit = (-np.cos(light.azimuth_rad), -np.sin(light.azimuth_rad))
    shifted = _shift(open_area, lit[0] * -0.05 * canvas.scale, lit[1] * -0.05 * canvas.scale)
    well = 0.035 + 0.16 * np.clip(open_area - shifted, 0, 1)
    colour = colour * (1 - open_area)[:, :, None] + (well * open_area)[:, :, None]
    return _sprite(colour, body, light, canvas)


def _shift(plane: Float32, dx: float, dy: float) -> Float32:
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(plane, move, (plane.shape[1], plane.shape[0])), np.float32)


def _reduce(plane: npt.NDArray[np.float32]) -> Float32:
    side = plane.shape[0] // _SUPERSAMPLING
    return np.asarray(cv2.resize(plane, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _sprite(colour: npt.NDArray[np.float32], body: Float32, light: Lighting, canvas: _Canvas) -> Sprite:
    reach = 0.07 * canvas.scale
    cast = _shift(body, -np.cos(light.azimuth_rad) * reach, -np.sin(light.azimuth_rad) * reach)
    shadow = light.shadow * cv2.GaussianBlur(cast, (0, 0), 0.05 * canvas.scale)
    keep = _reduce(((1 - shadow) * (1 - body)).astype(np.float32))
    add = _reduce((np.clip(colour, 0, 1.3) * body[:, :, None] * 255).astype(np.float32))
    rows, columns = np.nonzero(_reduce(body) >= 0.5)
    box = (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
    return Sprite(np.repeat(keep[:, :, None], 3, axis=2), add, box)
