"""Smallest gRPC servers on different implementations of HTTP/2, called by 16 callers: processor's time and calls a second.

    pip install h2 && python -m benchmarks.serving.http2_servers [--rounds N] [--only NAME ...]

Each answers every call with one message of 100 bytes and does nothing else: `own` on `Http2State`, `h2` on the state machine of
that name, `nghttp2` through ctypes (Debian: libnghttp2-14) with the callbacks a server needs, `grpc_aio` and `grpcio` as they
are. The servers are up at once and called in turn; figures are medians.
"""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import ctypes
import json
import socket
import statistics
import struct
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import psutil

from benchmarks.serving.throughput import MODELS, latencies_s
from edgefleet_agent.cli.measure.load_clients import GrpcLoadClient, closed_loop, grpc_infer

CALLERS = 16
SECONDS = 1.5
ANSWER = bytes(100)
MESSAGE = b"\0" + struct.pack(">I", len(ANSWER)) + ANSWER
HEAD = ((b":status", b"200"), (b"content-type", b"application/grpc"))
TRAILERS = ((b"grpc-status", b"0"),)


class OnState(asyncio.Protocol):
    """Answers on our own state."""

    def connection_made(self, transport: Any) -> None:
        from edgefleet_agent.serving.http2.connection_state import Http2State

        self.transport, self.state = transport, Http2State(0.0)
        self.state.send_settings()
        transport.write(b"".join(self.state.take_output()))

    def data_received(self, data: bytes) -> None:
        from edgefleet_agent.serving.http2.events import DataReceived

        state, events = self.state, self.state.receive(data, 0.0)
        while events:
            for event in events:
                if isinstance(event, DataReceived) and event.ended:
                    state.send_response(event.stream, HEAD, [MESSAGE], TRAILERS, 0.0)
            events = state.receive(b"", 0.0) if state.behind else []
        self.transport.write(b"".join(state.take_output()))


class OnH2(asyncio.Protocol):
    """Answers on h2."""

    def connection_made(self, transport: Any) -> None:
        import h2.config
        import h2.connection

        self.transport = transport
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding=None))
        self.state.initiate_connection()
        transport.write(self.state.data_to_send())

    def data_received(self, data: bytes) -> None:
        import h2.events

        state = self.state
        for event in state.receive_data(data):
            if isinstance(event, h2.events.DataReceived):
                state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                state.send_headers(event.stream_id, HEAD)
                state.send_data(event.stream_id, MESSAGE)
                state.send_headers(event.stream_id, TRAILERS, end_stream=True)
        self.transport.write(state.data_to_send())


class _Field(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("value", ctypes.c_char_p), ("name_bytes", ctypes.c_size_t),
        ("value_bytes", ctypes.c_size_t), ("flags", ctypes.c_uint8),
    ]  # fmt: skip


class _FrameHead(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_size_t), ("stream", ctypes.c_int32), ("type", ctypes.c_uint8), ("flags", ctypes.c_uint8),
    ]  # fmt: skip


_POINTER, _SIZE, _INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
_FRAME = ctypes.POINTER(_FrameHead)
_ON_FRAME = ctypes.CFUNCTYPE(_INT, _POINTER, _FRAME, _POINTER)
_ON_HEADER = ctypes.CFUNCTYPE(_INT, _POINTER, _FRAME, _POINTER, _SIZE, _POINTER, _SIZE, ctypes.c_uint8, _POINTER)
_ON_DATA = ctypes.CFUNCTYPE(_INT, _POINTER, ctypes.c_uint8, ctypes.c_int32, _POINTER, _SIZE, _POINTER)
_READ = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, _POINTER, ctypes.c_int32, _POINTER, _SIZE, ctypes.POINTER(ctypes.c_uint32), _POINTER, _POINTER
)


class _Provider(ctypes.Structure):
    _fields_ = [("source", _POINTER), ("read", _READ)]


def _fields(pairs: tuple[tuple[bytes, bytes], ...]) -> Any:
    return (_Field * len(pairs))(*[_Field(name, value, len(name), len(value), 0) for name, value in pairs])


