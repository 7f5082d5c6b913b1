"""The network as data: one list of layers that the trainer, the ONNX writer and the TFLite writer all read.

A fully convolutional, anchor-free detector of one output level (after FCOS, Tian et al. 2019, without centre-ness):
every cell of a 12 x 16 grid scores the classes of the part whose centre lies there and gives the distances from the
cell's centre to the four sides of its box.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LABELS = ("part_ok", "part_scratched", "part_missing_hole")
INPUT_HEIGHT, INPUT_WIDTH = 192, 256
STRIDE = 16
GRID_HEIGHT, GRID_WIDTH = INPUT_HEIGHT // STRIDE, INPUT_WIDTH // STRIDE

Weights = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Layer:
    """One convolution. ``activation`` is "relu6", "relu" or "none"; padding is TensorFlow's SAME."""

    name: str
    source: str
    channels_in: int
    channels_out: int
    kernel: int
    stride: int
    depthwise: bool
    activation: str

    @property
    def padding(self) -> tuple[int, int]:
        """Pixels added before and after each axis. Sizes here are even, so stride 2 pads one side only, as SAME does."""
        total = self.kernel - self.stride if self.stride > 1 else self.kernel - 1
        return total // 2, total - total // 2

    @property
    def weight_shape(self) -> tuple[int, int, int, int]:
        """OIHW; depthwise kernels have one input channel."""
        return self.channels_out, 1 if self.depthwise else self.channels_in, self.kernel, self.kernel


def _separable(name: str, source: str, channels_in: int, channels_out: int, stride: int) -> list[Layer]:
    return [
        Layer(f"{name}_dw", source, channels_in, channels_in, 3, stride, True, "relu6"),
        Layer(f"{name}_pw", f"{name}_dw", channels_in, channels_out, 1, 1, False, "relu6"),
    ]


def _layers() -> tuple[Layer, ...]:
    layers = [Layer("stem", "image", 3, 16, 3, 2, False, "relu6")]
    for index, (channels, stride) in enumerate(
        [(32, 2), (32, 1), (64, 2), (64, 1), (64, 1), (128, 2), (128, 1), (128, 1), (128, 1)]
    ):
        layers += _separable(f"block{index + 1}", layers[-1].name, layers[-1].channels_out, channels, stride)
    trunk, width = layers[-1].name, layers[-1].channels_out
    layers += _separable("class", trunk, width, 96, 1)
    layers.append(Layer("logits", "class_pw", 96, len(LABELS), 1, 1, False, "none"))
    layers += _separable("side", trunk, width, 64, 1)
    layers.append(Layer("boxes", "side_pw", 64, 4, 1, 1, False, "relu"))
    return tuple(layers)


LAYERS = _layers()


def spatial_sizes() -> dict[str, tuple[int, int]]:
    """Height and width of every layer's output, by name; "image" is the input."""
    sizes = {"image": (INPUT_HEIGHT, INPUT_WIDTH)}
    for layer in LAYERS:
        height, width = sizes[layer.source]
        sizes[layer.name] = (height // layer.stride, width // layer.stride)
    return sizes


def multiply_accumulates() -> int:
    """Multiply-accumulate operations of one inference."""
    sizes = spatial_sizes()
    return sum(int(np.prod(layer.weight_shape)) * sizes[layer.name][0] * sizes[layer.name][1] for layer in LAYERS)


def load_weights(path: str) -> Weights:
    """Read ``NAME/weight`` (OIHW) and ``NAME/bias`` of every layer, batch normalization already folded in.

    Raises:
        ValueError: an array is missing or has the wrong shape.
    """
    with np.load(path) as stored:
        weights = {name: stored[name].astype(np.float32) for name in stored.files}
    for layer in LAYERS:
        for name, shape in ((f"{layer.name}/weight", layer.weight_shape), (f"{layer.name}/bias", (layer.channels_out,))):
            if name not in weights or weights[name].shape != shape:
                raise ValueError(f"{path}: {name} is missing or not of shape {shape}; train again")
    return weights
