"""Converts a frame to a model's input tensor, and results back to coordinates of the frame.

A `Preprocessor` is compiled once from the manifest's input and the runtime's actual tensor. A `Workspace` holds one input tensor
and all scratch arrays, so that nothing is allocated per frame. Several threads may run one preprocessor, each with its own
workspace; while the runtime reads one workspace, the next frame is written into another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_agent.vision.image.pixel_formats import FrameKind, Painter, painter
from edgefleet_agent.vision.image.resize import Plane
from edgefleet_agent.vision.results import Keypoints, Mask, Result
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import InputSpec
from edgefleet_contract.package.pixel_scaling import Quantization, find_scaling, picture_fault, with_scaling

Array = npt.NDArray[Any]
Step = Callable[[], object]

SIDE_MAX = 8192
"""Widest or highest picture input that is accepted."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Position of a frame of `width` x `height` pixels in the model's input: input = frame * scale + offset, per axis."""

    width: int
    height: int
    scale_x: float
    scale_y: float
    offset_x: float = 0.0
    offset_y: float = 0.0

    def to_frame(self, boxes: Floats) -> Floats:
        """Boxes (n, 4) x1, y1, x2, y2 in pixels of the input to pixels of the frame, clipped to it."""
        offset = np.array([self.offset_x, self.offset_y] * 2, np.float32)
        scale = np.array([self.scale_x, self.scale_y] * 2, np.float32)
        limit = np.array([self.width, self.height] * 2, np.float32)
        clipped: Floats = np.clip((boxes - offset) / scale, np.float32(0), limit)
        return clipped

    def points_to_frame(self, points: Floats) -> Floats:
        """Points (..., 2) x, y in pixels of the input to pixels of the frame; those beyond its border stay there."""
        offset, scale = np.array([self.offset_x, self.offset_y], np.float32), np.array([self.scale_x, self.scale_y], np.float32)
        moved: Floats = np.divide(points - offset, scale, dtype=np.float32)
        return moved

    def place(self, result: Result, model: tuple[int, int]) -> Result:
        """Converts a head's result from pixels of an input of (width, height) to pixels of the frame."""
        if isinstance(result, Detections):
            parts = result.parts
            if parts is not None:
                offset, scale = (self.offset_x, self.offset_y), (self.scale_x, self.scale_y)
                parts = parts.moved(offset, scale, (self.width, self.height))
            return Detections(self.to_frame(result.boxes), result.scores, result.class_ids, parts=parts)
        if isinstance(result, Keypoints):
            return Keypoints(self.points_to_frame(result.points), result.scores, result.names, result.label)
        if isinstance(result, Mask):
            rows, columns = result.class_ids.shape
            across, down = columns / model[0], rows / model[1]
            left, top = round(self.offset_x * across), round(self.offset_y * down)
            right = round((self.offset_x + self.width * self.scale_x) * across)
            bottom = round((self.offset_y + self.height * self.scale_y) * down)
            seen = result.class_ids[top : max(bottom, top + 1), left : max(right, left + 1)]
            return Mask(seen, self.width, self.height)
        return result


