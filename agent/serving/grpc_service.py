"""The methods of `inference.GRPCInferenceService` and of the standard health service, by their paths."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import functools
import logging
import time
from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError

from agent.errors import EdgefleetError
from agent.serving.call import Signature
from agent.serving.catalogue import Catalogue, Repository
from agent.serving.errors import CallError, Code, invalid
from agent.serving.grpc_codec import read_parameter, read_request, write_config, write_response, write_statistics
from agent.serving.grpc_extensions import extension_methods
from agent.serving.grpc_messages import MESSAGES, SERVICE
from agent.serving.grpc_plans import GrpcPlans, raw_output
from agent.serving.guard import Guard
from agent.serving.http_routes import read_load_parameters, read_unload_parameters, tell_statistics
from agent.serving.plans import head_of
from agent.serving.queueing import Answer
from agent.serving.rpc import Method, Rpc, Status
from agent.serving.server import Server
from agent.serving.varint import varint

log = logging.getLogger(__name__)

STREAM_PENDING_MAX = 64
"""Requests of one stream that wait for their answers, and bytes of answers that wait for their reader; then the stream is read no
further."""
STREAM_BYTES_MAX = 4 * 1024 * 1024

STATUS = {
    Code.INVALID: Status.INVALID_ARGUMENT,
    Code.UNAUTHENTICATED: Status.UNAUTHENTICATED,
    Code.TOO_MANY: Status.RESOURCE_EXHAUSTED,
    Code.FORBIDDEN: Status.PERMISSION_DENIED,
    Code.NOT_FOUND: Status.NOT_FOUND,
    Code.TOO_LARGE: Status.RESOURCE_EXHAUSTED,
    Code.INTERNAL: Status.INTERNAL,
    Code.UNSUPPORTED: Status.UNIMPLEMENTED,
    Code.UNAVAILABLE: Status.UNAVAILABLE,
}

_FINAL = b"\x22\x1b\x0a\x15triton_final_response\x12\x02\x08\x01"
"""The field `parameters` of a `ModelInferResponse` with one entry: `triton_final_response` is true."""

Told = Callable[["list[bytes] | CallError"], None]
"""Takes the parts of a `ModelInferResponse`, on any thread."""


class Service:
    """Errors leave as status codes with the protocol's text."""

    def __init__(self, catalogue: Catalogue, repository: Repository, server: Server, guard: Guard, address: str) -> None:
        self._guard = guard
        self._address = address
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._plans = GrpcPlans()
        self._aside = concurrent.futures.ThreadPoolExecutor(2, "grpc-aside")

    def close(self) -> None:
        """Finish what was begun beside the loop."""
        self._aside.shutdown(wait=False, cancel_futures=True)

    def methods(self) -> dict[bytes, Method]:
        """Path -> method."""
        quick: dict[str, Callable[[Any], Any]] = {
            "ServerLive": lambda _: MESSAGES["ServerLiveResponse"](live=True),
            "ServerReady": lambda _: MESSAGES["ServerReadyResponse"](ready=True),
            "ModelReady": self._model_ready,
            "ServerMetadata": lambda _: MESSAGES["ServerMetadataResponse"](**self._server.tell()),
            "ModelMetadata": self._model_metadata,
            "ModelConfig": self._model_config,
            "ModelStatistics": self._model_statistics,
            **extension_methods(self._server, self._catalogue),
        }
        slow: dict[str, Callable[[Any], Any]] = {
            "RepositoryIndex": self._index,
            "RepositoryModelUnload": self._unload,
        }
        found = {_path(name): Method(unary=_at_once(name, tell)) for name, tell in quick.items()}
        found |= {_path(name): Method(unary=self._beside(name, tell)) for name, tell in slow.items()}
        found[_path("RepositoryModelLoad")] = Method(unary=self._load)
        found[_path("ModelInfer")] = Method(unary=self._infer)
        found[_path("ModelStreamInfer")] = Method(stream=lambda rpc: Stream(self, rpc))
        # SERVING, whatever is asked for. Two bytes of protobuf need no message class.
        found[b"/grpc.health.v1.Health/Check"] = Method(unary=lambda rpc, _: rpc.answer([b"\x08\x01"]))
        return found

    def submit(self, data: memoryview, told: Told, rpc: Rpc) -> None:
        """Compute a `ModelInferRequest`. Outputs are copied on the thread that computed them, before the runtime may use them
        again. rpc: where it came.

        Raises:
            CallError: it cannot be read, does not fit, or the queue is full; `told` is not called then.
        """
        began_ns = time.monotonic_ns()
        plan = self._plans.find(data)
        if plan is not None:
            model, version = plan.model, plan.version
            served = self._catalogue.route(model, version)
            call = plan.call(data)
        else:
            request = _parse("ModelInferRequest", data)
            model, version = request.model_name, request.model_version
            served = self._catalogue.route(model, version)
            call = read_request(request, self._server.regions)
            if _plain(request):
                self._plans.keep(data, (model, version), list(request.raw_input_contents), call, served.signature)
        call.gone = rpc.gone
        if self._server.tracing:
            self._server.trace(call, served.signature, "GRPC", began_ns, rpc.head.headers.get(b"traceparent", b""))

        def done(answer: Answer, signature: Signature) -> None:
            if call.trace is not None:
                self._server.traced(call.trace, answer)
            if isinstance(answer, CallError):
                told(answer)
                return
            head, shapes, arrays = head_of(call, answer)
            if head is not None and call.plan is not None and call.plan.signature is signature:
                told([head, *(part for array in arrays for part in raw_output(array.tobytes()))])
                return
            try:
                message = write_response(call, signature, answer)
            except CallError as error:
                told(error)
                return
            if shapes and call.plan is not None and call.plan.signature is signature:
                bare = type(message)()
                bare.CopyFrom(message)
                bare.ClearField("raw_output_contents")
                call.plan.keep_head(shapes, bare.SerializeToString())
            told([message.SerializeToString()])

        self._catalogue.submit(served, version, call, done)

    def _infer(self, rpc: Rpc, data: memoryview) -> None:
        def told(answer: list[bytes] | CallError) -> None:
            if isinstance(answer, CallError):
                refuse(rpc, answer)
            else:
                rpc.answer(answer)

        try:
            self.submit(data, told, rpc)
        except CallError as error:
            refuse(rpc, error)

    def _beside(self, name: str, tell: Callable[[Any], Any]) -> Callable[[Rpc, memoryview], None]:
        answer = _at_once(name, tell)

        def method(rpc: Rpc, data: memoryview) -> None:
            # The executor swallows what it does not expect; a caller shall not wait for ever for that.
            future = self._aside.submit(answer, rpc, data)
            future.add_done_callback(functools.partial(_tell_fault, rpc))

        return method

    def _model_ready(self, request: Any) -> Any:
        try:
            self._catalogue.find(request.name, request.version)
        except CallError as error:
            if error.code is Code.NOT_FOUND:
                return MESSAGES["ModelReadyResponse"](ready=False)
            raise
        return MESSAGES["ModelReadyResponse"](ready=True)

    def _model_metadata(self, request: Any) -> Any:
        return MESSAGES["ModelMetadataResponse"](**self._catalogue.tell_metadata(request.name, request.version))

    def _model_config(self, request: Any) -> Any:
        told = self._catalogue.find(request.name, request.version).tell_config()
        return MESSAGES["ModelConfigResponse"](config=write_config(told))

    def _model_statistics(self, request: Any) -> Any:
        return write_statistics(tell_statistics(self._catalogue, request.name, request.version))

    def _index(self, request: Any) -> Any:
        return MESSAGES["RepositoryIndexResponse"](models=self._repository.index(ready=request.ready))

    def _load(self, rpc: Rpc, data: memoryview) -> None:
        def load(request: Any) -> Any:
            parameters = {name: read_parameter(value) for name, value in request.parameters.items()}
            config, files = read_load_parameters(parameters)
            if files:
                self._guard.check_sender(rpc.head.headers, self._address)
            self._repository.load(request.model_name, config, files)
            return MESSAGES["RepositoryModelLoadResponse"]()

        self._beside("RepositoryModelLoad", load)(rpc, data)

    def _unload(self, request: Any) -> Any:
        parameters = {name: read_parameter(value) for name, value in request.parameters.items()}
        self._repository.unload(request.model_name, dependents=read_unload_parameters(parameters))
        return MESSAGES["RepositoryModelUnloadResponse"]()


