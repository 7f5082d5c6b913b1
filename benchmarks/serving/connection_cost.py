"""Processor time of a request in the inference API, without sockets and callers: in the connection alone, and in all of it.

    python -m benchmarks.serving.connection_cost [--json] [--only connections|whole]

Bytes as a socket would give them go to a connection. The first rows answer each request at once with 1,000 bytes; those that
begin with "whole" run a model of 16 numbers, which it copies, in ONNX Runtime, found by the registry, as the server does, with
one caller or with 16 whose requests arrive in the same turn of the event loop.

A figure is the least of many turns by the clock of the thread, so that other load of the machine changes it little: it shows what
a change of the code costs where a throughput is noise. Copying the bytes to the connection's memory is in it, as the kernel's
copy would be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.cli.measure.load_clients import INFER, Tensor, grpc_infer, http_infer, http_post
from edgefleet_agent.serving.config.model_config import DynamicBatching, ServingConfig
from edgefleet_agent.serving.engine.instance_pool import InstancePool
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.frontend.listener_context import ListenerContext, ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.connection import GrpcConnection
from edgefleet_agent.serving.grpc.listener import admission
from edgefleet_agent.serving.grpc.methods import Method, MethodTable
from edgefleet_agent.serving.grpc.service import InferenceService
from edgefleet_agent.serving.http.connection import Http1Connection
from edgefleet_agent.serving.http.routes import Routes
from edgefleet_agent.serving.models.model_loader import signature_of
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from tests.agent.serving.onnx_file import identity

TURNS = 40
WHOLE_TURNS = 400
REQUESTS = 20
"""In a turn, of all connections; with many, one of each."""
CALLERS = 16
TRIES_MAX = 5
VALUES = np.arange(16, dtype=np.float32)
READ_BYTES = 2**18
ANSWER = bytes(1000)
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PATH = b"/a/b"
FRAME = 16_384
"""Bytes of a DATA frame of most clients."""
LARGE_FRAME = 2**20


class _Loop:
    """The part of an event loop that connections use."""

    def __init__(self) -> None:
        self._soon: list[Callable[[], None]] = []

    def time(self) -> float:
        return time.monotonic()

    def call_soon(self, work: Callable[[], None]) -> None:
        self._soon.append(work)

    call_soon_threadsafe = call_soon

    def end_turn(self) -> None:
        """Run what was to run soon."""
        while self._soon:
            soon, self._soon = self._soon, []
            for work in soon:
                work()


LOOP = _Loop()


class _Transport:
    """A transport that discards what is written, but for the last bytes."""

    last = b""

    def get_extra_info(self, name: str) -> Any:
        return ("127.0.0.1", 1) if name == "peername" else None

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        self.last = data

    def writelines(self, data: Sequence[bytes]) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    def close(self) -> None:
        raise SystemExit("the connection was closed")

    abort = close


def feed(connection: asyncio.BufferedProtocol, data: bytes, read_bytes: int) -> None:
    """Give bytes to a connection, as reads of at most `read_bytes`."""
    rest = memoryview(data)
    while rest:
        room = cast("memoryview", connection.get_buffer(-1))
        size = min(len(room), len(rest), read_bytes)
        room[:size] = rest[:size]
        connection.buffer_updated(size)
        rest = rest[size:]


def least_us(
    connections: Sequence[asyncio.BufferedProtocol], requests: Iterator[bytes], read_bytes: int, turns: int = TURNS
) -> float:
    """Microseconds of a request. Each connection gets one in a turn of the loop."""
    found: list[float] = []
    for _ in range(turns):
        turn = [next(requests) for _ in range(max(1, REQUESTS // len(connections)))]
        began_s = time.thread_time()
        for data in turn:
            for connection in connections:
                feed(connection, data, read_bytes)
            LOOP.end_turn()
        found.append((time.thread_time() - began_s) / len(turn) / len(connections))
    return min(found) * 1e6


def http_us(context: ListenerContext, size: int, read_bytes: int) -> float:
    """A request with a body of `size` bytes."""
    connection = Http1Connection(context, lambda _, exchange: exchange.answer(200, b"", [ANSWER]))
    connection.connection_made(cast("asyncio.BaseTransport", _Transport()))
    head = f"POST /m HTTP/1.1\r\nHost: a\r\nInference-Header-Content-Length: 150\r\nContent-Length: {size}\r\n\r\n".encode()
    data = head + bytes(size)
    return least_us([connection], iter(lambda: data, b""), read_bytes)


def grpc_us(context: ListenerContext, size: int, frame: int, read_bytes: int) -> float:
    """A unary call with a message of `size` bytes."""

    def answer(rpc: GrpcCall, _data: memoryview) -> None:
        rpc.answer([ANSWER])

    connection = GrpcConnection(context, MethodTable({PATH: Method(unary=answer, bytes_max=None)}))
    _greet(connection, _Transport())
    return least_us([connection], _calls(PATH, bytes(size), frame), read_bytes)


def _greet(connection: GrpcConnection, transport: _Transport) -> None:
    """Open a connection with windows that are wide enough."""
    connection.connection_made(cast("asyncio.BaseTransport", transport))
    windows = _frame(4, 0, 0, b"\0\4\x7f\xff\xff\xff") + _frame(8, 0, 0, (2**30).to_bytes(4, "big"))
    feed(connection, GREETING + windows, READ_BYTES)


def _calls(path: bytes, message: bytes, frame: int) -> Iterator[bytes]:
    """Unary calls of one connection, whose path is a literal, as that of nghttp2 is."""
    block = b"\x83\x86\x04" + bytes((len(path),)) + path + b"\x0f\x10\x10application/grpc"
    body = b"\0" + len(message).to_bytes(4, "big") + message
    for number in range(1, 2**31, 2):
        ends = ((at, at + frame) for at in range(0, len(body), frame))
        data = [_frame(0, int(end >= len(body)), number, body[at:end]) for at, end in ends]
        yield b"".join([_frame(1, 4, number, block), *data])


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


class Site:
    """A served model `identity`, whose requests are computed on the thread that reads them."""

    def __init__(self, folder: Path, context: ListenerContext) -> None:
        file = folder / "model.onnx"
        file.write_bytes(identity())
        self._context = context
        self._catalogue = ModelRegistry()
        session = find_backend("onnx_runtime").load((file,), LoadOptions(threads=1))
        signature = replace(signature_of("identity", "1", session, ()), any_rows=True)
        pool = InstancePool(signature, [session], DynamicBatching(), 0.0)
        self._catalogue.replace("identity", [ServedModel(pool, ServingConfig())])
        repository = FolderRepository([folder], self._catalogue, LoadTarget(("onnx_runtime",)))
        server, rules = Server("edgefleet", "0"), Authentication()
        self._routes = Routes(self._catalogue, repository, server, context.limits.body_bytes, rules)
        self._service = InferenceService(self._catalogue, repository, server, rules)
        self._methods = MethodTable(self._service.methods(), admission(rules))

    def close(self) -> None:
        self._routes.close()
        self._service.close()
        self._methods.pool.shutdown()
        self._catalogue.close()

    def http_us(self, request: bytes, callers: int) -> float:
        """A request over HTTP."""
        transports = [_Transport() for _ in range(callers)]
        connections = [Http1Connection(self._context, self._routes.handle) for _ in transports]
        for connection, transport in zip(connections, transports, strict=True):
            connection.connection_made(cast("asyncio.BaseTransport", transport))
        requests = iter(lambda: request, b"")
        took_us = least_us(connections, requests, READ_BYTES, WHOLE_TURNS)
        expected = VALUES.tobytes() if b"binary" in request else b"14.0,15.0]"
        self._check(connections, transports, next(requests), expected)
        return took_us

    def grpc_us(self, callers: int) -> float:
        """A request over gRPC."""
        transports = [_Transport() for _ in range(callers)]
        connections = [GrpcConnection(self._context, self._methods) for _ in transports]
        for connection, transport in zip(connections, transports, strict=True):
            _greet(connection, transport)
        calls = _calls(INFER.encode(), grpc_infer("identity", [TENSOR]), FRAME)
        took_us = least_us(connections, calls, READ_BYTES, WHOLE_TURNS)
        self._check(connections, transports, next(calls), VALUES.tobytes())
        return took_us

    def _check(
        self,
        connections: Sequence[asyncio.BufferedProtocol],
        transports: Sequence[_Transport],
        request: bytes,
        expected: bytes,
    ) -> None:
        for connection, transport in zip(connections, transports, strict=True):
            transport.last = b""
            feed(connection, request, READ_BYTES)
        LOOP.end_turn()
        if not all(expected in transport.last for transport in transports):
            raise _MovedError


class _MovedError(Exception):
    """Callers got no answer on the thread that read their requests: other load had made the model look slow."""


TENSOR = Tensor("INPUT", "FP32", (1, 16), VALUES.tobytes())


def measure_whole(context: ListenerContext) -> dict[str, float]:
    """The figures of whole requests."""
    plain = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "data": VALUES.tolist()}
    raw, text = http_infer("identity", [TENSOR]), http_post("/v2/models/identity/infer", json.dumps({"inputs": [plain]}).encode())
    works: dict[str, Callable[[Site, int], float]] = {
        "http, JSON and 64 bytes": lambda site, callers: site.http_us(raw, callers),
        "http, JSON alone": lambda site, callers: site.http_us(text, callers),
        "grpc, 64 bytes": Site.grpc_us,
    }
    return {
        f"whole, {name}, {callers} caller{'s' * (callers > 1)}": _row(context, work, callers)
        for name, work in works.items()
        for callers in (1, CALLERS)
    }


def _row(context: ListenerContext, work: Callable[[Site, int], float], callers: int) -> float:
    for _ in range(TRIES_MAX):
        with tempfile.TemporaryDirectory() as folder:
            site = Site(Path(folder), context)
            try:
                return work(site, callers)
            except _MovedError:
                continue
            finally:
                site.close()
                LOOP.end_turn()
    raise SystemExit("other load makes the model look slow; measure again on a machine with less of it")


def measure_connections(context: ListenerContext) -> dict[str, float]:
    """The figures of the connections alone."""
    return {
        "http, 217 bytes": http_us(context, 217, 2**18),
        "http, 150 KB, one read": http_us(context, 150_700, 2**18),
        "http, 150 KB, reads of 64 KiB": http_us(context, 150_700, 2**16),
        "http, 602 KB, reads of 128 KiB": http_us(context, 602_000, 2**17),
        "grpc, 120 bytes": grpc_us(context, 120, FRAME, 2**18),
        "grpc, 150 KB in frames of 16 KiB, one read": grpc_us(context, 150_700, FRAME, 2**18),
        "grpc, 150 KB in one frame, one read": grpc_us(context, 150_700, LARGE_FRAME, 2**18),
        "grpc, 602 KB in frames of 16 KiB, reads of 128 KiB": grpc_us(context, 602_000, FRAME, 2**17),
        "grpc, 602 KB in one frame, reads of 128 KiB": grpc_us(context, 602_000, LARGE_FRAME, 2**17),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", choices=("connections", "whole"), help="these rows alone")
    given = parser.parse_args()
    context = ListenerContext(cast("asyncio.AbstractEventLoop", LOOP), ListenerLimits())
    found: dict[str, float] = {}
    if given.only != "whole":
        found |= measure_connections(context)
    if given.only != "connections":
        found |= measure_whole(context)
    if given.json:
        print(json.dumps({name: round(value, 2) for name, value in found.items()}))
        return
    for name, value in found.items():
        print(f"{name:52} {value:7.1f} us")


if __name__ == "__main__":
    main()
