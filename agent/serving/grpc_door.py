"""The gRPC listener: `inference.GRPCInferenceService` and the standard health service. Needs `pip install 'edgefleet[grpc]'`."""

from __future__ import annotations

import concurrent.futures
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc

from agent.errors import EdgefleetError, UnavailableError
from agent.serving.call import Signature
from agent.serving.catalogue import Catalogue, Repository
from agent.serving.errors import CallError, Code, invalid
from agent.serving.grpc_codec import read_parameter, read_request, write_config, write_response, write_statistics
from agent.serving.grpc_messages import MESSAGES, SERVICE
from agent.serving.http1 import Limits
from agent.serving.http_routes import EXTENSIONS, read_load_parameters, tell_statistics
from agent.serving.queueing import Answer

THREADS = 32
STREAMS_MAX = 8
"""Streams that are open at once; each holds a thread."""
STREAM_PENDING_MAX = 64
"""Requests of one stream that wait for their answers; then the stream is read no further."""
ANSWER_S_MAX = 60.0
CLOSE_S_MAX = 3.0

_STATUS = {
    Code.INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Code.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Code.TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Code.INTERNAL: grpc.StatusCode.INTERNAL,
    Code.UNSUPPORTED: grpc.StatusCode.UNIMPLEMENTED,
    Code.UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
}


class GrpcDoor:
    """Serves a catalogue at HOST:PORT (port 0: any free one). Opened by the constructor.

    Raises:
        UnavailableError: the address cannot be had.
    """

    def __init__(
        self, address: str, catalogue: Catalogue, repository: Repository, server: dict[str, str], limits: Limits
    ) -> None:
        self._executor = concurrent.futures.ThreadPoolExecutor(THREADS, "serve:grpc")
        options = [
            ("grpc.max_receive_message_length", limits.body_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ]
        self._server = grpc.server(self._executor, options=options)
        service = Service(catalogue, repository, server)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, service.handlers()),))
        self._server.add_generic_rpc_handlers((_health(),))
        try:
            port = self._server.add_insecure_port(address)
        except RuntimeError as cause:
            raise UnavailableError(f"cannot listen on {address} for gRPC; give HOST:PORT that is free") from cause
        self.address = f"{address.rpartition(':')[0]}:{port}"
        self._server.start()

    def close(self) -> None:
        """Stop listening, and end once what was asked is answered."""
        self._server.stop(CLOSE_S_MAX).wait(2 * CLOSE_S_MAX)
        self._executor.shutdown(wait=False, cancel_futures=True)