class Stream:
    """One `ModelStreamInfer`: answers in the order of their requests, several of which may be computed at once."""

    def __init__(self, service: Service, rpc: Rpc) -> None:
        self._service = service
        self._rpc = rpc
        self._waiting: collections.deque[_Place] = collections.deque()
        self._ended = False

    def message(self, data: memoryview) -> None:
        """Compute a request; an error is told in its place, and the stream goes on."""
        place = _Place()
        self._waiting.append(place)
        if len(self._waiting) >= STREAM_PENDING_MAX or self._rpc.waiting_bytes > STREAM_BYTES_MAX:
            self._rpc.pause()

        def told(answer: list[bytes] | CallError) -> None:
            place.parts = _streamed(answer)
            self._rpc.on_loop(self._send)

        try:
            self._service.submit(data, told, self._rpc)
        except CallError as error:
            told(error)

    def half_closed(self) -> None:
        """No further request comes."""
        self._ended = True
        self._send()

    def cancelled(self) -> None:
        """Nobody waits for the answers; those that are computed are thrown away."""
        self._waiting.clear()

    def _send(self) -> None:
        while self._waiting and self._waiting[0].parts is not None:
            self._rpc.send(self._waiting.popleft().parts or [])
        if len(self._waiting) < STREAM_PENDING_MAX // 2 and self._rpc.waiting_bytes <= STREAM_BYTES_MAX:
            self._rpc.resume()
        if self._ended and not self._waiting:
            self._rpc.finish()


