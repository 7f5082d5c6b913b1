"""Rendered frames as training and test material: many lines, many lights, seeds that never overlap between sets."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_server.simulate.conveyor.parts import KINDS
from edgefleet_server.simulate.conveyor.scene import ConveyorPart, Scene, Style, random_style
from firmware_models.conveyor_inspector.network import INPUT_HEIGHT, INPUT_WIDTH, LABELS

FULL_VIEW = 0.97  # a part counts once this share of its box is in view: before that a defect may be hidden
PARTIAL_VIEW = 0.7  # between the two a detector may speak or be silent
TRAIN_SEED, CALIBRATION_SEED, TEST_SEED, GOLDEN_SEED = 10_000_000, 20_000_000, 30_000_000, 40_000_000


@dataclass(frozen=True)
class Frames:
    """``images`` uint8 (n, 192, 256, 3) RGB; for each a float32 (m, 6) of x1, y1, x2, y2 in input pixels, class, visible.

    ``scratches`` uint8 (n, 24, 32): 1 in cells of 8 x 8 input pixels that hold some of a scratch; only the trainer reads it.
    """

    images: npt.NDArray[np.uint8]
    truths: list[npt.NDArray[np.float32]]
    scratches: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.truths)


def shrink(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A camera frame at the network's size, bilinear as the agent resizes."""
    return np.asarray(cv2.resize(image, (INPUT_WIDTH, INPUT_HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)


def boxes_of(parts: list[ConveyorPart], width: int, height: int) -> npt.NDArray[np.float32]:
    """Truth of one frame of ``width`` x ``height`` in input pixels, as ``Frames`` keeps it."""
    rows = [(*part.box_xyxy, LABELS.index(part.label), part.visible) for part in parts]
    boxes = np.asarray(rows, np.float32).reshape(-1, 6)
    boxes[:, [0, 2]] *= INPUT_WIDTH / width
    boxes[:, [1, 3]] *= INPUT_HEIGHT / height
    return boxes


def scratch_cells(mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """1 in each of 24 x 32 cells of which at least a twentieth is scratch."""
    share = cv2.resize(mask.astype(np.float32), (INPUT_WIDTH // 8, INPUT_HEIGHT // 8), interpolation=cv2.INTER_AREA)
    return np.asarray(share >= 0.05, np.uint8)


def render(first_seed: int, scenes: int, per_scene: int, *, variety: float, narrow: bool = False) -> Frames:
    """``per_scene`` random moments of each of ``scenes`` cameras.

    ``variety`` is the most that a camera's light strays (each draws its own share of it); ``narrow`` keeps to one belt
    and two metals, as a first version trained on one line would have seen.
    """
    images, truths, scratches = [], [], []
    for seed in range(first_seed, first_seed + scenes):
        rng = np.random.default_rng([seed, 99])
        style = Style("LINE 1", KINDS, ("steel", "zinc"), "slats") if narrow else random_style(rng)
        light = variety if narrow else float(rng.uniform(0.2, 1.0) * variety)
        scene = Scene(seed, style=style, variety=light, defects=0.62)
        for index in rng.choice(scene.period, per_scene, replace=False):
            image, parts = scene.frame(int(index))
            images.append(shrink(image))
            truths.append(boxes_of(parts, scene.width, scene.height))
            scratches.append(scratch_cells(scene.defects(int(index), "part_scratched")))
    return Frames(np.stack(images), truths, np.stack(scratches))


def cell_frames(scenes: int = 75, per_scene: int = 4) -> Frames:
    """Held-out frames of well-kept inspection cells (light strays little)."""
    return render(TEST_SEED, scenes, per_scene, variety=0.25)


def factory_frames(scenes: int = 75, per_scene: int = 4) -> Frames:
    """Held-out frames of any factory: dark, bright, tinted, noisy, glaring, flickering."""
    return render(TEST_SEED + 500_000, scenes, per_scene, variety=1.0)


def calibration_frames() -> Frames:
    """Frames on which the quantizer measures activations: neither trained nor tested on."""
    return render(CALIBRATION_SEED, 12, 5, variety=1.0)