class Service:
    """The methods of the service, one for each message pair. Errors leave as status codes with the protocol's text."""

    def __init__(self, catalogue: Catalogue, repository: Repository, server: dict[str, str]) -> None:
        self._catalogue = catalogue
        self._repository = repository
        self._server = server
        self._streams = threading.BoundedSemaphore(STREAMS_MAX)

    def handlers(self) -> dict[str, grpc.RpcMethodHandler]:
        """Method name -> handler."""
        unary: dict[str, Callable[[Any], Any]] = {
            "ServerLive": lambda _: MESSAGES["ServerLiveResponse"](live=True),
            "ServerReady": lambda _: MESSAGES["ServerReadyResponse"](ready=True),
            "ModelReady": self._model_ready,
            "ServerMetadata": lambda _: MESSAGES["ServerMetadataResponse"](**self._server, extensions=EXTENSIONS),
            "ModelMetadata": self._model_metadata,
            "ModelInfer": self._infer,
            "ModelConfig": self._model_config,
            "ModelStatistics": self._model_statistics,
            "RepositoryIndex": self._index,
            "RepositoryModelLoad": self._load,
            "RepositoryModelUnload": self._unload,
        }
        found = {
            name: grpc.unary_unary_rpc_method_handler(_guarded(method), MESSAGES[f"{name}Request"].FromString, _serialize)
            for name, method in unary.items()
        }
        found["ModelStreamInfer"] = grpc.stream_stream_rpc_method_handler(
            self._stream, MESSAGES["ModelInferRequest"].FromString, MESSAGES["ModelStreamInferResponse"].SerializeToString
        )
        return found

    def _infer(self, request: Any) -> Any:
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._submit(request, answers.put)
        try:
            answer = answers.get(timeout=ANSWER_S_MAX)
        except queue.Empty as cause:
            raise CallError(Code.UNAVAILABLE, "the model does not answer; try again later", 1) from cause
        if isinstance(answer, CallError):
            raise answer
        return answer

    def _submit(self, request: Any, put: Callable[[Any], None]) -> None:
        """Compute a request; `put` gets the response or the error. Outputs are copied before the runtime may use them again."""
        served = self._catalogue.find(request.model_name, request.model_version)
        call = read_request(request)

        def done(answer: Answer, signature: Signature) -> None:
            try:
                put(answer if isinstance(answer, CallError) else write_response(call, signature, answer))
            except CallError as error:
                put(error)

        self._catalogue.submit(served, request.model_version, call, done)

    def _stream(self, requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[Any]:
        """Answers in the order of their requests, several of which may be computed at once."""
        if not self._streams.acquire(blocking=False):
            context.abort(grpc.StatusCode.UNAVAILABLE, f"{STREAMS_MAX} streams are open already; try again later")
        answers: queue.Queue[queue.SimpleQueue[Any] | None] = queue.Queue(STREAM_PENDING_MAX)
        reader = threading.Thread(target=self._read_stream, args=(requests, answers, context), name="serve:stream", daemon=True)
        reader.start()
        try:
            while (waiting := answers.get()) is not None:
                yield _streamed(waiting)
        finally:
            self._streams.release()

    def _read_stream(
        self, requests: Iterator[Any], answers: queue.Queue[queue.SimpleQueue[Any] | None], context: grpc.ServicerContext
    ) -> None:
        try:
            for request in requests:
                slot: queue.SimpleQueue[Any] = queue.SimpleQueue()
                self._submit_for_stream(request, slot)
                while context.is_active():
                    try:
                        answers.put(slot, timeout=1.0)
                        break
                    except queue.Full:
                        continue
        except grpc.RpcError:
            pass  # the caller has gone
        finally:
            while True:
                try:
                    answers.put(None, timeout=1.0)
                    break
                except queue.Full:
                    if not context.is_active():
                        break

    def _submit_for_stream(self, request: Any, slot: queue.SimpleQueue[Any]) -> None:
        try:
            self._submit(request, slot.put)
        except CallError as error:
            slot.put(error)

    def _model_ready(self, request: Any) -> Any:
        try:
            self._catalogue.find(request.name, request.version)
        except CallError as error:
            if error.code is Code.NOT_FOUND and not self._catalogue.versions(request.name):
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

    def _load(self, request: Any) -> Any:
        parameters = {name: read_parameter(value) for name, value in request.parameters.items()}
        config, files = read_load_parameters(parameters)
        self._repository.load(request.model_name, config, files)
        return MESSAGES["RepositoryModelLoadResponse"]()

    def _unload(self, request: Any) -> Any:
        self._repository.unload(request.model_name)
        return MESSAGES["RepositoryModelUnloadResponse"]()


def _serialize(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return data


def _guarded(method: Callable[[Any], Any]) -> Callable[[Any, grpc.ServicerContext], Any]:
    def handler(request: Any, context: grpc.ServicerContext) -> Any:
        try:
            return method(request)
        except EdgefleetError as error:
            told = error if isinstance(error, CallError) else invalid(str(error))
            if told.retry_s:
                context.set_trailing_metadata((("retry-after", str(told.retry_s)),))
            context.abort(_STATUS.get(told.code, grpc.StatusCode.UNKNOWN), str(told))

    return handler


def _streamed(waiting: queue.SimpleQueue[Any]) -> Any:
    try:
        answer = waiting.get(timeout=ANSWER_S_MAX)
    except queue.Empty:
        answer = CallError(Code.UNAVAILABLE, "the model does not answer; try again later", 1)
    if isinstance(answer, CallError):
        return MESSAGES["ModelStreamInferResponse"](error_message=str(answer))
    return MESSAGES["ModelStreamInferResponse"](infer_response=answer)


def _health() -> grpc.GenericRpcHandler:
    """`grpc.health.v1.Health/Check`: SERVING, whatever is asked for. Two bytes of protobuf need no message class."""
    check = grpc.unary_unary_rpc_method_handler(lambda _request, _context: b"\x08\x01")
    return grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": check})
