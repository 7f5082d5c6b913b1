"""Inputs of published exports that are the same for every picture, known by their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from edgefleet_contract.encoding.codec import from_plain
from edgefleet_contract.package.manifest import InputSpec

_VALUES: Final[Mapping[str, Callable[[int, int], list[int]]]] = {
    "orig_target_sizes": lambda width, height: [width, height],
    "im_shape": lambda width, height: [height, width],
    "scale_factor": lambda _width, _height: [1, 1],
}
"""The input to its value for a picture of the model's own size: the boxes are then in pixels of that. `orig_target_sizes`: of
RT-DETR, D-FINE and DEIM; the others: of PaddleDetection."""
_DTYPES: Final = ("float16", "float32", "int32", "int64")


def known_constant(name: str, shape: Sequence[int], dtype: str, width: int, height: int) -> InputSpec | None:
    """The description of an input that has one value for all pictures; None if it is not known to be one. shape: open sides are
    -1. width, height: of the model's picture, in pixels."""
    sides = [max(side, 1) for side in shape]
    if name not in _VALUES or dtype not in _DTYPES or math.prod(sides) != len(_VALUES[name](width, height)):
        return None
    plain: dict[str, Any] = {"kind": "tensor", "name": name, "shape": sides, "dtype": dtype}
    return from_plain({**plain, "value": _VALUES[name](width, height)}, InputSpec)
