"""The inference API beside attacks: latency of a well-behaved caller with each attack at a stated byte rate, and alone.

    python -m benchmarks.serving.attacks [--json] [--only NAME ...] [--rate BYTES] [--rounds N] [--seconds S]

`edgefleet-agent serve` runs in one process with the `identity` model, the caller in a second (one connection, closed loop), the
attack in a third. An attack sends what a function of this module makes, at most `--rate` bytes a second (65,536), and connects
again whenever the server closes its connection. Rounds alone and beside each attack alternate; p99 is the median of the rounds,
the ratio of the same round. `unanswered` counts calls of the caller that failed; a closed connection is opened again and counts.
`cpu` is the share of a core that the server used.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hpack
import psutil
from hyperframe import frame as hf

from benchmarks.serving.throughput import MODELS, server
from edgefleet_agent.cli.measure.load_clients import GrpcLoadClient, HttpLoadClient, closed_loop, grpc_infer, http_infer
from tests.agent.serving.onnx_file import identity

RATE = 65_536
PORT_CONNECTIONS = 300
"""More than the server takes."""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
STREAM = "/inference.GRPCInferenceService/ModelStreamInfer"
STREAMS = 256
POST = b"POST /v2/models/identity/infer HTTP/1.1\r\nHost: localhost\r\n"
PLAIN = b"GET /v2/models/identity HTTP/1.1\r\nHost: localhost\r\n\r\n"


def raw(kind: int, flags: int, number: int, payload: bytes = b"") -> bytes:
    """One HTTP/2 frame."""
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + number.to_bytes(4, "big") + payload


def request_block(encoder: hpack.Encoder, path: str = STREAM) -> bytes:
    """The header block of a call."""
    pairs = [(":method", "POST"), (":scheme", "http"), (":path", path), ("content-type", "application/grpc"), ("te", "trailers")]
    return encoder.encode(pairs)


def opened(streams: int) -> Iterator[bytes]:
    """A greeting, and open streams."""
    encoder = hpack.Encoder()
    yield PREFACE + hf.SettingsFrame(0).serialize()
    for number in range(1, 2 * streams, 2):
        yield raw(1, 4, number, request_block(encoder))


def repeated(streams: int, *each: bytes) -> Callable[[], Iterator[bytes]]:
    """Open streams, then the same frames for ever."""
    return lambda: itertools.chain(opened(streams), itertools.cycle(each))


def settings_floods() -> Iterator[bytes]:
    """Frames with as many settings as fit, each of which changes the windows of all streams."""
    yield from opened(STREAMS)
    for size in itertools.count():
        yield raw(4, 0, 0, struct.pack(">HI", 4, 65535 + size % 2) * 2730)


def small_settings() -> Iterator[bytes]:
    yield from opened(STREAMS)
    for size in itertools.count():
        yield raw(4, 0, 0, struct.pack(">HI", 4, 65535 + size % 2))


def rapid_resets(*made_by_errors: bool) -> Iterator[bytes]:
    """Streams that are opened and reset; or broken so that the server resets them."""
    encoder = hpack.Encoder()
    yield PREFACE + hf.SettingsFrame(0).serialize()
    for number in itertools.count(1, 2):
        reset = raw(8, 0, number, bytes(4)) if made_by_errors else raw(3, 0, number, b"\0\0\0\x08")
        yield raw(1, 4, number, request_block(encoder)) + reset


def continuations() -> Iterator[bytes]:
    yield PREFACE + hf.SettingsFrame(0).serialize() + raw(1, 0, 1, b"\x83")
    yield from itertools.repeat(raw(9, 0, 1, b"\x00\x01a\x01b"))


def header_blocks(block: bytes) -> Callable[[], Iterator[bytes]]:
    """Requests with a block that is costly to decode."""

    def make() -> Iterator[bytes]:
        yield PREFACE + hf.SettingsFrame(0).serialize()
        for number in itertools.count(1, 2):
            yield raw(1, 5, number, block)

    return make


Attack = tuple[str, int, Callable[[], Iterator[bytes]]]
"""Protocol of the port, connections, and what one connection sends; one that has sent all waits."""
ATTACKS: dict[str, Attack] = {
    "http: connections that say nothing": ("http", PORT_CONNECTIONS, lambda: iter(())),
    "http: half a head": ("http", PORT_CONNECTIONS, lambda: iter([PLAIN[:20]])),
    "http: half a body": ("http", PORT_CONNECTIONS, lambda: iter([POST + b"Content-Length: 9\r\n\r\n{"])),
    "http: pipelined requests": ("http", 1, lambda: itertools.repeat(PLAIN * 20)),
    "http: heads that all differ": ("http", 1, lambda: (PLAIN[:-2] + b"X: %d\r\n\r\n" % number for number in itertools.count())),
    "http: chunks of one byte": ("http", 1, lambda: itertools.chain(
        [POST + b"Transfer-Encoding: chunked\r\n\r\n"], itertools.repeat(b"1\r\n{\r\n" * 50)
    )),
    "grpc: connections that say nothing": ("grpc", PORT_CONNECTIONS, lambda: iter(())),
    "grpc: calls without a message": ("grpc", PORT_CONNECTIONS, lambda: opened(1)),
    "grpc: WINDOW_UPDATE of the connection x 256 streams": ("grpc", 1, repeated(STREAMS, raw(8, 0, 0, b"\0\0\0\1") * 20)),
    "grpc: WINDOW_UPDATE of a stream x 256 streams": ("grpc", 1, repeated(STREAMS, raw(8, 0, 1, b"\0\0\0\1") * 20)),
    "grpc: SETTINGS with 2,730 entries x 256 streams": ("grpc", 1, settings_floods),
    "grpc: SETTINGS x 256 streams": ("grpc", 1, small_settings),
    "grpc: PING": ("grpc", 1, repeated(1, raw(6, 0, 0, bytes(8)) * 20)),
    "grpc: PRIORITY": ("grpc", 1, repeated(1, raw(2, 0, 1, bytes(5)) * 20)),
    "grpc: empty DATA": ("grpc", 1, repeated(1, raw(0, 0, 1) * 20)),
    "grpc: rapid reset": ("grpc", 1, rapid_resets),
    "grpc: resets made by errors": ("grpc", 1, lambda: rapid_resets(True)),
    "grpc: CONTINUATION": ("grpc", 1, continuations),
    "grpc: header table sizes": ("grpc", 1, header_blocks(b"\x20" * 16_000)),
    "grpc: Huffman strings": ("grpc", 1, header_blocks(hpack.Encoder().encode([(b"x", b"a" * 15_000)], huffman=True))),
}  # fmt: skip


def attack(name: str, address: tuple[str, int], rate: int, seconds: float) -> dict[str, float]:
    """Attack a port for a time. Returns what was sent, and how often the server closed a connection."""
    _, count, make = ATTACKS[name]
    lines: list[tuple[socket.socket, Iterator[bytes]] | None] = [None] * count
    began_s, sent, closed = time.monotonic(), 0, 0
    for place in itertools.cycle(range(count)):
        while sent > rate * (time.monotonic() - began_s) and time.monotonic() - began_s < seconds:
            time.sleep(0.002)
        if time.monotonic() - began_s > seconds:
            break
        try:
            line = lines[place]
            if line is None:
                made = socket.create_connection(address, 1.0)
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                line = lines[place] = made, make()
                sent += 60  # of the handshake
            data = next(line[1], b"")
            line[0].sendall(data)
            sent += len(data)
            line[0].settimeout(0.0)
            with contextlib.suppress(BlockingIOError):
                if not line[0].recv(1 << 20):
                    raise ConnectionResetError
            line[0].settimeout(1.0)
            if not data:
                time.sleep(0.0005)
        except OSError:
            closed += 1
            if (broken := lines[place]) is not None:
                broken[0].close()
            lines[place] = None
    return {"bytes_per_s": sent / seconds, "closed": closed}


def call(protocol: str, address: tuple[str, int], seconds: float) -> dict[str, float]:
    """A caller for a time, which opens a closed connection again."""
    latencies_s: list[float] = []
    failures, ends_s = 0, time.monotonic() + seconds
    while (left_s := ends_s - time.monotonic()) > 0.05:
        tensor = [MODELS["identity"]]
        try:
            client: Any = (
                GrpcLoadClient(address, grpc_infer("identity", tensor))
                if protocol == "grpc"
                else HttpLoadClient(address, http_infer("identity", tensor))
            )
            result = closed_loop([client], left_s)
        except OSError:
            failures += 1
            continue
        latencies_s += result.latencies_s
        failures += sum(result.failures.values())
        if not result.failures:
            break
    took = sorted(latencies_s) or [seconds]
    return {
        "p99_ms": took[int(len(took) * 0.99)] * 1e3,
        "max_ms": took[-1] * 1e3,
        "answered": len(latencies_s),
        "unanswered": failures,
    }


def apart(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "benchmarks.serving.attacks", *arguments], stdout=subprocess.PIPE, text=True)


def result_of(process: subprocess.Popen[str]) -> dict[str, float]:
    text = process.communicate()[0]
    if process.returncode:
        raise SystemExit("a part of the benchmark failed")
    found: dict[str, float] = json.loads(text)
    return found


def measure(names: list[str], rate: int, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """The figures of each attack."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "identity" / "1" / "model.onnx"
        file.parent.mkdir(parents=True)
        file.write_bytes(identity())
        with server(Path(folder)) as (addresses, process, _):
            for _, name in itertools.product(range(rounds), names):
                found[name].append(_round(name, addresses, process, rate, seconds))
    return {name: {key: statistics.median(row[key] for row in rows) for key in rows[0]} for name, rows in found.items()}