def fit_geometry(fit: str, frame: tuple[int, int], model: tuple[int, int]) -> tuple[Geometry, tuple[slice, slice]]:
    """Places a frame of (width, height) in an input of (width, height). Returns the geometry, and the rows and columns that it
    fills."""
    width, height = frame
    if fit == "stretch":
        across, down = model
    else:
        ratio = min(model[0] / width, model[1] / height)
        across, down = max(1, int(width * ratio)), max(1, int(height * ratio))
    centred = fit == "letterbox"
    left, top = ((model[0] - across) // 2, (model[1] - down) // 2) if centred else (0, 0)
    geometry = Geometry(width, height, across / width, down / height, left, top)
    return geometry, (slice(top, top + down), slice(left, left + across))


class Workspace:
    """One input tensor and the scratch arrays for filling it. Made by `Preprocessor.workspace`, used by one thread at a time."""

    __slots__ = ("canvas", "geometry", "kind", "painter", "steps", "tensor")

    def __init__(self, tensor: Array, canvas: Plane, steps: tuple[Step, ...]) -> None:
        self.tensor = tensor
        self.canvas = canvas
        self.steps = steps
        self.kind: FrameKind | None = None
        self.painter: Painter | None = None
        self.geometry: Geometry | None = None


class Preprocessor:
    """Converts frames to the input `tensor` by `spec`. Its own `tensor` has the quantization of the manifest where the runtime
    reports none.

    Raises:
        ManifestError: the manifest's input does not fit the tensor, or is no picture.
    """

    def __init__(self, spec: InputSpec, tensor: TensorSpec) -> None:
        self._spec = spec
        self.tensor = tensor = tensor if tensor.scale else replace(tensor, scale=spec.scale, zero_point=spec.zero_point)
        self._channels = 1 if spec.color == "gray" else 3
        self.dtype = tensor.dtype
        self.shape = _shape(spec, tensor)
        self.height, self.width = self.shape[1:3] if spec.layout == "nhwc" else self.shape[2:4]
        if max(self.height, self.width) > SIDE_MAX:
            raise ManifestError(f"input {tensor.name!r} of {self.width} x {self.height} pixels exceeds the limit of {SIDE_MAX}")
        scaled = bool(spec.mean or spec.std) and tensor.dtype.kind != "f"
        mean, std = _scaling(spec, self._channels)
        self._table = _stored_values(mean, std, tensor) if scaled else None
        self._factor, self._bias = _affine(mean, std)

    def workspace(self, into: Array | None = None) -> Workspace:
        """A new workspace; `into`: a C-contiguous array of the input's shape and type to be filled, such as a row of a batch."""
        tensor = np.empty(self.shape, self.dtype) if into is None else into
        if tensor.shape != self.shape or tensor.dtype != self.dtype:
            raise ValueError(f"expected {self.shape} {self.dtype}, got {tensor.shape} {tensor.dtype}")
        interleaved = self._spec.layout == "nhwc" or self._channels == 1
        size = (self.height, self.width) if self._channels == 1 else (self.height, self.width, 3)
        if interleaved and self.dtype == np.uint8 and self._table is None:
            return Workspace(tensor, tensor.reshape(size), ())
        canvas = np.empty(size, np.uint8)
        return Workspace(tensor, canvas, self._steps(tensor, canvas, interleaved))

    def run(self, frame: Frame, workspace: Workspace) -> Geometry:
        """Fill the workspace's tensor from `frame`.

        Raises:
            ValueError: the planes do not have the size that the frame states.
        """
        kind = FrameKind.of(frame)
        if kind != workspace.kind or workspace.painter is None or workspace.geometry is None:
            workspace.geometry, where = fit_geometry(self._spec.fit, (frame.width, frame.height), (self.width, self.height))
            workspace.canvas[:] = self._spec.pad
            workspace.painter = painter(kind, self._spec.color, self._spec.resize, workspace.canvas[where])
            workspace.kind = kind
        workspace.painter.paint(frame)
        for step in workspace.steps:
            step()
        return workspace.geometry

    def _steps(self, tensor: Array, canvas: Plane, interleaved: bool) -> tuple[Step, ...]:
        """Steps from the painted canvas (h, w[, 3]) to the tensor; all allocations are done here."""
        if self._table is not None:
            return _table_steps(self._table, tensor, canvas, interleaved)
        signed, factor, bias = self.dtype == np.int8, self._factor, self._bias
        if interleaved:
            stored = tensor.reshape(canvas.shape)
            if signed:
                return (partial(_shift, canvas, stored.view(np.uint8)),)
            if factor is None:
                return (partial(np.copyto, stored, canvas),)
            # Rows of w * 3 factors: a broadcast over 3 channels alone would give NumPy an inner loop of length 3.
            rows, pixels = stored.reshape(self.height, -1), canvas.reshape(self.height, -1)
            return (partial(_scale, pixels, np.tile(factor, self.width), np.tile(bias, self.width), rows),)
        stored = tensor[0]
        if self.dtype.itemsize == 1:
            planes = stored.view(np.uint8)
            split = partial(cv2.split, canvas, list(planes))
            return (split, partial(_shift, planes, planes)) if signed else (split,)
        planes = np.empty(stored.shape, np.uint8)
        split = partial(cv2.split, canvas, list(planes))
        if factor is None:
            return split, partial(np.copyto, stored, planes)
        return split, partial(_scale, planes, factor.reshape(3, 1, 1), bias.reshape(3, 1, 1), stored)


def picture_input(usual: InputSpec, tensor: TensorSpec) -> InputSpec:
    """Default preprocessing for a model file without a manifest: shape, type and order from its tensor, the scaling of a
    quantized one as `find_scaling` chooses it, the rest from the head.

    Raises:
        ManifestError: the tensor is no picture of one or three channels, or of a type or batch that no picture fits.
    """
    shape = tensor.shape
    if len(shape) == 4 and (fault := picture_fault(repr(tensor.name), shape, str(tensor.dtype))):
        raise ManifestError(fault)
    if len(shape) == 4 and (shape[3] in (1, 3) or shape[1] in (1, 3)):
        nhwc = shape[3] in (1, 3)
        channels = shape[3] if nhwc else shape[1]
        spec = msgspec.structs.replace(
            usual,
            name=tensor.name,
            shape=list(shape),
            dtype=str(tensor.dtype),
            layout="nhwc" if nhwc else "nchw",
            color="gray" if channels == 1 else usual.color,
        )
        if tensor.dtype.kind == "f":
            return spec
        stored = Quantization(str(tensor.dtype), tensor.scale, tensor.zero_point)
        return with_scaling(spec, find_scaling(spec, stored).scaling, stored)
    raise ManifestError(f"input {tensor.name!r} of shape {list(shape)} is not an image; write a model.toml and use --package")


def _shape(spec: InputSpec, tensor: TensorSpec) -> tuple[int, ...]:
    """The concrete shape: the tensor's, its open dimensions from the manifest, an open batch taken as 1."""
    given = spec.shape or list(tensor.shape)
    name, channels = tensor.name, 1 if spec.color == "gray" else 3
    if spec.kind == "image" and len(tensor.shape) == 4 and (fault := picture_fault(repr(name), tensor.shape, str(tensor.dtype))):
        raise ManifestError(fault)
    fits = len(given) == len(tensor.shape) == 4 and all(b in (-1, a) or a == -1 for a, b in zip(given, tensor.shape, strict=True))
    if spec.kind != "image" or not fits:
        raise ManifestError(f"input {name!r}: the manifest says {spec.kind} {given}, the model has {list(tensor.shape)}")
    if np.dtype(spec.dtype) != tensor.dtype:
        raise ManifestError(f"input {name!r}: the manifest says {spec.dtype}, the model has {tensor.dtype}")
    shape = tuple(a if b == -1 else b for a, b in zip(given, tensor.shape, strict=True))
    shape = (1 if shape[0] == -1 else shape[0], *shape[1:])
    depth = shape[3] if spec.layout == "nhwc" else shape[1]
    if shape[0] != 1 or depth != channels or min(shape) < 1:
        raise ManifestError(f"input {name!r}: {list(shape)} is not one {spec.layout} image in {spec.color}")
    return shape


def _scaling(spec: InputSpec, channels: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Mean and std of each channel."""
    mean, std = (np.asarray(values or [default], np.float64) for values, default in ((spec.mean, 0.0), (spec.std, 1.0)))
    if mean.size not in (1, channels) or std.size not in (1, channels) or not np.all(np.isfinite(mean)) or not np.all(std > 0):
        raise ManifestError(f"input: mean {spec.mean} and std {spec.std} need 1 or {channels} finite numbers, std above 0")
    return np.broadcast_to(mean, channels), np.broadcast_to(std, channels)


def _affine(mean: npt.NDArray[np.float64], std: npt.NDArray[np.float64]) -> tuple[Floats | None, Floats]:
    """Factor and bias of (pixel - mean) / std = pixel * factor + bias; factor None if pixels are used unchanged."""
    factor: Floats = (1 / std).astype(np.float32)
    bias: Floats = (-mean / std).astype(np.float32)
    plain = bool(np.all(factor == 1) and np.all(bias == 0))
    return (None if plain else factor), bias


def _stored_values(mean: npt.NDArray[np.float64], std: npt.NDArray[np.float64], tensor: TensorSpec) -> Array:
    """The stored value of each pixel value (256, channels; one column if all are equal): (pixel - mean) / std, divided by the
    scale and rounded half to even, plus the zero point, clipped to the type."""
    if not tensor.scale:
        raise ManifestError(
            f"input {tensor.name!r} is {tensor.dtype}, and neither file nor manifest has its quantization; specify scale and"
            " zero_point, or remove mean and std"
        )
    limits = np.iinfo(tensor.dtype)
    if not np.isfinite(tensor.scale) or not limits.min <= tensor.zero_point <= limits.max:
        given = f"scale {tensor.scale} and zero point {tensor.zero_point}"
        raise ManifestError(f"input {tensor.name!r}: {given} are not of {tensor.dtype}; correct the manifest")
    real = (np.arange(256)[:, None] - mean) / std
    table: Array = np.clip(np.rint(real / tensor.scale) + tensor.zero_point, limits.min, limits.max).astype(tensor.dtype)
    return table[:, :1] if np.all(table == table[:, :1]) else table


def _table_steps(table: Array, tensor: Array, canvas: Plane, interleaved: bool) -> tuple[Step, ...]:
    """Steps that look up every pixel of the canvas; the border of a letterbox is painted once, so the canvas stays as it is."""
    columns = [np.ascontiguousarray(column) for column in table.T]
    if interleaved and len(columns) == 1:
        return (partial(cv2.LUT, canvas, columns[0], tensor.reshape(canvas.shape)),)
    # OpenCV takes half the time for three planes with a table each as for pixels with three tables.
    planes = np.empty((canvas.shape[2], *canvas.shape[:2]), np.uint8)
    stored = np.empty(planes.shape, tensor.dtype) if interleaved else tensor[0]
    lookups = [partial(cv2.LUT, plane, columns[number % len(columns)], stored[number]) for number, plane in enumerate(planes)]
    steps: list[Step] = [partial(cv2.split, canvas, list(planes)), *lookups]
    if interleaved:
        steps.append(partial(cv2.merge, list(stored), tensor.reshape(canvas.shape)))
    return tuple(steps)


def _shift(pixels: Plane, stored: Plane) -> None:
    """Writes pixel - 128 as int8: the pixel's bits with the highest one flipped."""
    np.bitwise_xor(pixels, 0x80, out=stored)


def _scale(pixels: Plane, factor: Array, bias: Array, into: Array) -> None:
    np.multiply(pixels, factor, out=into, casting="unsafe")
    np.add(into, bias, out=into, casting="unsafe")
