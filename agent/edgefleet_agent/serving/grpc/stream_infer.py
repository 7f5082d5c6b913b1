"""`ModelStreamInfer`: several requests in one call, and several answers to a request for decoupled models."""

from __future__ import annotations

import collections
import logging
import threading
from collections.abc import Callable
from typing import Protocol

from edgefleet_agent.core.protobuf_fields import varint
from edgefleet_agent.serving.frontend.listener_context import ENDING
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.protocol.errors import CallError, internal_fault

log = logging.getLogger(__name__)

PENDING_MAX = 64
"""Requests of one stream that wait for their answers; beyond it, or beyond `BYTES_MAX` of unread answers, reading stops."""
BYTES_MAX = 4 * 1024 * 1024
AHEAD_MAX = 8
"""Queued answers to one request; then its model blocks."""
CANCEL_POLL_S = 0.25
"""Interval at which a blocked model polls whether the call was cancelled."""

_FINAL, _LATER = (b"\x22\x1b\x0a\x15triton_final_response\x12\x02\x08" + bytes((flag,)) for flag in (1, 0))
"""The field `parameters` of a `ModelInferResponse` with one entry: `triton_final_response`."""

SendFinal = Callable[["list[bytes] | CallError"], None]
"""Sends the last answer: an error, or the parts of a `ModelInferResponse` (empty: there is no further one). Any thread."""
SendPart = Callable[["list[bytes]"], bool]
"""Sends one answer of several; may block. False: the call was cancelled. Not on the loop."""


class RequestSubmitter(Protocol):
    """Computes requests."""

    def submit(self, data: memoryview, send_final: SendFinal, rpc: GrpcCall, send_part: SendPart | None = None) -> None: ...


class InferStream:
    """One stream: answers in the order of their requests, which may be computed concurrently."""

    def __init__(self, service: RequestSubmitter, rpc: GrpcCall) -> None:
        self._service = service
        self._rpc = rpc
        self._waiting: collections.deque[_PendingResponse] = collections.deque()
        self._ended = self._ending = False

    def message(self, data: memoryview) -> None:
        """Compute a request; an error is answered in its position, and the stream continues."""
        pending = _PendingResponse()
        self._waiting.append(pending)
        if len(self._waiting) >= PENDING_MAX or self._rpc.waiting_bytes > BYTES_MAX:
            self._rpc.pause()

        def send_part(answer: list[bytes]) -> bool:
            while not pending.room.acquire(timeout=CANCEL_POLL_S):
                if self._rpc.is_cancelled():
                    return False
            pending.parts.append(_encode_stream_response(answer, _LATER))
            self._rpc.on_loop(self._send)
            return not self._rpc.is_cancelled()

        def send_final(answer: list[bytes] | CallError) -> None:
            if isinstance(answer, CallError):
                pending.parts.append([MESSAGES["ModelStreamInferResponse"](error_message=str(answer)).SerializeToString()])
            elif answer:
                pending.parts.append(_encode_stream_response(answer, _FINAL))
            pending.complete = True
            self._rpc.on_loop(self._send)

        try:
            if self._ending:
                raise ENDING
            self._service.submit(data, send_final, self._rpc, send_part)
        except CallError as error:
            send_final(error)
        except Exception:
            log.exception("internal error in a stream request")
            send_final(internal_fault())

    def half_closed(self) -> None:
        """There are no further requests."""
        self._ended = True
        self._send()

    def end(self) -> None:
        """End the call when all requests are answered: further ones are refused."""
        if not self._waiting:
            self._rpc.fail(Status.UNAVAILABLE, str(ENDING), ENDING.retry_s)
        self._ending = True

    def drained(self) -> None:
        """All answers were sent."""
        self._send()

    def cancelled(self) -> None:
        """Discard the answers of a cancelled call."""
        self._waiting.clear()

    def _send(self) -> None:
        while self._waiting and self._rpc.waiting_bytes <= BYTES_MAX:
            pending = self._waiting[0]
            complete = pending.complete  # read before `parts`: another thread may add the last part now
            if pending.parts:
                self._rpc.send(pending.parts.popleft())
                pending.room.release()
            elif complete:
                self._waiting.popleft()
            else:
                break
        if len(self._waiting) < PENDING_MAX // 2 and self._rpc.waiting_bytes <= BYTES_MAX:
            self._rpc.resume()
        if self._ended and not self._waiting:
            self._rpc.finish()


class _PendingResponse:
    """One request and its unsent answers. room: free positions for answers. complete: there are no more answers."""

    __slots__ = ("complete", "parts", "room")

    def __init__(self) -> None:
        self.parts: collections.deque[list[bytes]] = collections.deque()
        self.room = threading.Semaphore(AHEAD_MAX)
        self.complete = False


def _encode_stream_response(answer: list[bytes], mark: bytes) -> list[bytes]:
    """Encode a `ModelStreamInferResponse` around an answer. Fields of a message may come in any order."""
    return [b"\x12", varint(sum(map(len, answer)) + len(mark)), *answer, mark]