def _round(
    name: str, addresses: dict[str, tuple[str, int]], process: psutil.Process, rate: int, seconds: float
) -> dict[str, float]:
    protocol = ATTACKS[name][0]
    where = protocol, *map(str, addresses[protocol])
    alone = result_of(apart("--call", *where, str(seconds)))
    attacker = apart("--attack", name, *where[1:], str(rate), str(seconds + 2.0))
    time.sleep(1.0)  # it has started
    before_s = sum(process.cpu_times()[:2])
    beside = result_of(apart("--call", *where, str(seconds)))
    cpu = (sum(process.cpu_times()[:2]) - before_s) / seconds
    damage = result_of(attacker)
    ratio = beside["p99_ms"] / alone["p99_ms"]
    return {"ratio": ratio, "alone_p99_ms": alone["p99_ms"], **beside, "cpu": cpu, **damage}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), default=list(ATTACKS), metavar="NAME", help="these, not all")
    parser.add_argument("--rate", type=int, default=RATE, help="bytes per second (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--call", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--attack", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.call:
        protocol, host, port, seconds = arguments.call
        print(json.dumps(call(protocol, (host, int(port)), float(seconds))))
        return
    if arguments.attack:
        name, host, port, rate, seconds = arguments.attack
        print(json.dumps(attack(name, (host, int(port)), int(rate), float(seconds))))
        return
    found = measure(arguments.only, arguments.rate, arguments.rounds, arguments.seconds)
    if arguments.json:
        print(json.dumps(found))
        return
    for name, row in found.items():
        print(
            f"{name:52} p99 {row['p99_ms']:7.2f} ms  x{row['ratio']:5.2f} alone  max {row['max_ms']:7.1f} ms  unanswered "
            f"{row['unanswered']:.0f}  closed {row['closed']:.0f}  {row['bytes_per_s']:8.0f} B/s  {row['cpu']:.2f} CPU"
        )


if __name__ == "__main__":
    main()
