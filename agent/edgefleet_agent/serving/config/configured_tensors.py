"""Compares the tensors that a configuration describes with those of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from edgefleet_agent.backends.base import shape_fits
from edgefleet_agent.serving.config.tensor_config import TensorConfig
from edgefleet_agent.serving.protocol.tensors import DTYPES, datatype_of
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import InputError


def configured_tensors(
    side: str, configured: Sequence[TensorConfig], specs: Sequence[TensorSpec], batch: bool
) -> tuple[TensorSpec, ...]:
    """The tensors as callers see them, in the order of the configuration; all of the model if it names none.

    Raises:
        InputError: the model has other tensors; the text begins with the path of the field.
    """
    known = {spec.name: spec for spec in specs}
    found: list[TensorSpec] = []
    for index, tensor in enumerate(configured):
        spec = known.get(tensor.name)
        if spec is None:
            raise InputError(f"{side}[{index}].name: the model has no {side} '{tensor.name}'; it has {', '.join(sorted(known))}")
        configured_type = "BYTES" if tensor.data_type == "TYPE_STRING" else tensor.data_type.removeprefix("TYPE_")
        # A type that the protocol does not know is refused later, with the signature.
        if spec.dtype in DTYPES.values() and configured_type != datatype_of(spec.dtype):
            own_type = datatype_of(spec.dtype).replace("BYTES", "STRING")
            raise InputError(
                f"{side}[{index}].data_type: is {tensor.data_type}, but '{tensor.name}' of the model is TYPE_{own_type}"
            )
        own = [*([-1] if batch else []), *tensor.own_dims]
        if not spec.any_rank and not shape_fits(tuple(own), spec.shape):
            if batch and spec.shape and spec.shape[0] != -1:
                raise InputError(f"max_batch_size: the first axis of '{tensor.name}' of the model is fixed; set it to 0")
            form = f"{own}{' with the batch axis' if batch else ''}"
            raise InputError(f"{side}[{index}].dims: give {form}, but '{tensor.name}' of the model is {list(spec.shape)}")
        found.append(replace(spec, shape=(*([-1] if batch else []), *tensor.dims), any_rank=False))
    return tuple(found) or tuple(specs)