def nghttp2_protocol() -> type[asyncio.Protocol]:
    """A protocol that answers on nghttp2."""
    library = ctypes.CDLL("libnghttp2.so.14")
    library.nghttp2_session_mem_send.restype = library.nghttp2_session_mem_recv.restype = ctypes.c_ssize_t
    head, trailers = _fields(HEAD), _fields(TRAILERS)
    received: dict[int, dict[bytes, bytes]] = {}

    def read(session: int, stream: int, buffer: int, _size: int, flags: Any, _source: Any, _user: Any) -> int:
        ctypes.memmove(buffer, MESSAGE, len(MESSAGE))
        flags[0] = 3  # the end of the data, not of the stream
        library.nghttp2_submit_trailer(_POINTER(session), stream, trailers, _SIZE(1))
        return len(MESSAGE)

    def on_header(_session: int, frame: Any, name: int, size: int, value: int, value_size: int, *_: Any) -> int:
        fields = received.setdefault(frame[0].stream, {})
        fields[ctypes.string_at(name, size)] = ctypes.string_at(value, value_size)
        return 0

    def on_data(_session: int, _flags: int, stream: int, data: int, size: int, _user: Any) -> int:
        received.pop(stream, None)
        ctypes.string_at(data, size)
        return 0

    reader = _READ(read)
    provider = _Provider(None, reader)

    def on_frame(session: int, frame: Any, _user: Any) -> int:
        if frame[0].flags & 1 and frame[0].type < 2:
            library.nghttp2_submit_response(_POINTER(session), frame[0].stream, head, _SIZE(2), ctypes.byref(provider))
        return 0

    hooks, callbacks = (_ON_FRAME(on_frame), _ON_HEADER(on_header), _ON_DATA(on_data)), _POINTER()
    library.nghttp2_session_callbacks_new(ctypes.byref(callbacks))
    for name, hook in zip(("frame_recv", "header", "data_chunk_recv"), hooks, strict=True):
        getattr(library, f"nghttp2_session_callbacks_set_on_{name}_callback")(callbacks, hook)

    class OnNghttp2(asyncio.Protocol):
        alive = hooks, reader

        def connection_made(self, transport: Any) -> None:
            self.transport, self.session = transport, _POINTER()
            library.nghttp2_session_server_new(ctypes.byref(self.session), callbacks, None)
            library.nghttp2_submit_settings(self.session, 0, None, _SIZE(0))
            self._send()

        def data_received(self, data: bytes) -> None:
            library.nghttp2_session_mem_recv(self.session, data, _SIZE(len(data)))
            self._send()

        def _send(self) -> None:
            pieces, data = [], _POINTER()
            while (size := library.nghttp2_session_mem_send(self.session, ctypes.byref(data))) > 0:
                pieces.append(ctypes.string_at(data, size))
            self.transport.write(b"".join(pieces))

    return OnNghttp2


async def serve_protocol(make: Callable[[], asyncio.Protocol], port: int) -> None:
    """Serve on one event loop."""
    await asyncio.get_running_loop().create_server(make, "127.0.0.1", port)
    print("up", flush=True)
    await asyncio.Event().wait()


async def serve_grpc_aio(port: int) -> None:
    import grpc.aio

    class Handler(grpc.GenericRpcHandler):
        def service(self, details: Any) -> Any:
            async def answer(request: bytes, context: Any) -> bytes:
                return ANSWER

            return grpc.unary_unary_rpc_method_handler(answer)

    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Handler(),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    print("up", flush=True)
    await server.wait_for_termination()


def serve_grpcio(port: int) -> None:
    import grpc

    class Handler(grpc.GenericRpcHandler):
        def service(self, details: Any) -> Any:
            return grpc.unary_unary_rpc_method_handler(lambda request, context: ANSWER)

    server = grpc.server(concurrent.futures.ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((Handler(),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    print("up", flush=True)
    server.wait_for_termination()


SERVERS = ("own", "h2", "nghttp2", "grpc_aio", "grpcio")


def serve(name: str, port: int) -> None:
    """Run one server until it is killed."""
    if name == "grpcio":
        serve_grpcio(port)
    elif name == "grpc_aio":
        asyncio.run(serve_grpc_aio(port))
    else:
        import uvloop

        uvloop.run(serve_protocol({"own": OnState, "h2": OnH2}.get(name) or nghttp2_protocol(), port))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=SERVERS, default=SERVERS, metavar="NAME", help=f"of {', '.join(SERVERS)}")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--call", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve[0], int(arguments.serve[1]))
        return
    if arguments.call:
        message = grpc_infer("identity", [MODELS["identity"]])
        clients = [GrpcLoadClient(("127.0.0.1", arguments.call), message) for _ in range(CALLERS)]
        print(json.dumps(len(latencies_s(closed_loop(clients, SECONDS)))))
        return
    running = {}
    command = [sys.executable, "-m", "benchmarks.serving.http2_servers"]
    for name in arguments.only:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        process = subprocess.Popen([*command, "--serve", name, str(port)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        running[name] = process, port
    rows: dict[str, list[tuple[float, float]]] = {name: [] for name in running}
    for _ in range(arguments.rounds):
        for name, (process, port) in running.items():
            server = psutil.Process(process.pid)
            before_s = sum(server.cpu_times()[:2])
            done = subprocess.run([*command, "--call", str(port)], capture_output=True, text=True, check=True)
            calls = json.loads(done.stdout)
            rows[name].append((calls / SECONDS, (sum(server.cpu_times()[:2]) - before_s) / calls * 1e6))
    for name, each in rows.items():
        per_s, cpu_us = (statistics.median(row[place] for row in each) for place in (0, 1))
        print(f"{name:10} {per_s:8.0f}/s  {cpu_us:6.1f} us CPU a call")
        running[name][0].kill()


if __name__ == "__main__":
    main()
