"""Inputs of a model that have the same numbers in every run, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import InputSpec

Array = npt.NDArray[Any]


def constant_arrays(specs: Sequence[InputSpec], inputs: Sequence[TensorSpec]) -> dict[str, Array]:
    """The constants among the inputs of a manifest, by name. inputs: of the session. The arrays are read-only, because a runtime
    may write into others.

    Raises:
        ManifestError: the model has no such input, or one of another type or shape.
    """
    tensors, arrays = {tensor.name: tensor for tensor in inputs}, {}
    for spec in specs:
        if not spec.value:
            continue
        tensor, shape = tensors.get(spec.name), tuple(max(side, 1) for side in spec.shape)
        if tensor is None:
            raise ManifestError(f"input {spec.name!r} has a value: the model has {list(tensors)}")
        fits = len(shape) == len(tensor.shape) and all(have in (-1, side) for have, side in zip(tensor.shape, shape, strict=True))
        if not fits or tensor.dtype != spec.dtype:
            taken = f"the model takes {tensor.dtype} {list(tensor.shape)}"
            raise ManifestError(f"input {spec.name!r} has a value of {spec.dtype} {list(shape)}, {taken}")
        arrays[spec.name] = np.array(spec.value, spec.dtype).reshape(shape)
        arrays[spec.name].setflags(write=False)
    return arrays


def repeated(arrays: Mapping[str, Array], inputs: Sequence[TensorSpec], rows: int) -> dict[str, Array]:
    """The constants of one picture for `rows` pictures: repeated where the model leaves the first side open."""
    batched = {tensor.name for tensor in inputs if tensor.shape[:1] == (-1,)}
    return {
        name: np.repeat(array, rows, axis=0) if name in batched and len(array) == 1 else array for name, array in arrays.items()
    }
