"""Scaling of pixels for quantized picture inputs.

A quantized tensor stores real = (stored - zero_point) * scale. A model was trained on real = (pixel - mean) / std. An input of
whole numbers gets the pixel unchanged (`pixel - 128` for int8), which is right where both agree. Where they do not, the manifest
needs mean and std, and the stored value is `round(((pixel - mean) / std) / scale) + zero_point`, clipped to the type.

No model file without metadata has mean and std: `find_scaling` chooses the usual ones that fit the range of the tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from edgefleet_contract.package.manifest import InputSpec

LIMITS: dict[str, tuple[int, int]] = {"uint8": (0, 255), "int8": (-128, 127), "int32": (-(2**31), 2**31 - 1)}
"""Lowest and highest value of the types that are quantized."""
OFFSETS = {"int8": -128}
"""What is added to a pixel without mean and std, for types other than uint8."""
STEPS_MAX = 1.5
"""Difference in stored values up to which feeding the pixel equals the scaling: rounding of the zero point and of the range."""
BEYOND_MAX = 0.1
"""Part of the tensor's range by which pixels may exceed it: calibration clips rare values."""
FILLED_MIN = 0.25
"""Least part of the tensor's range that pixels of a scaling fill."""

PICTURE_TYPES = ("uint8", "int8", "float16", "float32", "int32")
"""Types of an input that pictures can be made into."""


def picture_fault(name: str, shape: Sequence[int], dtype: str) -> str:
    """The reason why no picture fits an input of a model file, by its type and its batch; empty if one does. -1 in `shape` is
    open."""
    if dtype not in PICTURE_TYPES:
        return (
            f"input {name} is {dtype}, which no frame can be made into; export it with one of {', '.join(PICTURE_TYPES)},"
            " and a Cast behind it"
        )
    if shape and shape[0] not in (-1, 1):
        return f"input {name} is {list(shape)}, {shape[0]} pictures in every run; export it with a batch of 1, or an open one"
    return ""


@dataclass(frozen=True, slots=True)
class Quantization:
    """Type, scale and zero point of a tensor; scale 0: not quantized, or unknown."""

    dtype: str
    scale: float = 0.0
    zero_point: int = 0

    @property
    def known(self) -> bool:
        """Whether stored values have a known real value."""
        return self.dtype in LIMITS and self.scale > 0


@dataclass(frozen=True, slots=True)
class Scaling:
    """real = (pixel - mean) / std, each one number, or one for each channel."""

    mean: tuple[float, ...] = (0.0,)
    std: tuple[float, ...] = (1.0,)

    @classmethod
    def of(cls, mean: Sequence[float], std: Sequence[float]) -> Scaling:
        """The scaling of a manifest's `mean` and `std`, which may be empty."""
        return cls(tuple(mean) or (0.0,), tuple(std) or (1.0,))

    def channels(self) -> list[tuple[float, float]]:
        """Mean and std of each channel."""
        count = max(len(self.mean), len(self.std))
        return [(self.mean[number % len(self.mean)], self.std[number % len(self.std)]) for number in range(count)]

    def reversed(self) -> Scaling:
        """The scaling for channels in reverse order."""
        return Scaling(self.mean[::-1], self.std[::-1])

    def gray(self) -> Scaling:
        """One number for all channels: the average."""
        return Scaling((sum(self.mean) / len(self.mean),), (sum(self.std) / len(self.std),))


RAW, UNIT, SIGNED, CENTRED = Scaling(), Scaling(std=(255.0,)), Scaling((127.5,), (127.5,)), Scaling((127.5,), (255.0,))
IMAGENET = Scaling((123.675, 116.28, 103.53), (58.395, 57.12, 57.375))
USUAL = (RAW, UNIT, SIGNED, IMAGENET, CENTRED)
"""Scalings that models are trained with: 0 to 255, 0 to 1, -1 to 1, the mean and deviation of ImageNet (RGB), -0.5 to 0.5."""

