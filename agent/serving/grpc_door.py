"""The gRPC listener: `inference.GRPCInferenceService` and the standard health service. Needs `pip install 'edgefleet[grpc]'`.

One thread with an event loop, like the HTTP door. gRPC's own pool of threads was tried and measured: its threads take the
interpreter's lock from the one that has just come back from the runtime, which made a small request three times as dear.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import grpc.aio

from agent.errors import EdgefleetError, UnavailableError
from agent.serving.call import Signature
from agent.serving.catalogue import Catalogue, Repository
from agent.serving.errors import CallError, Code, invalid
from agent.serving.grpc_codec import read_parameter, read_request, write_config, write_response, write_statistics
from agent.serving.grpc_extensions import extension_methods
from agent.serving.grpc_messages import MESSAGES, SERVICE
from agent.serving.http1 import Limits
from agent.serving.http_routes import read_load_parameters, tell_statistics
from agent.serving.queueing import Answer
from agent.serving.server import Server

CALLS_MAX = 1024
"""Calls and streams that are open at once; gRPC refuses more by itself."""
STREAM_PENDING_MAX = 64
"""Requests of one stream that wait for their answers; then the stream is read no further."""
OPEN_S_MAX = 10.0
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

    def __init__(self, address: str, catalogue: Catalogue, repository: Repository, server: Server, limits: Limits) -> None:
        self.address = address
        self._service = Service(catalogue, repository, server)
        self._limits = limits
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._opened = threading.Event()
        self._port = 0
        self._thread = threading.Thread(target=self._run, name="serve:grpc", daemon=True)
        self._thread.start()
        self._opened.wait(OPEN_S_MAX)
        if not self._port:
            raise UnavailableError(f"cannot listen on {address} for gRPC; give HOST:PORT that is free")
        self.address = f"{address.rpartition(':')[0]}:{self._port}"

    def close(self) -> None:
        """Stop listening, and end once what was asked is answered."""
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(2 * CLOSE_S_MAX)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._opened.set()
            self._loop.close()

    async def _serve(self) -> None:
        options = [
            ("grpc.max_receive_message_length", self._limits.body_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ]
        server = grpc.aio.server(options=options, maximum_concurrent_rpcs=CALLS_MAX)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, self._service.handlers()), _health()))
        try:
            self._port = server.add_insecure_port(self.address)
        except RuntimeError:
            return
        await server.start()
        self._opened.set()
        await self._closing.wait()
        await server.stop(CLOSE_S_MAX)


class Service:
    """The methods of the service, one for each message pair. Errors leave as status codes with the protocol's text."""

    def __init__(self, catalogue: Catalogue, repository: Repository, server: Server) -> None:
        self._catalogue = catalogue
        self._repository = repository
        self._server = server

    def handlers(self) -> dict[str, grpc.RpcMethodHandler]:
        """Method name -> handler."""
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
            "RepositoryModelLoad": self._load,
            "RepositoryModelUnload": self._unload,
        }
        awaited: dict[str, Callable[[Any], Awaitable[Any]]] = {"ModelInfer": self._infer}
        awaited |= {name: _at_once(method) for name, method in quick.items()}
        awaited |= {name: _aside(method) for name, method in slow.items()}
        found = {
            name: grpc.unary_unary_rpc_method_handler(_guarded(method), MESSAGES[f"{name}Request"].FromString, _serialize)
            for name, method in awaited.items()
        }
        found["ModelStreamInfer"] = grpc.stream_stream_rpc_method_handler(
            self._stream, MESSAGES["ModelInferRequest"].FromString, _serialize
        )
        return found

    async def _infer(self, request: Any) -> Any:
        return await self._submit(request)

    def _submit(self, request: Any) -> asyncio.Future[Any]:
        """Compute a request. Outputs are copied on the thread that computed them, before the runtime may use them again.

        Raises:
            CallError: it does not fit, or the queue is full. Later ones come with the future.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        loop_thread = threading.get_ident()
        served = self._catalogue.route(request.model_name, request.model_version)
        call = read_request(request, self._server.regions)
        if self._server.traces.on:
            self._server.trace(call, served.signature, "GRPC")

        def done(answer: Answer, signature: Signature) -> None:
            try:
                told = answer if isinstance(answer, CallError) else write_response(call, signature, answer)
            except CallError as error:
                told = error
            if call.trace is not None:
                self._server.traced(call.trace, answer)
            if threading.get_ident() == loop_thread:
                _settle(future, told)
            else:
                with contextlib.suppress(RuntimeError):  # the door was closed meanwhile
                    loop.call_soon_threadsafe(_settle, future, told)

        self._catalogue.submit(served, request.model_version, call, done)
        return future

    async def _stream(self, requests: AsyncIterator[Any], _context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Any]:
        """Answers in the order of their requests, several of which may be computed at once."""
        waiting: asyncio.Queue[asyncio.Future[Any] | None] = asyncio.Queue(STREAM_PENDING_MAX)
        reader = asyncio.ensure_future(self._read_stream(requests, waiting))
        try:
            while (future := await waiting.get()) is not None:
                yield await _streamed(future)
        finally:
            reader.cancel()

    async def _read_stream(self, requests: AsyncIterator[Any], waiting: asyncio.Queue[asyncio.Future[Any] | None]) -> None:
        try:
            async for request in requests:
                try:
                    future = self._submit(request)
                except CallError as error:
                    future = asyncio.get_running_loop().create_future()
                    future.set_exception(error)
                await waiting.put(future)
        finally:
            await waiting.put(None)

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


def _settle(future: asyncio.Future[Any], told: Any) -> None:
    if future.done():  # the caller has gone
        return
    if isinstance(told, CallError):
        future.set_exception(told)
    else:
        future.set_result(told)


def _at_once(method: Callable[[Any], Any]) -> Callable[[Any], Awaitable[Any]]:
    async def handler(request: Any) -> Any:
        return method(request)

    return handler


def _aside(method: Callable[[Any], Any]) -> Callable[[Any], Awaitable[Any]]:
    async def handler(request: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, method, request)

    return handler


def _guarded(method: Callable[[Any], Awaitable[Any]]) -> Callable[[Any, grpc.aio.ServicerContext[Any, Any]], Awaitable[Any]]:
    async def handler(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        try:
            return await method(request)
        except EdgefleetError as error:
            told = error if isinstance(error, CallError) else invalid(str(error))
            hint = (("retry-after", str(told.retry_s)),) if told.retry_s else ()
            return await context.abort(_STATUS.get(told.code, grpc.StatusCode.UNKNOWN), str(told), hint)

    return handler


async def _streamed(future: asyncio.Future[Any]) -> Any:
    try:
        return MESSAGES["ModelStreamInferResponse"](infer_response=await future)
    except CallError as error:
        return MESSAGES["ModelStreamInferResponse"](error_message=str(error))


async def _healthy(_request: bytes, _context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
    return b"\x08\x01"


def _health() -> grpc.GenericRpcHandler:
    """`grpc.health.v1.Health/Check`: SERVING, whatever is asked for. Two bytes of protobuf need no message class."""
    return grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": grpc.unary_unary_rpc_method_handler(_healthy)})