class _Place:
    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: list[bytes] | None = None


def _streamed(answer: list[bytes] | CallError) -> list[bytes]:
    """A `ModelStreamInferResponse` around an answer."""
    if isinstance(answer, CallError):
        return [MESSAGES["ModelStreamInferResponse"](error_message=str(answer)).SerializeToString()]
    # Every model here gives one answer, which is the last one. A field may stand anywhere in a message.
    return [b"\x12", varint(sum(map(len, answer)) + len(_FINAL)), *answer, _FINAL]


def refuse(rpc: Rpc, error: EdgefleetError) -> None:
    """End a call with what was wrong."""
    told = error if isinstance(error, CallError) else invalid(str(error))
    rpc.fail(STATUS.get(told.code, Status.UNKNOWN), str(told), told.retry_s)


def _path(name: str) -> bytes:
    return f"/{SERVICE}/{name}".encode()


def _parse(name: str, data: memoryview) -> Any:
    try:
        return MESSAGES[name].FromString(bytes(data))
    except DecodeError as cause:
        raise invalid(f"the message is not a {name}: {cause}") from cause


def _plain(request: Any) -> bool:
    """Whether nothing in a request but its tensors can change its meaning from one time to the next."""
    if request.id or any(name not in ("priority", "timeout") for name in request.parameters):
        return False
    return not any(each.parameters for each in (*request.inputs, *request.outputs))


def _at_once(name: str, tell: Callable[[Any], Any]) -> Callable[[Rpc, memoryview], None]:
    def method(rpc: Rpc, data: memoryview) -> None:
        try:
            answer: bytes = tell(_parse(f"{name}Request", data)).SerializeToString()
        except EdgefleetError as error:
            refuse(rpc, error)
        else:
            rpc.answer([answer])

    return method


def _tell_fault(rpc: Rpc, future: concurrent.futures.Future[None]) -> None:
    with contextlib.suppress(concurrent.futures.CancelledError):
        fault = future.exception()
        if fault is not None:
            log.error("a call could not be answered", exc_info=fault)
            rpc.fail(Status.INTERNAL, "internal fault; the log of the agent says more")
