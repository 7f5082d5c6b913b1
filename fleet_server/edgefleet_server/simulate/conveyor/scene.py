"""A fixed camera over a conveyor, rendered: parts pass, some scratched, some lacking a hole, and the truth is exact.

The demo, the tests and the training of ``firmware_models/conveyor_inspector`` all use this camera. A seed determines all
pixels: the same seed gives the same parts and frames. The belt advances a whole
number of texture periods in ``period`` frames, so a clip of that length loops without a seam.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from edgefleet_server.simulate.conveyor.belt import BELTS, SLAT_PITCH, Image, belt_texture, machine, rail_shade
from edgefleet_server.simulate.conveyor.lighting import Float32, Lighting
from edgefleet_server.simulate.conveyor.parts import KINDS, LABELS, METALS, PartSpec, Sprite, render_part

CROSSING_S = 3.0
OCCUPANCY = 0.86  # of the places on the belt; the rest are gaps
NOISE_PLANES = 8
SCAR_LEVELS = 12  # grey levels of 255 by which a pixel must differ to count as defect


@dataclass(frozen=True)
class ConveyorPart:
    """A part in one frame.

    ``box_xyxy`` is in pixels, right and bottom exclusive, clipped to the frame; ``visible`` is the share of the whole
    box that lies inside it; ``id`` stays with the part while it crosses and comes back when the clip loops.
    """

    label: str
    box_xyxy: tuple[int, int, int, int]
    id: int
    visible: float


@dataclass(frozen=True)
class Crossing:
    """The passage of one part: the frames (of one period) in which it appears, passes the middle, and has left."""

    id: int
    label: str
    kind: str
    enter_frame: int
    middle_frame: int
    leave_frame: int


@dataclass(frozen=True)
class Style:
    """Products of a production line: part kinds, metals, the belt, and whether it runs to the right."""

    name: str
    kinds: tuple[str, ...] = KINDS
    metals: tuple[str, ...] = ("steel", "zinc", "cast")
    belt: str = "slats"
    rightwards: bool = True


STYLES: dict[str, Style] = {
    "flanges": Style("LINE 1  FLANGES", ("flange",), ("steel",), "slats"),
    "gears": Style("LINE 2  GEARS", ("gear",), ("cast", "steel"), "weave", rightwards=False),
    "plates": Style("LINE 3  PLATES", ("plate",), ("zinc", "brass"), "rubber"),
    "mixed": Style("LINE 4  MIXED", KINDS, tuple(METALS), "cleats"),
}


def random_style(rng: np.random.Generator) -> Style:
    """A random realistic production line, for training and evaluation."""
    belt = str(rng.choice(list(BELTS)))
    return Style(f"LINE {int(rng.integers(1, 99))}", KINDS, tuple(METALS), belt, bool(rng.random() < 0.5))


@dataclass(frozen=True)
class _Placed:
    """A part on the belt: where its centre lies along the belt (pixels of travel) and across the frame (row)."""

    id: int
    spec: PartSpec
    travel: int
    row: int


class Scene:
    """One camera. ``frame(i)`` costs a few milliseconds; sprites are shaded at their first use and cached."""

    def __init__(
        self,
        seed: int,
        *,
        width: int = 640,
        height: int = 480,
        fps: float = 15.0,
        seconds: float = 20.0,
        style: str | Style = "mixed",
        lighting: Lighting | None = None,
        variety: float = 0.15,
        defects: float = 0.4,
    ) -> None:
        """Lay out the line; nothing is drawn yet.

        ``seconds`` is the length of one period (at least 5); ``variety`` (0..1) draws the light when ``lighting`` is
        not given; ``defects`` is the share of bad parts, divided evenly between the two defects.

        Raises:
            ValueError: a size, rate, period, style or share is out of range.
        """
        if width < 160 or height < 120 or width % 2 or height % 2:
            raise ValueError(f"frame size {width}x{height} is not even and at least 160x120")
        if not 1 <= fps <= 120 or not 5 <= seconds <= 600:
            raise ValueError(f"fps {fps} must be 1..120 and seconds {seconds} 5..600")
        if not 0 <= defects <= 1:
            raise ValueError(f"defects must be a share between 0 and 1, not {defects}")
        if isinstance(style, str) and style not in STYLES:
            raise ValueError(f"no style {style!r}; choose from {sorted(STYLES)}")
        self.seed, self.width, self.height, self.fps = seed, width, height, fps
        self.style = STYLES[style] if isinstance(style, str) else style
        self.period = round(fps * seconds)
        self.lighting = lighting or Lighting.draw(np.random.default_rng([seed, 1]), variety)
        self._unit = height / 480
        self._rail = round(58 * self._unit)
        self._reach = round(110 * self._unit)  # half of the largest sprite
        self._texture_width, self._turns = self._belt_period()
        self._loop = self._texture_width * self._turns
        self._placed = self._schedule(np.random.default_rng([seed, 2]), defects)
        self._sprites: dict[int, Sprite] = {}
        self._scars: dict[int, Image] = {}

    def _belt_period(self) -> tuple[int, int]:
        """Texture width (whole slats, wider than a frame) and turns a period, for one part to cross in 3 s."""
        travel = (self.width + 2 * 70 * self._unit) / (CROSSING_S * self.fps) * self.period
        pitch = 2 * SLAT_PITCH * self._unit
        turns = max(1, int(travel // (1.2 * self.width)))
        return round(round(travel / turns / pitch) * pitch), turns

    def _schedule(self, rng: np.random.Generator, defects: float) -> tuple[_Placed, ...]:
        spacing = 225 * self._unit
        slots = max(1, int(self._loop // spacing))
        count = max(1, round(slots * OCCUPANCY))
        bad = round(count * defects)
        labels = [LABELS[1 + index % 2] for index in range(bad)] + [LABELS[0]] * (count - bad)
        rng.shuffle(labels)
        slot = self._loop / slots
        belt_height = self.height - 2 * self._rail
        placed = []
        taken = np.sort(rng.choice(slots, count, replace=False)).tolist()
        for number, (index, label) in enumerate(zip(taken, labels, strict=True)):
            radius = float(rng.uniform(62, 76) * self._unit)
            room = belt_height / 2 - radius * 1.22
            spec = PartSpec(
                label=label,
                kind=str(rng.choice(self.style.kinds)),
                metal=str(rng.choice(self.style.metals)),
                radius=radius,
                angle_rad=float(rng.uniform(0, 2 * np.pi)),
                brightness=float(rng.uniform(0.88, 1.12)),
                seed=int(rng.integers(0, 2**31)),
            )
            # Slots leave at least 40 pixels between neighbours: this is a singulated line, parts never touch.
            travel = int((index + 0.5) * slot + rng.uniform(-0.5, 0.5) * max(0.0, slot - spacing + 20 * self._unit))
            placed.append(_Placed(number, spec, travel, round(self.height / 2 + rng.uniform(-1, 1) * max(0.0, room))))
        return tuple(placed)

    @cached_property
    def _belt(self) -> Image:
        """The texture, extended by one frame width so that any offset is one slice; rails' shadow included."""
        rng = np.random.default_rng([self.seed, 3])
        height = self.height - 2 * self._rail
        texture = belt_texture(self.style.belt, self._texture_width, height, self._unit, rng)
        shaded = texture * rail_shade(height, self._unit, self.lighting.azimuth_rad)
        wide = np.tile(shaded, (1, 1 + -(-self.width // self._texture_width), 1))
        return np.ascontiguousarray(wide[:, : self._texture_width + self.width].astype(np.uint8))

    @cached_property
    def _machine(self) -> tuple[Image, Image]:
        return machine(self.width, self.height, self._rail, self.style.name, np.random.default_rng([self.seed, 4]))

    @cached_property
    def _light(self) -> Float32:
        return self.lighting.field(self.width, self.height)

    @cached_property
    def _noise(self) -> tuple[Image, Image]:
        """Sensor noise as what to add and what to take away, taller than a frame so that slices differ."""
        rng = np.random.default_rng([self.seed, 5])
        grain = rng.normal(0, self.lighting.noise, (self.height + 8 * NOISE_PLANES, self.width, 3))
        return np.clip(np.round(grain), 0, 255).astype(np.uint8), np.clip(np.round(-grain), 0, 255).astype(np.uint8)

    def _moved(self, index: int) -> int:
        return (self._loop * (index % self.period)) // self.period

    def _centre_x(self, placed: _Placed, index: int) -> int:
        x = (self._moved(index) - placed.travel) % self._loop - self._reach
        return x if self.style.rightwards else self.width - 1 - x

    def _sprite(self, placed: _Placed) -> Sprite:
        if placed.id not in self._sprites:
            self._sprites[placed.id] = render_part(placed.spec, self.lighting)
        return self._sprites[placed.id]

    def _in_view(self, index: int) -> list[_Placed]:
        return [p for p in self._placed if -self._reach < self._centre_x(p, index) < self.width + self._reach]

    def _corner(self, placed: _Placed, index: int) -> tuple[int, int]:
        """Left and top of the sprite in the frame."""
        half = self._sprite(placed).side // 2
        return self._centre_x(placed, index) - half, placed.row - half

    def _box(self, placed: _Placed, index: int) -> tuple[int, int, int, int]:
        """The whole box, not clipped."""
        (left, top), (x1, y1, x2, y2) = self._corner(placed, index), self._sprite(placed).box
        return left + x1, top + y1, left + x2, top + y2

    def truth(self, index: int) -> list[ConveyorPart]:
        """The parts of frame ``index`` of which at least one pixel column is in view, by id."""
        parts = []
        for placed in self._in_view(index):
            x1, y1, x2, y2 = self._box(placed, index)
            left, right = max(0, x1), min(self.width, x2)
            if left < right:
                visible = (right - left) / (x2 - x1)
                parts.append(ConveyorPart(placed.spec.label, (left, y1, right, y2), placed.id, visible))
        return parts

    def _paste(self, canvas: Image, placed: _Placed, index: int) -> None:
        sprite, (left, top) = self._sprite(placed), self._corner(placed, index)
        x1, x2 = max(0, left), min(self.width, left + sprite.side)
        y1, y2 = max(self._rail, top), min(self.height - self._rail, top + sprite.side)
        if x1 >= x2 or y1 >= y2:
            return
        inside = np.s_[y1 - top : y2 - top, x1 - left : x2 - left]
        region = canvas[y1:y2, x1:x2]
        blended = cv2.multiply(region, sprite.keep[inside], dtype=cv2.CV_32F) + sprite.add[inside]
        canvas[y1:y2, x1:x2] = np.minimum(blended, 255)

    def frame(self, index: int) -> tuple[Image, list[ConveyorPart]]:
        """Frame ``index`` (any integer from 0; repeats after ``period``): RGB uint8 (height, width, 3), and its truth."""
        if index < 0:
            raise ValueError(f"frame index {index} is negative")
        index %= self.period
        canvas = np.empty((self.height, self.width, 3), np.uint8)
        moved = self._moved(index) % self._texture_width
        offset = (self._texture_width - moved) % self._texture_width if self.style.rightwards else moved
        canvas[self._rail : self.height - self._rail] = self._belt[:, offset : offset + self.width]
        canvas[: self._rail], canvas[self.height - self._rail :] = self._machine
        for placed in self._in_view(index):
            self._paste(canvas, placed, index)
        lit = cv2.multiply(canvas, self._light, scale=self.lighting.flicker_at(index, self.period), dtype=cv2.CV_8U)
        more, less = self._noise
        row = 8 * ((index * 5) % NOISE_PLANES)
        noisy = cv2.subtract(cv2.add(lit, more[row : row + self.height]), less[row : row + self.height])
        return np.asarray(noisy, np.uint8), self.truth(index)

    def _scar(self, placed: _Placed) -> Image:
        """1 where the defect changed the part's sprite, against the same part without it."""
        if placed.id not in self._scars:
            good = render_part(replace(placed.spec, label=LABELS[0]), self.lighting)
            change = np.abs(self._sprite(placed).add - good.add).max(axis=2)
            self._scars[placed.id] = (change > SCAR_LEVELS).astype(np.uint8)
        return self._scars[placed.id]

    def defects(self, index: int, label: str) -> Image:
        """Mask of the defects of ``label`` in frame ``index``: uint8 (height, width), 1 on it, 0 elsewhere."""
        mask = np.zeros((self.height, self.width), np.uint8)
        for placed in self._in_view(index):
            if placed.spec.label == label:
                scar, (left, top) = self._scar(placed), self._corner(placed, index)
                x1, x2 = max(0, left), min(self.width, left + scar.shape[1])
                y1, y2 = max(0, top), min(self.height, top + scar.shape[0])
                if x1 < x2 and y1 < y2:
                    mask[y1:y2, x1:x2] |= scar[y1 - top : y2 - top, x1 - left : x2 - left]
        return mask

    def frames(self, count: int | None = None) -> Iterator[tuple[Image, list[ConveyorPart]]]:
        """``count`` frames from the first, one period when not given."""
        for index in range(self.period if count is None else count):
            yield self.frame(index)

    def crossings(self) -> list[Crossing]:
        """Every part of one period in the order in which it passes the middle of the frame; frames are modulo it."""
        found = []
        for placed in self._placed:
            x = np.array([self._centre_x(placed, index) for index in range(self.period)])
            ahead = x if self.style.rightwards else self.width - 1 - x
            # ``ahead`` rises with time and wraps once; the first frame at or past a mark is the smallest value there.
            half = (self._sprite(placed).box[2] - self._sprite(placed).box[0]) / 2

            def first(mark: float, ahead: np.ndarray = ahead) -> int:
                return int(np.argmin(np.where(ahead >= mark, ahead, np.iinfo(np.int64).max)))

            marks = (first(-half), first(self.width / 2), first(self.width + half))
            found.append(Crossing(placed.id, placed.spec.label, placed.spec.kind, *marks))
        return sorted(found, key=lambda crossing: crossing.middle_frame)
