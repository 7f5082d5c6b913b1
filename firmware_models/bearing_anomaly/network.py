"""The network as data: convolutions only, the last ones as wide as what is left, so that every format needs one operator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firmware_models.bearing_anomaly.simulate import LABELS
from firmware_models.bearing_anomaly.windows import HEIGHT, WIDTH

Weights = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Layer:
    """One convolution. same: padded as TensorFlow's SAME, else not at all. relu6: its activation, else none."""

    name: str
    channels_in: int
    channels_out: int
    kernel: tuple[int, int]
    stride: int
    same: bool = True
    relu6: bool = True

    @property
    def pads(self) -> tuple[int, int, int, int]:
        """Top, left, bottom, right. Sizes are even wherever the stride is two, so one side only is padded, as SAME does."""
        if not self.same:
            return 0, 0, 0, 0
        total = self.kernel[0] - self.stride
        return total // 2, total // 2, total - total // 2, total - total // 2


LAYERS = (
    Layer("wide", 1, 16, (3, 3), 2),
    Layer("half", 16, 24, (3, 3), 2),
    Layer("quarter", 24, 32, (3, 3), 2),
    Layer("eighth", 32, 48, (3, 3), 2),
    Layer("whole", 48, 48, (2, 8), 1, same=False),
    Layer("logits", 48, len(LABELS), (1, 1), 1, relu6=False),
)


def sizes() -> dict[str, tuple[int, int]]:
    """Height and width of every layer's output."""
    height, width, found = HEIGHT, WIDTH, {}
    for layer in LAYERS:
        if layer.same:
            height, width = height // layer.stride, width // layer.stride
        else:
            height, width = height - layer.kernel[0] + 1, width - layer.kernel[1] + 1
        found[layer.name] = (height, width)
    return found


def multiply_accumulates() -> int:
    """Of one window."""
    return sum(
        layer.channels_in * layer.channels_out * layer.kernel[0] * layer.kernel[1] * rows * columns
        for layer, (rows, columns) in zip(LAYERS, sizes().values(), strict=True)
    )


def load_weights(path: str) -> Weights:
    """`NAME/weight` (out, in, rows, columns) and `NAME/bias` of every layer, normalization folded in.

    Raises:
        ValueError: an array is missing or has another shape.
    """
    with np.load(path) as stored:
        weights = {name: stored[name].astype(np.float32) for name in stored.files}
    for layer in LAYERS:
        shapes = {
            f"{layer.name}/weight": (layer.channels_out, layer.channels_in, *layer.kernel),
            f"{layer.name}/bias": (layer.channels_out,),
        }
        for name, shape in shapes.items():
            if weights.get(name, np.empty(0)).shape != shape:
                raise ValueError(f"{path}: {name} should be {shape}")
    return weights
