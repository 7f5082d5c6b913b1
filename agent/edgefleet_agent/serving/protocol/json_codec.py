"""Codec of the protocol's HTTP bodies: JSON, alone or followed by raw tensors (Triton's binary tensor extension).

    | JSON, `Inference-Header-Content-Length` bytes | raw tensor | raw tensor | ...

in the order of the inputs that have `binary_data_size`. The sizes have to add up to the body exactly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.serving.protocol.inference_request import (
    CLASSES_MAX,
    InferenceRequest,
    RequestedOutput,
    SequenceMark,
    TensorSignature,
    classified,
)
from edgefleet_agent.serving.protocol.json_constants import constant_of, decode_with_constants, encode_with_constants
from edgefleet_agent.serving.protocol.json_limits import (
    FIELDS_MAX,
    PARAMETERS_BYTES_MAX,
    SHAPE_BYTES_MAX,
    VALUES_MAX,
    check_nesting,
    check_values,
    small,
)
from edgefleet_agent.serving.protocol.request_cache import remember_template, request_from_template, response_head
from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
from edgefleet_agent.serving.protocol.tensors import (
    Array,
    check_texts,
    checked_dtype,
    checked_shape,
    datatype_of,
    from_raw,
    objects,
    text_of,
    to_raw,
)
from edgefleet_contract.encoding.json_faults import json_fault

INPUTS_MAX = 256
DEPTH_MAX = 16
ENCODED_MAX = 2**16
"""Elements of an output that are encoded at once."""
SEQUENCE_ID_CHARS_MAX = 128
_NO_DATA = msgspec.Raw()
_bytes_of = operator.methodcaller("tobytes")
_OF_STREAMS = ("triton_enable_empty_final_response",)
_OF_PLANS = {"binary_data_output", "priority", "timeout"}
"""Parameters of a request that a template holds."""

_ELEMENTS: dict[str, Any] = {
    "BOOL": list[bool],
    "UINT8": list[Annotated[int, Meta(ge=0, le=2**8 - 1)]],
    "UINT16": list[Annotated[int, Meta(ge=0, le=2**16 - 1)]],
    "UINT32": list[Annotated[int, Meta(ge=0, le=2**32 - 1)]],
    "UINT64": list[Annotated[int, Meta(ge=0)]],
    "INT8": list[Annotated[int, Meta(ge=-(2**7), le=2**7 - 1)]],
    "INT16": list[Annotated[int, Meta(ge=-(2**15), le=2**15 - 1)]],
    "INT32": list[Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]],
    "INT64": list[int],
    "FP16": list[float],
    "FP32": list[float],
    "FP64": list[float],
    "BYTES": list[str],
}
_FLOATS = ("FP16", "FP32", "FP64")
_DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in _ELEMENTS.items()}


class _Tensor(msgspec.Struct):
    """One input. Only its `data` may be large; the other parts are parsed when their length is known."""

    name: str
    datatype: str
    shape: msgspec.Raw
    parameters: msgspec.Raw = _NO_DATA
    data: msgspec.Raw = _NO_DATA

    def read_shape(self) -> list[int]:
        return _read_sides(small(self.shape, "a shape", SHAPE_BYTES_MAX))


class _Output(msgspec.Struct):
    name: str
    parameters: msgspec.Raw = _NO_DATA


class _Request(msgspec.Struct):
    inputs: list[msgspec.Raw]
    id: str = ""
    parameters: msgspec.Raw = _NO_DATA
    outputs: list[msgspec.Raw] = []


_read_request = msgspec.json.Decoder(_Request)
_read_tensor = msgspec.json.Decoder(_Tensor).decode
_read_output = msgspec.json.Decoder(_Output).decode
_read_sides = msgspec.json.Decoder(list[int]).decode
_read_fields = msgspec.json.Decoder(dict[str, Any]).decode


def read_infer(
    body: memoryview,
    json_bytes: int | None,
    signature: TensorSignature,
    regions: SharedMemoryRegions,
    values_max: int = VALUES_MAX,
) -> InferenceRequest:
    """Decode the body of an `infer` request. json_bytes: the header `Inference-Header-Content-Length`, None if not sent.
    values_max: of its JSON (see `check_values`).

    Raises:
        CallError: the body is not a request of the protocol, or its sizes do not fit.
    """
    if json_bytes == 0:
        return _raw_call(body, signature)
    if json_bytes is not None and not 0 < json_bytes <= len(body):
        raise invalid(f"Inference-Header-Content-Length is {json_bytes}, the body has {len(body)} bytes")
    if json_bytes is not None and (known := request_from_template(body, json_bytes, signature)) is not None:
        return known
    text = body if json_bytes is None else body[:json_bytes]
    check_values(text, values_max)
    rest = body[json_bytes:] if json_bytes is not None else body[len(body) :]
    try:
        request = decode_with_constants(text, _read_request.decode)
        return _read_parsed(request, rest, bytes(text) if json_bytes is not None else b"", signature, regions)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"failed to parse the request JSON: {json_fault(text, cause)}") from cause


def _read_parsed(
    request: _Request, rest: memoryview, header: bytes, signature: TensorSignature, regions: SharedMemoryRegions
) -> InferenceRequest:
    """Make a request of its parts. rest: its raw tensors. header: the JSON before them, empty for JSON alone."""
    if len(request.inputs) > INPUTS_MAX or len(request.outputs) > INPUTS_MAX:
        raise invalid(f"more than {INPUTS_MAX} inputs or outputs")
    inputs: dict[str, Array] = {}
    raw = True
    for each in request.inputs:
        tensor = _read_tensor(each)
        parameters = _fields(tensor.parameters)
        if tensor.name in inputs:
            raise invalid(f"input '{tensor.name}' appears twice")
        size = parameters.get("binary_data_size")
        raw = raw and "binary_data_size" in parameters
        if "shared_memory_region" in parameters:
            part = regions.slice_of(tensor.name, parameters)
            inputs[tensor.name] = from_raw(tensor.name, tensor.datatype, tensor.read_shape(), part.read())
            continue
        if size is None:
            if not tensor.data:
                raise invalid(f"input '{tensor.name}' has neither 'data' nor 'binary_data_size'")
            inputs[tensor.name] = tensor_from_json(tensor.name, tensor.datatype, tensor.read_shape(), tensor.data)
            continue
        if type(size) is not int or not 0 <= size <= len(rest):
            raise invalid(f"input '{tensor.name}': invalid binary_data_size {str(size)[:40]}, {len(rest)} bytes are left")
        inputs[tensor.name] = from_raw(tensor.name, tensor.datatype, tensor.read_shape(), rest[:size])
        rest = rest[size:]
    if len(rest):
        raise invalid(f"unexpected additional input data: {len(rest)} bytes belong to no input")
    call = InferenceRequest(inputs, request.id)
    if request.parameters:
        _read_parameters(call, _fields(request.parameters))
    for each in request.outputs:
        output = _read_output(each)
        call.requested_outputs.append(read_requested_output(output.name, _fields(output.parameters), regions, binary=call.binary))
    # A reference to shared memory or to a sequence differs in the next request with the same header.
    repeats = not set(call.parameters) - _OF_PLANS and all(requested.into is None for requested in call.requested_outputs)
    if repeats and header and raw:
        remember_template(header, call, signature)
    return call


def _fields(data: msgspec.Raw) -> dict[str, Any]:
    """The parameters of a request, an input or an output."""
    return _read_fields(small(data, "parameters", PARAMETERS_BYTES_MAX)) if data else {}


def read_requested_output(
    name: str, parameters: Mapping[str, Any], regions: SharedMemoryRegions, *, binary: bool
) -> RequestedOutput:
    """Read one requested output and its parameters, of HTTP or gRPC.

    Raises:
        CallError: a parameter has a value that is not valid.
    """
    into = regions.slice_of(name, parameters) if "shared_memory_region" in parameters else None
    classes = parameters.get("classification", 0)
    binary_data = parameters.get("binary_data", binary)
    if type(classes) is not int or not 0 <= classes <= CLASSES_MAX:
        raise invalid(f"output '{name}': classification must be a whole number from 0 to {CLASSES_MAX}")
    if not isinstance(binary_data, bool):
        raise invalid(f"output '{name}': binary_data must be true or false")
    return RequestedOutput(name, binary_data, classes, into)


def read_schedule(call: InferenceRequest, parameters: Mapping[str, Any]) -> None:
    """Read the request parameters that HTTP and gRPC share: `priority`, `timeout` (microseconds) and those of a sequence.

    Raises:
        CallError: a parameter has a wrong type or value.
    """
    for name in ("priority", "timeout"):
        value = parameters.get(name, 0)
        if type(value) is not int or not 0 <= value < 2**63:
            raise invalid(f"parameter '{name}' must be a whole number of 0 or more")
    call.priority, call.timeout_us = parameters.get("priority", 0), parameters.get("timeout", 0)
    call.parameters = parameters
    if parameters.get("sequence_id"):
        call.sequence = _sequence(parameters)
    for name, value in parameters.items():
        if name.startswith("triton_") and name not in _OF_STREAMS:
            raise invalid(f"parameter keys starting with 'triton_' are reserved and should not be specified, got '{name[:64]}'")
        if not isinstance(value, (bool, int, str, float)):
            raise invalid(f"parameter '{name[:64]}' has invalid type. It should be either 'int', 'bool', or 'string'")


def _sequence(parameters: Mapping[str, Any]) -> SequenceMark:
    key = parameters["sequence_id"]
    number = type(key) is int and 0 < key < 2**64
    if not number and not (isinstance(key, str) and len(key) <= SEQUENCE_ID_CHARS_MAX):
        raise invalid(f"parameter 'sequence_id' must be a whole number, or text of at most {SEQUENCE_ID_CHARS_MAX} characters")
    start, end = parameters.get("sequence_start", False), parameters.get("sequence_end", False)
    if not isinstance(start, bool) or not isinstance(end, bool):
        raise invalid("parameters 'sequence_start' and 'sequence_end' must be true or false")
    return SequenceMark(key, start, end)


def _read_parameters(call: InferenceRequest, parameters: Mapping[str, Any]) -> None:
    binary = parameters.get("binary_data_output", False)
    if not isinstance(binary, bool):
        raise invalid("parameter 'binary_data_output' must be true or false")
    call.binary = binary
    read_schedule(call, {name: constant_of(value) for name, value in parameters.items()})


def _raw_call(body: memoryview, signature: TensorSignature) -> InferenceRequest:
    """Read a body that consists of the model's only input."""
    if len(signature.inputs) != 1:
        raise invalid(f"a raw binary request needs a model with one input; '{signature.model}' has {len(signature.inputs)}")
    spec = signature.inputs[0]
    shape = [1, *spec.shape[1:]] if signature.batch else list(spec.shape)
    if spec.dtype.kind == "O":
        sides = tuple(max(side, 1) for side in shape)
        if math.prod(sides) != 1:
            raise invalid(f"a raw binary request is one element of BYTES; input '{spec.name}' takes {list(sides)}")
        return InferenceRequest({spec.name: objects([bytes(body)], sides)}, binary=True)
    if shape.count(-1) == 1:
        fixed = math.prod(side for side in shape if side != -1) * spec.dtype.itemsize
        shape[shape.index(-1)] = len(body) // fixed if fixed else 0
    return InferenceRequest({spec.name: from_raw(spec.name, datatype_of(spec.dtype), shape, body)}, binary=True)


