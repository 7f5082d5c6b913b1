"""`ModelStreamInfer`: several requests of one call, and for some models several answers to a request."""

from __future__ import annotations

import collections
import logging
import threading
from collections.abc import Callable
from typing import Protocol

from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.grpc.varint import varint
from edgefleet_agent.serving.protocol.errors import CallError, internal_fault

log = logging.getLogger(__name__)

PENDING_MAX = 64
"""Requests of one stream that wait for their answers, and bytes of answers that wait for their reader; then the stream is read no
further."""
BYTES_MAX = 4 * 1024 * 1024
AHEAD_MAX = 8
"""Answers to one request that wait for their turn; then the model that gives them waits."""
LOOK_S = 0.25
"""How often a model that waits looks whether its reader is still there."""

_FINAL, _LATER = (b"\x22\x1b\x0a\x15triton_final_response\x12\x02\x08" + bytes((flag,)) for flag in (1, 0))
"""The field `parameters` of a `ModelInferResponse` with one entry: `triton_final_response`."""

Told = Callable[["list[bytes] | CallError"], None]
"""Takes the parts of a `ModelInferResponse` (none: there was an answer before, and there is no other), on any thread."""
More = Callable[["list[bytes]"], bool]
"""Takes the parts of one answer of several; may wait. False: nobody listens any more. Not on the loop."""


class Submits(Protocol):
    """Computes requests."""

    def submit(self, data: memoryview, told: Told, rpc: GrpcCall, more: More | None = None) -> None: ...


class InferStream:
    """One stream: answers in the order of their requests, several of which may be computed at once."""

    def __init__(self, service: Submits, rpc: GrpcCall) -> None:
        self._service = service
        self._rpc = rpc
        self._waiting: collections.deque[_PendingResponse] = collections.deque()
        self._ended = False
        self._sending = False

    def message(self, data: memoryview) -> None:
        """Compute a request; an error is told in its place, and the stream goes on."""
        place = _PendingResponse()
        self._waiting.append(place)
        if len(self._waiting) >= PENDING_MAX or self._rpc.waiting_bytes > BYTES_MAX:
            self._rpc.pause()

        def more(answer: list[bytes]) -> bool:
            while not place.room.acquire(timeout=LOOK_S):
                if self._rpc.gone():
                    return False
            place.parts.append(_answered(answer, _LATER))
            self._rpc.on_loop(self._send)
            return not self._rpc.gone()

        def told(answer: list[bytes] | CallError) -> None:
            if isinstance(answer, CallError):
                place.parts.append([MESSAGES["ModelStreamInferResponse"](error_message=str(answer)).SerializeToString()])
            elif answer:
                place.parts.append(_answered(answer, _FINAL))
            place.complete = True
            self._rpc.on_loop(self._send)

        try:
            self._service.submit(data, told, self._rpc, more)
        except CallError as error:
            told(error)
        except Exception:
            log.exception("a request of a stream could not be answered")
            told(internal_fault())

    def half_closed(self) -> None:
        """No further request comes."""
        self._ended = True
        self._send()

    def drained(self) -> None:
        """The reader has taken all there was."""
        self._send()

    def cancelled(self) -> None:
        """Nobody waits for the answers; those that are computed are thrown away."""
        self._waiting.clear()

    def _send(self) -> None:
        if self._sending:  # a message that leaves at once says so from inside
            return
        self._sending = True
        while self._waiting and self._rpc.waiting_bytes <= BYTES_MAX:
            place = self._waiting[0]
            complete = place.complete  # before the parts: the last one may come this moment
            if place.parts:
                self._rpc.send(place.parts.popleft())
                place.room.release()
            elif complete:
                self._waiting.popleft()
            else:
                break
        self._sending = False
        if len(self._waiting) < PENDING_MAX // 2 and self._rpc.waiting_bytes <= BYTES_MAX:
            self._rpc.resume()
        if self._ended and not self._waiting:
            self._rpc.finish()


class _PendingResponse:
    """One request, and its answers that were not sent. room: for more of them. complete: there are no others."""

    __slots__ = ("complete", "parts", "room")

    def __init__(self) -> None:
        self.parts: collections.deque[list[bytes]] = collections.deque()
        self.room = threading.Semaphore(AHEAD_MAX)
        self.complete = False


def _answered(answer: list[bytes], mark: bytes) -> list[bytes]:
    """A `ModelStreamInferResponse` around an answer. A field may stand anywhere in a message."""
    return [b"\x12", varint(sum(map(len, answer)) + len(mark)), *answer, mark]
