"""The methods of `inference.GRPCInferenceService`, and with it those of health and reflection, by their paths."""

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
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, Repository, ServedModel
from edgefleet_agent.serving.frontend.api_keys import Level
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.codec import read_parameter, read_request, write_config, write_response, write_statistics
from edgefleet_agent.serving.grpc.extensions import extension_methods
from edgefleet_agent.serving.grpc.health import health_methods
from edgefleet_agent.serving.grpc.message_limits import check_fields, check_infer
from edgefleet_agent.serving.grpc.messages import MESSAGES, SERVICE
from edgefleet_agent.serving.grpc.methods import QUICK_BYTES_MAX, Method
from edgefleet_agent.serving.grpc.reflection import SERVICES, reflection_methods
from edgefleet_agent.serving.grpc.request_cache import GrpcRequestCache, output_mark
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.grpc.stream_infer import InferStream, SendFinal, SendPart
from edgefleet_agent.serving.http.routes import (
    REPOSITORY_NAMES,
    read_load_parameters,
    read_unload_parameters,
    statistics_to_json,
)
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.request_cache import response_head
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.core.malloc import malloc_trim

ASIDE_BYTES_MIN = 256 * 1024
"""Messages from this size on are read on another thread, not on the loop, unless only their tensors are new."""
TRIM_BYTES_MIN = 8 * 1024 * 1024
"""Memory is returned to the operating system after a message of this size was read."""

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
    """The methods of the service. Errors become status codes with the text of the protocol."""

    def __init__(self, catalogue: ModelRegistry, repository: Repository, server: Server, guard: Authentication) -> None:
        self._guard = guard
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._templates = GrpcRequestCache()
        self._pool = concurrent.futures.ThreadPoolExecutor(2, "grpc-aside")

    def close(self) -> None:
        """Finish work that was started on the thread pool."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def methods(self) -> dict[bytes, Method[GrpcCall]]:
        """Path -> method."""
        quick: dict[str, Callable[[Any], Any]] = {
            "ServerLive": lambda _: MESSAGES["ServerLiveResponse"](live=True),
            "ServerReady": lambda _: MESSAGES["ServerReadyResponse"](ready=not self._server.draining),
            "ModelReady": self._model_ready,
            "ServerMetadata": lambda _: MESSAGES["ServerMetadataResponse"](**self._server.metadata()),
            "ModelMetadata": self._model_metadata,
            "ModelConfig": self._model_config,
            "ModelStatistics": self._model_statistics,
            **extension_methods(self._server, self._catalogue),
        }
        slow: dict[str, Callable[[Any], Any]] = {
            "RepositoryIndex": self._index,
            "RepositoryModelUnload": self._unload,
        }
        found = {_path(name): Method(unary=_unary_method(name, handler)) for name, handler in quick.items()}
        found |= {_path(name): Method(unary=self._run_on_pool(name, handler)) for name, handler in slow.items()}
        found[_path("RepositoryModelLoad")] = Method(unary=self._load, bytes_max=None)
        found[_path("ModelInfer")] = Method(unary=self._infer, bytes_max=None, tensor_at=self._templates.tensor_at)
        found[_path("ModelStreamInfer")] = Method(stream=lambda rpc: InferStream(self, rpc), bytes_max=None)
        return found | health_methods(SERVICES, self._server) | reflection_methods()

    def submit(self, data: memoryview, send_final: SendFinal, rpc: GrpcCall, send_part: SendPart | None = None) -> None:
        """Compute a `ModelInferRequest`. Outputs are copied on the thread that computed them, before the runtime reuses them.
        rpc: the call of the request. send_part: takes the answers of a decoupled model; None for a unary call.

        Raises:
            CallError: the request is not valid, or the queue is full; `send_final` is not called then.
        """
        began_ns = time.monotonic_ns()
        template = self._templates.find(data)
        if template is not None:
            served = self._catalogue.route(template.model, template.version)
            self._run(served, template.version, template.call(data), began_ns, send_final, rpc, send_part)
        elif len(data) <= ASIDE_BYTES_MIN:
            self._read(data, began_ns, send_final, rpc, send_part)
        else:
            rpc.run_aside(lambda: self._read_large(data, began_ns, send_final, rpc, send_part))

    def _read_large(
        self, data: memoryview, began_ns: int, send_final: SendFinal, rpc: GrpcCall, send_part: SendPart | None
    ) -> None:
        """Read a large request on another thread than the loop."""
        try:
            check_infer(data, self._server.json_values)
            self._read(data, began_ns, send_final, rpc, send_part)
        except CallError as error:
            send_final(error)
        if len(data) > TRIM_BYTES_MIN:
            malloc_trim()

    def _read(self, data: memoryview, began_ns: int, send_final: SendFinal, rpc: GrpcCall, send_part: SendPart | None) -> None:
        """Parse a request and compute it."""
        request = _parse("ModelInferRequest", data)
        model, version = request.model_name, request.model_version
        served = self._catalogue.route(model, version)
        if served.decoupled and send_part is None:
            raise CallError(Code.UNSUPPORTED, "ModelInfer RPC doesn't support models with decoupled transaction policy")
        call = read_request(request, self._server.regions)
        if _repeatable(request) and not served.decoupled:
            made = self._templates.make(data, (model, version), list(request.raw_input_contents), call, served.signature)
            if made is not None:
                rpc.on_loop(functools.partial(self._templates.add, len(data), made))
        self._run(served, version, call, began_ns, send_final, rpc, send_part)

    def _run(
        self,
        served: ServedModel,
        version: str,
        call: InferenceRequest,
        began_ns: int,
        send_final: SendFinal,
        rpc: GrpcCall,
        send_part: SendPart | None,
    ) -> None:
        call.is_cancelled, call.at_turn_end = rpc.is_cancelled, rpc.at_turn_end()
        if served.decoupled and send_part is not None:
            call.send_part = _part_sender(call, send_part)
        server = self._server
        if server.traces.on or server.spans is not None:
            server.trace(call, served.signature, "GRPC", began_ns, rpc.head.headers.get(b"traceparent", b""))

        self._catalogue.submit(served, version, call, functools.partial(self._answered, call, send_final))

    def _answered(self, call: InferenceRequest, send_final: SendFinal, answer: Answer, signature: TensorSignature) -> None:
        """Encode and send the answer of a request."""
        if call.trace is not None:
            self._server.finish_trace(call.trace, answer)
        if isinstance(answer, CallError):
            send_final(answer)
        elif call.send_part is not None:
            send_final(_encode_final(call, signature))
        else:
            try:
                send_final(_encode_response(call, signature, answer))
            except CallError as error:
                send_final(error)

    def _infer(self, rpc: GrpcCall, data: memoryview) -> None:
        try:
            self.submit(data, functools.partial(_answer_or_refuse, rpc), rpc)
        except CallError as error:
            refuse(rpc, error)

    def _run_on_pool(self, name: str, handler: Callable[[Any], Any]) -> Callable[[GrpcCall, memoryview], None]:
        answer = _unary_method(name, handler)

        def method(rpc: GrpcCall, data: memoryview) -> None:
            # The executor swallows unexpected exceptions; the callback answers, so that the caller does not wait forever.
            future = self._pool.submit(answer, rpc, data)
            future.add_done_callback(functools.partial(_answer_fault, rpc))

        return method

    def _model_ready(self, request: Any) -> Any:
        try:
            served = self._catalogue.find(request.name, request.version)
        except CallError as error:
            if error.code is Code.NOT_FOUND:
                return MESSAGES["ModelReadyResponse"](ready=False)
            raise
        return MESSAGES["ModelReadyResponse"](ready=not served.unavailable)

    def _model_metadata(self, request: Any) -> Any:
        return MESSAGES["ModelMetadataResponse"](**self._catalogue.metadata_to_json(request.name, request.version))

    def _model_config(self, request: Any) -> Any:
        config = self._catalogue.find(request.name, request.version).config_to_json()
        return MESSAGES["ModelConfigResponse"](config=write_config(config))

    def _model_statistics(self, request: Any) -> Any:
        return write_statistics(statistics_to_json(self._catalogue, request.name, request.version))

    def _index(self, request: Any) -> Any:
        return MESSAGES["RepositoryIndexResponse"](models=self._repository.index(ready=request.ready))

    def _load(self, rpc: GrpcCall, data: memoryview) -> None:
        def load(request: Any) -> Any:
            _check_repository(request)
            parameters = {name: read_parameter(value) for name, value in request.parameters.items()}
            config, files = read_load_parameters(parameters)
            if files:
                self._guard.check_level(Level.ADMIN, rpc.head.headers, rpc.peer)
            self._repository.load(request.model_name, config, files)
            return MESSAGES["RepositoryModelLoadResponse"]()

        self._run_on_pool("RepositoryModelLoad", load)(rpc, data)

    def _unload(self, request: Any) -> Any:
        _check_repository(request)
        parameters = {name: read_parameter(value) for name, value in request.parameters.items()}
        self._repository.unload(request.model_name, dependents=read_unload_parameters(parameters))
        return MESSAGES["RepositoryModelUnloadResponse"]()


def _check_repository(request: Any) -> None:
    if request.repository_name:
        raise CallError(Code.UNSUPPORTED, REPOSITORY_NAMES)


def _encode_response(call: InferenceRequest, signature: TensorSignature, answer: Mapping[str, Array]) -> list[bytes]:
    """Encode a `ModelInferResponse` in parts.

    Raises:
        CallError: an output cannot be encoded in the requested form.
    """
    head, shapes, arrays = response_head(call, answer)
    known = call.template is not None and call.template.signature is signature
    if head is not None and known:
        parts = [head]
        for array in arrays:
            raw = array.tobytes()
            parts += (output_mark(len(raw)), raw)
        return parts
    message = write_response(call, signature, answer)
    if shapes and known and call.template is not None:
        bare = type(message)()
        bare.CopyFrom(message)
        bare.ClearField("raw_output_contents")
        call.template.remember_head(shapes, bare.SerializeToString())
    return [message.SerializeToString()]


def _part_sender(call: InferenceRequest, send_part: SendPart) -> Callable[[Mapping[str, Array], TensorSignature], bool]:
    return lambda answer, signature: send_part(_encode_response(call, signature, answer))


def _encode_final(call: InferenceRequest, signature: TensorSignature) -> list[bytes]:
    """The final answer of a decoupled model: an empty one if requested, otherwise none."""
    if call.parameters.get("triton_enable_empty_final_response") is not True:
        return []
    message = MESSAGES["ModelInferResponse"](model_name=signature.model, model_version=signature.version, id=call.id)
    return [message.SerializeToString()]


def _answer_or_refuse(rpc: GrpcCall, answer: list[bytes] | CallError) -> None:
    if isinstance(answer, CallError):
        refuse(rpc, answer)
    else:
        rpc.answer(answer)


def refuse(rpc: GrpcCall, error: EdgefleetError) -> None:
    """End a call with an error."""
    refusal = error if isinstance(error, CallError) else invalid(str(error))
    rpc.fail(STATUS.get(refusal.code, Status.UNKNOWN), str(refusal), refusal.retry_s)


def _path(name: str) -> bytes:
    return f"/{SERVICE}/{name}".encode()


def _parse(name: str, data: memoryview) -> Any:
    try:
        return MESSAGES[name].FromString(bytes(data))
    except DecodeError as cause:
        raise invalid(f"the message is not a {name}: {cause}") from cause


def _repeatable(request: Any) -> bool:
    """Whether equal requests differ in their tensors only: no id, sequence or shared memory."""
    if request.id or any(name not in ("priority", "timeout") for name in request.parameters):
        return False
    return not any(each.parameters for each in (*request.inputs, *request.outputs))


def _unary_method(name: str, handler: Callable[[Any], Any]) -> Callable[[GrpcCall, memoryview], None]:
    def method(rpc: GrpcCall, data: memoryview) -> None:
        try:
            if len(data) > QUICK_BYTES_MAX:
                check_fields(data)
            answer: bytes = handler(_parse(f"{name}Request", data)).SerializeToString()
        except EdgefleetError as error:
            refuse(rpc, error)
        else:
            rpc.answer([answer])

    return method


def _answer_fault(rpc: GrpcCall, future: concurrent.futures.Future[None]) -> None:
    with contextlib.suppress(concurrent.futures.CancelledError):
        fault = future.exception()
        if fault is not None:
            log.error("internal error in a call", exc_info=fault)
            refuse(rpc, internal_fault())
