"""The methods of `inference.GRPCInferenceService` and of the standard health service, by their paths."""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import DecodeError

from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.call import GrpcCall, Method, Status
from edgefleet_agent.serving.grpc.codec import read_parameter, read_request, write_config, write_response, write_statistics
from edgefleet_agent.serving.grpc.extensions import extension_methods
from edgefleet_agent.serving.grpc.messages import MESSAGES, SERVICE
from edgefleet_agent.serving.grpc.request_cache import GrpcRequestCache, raw_output
from edgefleet_agent.serving.grpc.stream_infer import InferStream, More, Told
from edgefleet_agent.serving.http.routes import read_load_parameters, read_unload_parameters, tell_statistics
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.request_cache import head_of
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

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


class InferenceService:
    """Errors leave as status codes with the protocol's text."""

    def __init__(
        self, catalogue: ModelRegistry, repository: Repository, server: Server, guard: Authentication, address: str
    ) -> None:
        self._guard = guard
        self._address = address
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._plans = GrpcRequestCache()
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
        found[_path("ModelStreamInfer")] = Method(stream=lambda rpc: InferStream(self, rpc))
        # SERVING, whatever is asked for. Two bytes of protobuf need no message class.
        found[b"/grpc.health.v1.Health/Check"] = Method(unary=lambda rpc, _: rpc.answer([b"\x08\x01"]))
        return found

    def submit(self, data: memoryview, told: Told, rpc: GrpcCall, more: More | None = None) -> None:
        """Compute a `ModelInferRequest`. Outputs are copied on the thread that computed them, before the runtime may use them
        again. rpc: where it came. more: takes the answers of a model that gives several, where there is room for several.

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
            if served.decoupled and more is None:
                raise CallError(Code.UNSUPPORTED, "ModelInfer RPC doesn't support models with decoupled transaction policy")
            call = read_request(request, self._server.regions)
            if _plain(request) and not served.decoupled:
                self._plans.keep(data, (model, version), list(request.raw_input_contents), call, served.signature)
        call.gone = rpc.gone
        if served.decoupled and more is not None:
            call.more = _several(call, more)
        if self._server.tracing:
            self._server.trace(call, served.signature, "GRPC", began_ns, rpc.head.headers.get(b"traceparent", b""))

        def done(answer: Answer, signature: TensorSignature) -> None:
            if call.trace is not None:
                self._server.traced(call.trace, answer)
            if isinstance(answer, CallError):
                told(answer)
            elif call.more is not None:
                told(_no_more(call, signature))
            else:
                try:
                    told(_written(call, signature, answer))
                except CallError as error:
                    told(error)

        self._catalogue.submit(served, version, call, done)

    def _infer(self, rpc: GrpcCall, data: memoryview) -> None:
        def told(answer: list[bytes] | CallError) -> None:
            if isinstance(answer, CallError):
                refuse(rpc, answer)
            else:
                rpc.answer(answer)

        try:
            self.submit(data, told, rpc)
        except CallError as error:
            refuse(rpc, error)

    def _beside(self, name: str, tell: Callable[[Any], Any]) -> Callable[[GrpcCall, memoryview], None]:
        answer = _at_once(name, tell)

        def method(rpc: GrpcCall, data: memoryview) -> None:
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

    def _load(self, rpc: GrpcCall, data: memoryview) -> None:
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


def _written(call: InferenceRequest, signature: TensorSignature, answer: Mapping[str, Array]) -> list[bytes]:
    """The parts of a `ModelInferResponse`.

    Raises:
        CallError: an output cannot be told in the way that was wished.
    """
    head, shapes, arrays = head_of(call, answer)
    known = call.plan is not None and call.plan.signature is signature
    if head is not None and known:
        return [head, *(part for array in arrays for part in raw_output(array.tobytes()))]
    message = write_response(call, signature, answer)
    if shapes and known and call.plan is not None:
        bare = type(message)()
        bare.CopyFrom(message)
        bare.ClearField("raw_output_contents")
        call.plan.keep_head(shapes, bare.SerializeToString())
    return [message.SerializeToString()]


def _several(call: InferenceRequest, more: More) -> Callable[[Mapping[str, Array], TensorSignature], bool]:
    return lambda answer, signature: more(_written(call, signature, answer))


def _no_more(call: InferenceRequest, signature: TensorSignature) -> list[bytes]:
    """The last answer of several: an empty one for who asked for it, nothing else."""
    if call.parameters.get("triton_enable_empty_final_response") is not True:
        return []
    message = MESSAGES["ModelInferResponse"](model_name=signature.model, model_version=signature.version, id=call.id)
    return [message.SerializeToString()]


def refuse(rpc: GrpcCall, error: EdgefleetError) -> None:
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


def _at_once(name: str, tell: Callable[[Any], Any]) -> Callable[[GrpcCall, memoryview], None]:
    def method(rpc: GrpcCall, data: memoryview) -> None:
        try:
            answer: bytes = tell(_parse(f"{name}Request", data)).SerializeToString()
        except EdgefleetError as error:
            refuse(rpc, error)
        else:
            rpc.answer([answer])

    return method


def _tell_fault(rpc: GrpcCall, future: concurrent.futures.Future[None]) -> None:
    with contextlib.suppress(concurrent.futures.CancelledError):
        fault = future.exception()
        if fault is not None:
            log.error("a call could not be answered", exc_info=fault)
            refuse(rpc, internal_fault())
