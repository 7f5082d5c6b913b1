"""Anomaly by reconstruction: an autoencoder reproduces data like its training data and fails on unusual data (Sakurada and Yairi,
"Anomaly Detection Using Autoencoders", 2014). The error is measured on the stored tensors: if input and output share their
quantization, nothing is dequantized."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Final

import cv2
import numpy as np

from edgefleet_agent.vision.detections import Classes, Detections, Floats
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    TensorSpec,
    check_family_params,
    find_output,
    number_param,
)
from edgefleet_agent.vision.heads.output_tensors import ELEMENTS_MAX, found_boxes, refusal
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

SQUARE_MAX: Final = 1e24
"""Limit of the squared error of one value."""


class ReconstructionHead(Head):
    """Output `reconstruction`, of the shape of the input: a picture [1, rows, columns, channels] (or channels first), or a series
    [1, points, channels] or [1, values].

    The score of an error e is e / (e + threshold): 0.5 at the threshold. The result for a picture is the regions of cells that
    reach the minimum score, as boxes of class 0; for a series, or a picture with `cell = 0`, two classes: 0 usual, 1 unusual.

    params:
        threshold  root mean square error from which a cell is unusual, in real values of the input tensor; required
        cell       pixels of a side of the square in which the error is averaged (default 16; 0: the whole picture)
        layout     nhwc or nchw (default: derived from the shape)
        scale      of quantized tensors whose runtime does not report it, such as OpenVINO (default 1)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["reconstruction"].input
    needs_input: ClassVar[bool] = True

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "reconstruction")
        if "threshold" not in context.params:
            raise ManifestError("head reconstruction: param 'threshold' is missing; measure the error on normal images first")
        self._threshold = number_param(context, "threshold", 0.0, 1e-9, 1e9)
        self._cell = int(number_param(context, "cell", 16, 0, 4096))
        given, made = context.input, find_output(context, "reconstruction", 0)
        if given is None or not _same_shape(given.shape, made.shape):
            shape = list(given.shape) if given is not None else []
            raise refusal("reconstruction", f"differs from the input, which has shape {shape}", (made,))
        if not _fits(made) or not _fits(given):
            raise refusal("reconstruction", "is no picture and no series of numbers: [1, ...]; check the model", (made,))
        if given.name == made.name:
            raise refusal("reconstruction", "has the name of the input; rename one of them", (made,))
        layout = context.params.get("layout", "nchw" if len(given.shape) == 4 and given.shape[1] in (1, 3) else "nhwc")
        if layout not in ("nhwc", "nchw"):
            raise ManifestError(f"head reconstruction: param 'layout' must be nhwc or nchw, got {layout!r}")
        self._names = (given.name, made.name)
        scale = number_param(context, "scale", 1.0, 1e-12, 1e6)
        self._quantities = (Quantity(given, scale), Quantity(made, scale))
        # Both tensors have the same 8-bit steps: the error is a whole number of steps.
        self._in_steps = (
            given.dtype == made.dtype
            and given.dtype.itemsize == 1
            and given.dtype.kind in "iu"
            and ((given.scale, given.zero_point) == (made.scale, made.zero_point))
        )
        self._unit = (given.scale or scale) if self._in_steps else 1.0
        self._picture = len(given.shape) == 4
        self._channels_at = 0 if layout == "nchw" else 2

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections | Classes:
        if not self._picture or not self._cell:
            ratio = self.deviation(outputs)
            return Classes(np.array([1, ratio], np.float32) / np.float32(1 + ratio))
        squares = self.squares(outputs)
        least = self._threshold * min_score / (1 - min_score) if min_score < 1 else math.inf
        cells = self._cells(squares[0])
        # The square of the minimum error, in stored steps: cells below it need no square root.
        least /= self._unit
        reached = cells >= least * least
        errors = np.minimum(np.sqrt(cells * reached) * self._unit, np.sqrt(SQUARE_MAX))
        return self._regions(np.asarray(errors, np.float32), reached)

    def deviation(self, outputs: Mapping[str, Array]) -> float:
        """Root mean square error of all values, as a multiple of the threshold."""
        return math.sqrt(float(self.squares(outputs).mean(dtype=np.float64))) * self._unit / self._threshold

    def squares(self, outputs: Mapping[str, Array]) -> Array:
        """Squared error of every value (float32), in real values, or in steps if both tensors have the same quantization.

        Raises:
            ManifestError: input and output have different shapes in this run, where the file leaves them open.
        """
        given, made = (outputs[name] for name in self._names)
        if given.shape != made.shape or not given.size or given.shape[0] != 1:
            shapes = f"{list(made.shape)}, the input {list(given.shape)}"
            raise ManifestError(f"head reconstruction: output {self._names[1]!r} has shape {shapes}; export fixed shapes")
        if not self._in_steps:
            squares = np.square(self._quantities[1].real(made) - self._quantities[0].real(given))
            # What is no number is as unusual as can be; the sum of all is still one.
            return np.asarray(np.minimum(np.nan_to_num(np.asarray(squares), copy=False, nan=SQUARE_MAX), SQUARE_MAX))
        if given.dtype == np.int8:  # the same steps, counted from the other end
            given, made = given.view(np.uint8) ^ 0x80, made.view(np.uint8) ^ 0x80
        steps = cv2.absdiff(given.reshape(len(given[0]), -1), made.reshape(len(given[0]), -1))
        return np.asarray(cv2.multiply(steps, steps, dtype=cv2.CV_32F)).reshape(given.shape)

    def _cells(self, squares: Array) -> Floats:
        """Mean of each cell (rows, columns); those at the right and lower edge may be smaller."""
        if self._channels_at:  # values of a row lie side by side, all channels
            height, width, channels = squares.shape
            planes = squares.reshape(1, height, width * channels)
        else:
            planes, height, width, channels = squares, squares.shape[1], squares.shape[2], 1
        down, across = np.arange(0, height, self._cell), np.arange(0, width, self._cell)
        # Sums over the short axis of channels would take ten times as long; a matrix product would use more than one thread.
        sums = sum(np.add.reduceat(np.add.reduceat(plane, across * channels, axis=1), down, axis=0) for plane in planes)
        heights, widths = np.diff(np.append(down, height)), np.diff(np.append(across, width))
        return np.asarray(sums / (np.outer(heights, widths) * (channels * len(planes))), np.float32)

    def _regions(self, errors: Floats, reached: Array) -> Detections:
        """Joins adjacent cells to regions; the score of a region is that of its worst cell."""
        count, parts, stats, _ = cv2.connectedComponentsWithStats(reached.astype(np.uint8), connectivity=8)
        left, top, width, height = (stats[1:, column] * self._cell for column in range(4))
        boxes = np.stack(
            [
                left,
                top,
                np.minimum(left + width, self.context.input_width),
                np.minimum(top + height, self.context.input_height),
            ],
            axis=1,
        )
        worst = np.zeros(count, np.float32)
        np.maximum.at(worst, np.asarray(parts, np.intp), errors)
        scores = worst[1:] / (worst[1:] + np.float32(self._threshold))
        order = np.argsort(-scores, kind="stable")
        return found_boxes(boxes[order], scores[order], np.zeros(count - 1, np.int32))


def _fits(spec: TensorSpec) -> bool:
    """Whether a tensor has numbers of one picture or series."""
    sound = spec.dtype.kind in "fiu" and math.isfinite(spec.scale) and spec.scale >= 0
    sizes = [max(side, 1) for side in spec.shape]
    return sound and spec.shape[0] in (1, -1) and 0 not in spec.shape and math.prod(sizes) <= ELEMENTS_MAX


def _same_shape(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    pairs = zip(first, second, strict=False)
    return len(first) == len(second) >= 2 and all(one == other or -1 in (one, other) for one, other in pairs)
