"""Inference requests that repeat, read without reading them.

A client in a loop sends the same bytes again and again, and only the tensors at their end change. A plan is such a request, read
and checked once: where its tensors lie, and how the answer to it begins. It fits another request when all bytes before the first
tensor and the few between them are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.serving.grpc.varint import varint
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.request_cache import HEADER_BYTES_MAX, RequestTemplate, plan_of

PLANS_MAX = 128
_RAW = b"\x3a"
"""Tag of `raw_input_contents`; `raw_output_contents` has `_RAW_OUT`."""
_RAW_OUT = b"\x32"
SAME_SIZE_MAX = 8


@dataclass(frozen=True, slots=True)
class GrpcRequestTemplate:
    """One request. model, version: as they were asked for. marks: tag and length of each tensor but the first, and where."""

    model: str
    version: str
    head: bytes
    marks: tuple[tuple[int, bytes], ...]
    plan: RequestTemplate

    def fits(self, data: memoryview) -> bool:
        """Whether a request of the same length differs in its tensors alone."""
        return data[: len(self.head)] == self.head and all(data[at : at + len(mark)] == mark for at, mark in self.marks)

    def call(self, data: memoryview) -> InferenceRequest:
        """The call of a request that fits."""
        kept = self.plan.call
        inputs = self.plan.inputs(data)
        return type(kept)(inputs, "", kept.wishes, kept.binary, kept.priority, kept.timeout_us, self.plan)


class GrpcRequestCache:
    """The plans of one service, by the length of the request. One thread."""

    def __init__(self) -> None:
        self._plans: dict[int, list[GrpcRequestTemplate]] = {}
        self._count = 0

    def find(self, data: memoryview) -> GrpcRequestTemplate | None:
        """The plan of a request, None where it is new."""
        for plan in self._plans.get(len(data), ()):
            if plan.fits(data):
                return plan
        return None

    def keep(
        self, data: memoryview, names: tuple[str, str], raws: list[bytes], call: InferenceRequest, signature: TensorSignature
    ) -> None:
        """Remember a request that was read. names: model and version. raws: its tensors, in the order of `call.inputs`.

        Raises:
            CallError: the call does not fit the signature.
        """
        marks = [_RAW + varint(len(raw)) for raw in raws]
        tail = sum(map(len, marks)) + sum(map(len, raws))
        start = len(data) - tail
        if not raws or start <= 0 or start > HEADER_BYTES_MAX:
            return
        at, places, starts = start, [], []
        for mark, raw in zip(marks, raws, strict=True):
            places.append((at, mark))
            at += len(mark)
            starts.append(at)
            at += len(raw)
        if any(data[at : at + len(mark)] != mark for at, mark in places):
            return  # not in the order that every known client writes
        head = bytes(data[: starts[0]])
        made = plan_of(call, signature)
        if made is None or not made.names:
            return
        made.places = [(*place[:3], begins) for place, begins in zip(made.places, starts, strict=True)]
        if self._count >= PLANS_MAX:
            self._plans.clear()
            self._count = 0
        same = self._plans.setdefault(len(data), [])
        same[:] = [each for each in same if each.head != head][: SAME_SIZE_MAX - 1]
        same.insert(0, GrpcRequestTemplate(*names, head, tuple(places[1:]), made))
        self._count += 1


def raw_output(data: bytes) -> list[bytes]:
    """One entry of `raw_output_contents`, in parts."""
    return [_RAW_OUT + varint(len(data)), data]
