"""Cache of repeated inference requests, which need no parsing.

A client in a loop sends the same bytes again and again; only the tensors at the end change. A template is such a request, parsed
and checked once: the layout of its tensors, and the header of its response. It fits another request if all bytes before the first
tensor and those between the tensors are equal.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from edgefleet_agent.core.protobuf_fields import varint
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, RequestTemplate, TensorSignature
from edgefleet_agent.serving.protocol.request_cache import HEADER_BYTES_MAX, template_of

TEMPLATES_MAX = 128
_RAW = b"\x3a"
"""Tag of `raw_input_contents`; `raw_output_contents` has `_RAW_OUT`."""
_RAW_OUT = b"\x32"
SAME_SIZE_MAX = 8
MARKS_MAX = 1024


@dataclass(frozen=True, slots=True)
class GrpcRequestTemplate:
    """One request. model, version: as requested. marks: position, and tag with length, of each tensor but the first."""

    model: str
    version: str
    head: bytes
    marks: tuple[tuple[int, bytes], ...]
    template: RequestTemplate

    def fits(self, data: memoryview) -> bool:
        """Whether a request of the same length differs in its tensors only."""
        if data[: len(self.head)] != self.head:
            return False
        return not self.marks or all(data[at : at + len(mark)] == mark for at, mark in self.marks)

    def call(self, data: memoryview) -> InferenceRequest:
        """The parsed request of data that fits."""
        return self.template.request(data)


class GrpcRequestCache:
    """The templates of one service, by the length of the request. One thread, but for `make`."""

    def __init__(self) -> None:
        self._templates: dict[int, list[GrpcRequestTemplate]] = {}
        self._count = 0

    def find(self, data: memoryview) -> GrpcRequestTemplate | None:
        """The template of a request; None for a new one."""
        for template in self._templates.get(len(data), ()):
            if template.fits(data):
                return template
        return None

    def tensor_at(self, size: int) -> int:
        """Position of the first tensor in the latest request of this size; 0 if there was none."""
        found = self._templates.get(size)
        return found[0].template.layout[0][3] if found else 0

    def add(self, size: int, made: GrpcRequestTemplate) -> None:
        """Cache the template of a request of `size` bytes."""
        if self._count >= TEMPLATES_MAX:
            self._templates.clear()
            self._count = 0
        same = self._templates.setdefault(size, [])
        same[:] = [each for each in same if each.head != made.head][: SAME_SIZE_MAX - 1]
        same.insert(0, made)
        self._count += 1

    @staticmethod
    def make(
        data: memoryview, names: tuple[str, str], raws: list[bytes], call: InferenceRequest, signature: TensorSignature
    ) -> GrpcRequestTemplate | None:
        """The template of a parsed request; None if it is unlikely to repeat. Any thread. names: model and version. raws: its
        tensors, in the order of `call.inputs`.

        Raises:
            CallError: the request does not fit the signature.
        """
        marks = [_RAW + varint(len(raw)) for raw in raws]
        tail = sum(map(len, marks)) + sum(map(len, raws))
        start = len(data) - tail
        if not raws or start <= 0 or start > HEADER_BYTES_MAX:
            return None
        at, places, starts = start, [], []
        for mark, raw in zip(marks, raws, strict=True):
            places.append((at, mark))
            at += len(mark)
            starts.append(at)
            at += len(raw)
        if any(data[at : at + len(mark)] != mark for at, mark in places):
            return None  # not in the field order of the known clients
        head = bytes(data[: starts[0]])
        made = template_of(call, signature)
        if made is None or not made.names:
            return None
        made.layout = [(*place[:3], start) for place, start in zip(made.layout, starts, strict=True)]
        return GrpcRequestTemplate(*names, head, tuple(places[1:]), made)


@functools.lru_cache(MARKS_MAX)
def output_mark(size: int) -> bytes:
    """Tag and length of an entry of `raw_output_contents`, which stand before it."""
    return _RAW_OUT + varint(size)
