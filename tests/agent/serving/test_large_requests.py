"""Requests within the size limit that hold more values than any model takes: refused before they are parsed."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from edgefleet_agent.serving.grpc.messages import MESSAGES
from tests.agent.cli.test_serve import Served, serving
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import put_model

WAIT_S_MAX = 2.0
"""Longest wait of another caller; it was 3 to 14 s on an idle machine, and is 0.25 s there. This one may be busy."""
RSS_BYTES_MAX = 450 * 2**20
TENSOR = '{"name":"INPUT","shape":[1,16],"datatype":"INT64","data":[%s]}'
ONES = ",".join(["1"] * 16)

INFER = "/v2/models/id/infer"
HOSTILE: dict[str, tuple[str, Callable[[], str], int]] = {
    "inputs": (
        INFER,
        lambda: '{"inputs":[' + ",".join(['{"name":"A","shape":[1],"datatype":"FP32"}'] * 400_000) + "]}",
        400,
    ),
    "few inputs": (
        INFER,
        lambda: '{"inputs":[' + ",".join(['{"name":"A","shape":[1],"datatype":"FP32"}'] * 100_000) + "]}",
        400,
    ),
    "outputs": (
        INFER,
        lambda: '{"inputs":[' + TENSOR % ONES + '],"outputs":[' + ",".join(['{"name":"OUTPUT"}'] * 300_000) + "]}",
        400,
    ),
    "parameters": (
        INFER,
        lambda: '{"inputs":[' + TENSOR % ONES + '],"parameters":{' + ",".join(f'"k{n}":1' for n in range(500_000)) + "}}",
        400,
    ),
    "shape": (
        INFER,
        lambda: '{"inputs":[{"name":"INPUT","shape":[' + "1," * 1_500_000 + '1],"datatype":"INT64","data":[1]}]}',
        400,
    ),
    "twice": (
        INFER,
        lambda: '{"inputs":[' + ",".join(["1"] * 1_000_000) + '],"inputs":[' + TENSOR % ONES + "]}",
        200,
    ),
    "numbers": (INFER, lambda: '{"inputs":[' + TENSOR % ("1," * 29_000_000 + "1") + "]}", 413),
    "nested": (INFER, lambda: '{"inputs":[' + TENSOR % ("[1]," * 1_000_000 + "[1]") + "]}", 400),
    "texts": (
        INFER,
        lambda: '{"inputs":[' + TENSOR.replace("INT64", "BYTES") % ('"aa",' * 1_500_000 + '"a"') + "]}",
        400,
    ),
    "constants": (INFER, lambda: '{"inputs":[' + TENSOR % ("1" * 50_000_000 + ",NaN") + "]}", 400),
    "generate": ("/v2/models/id/generate", lambda: "{" + ",".join(f'"k{n}":1' for n in range(500_000)) + "}", 400),
    "rows": ("/v1/models/id:predict", lambda: '{"instances":[' + ",".join(['{"INPUT":[1,1,1,1]}'] * 1_000_000) + "]}", 413),
    "fields": ("/v1/models/id:predict", lambda: "{" + ",".join(f'"k{n}":1' for n in range(1_000_000)) + "}", 400),
    "settings": ("/v2/logging", lambda: "{" + ",".join(f'"k{n}":1' for n in range(500_000)) + "}", 413),
}


def post(address: str, path: str, data: bytes, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    with contextlib.closing(http.client.HTTPConnection(address, timeout=120)) as connection:
        connection.request("POST", path, data, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()


class Watch(threading.Thread):
    """Another caller: the longest wait for the health of the server."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address = address
        self.longest_s = 0.0
        self.answers = 0
        self.ended = threading.Event()

    def run(self) -> None:
        with contextlib.closing(http.client.HTTPConnection(self.address, timeout=60)) as connection:
            while not (self.answers and self.ended.wait(0.01)):
                began_s = time.monotonic()
                connection.request("GET", "/v2/health/live")
                connection.getresponse().read()
                self.longest_s = max(self.longest_s, time.monotonic() - began_s)
                self.answers += 1


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("large")
    put_model(root, "id", onnx_file.identity("INT64"))
    put_model(root, "texts", onnx_file.identity("BYTES"))
    with serving(str(root), "--grpc", "127.0.0.1:0") as server:
        yield server


