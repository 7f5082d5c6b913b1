"""TensorFlow Serving's REST API: predict (by rows and by columns), classify, regress, status.

    POST /v1/models/M[/versions/V]:predict    {"instances": [...]} -> {"predictions": [...]};  {"inputs": ...} -> {"outputs": ...}
    POST /v1/models/M[/versions/V]:classify   {"examples": [{...}]} -> {"results": [[["label", score], ...]]}
    POST /v1/models/M[/versions/V]:regress    {"examples": [{...}]} -> {"results": [value]}
    GET  /v1/models/M[/versions/V]            GET /v1/models/M[/versions/V]/metadata

Binary values are {"b64": "..."}. Errors are {"error": "..."}.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.http.generate import shape_of
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.json_codec import DEPTH_MAX, json_data, tensor_from_json
from edgefleet_agent.serving.protocol.json_constants import decode_with_constants, encode_with_constants, is_marked
from edgefleet_agent.serving.protocol.json_limits import VALUES_MAX, check_fields, check_nesting, check_values
from edgefleet_agent.serving.protocol.tensors import Array, datatype_of, objects
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.json_faults import json_fault

Fields = dict[str, msgspec.Raw]
_NOTHING = msgspec.Raw()
SIGNATURE_NAME = "serving_default"
VERBS = ("predict", "classify", "regress")
_TYPES = {"BYTES": "DT_STRING", "FP16": "DT_HALF", "FP32": "DT_FLOAT", "FP64": "DT_DOUBLE", "BF16": "DT_BFLOAT16"}


class _Body(msgspec.Struct):
    """The fields of a request that are read."""

    instances: msgspec.Raw = _NOTHING
    inputs: msgspec.Raw = _NOTHING
    examples: msgspec.Raw = _NOTHING
    context: msgspec.Raw = _NOTHING
    signature_name: msgspec.Raw = _NOTHING


class TfServingRequest:
    """A parsed request, which also encodes its answer. values_max: of the JSON (see `check_values`).

    Raises:
        CallError: the request is not valid, or does not fit the model.
    """

    def __init__(self, verb: str, body: memoryview, signature: TensorSignature, values_max: int = VALUES_MAX) -> None:
        check_values(body, values_max)
        given: _Body = _decoded(body, "the body", _Body)
        fields = {name: data for name in _Body.__struct_fields__ if (data := getattr(given, name))}
        self._verb = verb
        self._rows = 0
        _check_signature_name(fields)
        if verb == "predict" and ("instances" in fields) == ("inputs" in fields):
            raise invalid("a predict request requires either 'instances' or 'inputs'")
        if verb == "predict" and "inputs" in fields:
            columns = self._columns(fields["inputs"], signature)
        else:
            columns = self._gathered(fields, signature)
        rows = self._rows if signature.batch else 0
        self.call = InferenceRequest(
            {spec.name: _tensor(spec, columns, rows, batched=bool(signature.batch)) for spec in signature.inputs}
        )

    def answer(self, outputs: Mapping[str, Array], signature: TensorSignature) -> bytes:
        """Encode the answer as JSON.

        Raises:
            CallError: an output cannot be encoded in this form.
        """
        arrays = {spec.name: outputs[spec.name] for spec in signature.outputs}
        return encode_with_constants(self._answer(arrays, signature), arrays.values())

    def _answer(self, arrays: Mapping[str, Array], signature: TensorSignature) -> dict[str, Any]:
        if self._verb == "predict" and not self._rows:
            plain = {name: _plain(array, name) for name, array in arrays.items()}
            return {"outputs": next(iter(plain.values())) if len(plain) == 1 else plain}
        for name, array in arrays.items():
            if not array.ndim or len(array) != self._rows:
                raise invalid(f"output '{name}' does not have one row per instance; use the column format with 'inputs'")
        if self._verb == "predict":
            columns = {name: _plain(array, name) for name, array in arrays.items()}
            if len(columns) == 1:
                return {"predictions": next(iter(columns.values()))}
            return {"predictions": [{name: column[row] for name, column in columns.items()} for row in range(self._rows)]}
        name, array = next(iter(arrays.items()))
        scores = _plain(array.reshape(self._rows, -1), name)
        if array.dtype.kind not in "fiu":
            raise invalid(f"output '{name}' is {datatype_of(array.dtype)}, which has no scores")
        if self._verb == "regress":
            if any(len(row) != 1 for row in scores):
                raise invalid(f"output '{name}' is not one value for each example")
            return {"results": [row[0] for row in scores]}
        known = dict(enumerate(signature.labels))
        return {"results": [[[known.get(index) or str(index), score] for index, score in enumerate(row)] for row in scores]}

    def _columns(self, data: msgspec.Raw, signature: TensorSignature) -> Fields:
        if len(signature.inputs) == 1 and not _is_object(data):
            return {signature.inputs[0].name: data}
        return _object(data, "'inputs'")

    def _gathered(self, fields: Fields, signature: TensorSignature) -> Fields:
        """Convert rows to columns."""
        key = "instances" if self._verb == "predict" else "examples"
        if key not in fields:
            raise invalid(f"a {self._verb} request requires '{key}'")
        rows = _list(fields[key], f"'{key}'")
        if not rows:
            raise invalid(f"'{key}' is empty")
        self._rows = len(rows)
        if key == "instances" and len(signature.inputs) == 1 and not _is_object(rows[0]):
            return {signature.inputs[0].name: fields[key]}
        context = _object(fields["context"], "'context'") if "context" in fields else {}
        described = [{**context, **_object(row, f"an element of '{key}'")} for row in rows]
        names = {spec.name for spec in signature.inputs}
        if any(set(row) != names for row in described):
            raise invalid(f"every element of '{key}' must have the inputs {', '.join(sorted(names))}")
        return {name: msgspec.Raw(b"[" + b",".join(bytes(row[name]) for row in described) + b"]") for name in names}


def status_to_json(catalogue: ModelRegistry, model: str, version: str) -> dict[str, Any]:
    """The status of a model's versions.

    Raises:
        CallError: there is no such model or version.
    """
    find_signature(catalogue, model, version)
    versions = [version] if version else list(reversed(catalogue.versions(model)))
    found: list[dict[str, Any]] = []
    for each in versions:
        reason = catalogue.find(model, each).unavailable
        status = {"error_code": "UNAVAILABLE" if reason else "OK", "error_message": reason}
        found.append({"version": each, "state": "END" if reason else "AVAILABLE", "status": status})
    return {"model_version_status": found}


def signature_to_json(catalogue: ModelRegistry, model: str, version: str) -> dict[str, Any]:
    """The metadata of a model.

    Raises:
        CallError: there is no such model or version.
    """
    signature = find_signature(catalogue, model, version)

    def described(specs: tuple[TensorSpec, ...]) -> dict[str, Any]:
        return {
            spec.name: {
                "dtype": _TYPES.get(datatype_of(spec.dtype), f"DT_{datatype_of(spec.dtype)}"),
                "tensor_shape": _tensor_shape(spec),
                "name": f"{spec.name}:0",
            }
            for spec in specs
        }

    served = {"inputs": described(signature.inputs), "outputs": described(signature.outputs)}
    plain = {SIGNATURE_NAME: {**served, "method_name": "tensorflow/serving/predict"}}
    spec = {"name": model, "signature_name": "", "version": signature.version}
    return {"model_spec": spec, "metadata": {"signature_def": {"signature_def": plain}}}


def find_signature(catalogue: ModelRegistry, model: str, version: str) -> TensorSignature:
    """The tensor signature of a model.

    Raises:
        CallError: there is no such model or version; with the text of TensorFlow Serving.
    """
    try:
        return catalogue.find(model, version).signature
    except CallError as error:
        requested = f"Specific({model}, {version})" if version else f"Latest({model})"
        raise CallError(Code.NOT_FOUND, f"Servable not found for request: {requested}") from error


def split_verb(word: str) -> tuple[str, str]:
    """Split the last word of a path, as `model:predict`, into name and verb."""
    name, colon, verb = word.rpartition(":")
    return (name, verb) if colon and verb in VERBS else (word, "")


def _tensor_shape(spec: TensorSpec) -> dict[str, Any]:
    dim = [] if spec.any_rank else [{"size": str(side), "name": ""} for side in spec.shape]
    return {"dim": dim, "unknown_rank": spec.any_rank}


def _tensor(spec: TensorSpec, columns: Fields, rows: int, *, batched: bool) -> Array:
    if spec.name not in columns:
        raise invalid(f"input '{spec.name}' is missing; got {sorted(columns)}")
    data = columns[spec.name]
    if batched and not rows:
        rows = len(_list(data, f"input '{spec.name}'"))
    if spec.dtype.kind == "O":
        texts = _texts(spec.name, data)
        return objects(texts, shape_of(spec.name, spec.shape, len(texts), rows=rows))
    listed = data if bytes(data).lstrip().startswith(b"[") else msgspec.Raw(b"[" + bytes(data) + b"]")
    elements = tensor_from_json(spec.name, datatype_of(spec.dtype), None, listed)
    return elements.reshape(shape_of(spec.name, spec.shape, elements.size, rows=rows))


def _texts(name: str, data: msgspec.Raw) -> list[bytes]:
    check_nesting(data, name)
    level = [_decoded(data, f"input '{name}'", Any)]
    for _ in range(DEPTH_MAX):
        if not any(isinstance(each, list) for each in level):
            break
        level = [each for value in level for each in (value if isinstance(value, list) else [value])]
    return [_text(name, each) for each in level]


def _text(name: str, value: object) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict) and set(value) == {"b64"} and isinstance(value["b64"], str):
        try:
            return base64.b64decode(value["b64"], validate=True)
        except (binascii.Error, ValueError) as cause:
            raise invalid(f"input '{name}': an element is not valid base64: {cause}") from cause
    raise invalid(f"input '{name}': elements must be text or {{'b64': ...}}")


def _plain(array: Array, name: str) -> Any:
    if array.dtype.kind == "O":
        flat = [_text_to_json(each) for each in array.ravel()]
        return np.array(flat, np.object_).reshape(array.shape).tolist() if flat else array.tolist()
    json_data(array.ravel()[:0], name)  # refuses what JSON cannot say
    return array.tolist()


def _text_to_json(element: object) -> object:
    data = element if isinstance(element, bytes) else str(element).encode()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode()}


def _is_object(data: msgspec.Raw) -> bool:
    raw = bytes(data).lstrip()
    return raw.startswith(b"{") and not is_marked(raw) and not raw[1:].lstrip().startswith(b'"b64"')


def _check_signature_name(fields: Fields) -> None:
    """A model has one signature, under TensorFlow's usual name."""
    if "signature_name" not in fields:
        return
    name = _decoded(fields["signature_name"], "signature_name", Any)
    if name not in ("", SIGNATURE_NAME):
        raise invalid(f'Serving signature name: "{name}" not found in signature def; the only one is "{SIGNATURE_NAME}"')


def _object(data: msgspec.Raw, what: str) -> Fields:
    check_fields(data, what)
    fields: Fields = _decoded(data, what, Fields)
    return fields


def _list(data: msgspec.Raw, what: str) -> list[msgspec.Raw]:
    values: list[msgspec.Raw] = _decoded(data, what, list[msgspec.Raw])
    return values


def _decoded(data: msgspec.Raw | memoryview, what: str, kind: Any) -> Any:
    try:
        return decode_with_constants(data, lambda text: msgspec.json.decode(text, type=ensure_decoder(kind)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"JSON Parse error: {what}: {json_fault(bytes(data), cause)}") from cause
