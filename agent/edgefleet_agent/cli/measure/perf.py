"""`edgefleet-agent perf`: measures a server of the KServe V2 protocol, this agent's or another one.

    edgefleet-agent perf MODEL [--url 127.0.0.1:8000] [--concurrency 1,4,16 | --rate 50,100] [--json]

Closed loop (`--concurrency`): a number of callers, each of which sends the next request after an answer. Open loop (`--rate`):
requests a second, at the times of a Poisson process or at even intervals, independent of the answers. Requests and terms of the
table are those of Triton's perf_analyzer: binary tensors over one connection a caller, so that the figures can be compared.
"""

from __future__ import annotations

import argparse
import http.client
import math
import random
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from edgefleet_agent.cli.measure.load_clients import (
    Caller,
    GrpcLoadClient,
    HttpLoadClient,
    LoadResult,
    Tensor,
    closed_loop,
    grpc_infer,
    http_infer,
    open_loop,
)
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.tensors import Array, checked_dtype, to_raw
from edgefleet_contract.core.command_line import add_secret_option, seconds
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.encoding.number_text import json_text

CALLERS_MAX = 1024
SECONDS_MAX = 3600
OPEN_CALLERS = 64
"""Connections of an open loop, and thus the limit of concurrent requests."""
WARM_S = 0.3
ELEMENTS_MAX = 2**28
_SEED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `perf`."""
    parser.add_argument("model", metavar="MODEL", help="Model name")
    server = parser.add_argument_group("server")
    server.add_argument(
        "--url",
        default="127.0.0.1:8000",
        metavar="HOST:PORT",
        help="HTTP endpoint for requests and metadata (default: %(default)s)",
    )
    server.add_argument("--grpc", default="", metavar="HOST:PORT", help="gRPC endpoint; send inference requests over gRPC")
    add_secret_option(server, "--api-key", "API key of the server", metavar="KEY", default="")
    server.add_argument("--tls-ca", type=Path, metavar="FILE", help="CA certificate of the server (PEM); enables TLS")
    server.add_argument("--tls-cert", type=Path, metavar="FILE", help="Client certificate (PEM)")
    server.add_argument("--tls-key", type=Path, metavar="FILE", help="Private key of the client certificate (PEM)")
    group = parser.add_argument_group("load")
    load = group.add_mutually_exclusive_group()
    load.add_argument(
        "--concurrency",
        default="1",
        metavar="N,...",
        help="Number of concurrent clients (closed loop); 1:16 doubles from 1 to 16 (default: %(default)s)",
    )
    load.add_argument("--rate", default="", metavar="N,...", help="Requests per second, independent of responses (open loop)")
    group.add_argument("--even", action="store_true", help="With --rate, send at even intervals instead of a Poisson process")
    group.add_argument(
        "--seconds",
        type=seconds(0.001, SECONDS_MAX),
        default=5.0,
        metavar="S",
        help="Duration of each measurement in seconds (default: %(default)s)",
    )
    group.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="INPUT:1,3,..",
        help="Shape of an input with dynamic dimensions; repeatable",
    )
    group.add_argument("--data", choices=("zero", "random"), default="zero", help="Input data (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure, and print a table. Exit code 1 if a request failed."""
    steps = (
        _numbers("--rate", arguments.rate, 1e6)
        if arguments.rate
        else _numbers("--concurrency", arguments.concurrency, CALLERS_MAX)
    )
    server = Api(arguments.url, arguments.api_key, _tls(arguments, "http/1.1"))
    tensors = _tensors(server.get(f"/v2/models/{arguments.model}"), arguments)
    rows: list[dict[str, Any]] = []
    for step in steps:
        row = _measure(arguments, server, tensors, step)
        rows.append(row)
        if not arguments.json:
            print(_line(row), flush=True)
            for text, count in row["failures"].items():
                print(f"  {count} failed: {text}", file=sys.stderr)
    if arguments.json:
        print(json_text(rows))
    return 1 if any(row["failures"] for row in rows) else 0


