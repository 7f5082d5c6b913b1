"""Processor time of a request in the connections of the inference API, without sockets, models and callers.

    python -m benchmarks.serving.connection_cost [--json]

Bytes as a socket would give them go to a connection whose requests are answered at once with 1,000 bytes. A figure is the least
of many turns by the clock of the thread, so that other load of the machine changes it little: it shows what a change of the code
costs where a throughput is noise. Copying the bytes to the connection's memory is in it, as the kernel's copy would be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

from edgefleet_agent.serving.frontend.listener_context import ListenerContext, ListenerLimits
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.connection import GrpcConnection
from edgefleet_agent.serving.grpc.methods import Method, MethodTable
from edgefleet_agent.serving.http.connection import Http1Connection

TURNS = 40
REQUESTS = 20
"""In a turn."""
ANSWER = bytes(1000)
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PATH = b"/a/b"
FRAME = 16_384
"""Bytes of a DATA frame of most clients."""
LARGE_FRAME = 2**20


class _Loop:
    """The part of an event loop that connections use; it runs everything at once."""

    def time(self) -> float:
        return time.monotonic()

    def call_soon(self, work: Callable[[], None]) -> None:
        work()

    call_soon_threadsafe = call_soon


class _Transport:
    """A transport that discards what is written."""

    def get_extra_info(self, name: str) -> Any:
        return ("127.0.0.1", 1) if name == "peername" else None

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        pass

    writelines = write

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


def least_us(connection: asyncio.BufferedProtocol, requests: Iterator[bytes], read_bytes: int) -> float:
    """Microseconds of a request."""
    found: list[float] = []
    for _ in range(TURNS):
        turn = [next(requests) for _ in range(REQUESTS)]
        began_s = time.thread_time()
        for data in turn:
            feed(connection, data, read_bytes)
        found.append((time.thread_time() - began_s) / REQUESTS)
    return min(found) * 1e6


def http_us(context: ListenerContext, size: int, read_bytes: int) -> float:
    """A request with a body of `size` bytes."""
    connection = Http1Connection(context, lambda _, exchange: exchange.answer(200, b"", [ANSWER]))
    connection.connection_made(cast("asyncio.BaseTransport", _Transport()))
    head = f"POST /m HTTP/1.1\r\nHost: a\r\nInference-Header-Content-Length: 150\r\nContent-Length: {size}\r\n\r\n".encode()
    data = head + bytes(size)
    return least_us(connection, iter(lambda: data, b""), read_bytes)


def grpc_us(context: ListenerContext, size: int, frame: int, read_bytes: int) -> float:
    """A unary call with a message of `size` bytes, whose path and length are literals, as those of nghttp2 are."""

    def answer(rpc: GrpcCall, _data: memoryview) -> None:
        rpc.answer([ANSWER])

    connection = GrpcConnection(context, MethodTable({PATH: Method(unary=answer, bytes_max=None)}))
    connection.connection_made(cast("asyncio.BaseTransport", _Transport()))
    windows = _frame(4, 0, 0, b"\0\4\x7f\xff\xff\xff") + _frame(8, 0, 0, (2**30).to_bytes(4, "big"))
    feed(connection, GREETING + windows, read_bytes)
    message = b"\0" + size.to_bytes(4, "big") + bytes(size)
    block = b"\x83\x86\x04" + bytes((len(PATH),)) + PATH + b"\x0f\x10\x10application/grpc"

    def calls() -> Iterator[bytes]:
        for number in range(1, 2**31, 2):
            ends = ((at, at + frame) for at in range(0, len(message), frame))
            data = [_frame(0, int(end >= len(message)), number, message[at:end]) for at, end in ends]
            yield b"".join([_frame(1, 4, number, block), *data])

    return least_us(connection, calls(), read_bytes)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def measure() -> dict[str, float]:
    """All figures."""
    context = ListenerContext(cast("asyncio.AbstractEventLoop", _Loop()), ListenerLimits())
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
    given = parser.parse_args()
    found = measure()
    if given.json:
        print(json.dumps({name: round(value, 2) for name, value in found.items()}))
        return
    for name, value in found.items():
        print(f"{name:52} {value:7.1f} us")


if __name__ == "__main__":
    main()
