"""From float weights to int8: one calibration that every format shares, so that all of them compute on the same grid.

Activations: asymmetric, one scale a tensor, measured on calibration frames; ReLU6 needs no operator of its own, saturation at
the grid's ends does it. Weights: symmetric, one scale a channel, int8 in -127..127. Bias: int32 at the product of both scales.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firmware_models.conveyor_inspector.network import LAYERS, Layer, Weights

IMAGE_SCALE = 1 / 255
SCORE_SCALE = 1 / 256
BOX_SCALE = 0.5  # pixels of the input: distances up to 127.5, found to a quarter of a pixel


@dataclass(frozen=True)
class Grid:
    """real = (stored - zero_point) * scale, stored as uint8; the same grid as int8 has a zero point 128 lower."""

    scale: float
    zero_point: int

    @classmethod
    def spanning(cls, low: float, high: float) -> Grid:
        """The grid of 256 points over ``low..high``, widened to hold an exact zero."""
        low, high = min(low, 0.0), max(high, 0.0)
        scale = max(high - low, 1e-6) / 255
        return cls(float(np.float32(scale)), int(np.clip(round(-low / scale), 0, 255)))


@dataclass(frozen=True)
class QuantizedLayer:
    """Weights of one layer: int8 OIHW, their scale per output channel, int32 bias and its scale per channel."""

    weight: npt.NDArray[np.int8]
    weight_scale: npt.NDArray[np.float32]
    bias: npt.NDArray[np.int32]
    bias_scale: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Quantized:
    """A quantized network: grids by tensor name ("image", every layer, "scores") and weights by layer name."""

    grids: dict[str, Grid]
    layers: dict[str, QuantizedLayer]


def _reach(layer: Layer, kernel: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Scale of each output channel: the value that 127 stands for.

    x86 without VNNI multiplies bytes in pairs of neighbouring input channels and clips their sum to 16 bits (``vpmaddubsw``):
    two weights of one sign that add up to more than 128 would clip at full activations, and detections would change from
    processor to processor. So the sum of a pair, not only the largest weight, must fit. Depthwise kernels are not computed so.
    """
    largest: npt.NDArray[np.float32] = np.abs(kernel).max(axis=(1, 2, 3))
    if layer.depthwise:
        return largest
    flat = kernel.reshape(len(kernel), -1)
    signed = [np.clip(sign * flat, 0, None) for sign in (1, -1)]
    if layer.kernel > 1:  # the order of the inputs is the runtime's choice: assume the two largest meet
        pairs = [np.sort(part, axis=1)[:, -2:].sum(axis=1) for part in signed]
    else:
        pairs = [(part[:, 0::2] + part[:, 1::2]).max(axis=1) for part in signed]
    return np.asarray(np.max([largest, *pairs], axis=0), np.float32)


def _quantize_layer(layer: Layer, weights: Weights, source: Grid) -> QuantizedLayer:
    kernel, bias = weights[f"{layer.name}/weight"], weights[f"{layer.name}/bias"]
    scale = np.maximum(_reach(layer, kernel), 1e-6).astype(np.float32) / np.float32(127)
    stored = np.clip(np.round(kernel / scale[:, None, None, None]), -127, 127).astype(np.int8)
    bias_scale = (scale * np.float32(source.scale)).astype(np.float32)
    limit = 2**31 - 1
    stored_bias = np.clip(np.round(bias / bias_scale.astype(np.float64)), -limit, limit).astype(np.int32)
    return QuantizedLayer(stored, scale, stored_bias, bias_scale)


def quantize(weights: Weights, ranges: dict[str, tuple[float, float]]) -> Quantized:
    """Quantize every layer, given the lowest and highest value that each layer's output took on calibration frames."""
    grids = {"image": Grid(IMAGE_SCALE, 0), "scores": Grid(SCORE_SCALE, 0)}
    for layer in LAYERS:
        grids[layer.name] = Grid(BOX_SCALE, 0) if layer.name == "boxes" else Grid.spanning(*ranges[layer.name])
    layers = {layer.name: _quantize_layer(layer, weights, grids[layer.source]) for layer in LAYERS}
    return Quantized(grids, layers)
