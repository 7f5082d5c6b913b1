"""Caches parsed request headers.

Clients send the same JSON header again and again; only the tensors after it change. A template is such a header, parsed and
checked against a signature: the layout of the tensors, their rows, the requested outputs, and the header of the response.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, RequestTemplate, TensorSignature, row_shapes
from edgefleet_agent.serving.protocol.tensors import Array

_shape_of = operator.attrgetter("shape")
TEMPLATES_MAX = 128
"""Templates of one model; beyond it the cache starts empty again."""
HEADER_BYTES_MAX = 2048
"""Longer headers are not cached: they are rare, and cost little compared with their tensors."""


def remember_template(header: bytes, call: InferenceRequest, signature: TensorSignature) -> None:
    """Cache the header of a request whose inputs are all raw, in the order of `call.inputs`, unless it is unlikely to repeat.

    Raises:
        CallError: the request does not fit the signature.
    """
    template = template_of(call, signature)
    if template is None or len(header) > HEADER_BYTES_MAX:
        return
    if len(signature.templates) >= TEMPLATES_MAX:
        signature.templates.clear()
    signature.templates[header] = template


def template_of(call: InferenceRequest, signature: TensorSignature) -> RequestTemplate | None:
    """Make a template of a request whose tensors follow each other; None if the request is unlikely to repeat.

    Raises:
        CallError: the request does not fit the signature.
    """
    rows = signature.rows(call.inputs)
    requested_outputs = signature.select_outputs(call)
    if call.id or any(array.dtype.kind == "O" for array in call.inputs.values()):
        return None
    text = {spec.name for spec in signature.outputs if spec.dtype.kind == "O"}
    raw = all(requested.binary and not requested.classes and requested.name not in text for requested in requested_outputs)
    layout: list[tuple[str, np.dtype[Any], tuple[int, ...], int]] = []
    at = 0
    for name, array in call.inputs.items():
        layout.append((name, array.dtype, array.shape, at))
        at += array.nbytes
    base = InferenceRequest({}, "", call.requested_outputs, call.binary, call.priority, call.timeout_us)
    names = [requested.name for requested in requested_outputs] if raw else []
    return RequestTemplate(signature, base, rows, row_shapes(call.inputs), layout, at, names)


def request_from_template(body: memoryview, header_bytes: int, signature: TensorSignature) -> InferenceRequest | None:
    """The request of a cached header and tensors of its size; None if the header is not cached."""
    template = signature.templates.get(bytes(body[:header_bytes]))
    if template is None or len(body) - header_bytes != template.body_bytes:
        return None
    return template.request(body, header_bytes)


def response_head(
    call: InferenceRequest, outputs: Mapping[str, Array]
) -> tuple[bytes | None, tuple[tuple[int, ...], ...], list[Array]]:
    """The cached header of a response (None: not cached), the shapes that it depends on, and the outputs in order."""
    template = call.template
    if template is None or not template.names:
        return None, (), []
    arrays = list(map(outputs.__getitem__, template.names))
    shapes = tuple(map(_shape_of, arrays))
    return template.heads.get(shapes), shapes, arrays
