"""Windows of simulated machines as the pictures that the network sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from edgefleet_agent.signal.spectrogram import Spectrogram
from firmware_models.bearing_anomaly.simulate import LABELS, machine, vibration

PICTURE = Spectrogram(points=64, hop=16)
HEIGHT, WIDTH = 32, 128
POINTS = 64 + 16 * (WIDTH - 1)
"""2096 points at 8 kHz: 0.262 s, six turns of the shaft."""
TRAIN_SEED, CALIBRATION_SEED, TEST_SEED, GOLDEN_SEED = 1_000, 500_000, 700_000, 900_000


@dataclass(frozen=True)
class Windows:
    """pictures (n, HEIGHT, WIDTH) uint8, classes (n,), severities (n,): 0 of a healthy one."""

    pictures: npt.NDArray[np.uint8]
    classes: npt.NDArray[np.int64]
    severities: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.classes)


def render(seed: int, machines: int, per_machine: int) -> Windows:
    """`machines` of each class, with so many windows of each. No two seeds below a thousand apart share a machine."""
    pictures, classes, severities = [], [], []
    for number in range(machines):
        for index, label in enumerate(LABELS):
            dice = np.random.default_rng([seed, number, index])
            one = machine(dice)
            for _ in range(per_machine):
                pictures.append(PICTURE(vibration(dice, one, label, POINTS)))
                classes.append(index)
                severities.append(one.severity if index else 0.0)
    return Windows(np.stack(pictures), np.array(classes), np.array(severities))
