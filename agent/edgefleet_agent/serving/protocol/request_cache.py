"""What repeats from request to request is worked out once.

Clients send the same JSON header again and again and only the tensors behind it change. A plan is such a header, parsed and
checked against the signature it was made for: where each tensor lies, how many rows they are, what is wanted, and how the answer
to it begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from edgefleet_agent.serving.protocol.tensors import Array

if TYPE_CHECKING:
    from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature

PLANS_MAX = 128
"""Plans of one model; then they are made anew."""
HEADER_BYTES_MAX = 2048
"""Longer headers are rare, and cost little beside their tensors."""
HEADS_MAX = 64


@dataclass(slots=True)
class RequestTemplate:
    """One header. places: name, type, shape, first byte of each tensor behind it. names: of the outputs, all wanted raw.

    call: as it was read, for its wishes and schedule. heads: shapes of the outputs -> the JSON of the answer.
    """

    signature: TensorSignature
    call: InferenceRequest
    rows: int
    places: list[tuple[str, np.dtype[Any], tuple[int, ...], int]]
    body_bytes: int
    names: list[str]
    heads: dict[tuple[tuple[int, ...], ...], bytes] = field(default_factory=dict)

    def inputs(self, tensors: memoryview) -> dict[str, Array]:
        """The tensors of another request with this header; `tensors` has `body_bytes`."""
        found: dict[str, Array] = {}
        for name, dtype, shape, start in self.places:
            array: Array = np.ndarray(shape, dtype, tensors, start)
            found[name] = array if array.flags.aligned else array.copy()
        return found

    def keep_head(self, shapes: tuple[tuple[int, ...], ...], head: bytes) -> None:
        """Remember how the answer with outputs of these shapes begins."""
        if len(self.heads) < HEADS_MAX:
            self.heads[shapes] = head


def make_plan(header: bytes, call: InferenceRequest, signature: TensorSignature) -> None:
    """Remember a call whose inputs all came raw in the order of `call.inputs`; nothing where its header may not repeat.

    Raises:
        CallError: the call does not fit the signature.
    """
    plan = plan_of(call, signature)
    if plan is None or len(header) > HEADER_BYTES_MAX:
        return
    if len(signature.plans) >= PLANS_MAX:
        signature.plans.clear()
    signature.plans[header] = plan


def plan_of(call: InferenceRequest, signature: TensorSignature) -> RequestTemplate | None:
    """A call as a plan for others like it, its tensors one behind the other; None where none will be like it.

    Raises:
        CallError: the call does not fit the signature.
    """
    rows = signature.rows(call.inputs)
    wishes = signature.wished(call)
    if call.id or any(array.dtype.kind == "O" for array in call.inputs.values()):
        return None
    text = {spec.name for spec in signature.outputs if spec.dtype.kind == "O"}
    raw = all(wish.binary and not wish.classes and wish.name not in text for wish in wishes)
    places: list[tuple[str, np.dtype[Any], tuple[int, ...], int]] = []
    at = 0
    for name, array in call.inputs.items():
        places.append((name, array.dtype, array.shape, at))
        at += array.nbytes
    kept = type(call)({}, "", call.wishes, call.binary, call.priority, call.timeout_us)
    return RequestTemplate(signature, kept, rows, places, at, [wish.name for wish in wishes] if raw else [])


def planned(header: bytes, tensors: memoryview, signature: TensorSignature) -> InferenceRequest | None:
    """The call of a header that is known and tensors that fit it, else None."""
    plan = signature.plans.get(header)
    if plan is None or len(tensors) != plan.body_bytes:
        return None
    kept = plan.call
    return type(kept)(plan.inputs(tensors), "", kept.wishes, kept.binary, kept.priority, kept.timeout_us, plan)


def head_of(
    call: InferenceRequest, outputs: Mapping[str, Array]
) -> tuple[bytes | None, tuple[tuple[int, ...], ...], list[Array]]:
    """How the answer to a planned call begins (None: not known yet), the shapes it depends on, and the outputs in order."""
    plan = call.plan
    if plan is None or not plan.names:
        return None, (), []
    arrays = [outputs[name] for name in plan.names]
    shapes = tuple([array.shape for array in arrays])
    return plan.heads.get(shapes), shapes, arrays