class Api:
    """Client for the server's metadata and statistics.

    Raises:
        UnavailableError: the server cannot be reached, or refuses.
    """

    def __init__(self, url: str, key: str, tls: ssl.SSLContext | None = None) -> None:
        self.address = _address(url)
        self.tls = tls
        self.headers = {"X-API-Key": key} if key else {}

    def get(self, path: str) -> dict[str, Any]:
        """One answer as JSON."""
        line = http.client.HTTPConnection(*self.address, timeout=30)
        if self.tls is not None:
            line = http.client.HTTPSConnection(*self.address, timeout=30, context=self.tls)
        try:
            line.request("GET", path, headers=self.headers)
            answer = line.getresponse()
            parsed = msgspec.json.decode(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, msgspec.DecodeError) as cause:
            raise UnavailableError(
                f"{self.address[0]}:{self.address[1]} does not respond: {fault_text(cause)}; check --url and the server"
            ) from cause
        finally:
            line.close()
        if answer.status != 200 or not isinstance(parsed, dict):
            raise UnavailableError(f"{path}: {answer.status} {parsed}")
        return parsed

    def spent(self, model: str) -> dict[str, tuple[int, int]]:
        """Statistics of the model: phase -> count, nanoseconds. Empty for a server without them."""
        try:
            parsed = self.get(f"/v2/models/{model}/stats")["model_stats"]
        except (UnavailableError, KeyError):
            return {}
        stats = [each["inference_stats"] for each in parsed]
        phases = ("queue", "compute_input", "compute_infer", "compute_output", "cache_hit")
        return {
            phase: (sum(each[phase]["count"] for each in stats), sum(each[phase]["ns"] for each in stats)) for phase in phases
        }


def _measure(arguments: argparse.Namespace, server: Api, tensors: list[Tensor], step: float) -> dict[str, Any]:
    model, lasting_s = arguments.model, arguments.seconds
    headers = [f"{name}: {value}" for name, value in server.headers.items()]

    def callers(count: int) -> list[Caller]:
        if arguments.grpc:
            message, address = grpc_infer(model, tensors), _address(arguments.grpc)
            tls = _tls(arguments, "h2")
            return [GrpcLoadClient(address, message, key=arguments.api_key, tls=tls) for _ in range(count)]
        request = http_infer(model, tensors, *headers)
        return [HttpLoadClient(server.address, request, server.tls) for _ in range(count)]

    closed_loop(callers(1), min(WARM_S, lasting_s))
    before = server.spent(model)
    if arguments.rate:
        result = open_loop(callers(OPEN_CALLERS), _moments(step, lasting_s, even=arguments.even))
        load = {"rate": step}
    else:
        result = closed_loop(callers(int(step)), lasting_s)
        load = {"concurrency": int(step)}
    after = server.spent(model)
    return {**load, **_load_figures(result, lasting_s), "server_us": _server(before, after)}


def _load_figures(result: LoadResult, seconds: float) -> dict[str, Any]:
    took_ms = np.sort(np.array(result.latencies_s or [math.nan])) * 1e3
    percentiles = {f"p{part}_ms": round(float(np.percentile(took_ms, part)), 3) for part in (50, 90, 95, 99)}
    return {
        "infer_per_s": round(len(result.latencies_s) / seconds, 1),
        "count": len(result.latencies_s),
        "avg_ms": round(float(took_ms.mean()), 3),
        **percentiles,
        "late": result.late,
        "failures": dict(result.failures),
    }


