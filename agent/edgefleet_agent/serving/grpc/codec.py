"""Converts gRPC messages to requests and back. Contents are typed (lists of numbers) or raw (bytes)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from google.protobuf import json_format

from edgefleet_agent.serving.config.config_json import triton_fields
from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature, classified
from edgefleet_agent.serving.protocol.json_codec import INPUTS_MAX, read_requested_output, read_schedule
from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
from edgefleet_agent.serving.protocol.tensors import (
    RANK_MAX,
    Array,
    check_texts,
    checked_dtype,
    checked_shape,
    datatype_of,
    from_raw,
    objects,
    to_raw,
)

_CONTENTS = {
    "BOOL": "bool_contents",
    "INT8": "int_contents",
    "INT16": "int_contents",
    "INT32": "int_contents",
    "INT64": "int64_contents",
    "UINT8": "uint_contents",
    "UINT16": "uint_contents",
    "UINT32": "uint_contents",
    "UINT64": "uint64_contents",
    "FP32": "fp32_contents",
    "FP64": "fp64_contents",
    "BYTES": "bytes_contents",
}
"""The field of the typed contents of a data type. FP16 has none: it is sent raw."""


def read_request(request: Any, regions: SharedMemoryRegions) -> InferenceRequest:
    """Convert a `ModelInferRequest`.

    Raises:
        CallError: contents do not fit their type or shape, or are both typed and raw.
    """
    raws = request.raw_input_contents
    if len(request.inputs) > INPUTS_MAX or len(request.outputs) > INPUTS_MAX:
        raise invalid(f"more than {INPUTS_MAX} inputs or outputs")
    if len(raws) > INPUTS_MAX or any(len(tensor.shape) > RANK_MAX for tensor in request.inputs):
        raise invalid(f"more than {INPUTS_MAX} raw_input_contents, or a shape of more than {RANK_MAX} dimensions")
    # Tensors in shared memory have no entry in the raw contents.
    sent = sum("shared_memory_region" not in tensor.parameters for tensor in request.inputs)
    if raws and len(raws) != sent:
        raise invalid(f"expected {sent} raw_input_contents, one for each input, got {len(raws)}")
    call = InferenceRequest({}, request.id, binary=bool(raws))
    remaining = iter(raws)
    for tensor in request.inputs:
        if tensor.name in call.inputs:
            raise invalid(f"input '{tensor.name}' appears twice")
        if "shared_memory_region" in tensor.parameters:
            part = regions.slice_of(tensor.name, _parameters(tensor.parameters))
            call.inputs[tensor.name] = from_raw(tensor.name, tensor.datatype, tuple(tensor.shape), part.read())
            continue
        shape = tuple(tensor.shape)
        if not raws:
            call.inputs[tensor.name] = _typed(tensor, shape)
        elif tensor.HasField("contents"):
            raise invalid(f"contents field must not be specified when using raw_input_contents for '{tensor.name}'")
        else:
            call.inputs[tensor.name] = from_raw(tensor.name, tensor.datatype, shape, memoryview(next(remaining)))
    if request.parameters:
        read_schedule(call, _parameters(request.parameters))
    for output in request.outputs:
        call.requested_outputs.append(read_requested_output(output.name, _parameters(output.parameters), regions, binary=True))
    return call


def write_response(call: InferenceRequest, signature: TensorSignature, outputs: Mapping[str, Array]) -> Any:
    """Make a `ModelInferResponse`; contents are always raw, as in Triton.

    Raises:
        CallError: an output cannot be encoded in the requested form.
    """
    response = MESSAGES["ModelInferResponse"](model_name=signature.model, model_version=signature.version, id=call.id)
    for requested in signature.select_outputs(call):
        array = outputs[requested.name]
        if requested.classes:
            array = classified(array, requested, signature)
        response.outputs.add(name=requested.name, datatype=datatype_of(array.dtype), shape=array.shape)
        raw = to_raw(array)
        if requested.into is None:
            response.raw_output_contents.append(raw)
            continue
        requested.into.write(requested.name, raw)
        response.raw_output_contents.append(b"")  # clients index the contents by output
    return response


def read_parameter(parameter: Any) -> Any:
    """The value of an `InferParameter` or `ModelRepositoryParameter`; None if unset."""
    which = parameter.WhichOneof("parameter_choice")
    return getattr(parameter, which) if which else None


def write_config(config: dict[str, Any]) -> Any:
    """Convert the JSON of a model's configuration to a `ModelConfig`, which omits versions that are not numbers."""
    specific = config["version_policy"].get("specific")
    if specific is not None:
        specific["versions"] = [each for each in specific["versions"] if str(each).isdecimal()]
    return json_format.ParseDict(triton_fields(config), MESSAGES["ModelConfig"]())


def write_statistics(statistics: list[dict[str, Any]]) -> Any:
    """Convert the JSON of the statistics extension to a `ModelStatisticsResponse`."""
    response = MESSAGES["ModelStatisticsResponse"]()
    for each in statistics:
        known = {name: value for name, value in each.items() if name not in ("response_stats", "memory_usage")}
        response.model_stats.add(**known)
    return response


def _parameters(parameters: Any) -> dict[str, Any]:
    return {name: read_parameter(value) for name, value in parameters.items()}


def _typed(tensor: Any, shape: tuple[int, ...]) -> Array:
    name, datatype = tensor.name, tensor.datatype
    dtype, sides = checked_dtype(name, datatype), checked_shape(name, shape)
    if datatype not in _CONTENTS:
        raise invalid(f"input '{name}': {datatype} has no typed contents; send it in raw_input_contents")
    elements = getattr(tensor.contents, _CONTENTS[datatype])
    count = math.prod(sides)
    if len(elements) != count:
        raise invalid(f"input '{name}': shape {list(sides)} has {count} elements, {_CONTENTS[datatype]} has {len(elements)}")
    if datatype == "BYTES":
        check_texts(name, count)
        return objects(list(elements), sides)
    values = np.array(elements, dtype if dtype.kind in "fb" or dtype.itemsize >= 4 else np.int64)
    if dtype.kind in "iu" and dtype.itemsize < 4:
        limits = np.iinfo(dtype)
        if count and (values.min() < limits.min or values.max() > limits.max):
            raise invalid(f"input '{name}': a number does not fit into {datatype}")
        values = values.astype(dtype)
    return values.reshape(sides)
