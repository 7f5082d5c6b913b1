"""`input` and `output` of a model's configuration, with Triton's names and meanings."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

DIM_MAX = 2**31

Dims = Annotated[list[Annotated[int, Meta(ge=-1, le=DIM_MAX)]], Meta(max_length=16)]
DataType = Annotated[str, Meta(pattern="^TYPE_[A-Z0-9]+$")]


class Reshape(msgspec.Struct, forbid_unknown_fields=True):
    """`ModelTensorReshape`: the shape of the model's own tensor, without the batch axis."""

    shape: Dims = []


class TensorConfig(msgspec.Struct, forbid_unknown_fields=True):
    """The common part of `ModelInput` and `ModelOutput`. dims: as callers see them, without the batch axis."""

    name: Annotated[str, Meta(min_length=1, max_length=1024)]
    data_type: DataType
    dims: Annotated[Dims, Meta(min_length=1)]
    reshape: Reshape | None = None
    is_shape_tensor: Literal[False] = False
    is_non_linear_format_io: Literal[False] = False

    @property
    def own_dims(self) -> list[int]:
        """The shape of the model's own tensor, without the batch axis."""
        return self.dims if self.reshape is None else self.reshape.shape


class InputConfig(TensorConfig, forbid_unknown_fields=True):
    """`ModelInput`. format: a hint for callers. optional: a request may leave it out."""

    format: Literal["FORMAT_NONE", "FORMAT_NHWC", "FORMAT_NCHW"] = "FORMAT_NONE"
    allow_ragged_batch: Literal[False] = False
    optional: bool = False


class OutputConfig(TensorConfig, forbid_unknown_fields=True):
    """`ModelOutput`. label_filename: in the model's folder, one label a line."""

    label_filename: Annotated[str, Meta(max_length=255)] = ""
