"""Head contexts for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec

WIDTH, HEIGHT = 64, 32


def spec(name: str, shape: tuple[int, ...], dtype: Any = np.float32, scale: float = 0.0, zero_point: int = 0) -> TensorSpec:
    return TensorSpec(name, shape, np.dtype(dtype), scale, zero_point)


def context(*outputs: TensorSpec, names: Mapping[str, str] | None = None, **params: Any) -> HeadContext:
    """A model of 64 x 32 pixels with these outputs."""
    return HeadContext({each.name: each for each in outputs}, names or {}, params, WIDTH, HEIGHT)