def watched(served: Served, call: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a call, and the longest wait of another caller meanwhile."""
    watch = Watch(served.addresses["HTTP"])
    watch.start()
    try:
        return call(), watch.longest_s
    finally:
        watch.ended.set()
        watch.join(60)
        assert watch.answers


@pytest.mark.parametrize("name", HOSTILE)
def test_json_is_counted_before_it_is_parsed(served: Served, name: str) -> None:
    path, body, status = HOSTILE[name]
    data = body().encode()

    (found, text), longest_s = watched(served, lambda: post(served.addresses["HTTP"], path, data))
    assert found == status, text[:300]
    assert longest_s < WAIT_S_MAX, f"{name}: {longest_s:.1f} s"


def test_a_compressed_body_is_counted_as_well(served: Served) -> None:
    data = gzip.compress(HOSTILE["numbers"][1]().encode(), 1)

    (status, _), longest_s = watched(served, lambda: post(served.addresses["HTTP"], INFER, data, {"Content-Encoding": "gzip"}))
    assert status == 413
    assert longest_s < WAIT_S_MAX


def _message(change: Callable[[Any], None]) -> bytes:
    request = MESSAGES["ModelInferRequest"](model_name="id")
    change(request)
    data: bytes = request.SerializeToString()
    return data


def _input(request: Any) -> Any:
    return request.inputs.add(name="INPUT", datatype="INT64")


MESSAGES_HOSTILE: dict[str, tuple[Callable[[], bytes], grpc.StatusCode]] = {
    "inputs": (lambda: b"\x0a\x02id" + b"\x2a\x03\x0a\x01A" * 500_000, grpc.StatusCode.INVALID_ARGUMENT),
    "parameters": (
        lambda: b"\x0a\x02id" + b"".join(b"\x22\x0c\x0a\x06%06d\x12\x02\x10\x01" % n for n in range(500_000)),
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
    "raw": (lambda: b"\x0a\x02id" + b"\x3a\x00" * 5_000_000, grpc.StatusCode.INVALID_ARGUMENT),
    "shape": (lambda: _message(lambda r: _input(r).shape.extend([1] * 20_000_000)), grpc.StatusCode.INVALID_ARGUMENT),
    "contents": (
        lambda: _message(lambda r: _input(r).contents.int64_contents.extend([1] * 20_000_000)),
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ),
    "texts": (
        lambda: b"\x0a\x02id\x2a\x84\x84\xc0\x04\x2a\x80\x84\xc0\x04" + b"\x42\x00" * 5_000_000,
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
}


@pytest.mark.parametrize("name", MESSAGES_HOSTILE)
@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_messages_are_counted_before_they_are_parsed(served: Served, name: str, compression: grpc.Compression) -> None:
    message, status = MESSAGES_HOSTILE[name]
    data = message()

    def call() -> grpc.StatusCode:
        with grpc.insecure_channel(served.addresses["gRPC"], options=[("grpc.max_send_message_length", -1)]) as channel:
            infer = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
            try:
                infer(data, timeout=120, compression=compression)
            except grpc.RpcError as error:
                code: grpc.StatusCode = error.code()
                return code
            return grpc.StatusCode.OK

    code, longest_s = watched(served, call)
    assert code is status
    assert longest_s < WAIT_S_MAX, f"{name}: {longest_s:.1f} s"


def test_a_method_without_tensors_takes_no_large_message(served: Served) -> None:
    with grpc.insecure_channel(served.addresses["gRPC"], options=[("grpc.max_send_message_length", -1)]) as channel:
        live = channel.unary_unary("/inference.GRPCInferenceService/ServerLive")
        assert live(b"", timeout=60)
        with pytest.raises(grpc.RpcError) as caught:
            live(b"\x08\x00" * 100_000, timeout=60)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_memory_is_returned_and_the_server_still_answers(served: Served) -> None:
    """After the requests above. Before: 700 MB stayed."""
    status = Path(f"/proc/{served.process.pid}/status").read_text()
    rss = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))
    assert rss < RSS_BYTES_MAX, f"{rss / 2**20:.0f} MB"
    _, text = post(served.addresses["HTTP"], INFER, ('{"inputs":[' + TENSOR % ONES + "]}").encode())
    assert json.loads(text)["outputs"][0]["data"] == [1] * 16


def test_the_limit_can_be_set(tmp_path: Path) -> None:
    put_model(tmp_path, "id", onnx_file.identity("INT64"))
    many = ('{"inputs":[' + TENSOR % ONES + '],"other":[' + "1," * 5000 + "1]}").encode()
    with serving(str(tmp_path), "--json-values", "4000") as small:
        status, text = post(small.addresses["HTTP"], INFER, many)
    assert (status, b"raise --json-values" in text) == (413, True)