def _server(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> dict[str, float]:
    """Mean microseconds of each phase in the server, for the requests between the two samples."""
    counts = {phase: after[phase][0] - before.get(phase, (0, 0))[0] for phase in after}
    return {
        phase: round((after[phase][1] - before.get(phase, (0, 0))[1]) / count / 1e3, 1)
        for phase, count in counts.items()
        if count > 0
    }


def _line(row: dict[str, Any]) -> str:
    load = f"Concurrency: {row['concurrency']}" if "concurrency" in row else f"Request rate: {row['rate']:g}"
    late = f", {row['late']} late" if row["late"] else ""
    inside = ", ".join(f"{phase.replace('_', ' ')} {spent_us:g}" for phase, spent_us in row["server_us"].items())
    return (
        f"{load}, throughput: {row['infer_per_s']:g} infer/sec{late}, latency {row['avg_ms']:g} ms"
        f" (p50 {row['p50_ms']:g}, p90 {row['p90_ms']:g}, p99 {row['p99_ms']:g})" + (f"; server us: {inside}" if inside else "")
    )


def _moments(rate: float, seconds: float, *, even: bool) -> Iterator[float]:
    if even:
        yield from (number / rate for number in range(math.ceil(round(rate * seconds, 6))))
        return
    draw = random.Random(_SEED)  # noqa: S311 - moments, no secrets; the same in every run
    at_s = 0.0
    while at_s < seconds:
        yield at_s
        at_s += draw.expovariate(rate)


def _tensors(metadata: dict[str, Any], arguments: argparse.Namespace) -> list[Tensor]:
    shapes = dict(_shape(text) for text in arguments.shape)
    unknown = set(shapes) - {each["name"] for each in metadata["inputs"]}
    if unknown:
        raise InputError(f"--shape: the model has no input {', '.join(sorted(unknown))}")
    return [_tensor(each, shapes.get(each["name"]), random_data=arguments.data == "random") for each in metadata["inputs"]]


def _tensor(metadata: dict[str, Any], requested_shape: tuple[int, ...] | None, *, random_data: bool) -> Tensor:
    shape = requested_shape or tuple(int(side) for side in metadata["shape"])
    # The first open axis is usually the batch; the length of any other open axis is unknown.
    shape = (1 if shape and shape[0] == -1 else shape[0], *shape[1:]) if shape else ()
    if any(side < 0 for side in shape):
        raise InputError(
            f"input {metadata['name']} has dynamic dimensions {list(shape)}; specify --shape {metadata['name']}:1,..."
        )
    if math.prod(shape) > ELEMENTS_MAX:
        raise InputError(f"input {metadata['name']}: more than {ELEMENTS_MAX} elements")
    try:
        dtype = checked_dtype(metadata["name"], metadata["datatype"])
    except CallError as cause:
        raise InputError(str(cause)) from cause
    array: Array
    if dtype.kind == "O":
        array = np.full(shape, b"0", np.object_)
    elif random_data and dtype.kind == "f":
        array = np.random.default_rng(_SEED).random(shape).astype(dtype)
    elif random_data and dtype.kind in "iu":
        array = np.frombuffer(np.random.default_rng(_SEED).bytes(math.prod(shape) * dtype.itemsize), dtype).reshape(shape)
    else:
        array = np.zeros(shape, dtype)
    return Tensor(metadata["name"], metadata["datatype"], shape, to_raw(array))


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, colon, sides = text.rpartition(":")
    if not colon or not all(side.isdecimal() for side in sides.split(",")):
        raise InputError(f"--shape {text}: must be INPUT:DIMENSIONS, e.g. input:1,224,224,3")
    return name, tuple(int(side) for side in sides.split(","))


def _numbers(option: str, text: str, most: float) -> list[float]:
    """The numbers of `1,4,16`, or those from 1 to 16 of `1:16`, each twice the one before."""
    try:
        low, colon, high = text.partition(":")
        found = [float(low)] if colon else [float(part) for part in text.split(",")]
        last = float(high) if colon else found[-1]
    except ValueError as cause:
        raise InputError(f"{option} {text}: must be numbers such as 1,4,16 or 1:16") from cause
    if not all(0 < number <= most for number in (*found, last)) or (colon and last < found[0]):
        raise InputError(f"{option} {text}: numbers must be greater than 0 and at most {most:g}, in a range from low to high")
    while colon and found[-1] * 2 <= last:
        found.append(found[-1] * 2)
    return found


def _tls(arguments: argparse.Namespace, protocol: str) -> ssl.SSLContext | None:
    if arguments.tls_ca is None:
        if arguments.tls_cert is not None or arguments.url.startswith("https://"):
            raise InputError("TLS requires --tls-ca: specify the CA certificate of the server")
        return None
    try:
        context = ssl.create_default_context(cafile=arguments.tls_ca)
        if arguments.tls_cert is not None:
            context.load_cert_chain(arguments.tls_cert, arguments.tls_key)
    except OSError as cause:  # ssl's own errors are OSErrors too
        raise InputError(f"--tls-ca, --tls-cert, --tls-key: invalid certificate or private key: {fault_text(cause)}") from cause
    context.set_alpn_protocols([protocol])
    return context


def _address(url: str) -> tuple[str, int]:
    host, colon, port = url.removeprefix("http://").removeprefix("https://").rstrip("/").rpartition(":")
    if not colon or not port.isdecimal():
        raise InputError(f"{url}: must be HOST:PORT")
    return host.strip("[]"), int(port)