def tensor_from_json(name: str, datatype: str, sides: object, data: msgspec.Raw) -> Array:
    """Decode a tensor from JSON elements, flat or nested. sides: its shape, None for flat.

    Raises:
        CallError: the elements have another type, do not fit the shape, or the type has no form in JSON.
    """
    dtype = checked_dtype(name, datatype)
    if datatype not in _DECODERS:
        raise invalid(
            f"input '{name}': {datatype} cannot be represented in JSON; send it as binary data, with 'binary_data_size'"
        )
    given = None if sides is None else checked_shape(name, sides)
    try:
        elements = _DECODERS[datatype].decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        nested = _without_brackets(data) if datatype != "BYTES" else None
        try:
            elements = _flat(name, datatype, data) if nested is None else _DECODERS[datatype].decode(nested)
        except msgspec.DecodeError:
            elements = _flat(name, datatype, data)
    shape = (len(elements),) if given is None else given
    if len(elements) != math.prod(shape):
        raise invalid(f"input '{name}': shape {list(shape)} has {math.prod(shape)} elements, 'data' has {len(elements)}")
    if datatype == "BYTES":
        check_texts(name, len(elements))
        return objects([element.encode() for element in elements], shape)
    try:
        with np.errstate(over="raise"):
            return np.array(elements, dtype).reshape(shape)
    except (OverflowError, FloatingPointError) as cause:
        raise invalid(f"input '{name}': a number does not fit into {datatype}") from cause