Source = Literal["unknown", "pixel", "stated", "family", "range"]


@dataclass(frozen=True, slots=True)
class Found:
    """The scaling of a quantized input. scaling: None if the pixel is fed as it is. source: `pixel`: a usual scaling equals
    feeding the pixel; `stated`: given by the file or the package; `family`, `range`: the usual one of the family, or the one that
    fills the tensor's range best; `unknown`: the tensor is not quantized, or none fits."""

    source: Source
    scaling: Scaling | None = None


def feeds_pixels(scaling: Scaling, tensor: Quantization) -> bool:
    """Whether the scaling stores for every pixel what is stored without mean and std, up to `STEPS_MAX`."""
    offset = OFFSETS.get(tensor.dtype, 0)
    return all(
        abs((pixel - mean) / std / tensor.scale + tensor.zero_point - (pixel + offset)) <= STEPS_MAX
        for mean, std in scaling.channels()
        for pixel in (0, 255)
    )


def find_scaling(usual: InputSpec, tensor: Quantization, stated: Scaling | None = None) -> Found:
    """The scaling of an input that is stored as `tensor`. usual: preprocessing of the family, with the color of the input.
    stated: the scaling that the file or the package gives, in the order of that color, taken if the tensor can store its pixels.

    Of scalings that the tensor can store, one that equals feeding the pixel is preferred, then that of the family.
    """
    if not tensor.known:
        return Found("unknown")
    if stated is not None and _part_filled(stated, tensor):
        return Found("stated", None if feeds_pixels(stated, tensor) else stated)
    own = Scaling.of(usual.mean, usual.std) if usual.mean or usual.std else None
    if own is not None and usual.color == "gray":
        own = own.gray()
    if any(feeds_pixels(each, tensor) for each in ((own,) if own else ()) + USUAL):
        return Found("pixel")
    if own is not None and _part_filled(own, tensor):
        return Found("family", own)
    best = max((in_color(each, usual.color) for each in USUAL), key=lambda each: _part_filled(each, tensor))
    return Found("range", best) if _part_filled(best, tensor) else Found("unknown")


def stores(scaling: Scaling, tensor: Quantization) -> bool:
    """Whether the tensor can store what the scaling makes of pixels, and pixels fill enough of its range."""
    return _part_filled(scaling, tensor) > 0


def in_color(scaling: Scaling, color: str) -> Scaling:
    """A scaling of RGB channels for an input of `color`: in reverse order for BGR, averaged for gray."""
    return scaling.gray() if color == "gray" else scaling.reversed() if color == "bgr" else scaling


def with_scaling(spec: InputSpec, scaling: Scaling | None, tensor: Quantization) -> InputSpec:
    """`spec` with mean and std, and with the quantization of an integer tensor, which not every runtime reports; None: the pixel
    is fed as it is."""
    if scaling is None:
        return msgspec.structs.replace(spec, mean=[], std=[], scale=0.0, zero_point=0)
    whole = tensor.known
    return msgspec.structs.replace(
        spec,
        mean=list(scaling.mean),
        std=list(scaling.std),
        scale=tensor.scale if whole else 0.0,
        zero_point=tensor.zero_point if whole else 0,
    )


def _part_filled(scaling: Scaling, tensor: Quantization) -> float:
    """The part of the tensor's range that pixels fill; 0 if they exceed it, or fill less than `FILLED_MIN`."""
    lowest, highest = ((limit - tensor.zero_point) * tensor.scale for limit in LIMITS[tensor.dtype])
    low = min(-mean / std for mean, std in scaling.channels())
    high = max((255 - mean) / std for mean, std in scaling.channels())
    beyond = BEYOND_MAX * (highest - lowest)
    filled = (high - low) / (highest - lowest)
    return filled if low >= lowest - beyond and high <= highest + beyond and filled >= FILLED_MIN else 0.0
