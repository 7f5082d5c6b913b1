"""A gRPC caller of another make: grpcio's C core, called from Python.

    python -m benchmarks.serving.grpc_core_caller HOST:PORT MODEL [--calls N] [--processes P] [--seconds S] [--connections N]

HTTP/2, flow control, HPACK and the sockets are the C core's (the one below Triton's and most gRPC clients); a few lines of Python
start each call and take its answer, and tensors are prepared bytes. That is not `ghz`: the Python lines cost some 30 to 60 us a
call, which several processes spread over cores. `connections`: of each process. `calls`: in flight in all processes together.

It exists so that no figure rests on our own caller alone: a server that only our frames suit would show here.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import queue
import time
from multiprocessing.connection import Connection
from typing import Any

import grpc

from benchmarks.serving.throughput import MODELS
from edgefleet_agent.cli.measure.load_clients import INFER, grpc_infer

OPTIONS = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
"""Channels of one process to one address share a connection otherwise."""
CALL_S_MAX = 30.0


def closed_loop(address: str, message: bytes, calls: int, connections: int, seconds: float) -> list[float]:
    """Keep `calls` calls in flight for a time; returns the latencies of their answers.

    Raises:
        grpc.RpcError: a call failed.
    """
    channels = [grpc.insecure_channel(address, OPTIONS) for _ in range(min(connections, calls))]
    methods = [channel.unary_unary(INFER) for channel in channels]  # without serializers: bytes
    answered: queue.SimpleQueue[tuple[int, float, Any]] = queue.SimpleQueue()

    def start(number: int) -> None:
        began_s = time.perf_counter()
        call = methods[number % len(methods)].future(message, timeout=CALL_S_MAX)
        call.add_done_callback(lambda done: answered.put((number, time.perf_counter() - began_s, done)))

    found: list[float] = []
    try:
        ends_s = time.perf_counter() + seconds
        for number in range(calls):
            start(number)
        running = calls
        while running:
            number, took_s, call = answered.get(timeout=CALL_S_MAX)
            call.result()
            found.append(took_s)
            if time.perf_counter() < ends_s:
                start(number)
            else:
                running -= 1
    finally:
        for channel in channels:
            channel.close()
    return found


def _work(line: Connection, *arguments: Any) -> None:
    line.recv()
    line.send(closed_loop(*arguments))


def from_processes(
    address: str, message: bytes, calls: int, processes: int, connections: int, seconds: float
) -> dict[str, float]:
    """The same from several processes, which begin together; `calls` of all. Returns rate, count and quantiles.

    Raises:
        EOFError: a process failed; its reason is on standard error.
    """
    shares = [calls // processes + (number < calls % processes) for number in range(min(processes, calls))]
    context = multiprocessing.get_context("spawn")  # the C core does not survive a fork
    lines: list[Connection] = []
    workers = []
    for share in shares:
        ours, theirs = context.Pipe()
        worker = context.Process(target=_work, args=(theirs, address, message, share, connections, seconds))
        worker.start()
        theirs.close()
        lines.append(ours)
        workers.append(worker)
    for line in lines:
        line.send(True)
    took = sorted(each for line in lines for each in line.recv())
    for worker in workers:
        worker.join()
    result = {"p50_ms": took[len(took) // 2] * 1e3, "p99_ms": took[int(len(took) * 0.99)] * 1e3}
    return {"per_s": len(took) / seconds, "count": len(took), **result}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("model", choices=list(MODELS))
    parser.add_argument("--calls", type=int, default=16)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    message = grpc_infer(given.model, [MODELS[given.model]])
    print(json.dumps(from_processes(given.address, message, given.calls, given.processes, given.connections, given.seconds)))


if __name__ == "__main__":
    main()
