"""The generate extension: inputs and outputs as fields of a plain JSON object.

    {"text": "hello", "top": 3, "parameters": {...}}  ->  {"model_name": ..., "model_version": ..., "label": "greeting"}

A field named like an input is that input: a value, or a list of values; the shape follows from the model. All other fields are
parameters. A stream has one event for each answer: several for decoupled models (see `sse`), one for others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.json_codec import json_data, read_schedule, tensor_from_json
from edgefleet_agent.serving.protocol.json_constants import constant_of, decode_with_constants, encode_with_constants
from edgefleet_agent.serving.protocol.json_limits import (
    PARAMETERS_BYTES_MAX,
    VALUES_MAX,
    check_fields,
    check_values,
    small,
)
from edgefleet_agent.serving.protocol.tensors import Array, datatype_of
from edgefleet_contract.encoding.json_faults import json_fault

_read_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
EVENTS = b"Content-Type: text/event-stream\r\nCache-Control: no-cache\r\n"


def read_generate(
    body: memoryview, signature: TensorSignature, values_max: int = VALUES_MAX
) -> tuple[InferenceRequest, dict[str, Any]]:
    """Read a `generate` request. Returns it, and the fields that are echoed in the answer. values_max: see `check_values`.

    Raises:
        CallError: the body is not a JSON object, or a value does not fit its input.
    """
    check_values(body, values_max)
    check_fields(body, "the request")
    try:
        fields = decode_with_constants(body, _read_fields.decode)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"failed to parse the request JSON: {json_fault(body, cause)}") from cause
    call = InferenceRequest({})
    for spec in signature.inputs:
        if spec.name not in fields:
            continue
        data = fields.pop(spec.name)
        raw = bytes(data).lstrip()
        listed = data if raw.startswith(b"[") else msgspec.Raw(b"[" + raw + b"]")
        elements = tensor_from_json(spec.name, datatype_of(spec.dtype), None, listed)
        call.inputs[spec.name] = elements.reshape(
            shape_of(spec.name, spec.shape, elements.size, rows=1 if signature.batch else 0)
        )
    parameters: dict[str, Any] = {}
    for name, data in fields.items():
        try:
            value = constant_of(msgspec.json.decode(small(data, f"parameter '{name[:64]}'", PARAMETERS_BYTES_MAX)))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
            raise invalid(f"parameter '{name[:64]}' is not JSON: {json_fault(bytes(data), cause)}") from cause
        if name == "parameters" and isinstance(value, dict):
            parameters |= {each: constant_of(element) for each, element in value.items()}
        elif isinstance(value, (list, dict)):
            raise invalid(f"'{name[:64]}' is not an input of model '{signature.model}', and parameters must be single values")
        else:
            parameters[name] = value
    read_schedule(call, parameters)
    echoed = {"id": parameters["id"]} if isinstance(parameters.get("id"), str) else {}
    return call, echoed


def write_generate(
    call: InferenceRequest, echoed: dict[str, Any], signature: TensorSignature, answer: Mapping[str, Array], *, stream: bool
) -> bytes:
    """Encode an answer as one JSON object, or as an event of a stream.

    Raises:
        CallError: JSON cannot represent an output.
    """
    values: dict[str, Any] = {**echoed, "model_name": signature.model, "model_version": signature.version}
    requested_outputs = signature.select_outputs(call)
    for requested in requested_outputs:
        data = json_data(answer[requested.name], requested.name)
        values[requested.name] = data[0] if len(data) == 1 else data
    body = encode_with_constants(values, [answer[requested.name] for requested in requested_outputs])
    return b"data: " + body + b"\n\n" if stream else body


def shape_of(name: str, shape: tuple[int, ...], count: int, *, rows: int) -> tuple[int, ...]:
    """The model's shape with its open dimension set to fit `count` elements. rows: of a batch, 0 for none.

    Raises:
        CallError: no value of the open dimension fits.
    """
    sides = [rows, *shape[1:]] if rows else list(shape)
    if sides.count(-1) > 1:
        raise invalid(f"input '{name}' has several dynamic dimensions {list(shape)}; use infer")
    if -1 in sides:
        fixed = math.prod(side for side in sides if side != -1)
        sides[sides.index(-1)] = count // fixed if fixed else 0
    if math.prod(sides) != count:
        raise invalid(f"input '{name}' requires {sides}, {math.prod(sides)} elements, got {count}")
    return tuple(sides)