def _without_brackets(data: msgspec.Raw) -> bytes | None:
    """Nested lists of numbers as one list, without an object for each; None where numbers and lists are mixed."""
    text = bytes(data).translate(None, b" \t\r\n")
    if not len(text) > FIELDS_MAX or not text.count(b"],[") == text.count(b",[") == text.count(b"],"):
        return None
    return b"[" + text.translate(None, b"[]") + b"]"


def _flat(name: str, datatype: str, data: msgspec.Raw) -> list[Any]:
    """Flatten nested lists, row-major. Raises CallError if they are not lists of `datatype`, or too many."""
    check_nesting(data, name)
    try:
        levels: list[Any] = msgspec.json.decode(data, type=list[Any])
        for _ in range(DEPTH_MAX):
            if not levels or not isinstance(levels[0], list):
                break
            if not all(isinstance(level, list) for level in levels):
                raise invalid(f"input '{name}': 'data' mixes numbers and lists")
            levels = [element for level in levels for element in level]
        if datatype in _FLOATS:
            levels = [constant_of(element) for element in levels]
        flat: list[Any] = msgspec.convert(levels, _ELEMENTS[datatype])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"input '{name}': 'data' is not {datatype}: {json_fault(bytes(data), cause)}") from cause
    return flat


def write_infer(
    call: InferenceRequest, signature: TensorSignature, outputs: Mapping[str, Array]
) -> tuple[list[bytes], int | None]:
    """Encode a response. Returns its body in parts, and `Inference-Header-Content-Length` (None: JSON alone).

    Raises:
        CallError: an output cannot be encoded in the requested form.
    """
    head, shapes, arrays = response_head(call, outputs)
    if head is not None:
        return [head, *map(_bytes_of, arrays)], len(head)
    described: list[dict[str, Any]] = []
    parts: list[bytes] = [b""]
    for requested in signature.select_outputs(call):
        array = outputs[requested.name]
        if requested.classes:
            array = classified(array, requested, signature)
        entry: dict[str, Any] = {"name": requested.name, "datatype": datatype_of(array.dtype), "shape": array.shape}
        if requested.into is not None:
            # Without parameters: Triton's C++ client takes any parameter here for that of a binary tensor.
            requested.into.write(requested.name, to_raw(array))
        elif requested.binary:
            raw = to_raw(array)
            entry["parameters"] = {"binary_data_size": len(raw)}
            parts.append(raw)
        else:
            entry["data"] = _encoded(array, requested.name)
        described.append(entry)
    answer = {"model_name": signature.model, "model_version": signature.version, "outputs": described}
    if call.id:
        answer["id"] = call.id
    parts[0] = msgspec.json.encode(answer)
    if shapes and call.template is not None:
        call.template.remember_head(shapes, parts[0])
    return parts, len(parts[0]) if len(parts) > 1 else None


def _encoded(array: Array, name: str) -> msgspec.Raw:
    """The elements of an output as JSON, made piece by piece, so that other threads take turns."""
    flat = array.ravel()
    pieces = (flat[at : at + ENCODED_MAX] for at in range(0, max(flat.size, 1), ENCODED_MAX))
    texts = (encode_with_constants(json_data(piece, name), [piece]) for piece in pieces)
    return msgspec.Raw(b"[" + b",".join(text[1:-1] for text in texts) + b"]")


def json_data(array: Array, name: str) -> list[Any]:
    """Convert the elements of an output for JSON (see `encode_with_constants` for NaN and infinity).

    Raises:
        CallError: JSON cannot represent them.
    """
    if array.dtype.kind == "O":
        try:
            return [text_of(element).decode() for element in array.ravel()]
        except UnicodeDecodeError as cause:
            raise invalid(f"output '{name}' is not text; request it with binary_data") from cause
    if array.dtype.kind == "V":
        raise invalid(f"output '{name}' is {datatype_of(array.dtype)}, which JSON cannot represent; request it with binary_data")
    plain: list[Any] = array.ravel().tolist()
    return plain
