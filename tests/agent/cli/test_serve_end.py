"""The end of `serve`: running requests are answered, new ones refused; and its socket file."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from edgefleet_agent.core.socket_file import SocketFile, remove_stale
from edgefleet_agent.serving.grpc.messages import MESSAGES
from tests.agent.backends.faulty.installation import install
from tests.agent.cli.test_serve import Served, serving
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import put_model

pytestmark = pytest.mark.system

DELAY_S = 6.0
SLOW = f"""
max_batch_size = 8
[dynamic_batching]
preferred_batch_size = [8]
max_queue_delay_microseconds = {int(DELAY_S * 1e6)}
"""
BODY = json.dumps({"inputs": [{"name": name, "shape": [1, 4], "datatype": "FP32", "data": [1, 1, 1, 1]} for name in "AB"]})


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A model whose lone requests wait for others."""
    put_model(tmp_path, "slow", onnx_file.add(), config=SLOW)
    return tmp_path


def request(address: str, method: str, path: str, body: str | None = None) -> tuple[int, str | None]:
    """Status and the header `Connection` of a request on a connection of its own."""
    with contextlib.closing(http.client.HTTPConnection(address, timeout=60)) as connection:
        connection.request(method, path, body)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Connection")


def post(address: str, found: list[object]) -> None:
    try:
        found.append(request(address, "POST", "/v2/models/slow/infer", BODY))
    except (OSError, http.client.HTTPException) as error:
        found.append(error)


def infer(address: str, found: list[object]) -> None:
    message = MESSAGES["ModelInferRequest"](model_name="slow")
    for name in "AB":
        message.inputs.add(name=name, datatype="FP32", shape=[1, 4])
        message.raw_input_contents.append(bytes(16))
    with grpc.insecure_channel(address) as channel:
        try:
            channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")(message.SerializeToString(), timeout=60)
            found.append(grpc.StatusCode.OK)
        except grpc.RpcError as error:
            found.append(error.code())


def running(served: Served) -> tuple[list[object], list[threading.Thread]]:
    """One request over each protocol that runs."""
    found: list[object] = []
    threads = [
        threading.Thread(target=post, args=(served.addresses["HTTP"], found)),
        threading.Thread(target=infer, args=(served.addresses["gRPC"], found)),
    ]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    return found, threads


def test_running_requests_are_answered_and_new_ones_refused(slow: Path) -> None:
    with serving(str(slow), "--grpc", "127.0.0.1:0") as served:
        assert request(served.addresses["HTTP"], "GET", "/v2/health/ready")[0] == 200
        found, threads = running(served)
        served.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        for path, status in (("/v2/health/live", 200), ("/v2/health/ready", 503), ("/v2/models/slow", 503)):
            assert request(served.addresses["HTTP"], "GET", path) == (status, "close")
        late: list[object] = []
        infer(served.addresses["gRPC"], late)
        assert late == [grpc.StatusCode.UNAVAILABLE]
        for thread in threads:
            thread.join(60)
        assert served.process.wait(120) == 0
    assert grpc.StatusCode.OK in found
    assert [each for each in found if isinstance(each, tuple)] == [(200, "close")]


@pytest.mark.parametrize("again", [False, True], ids=["timeout", "second signal"])
def test_what_remains_is_refused(slow: Path, again: bool) -> None:
    options = () if again else ("--exit-timeout-secs", "1")
    with serving(str(slow), "--grpc", "127.0.0.1:0", *options) as served:
        found, threads = running(served)
        served.process.send_signal(signal.SIGTERM)
        if again:
            time.sleep(0.3)
            served.process.send_signal(signal.SIGINT)
        for thread in threads:
            thread.join(60)
        assert served.process.wait(120) == 0
    assert grpc.StatusCode.UNAVAILABLE in found
    assert [each for each in found if isinstance(each, tuple)] == [(503, "close")]


@pytest.mark.parametrize("isolation", [(), ("--isolation", "hung=process")], ids=["in the process", "isolated"])
def test_a_model_that_does_not_end_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isolation: tuple[str, ...]
) -> None:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)
    script = json.dumps({"at": "infer", "when": 13, "hang_s": 3600}).encode()
    put_model(tmp_path / "models", "hung", script, config='runtime = "faulty"\n')
    body = json.dumps({"inputs": [{"name": "X", "shape": [1, 4], "datatype": "FP32", "data": [13] * 4}]})
    with serving(str(tmp_path / "models"), "--exit-timeout-secs", "1", *isolation) as served:
        found: list[object] = []
        calls = [
            threading.Thread(
                target=lambda: found.append(request(served.addresses["HTTP"], "POST", "/v2/models/hung/infer", body))
            )
            for _ in range(3)
        ]
        for each in calls:
            each.start()
        time.sleep(1.0)
        began_s = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        for each in calls:
            each.join(60)
        assert found == [(503, "close")] * 3
        assert served.process.wait(120) == 0
        assert time.monotonic() - began_s < 25, "1 s for the answers, and the end of the listeners and the models"


def test_an_idle_stream_does_not_hold_up_the_end(slow: Path) -> None:
    with serving(str(slow), "--grpc", "127.0.0.1:0") as served:
        ended = threading.Event()

        def nothing() -> Iterator[bytes]:
            ended.wait(60)
            yield from ()

        with grpc.insecure_channel(served.addresses["gRPC"]) as channel:
            stream = channel.stream_stream("/inference.GRPCInferenceService/ModelStreamInfer")(nothing())
            time.sleep(1.0)
            began_s = time.monotonic()
            served.process.send_signal(signal.SIGTERM)
            with pytest.raises(grpc.RpcError) as caught:
                next(stream)
            ended.set()
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert served.process.wait(120) == 0
        assert time.monotonic() - began_s < 50, "the caller's stream stays open for 60 s"


def test_a_second_server_leaves_the_socket_of_the_first(slow: Path, tmp_path: Path) -> None:
    path = tmp_path / "serve.sock"
    command = [sys.executable, "-m", "edgefleet_agent", "serve", str(slow), "--http", f"unix:{path}"]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        assert next(line for line in first.stdout if line.startswith("HTTP on "))  # the rest of its lines fits into the pipe
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode != 0
        assert "Address already in use" in second.stderr
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(path))
            caller.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
            assert caller.recv(100).startswith(b"HTTP/1.1 200")
    finally:
        first.terminate()
        first.communicate(timeout=30)
    assert not path.exists()


def test_a_stale_file_is_replaced_and_another_ones_stays(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    assert path.is_socket()
    remove_stale(path)
    assert not path.exists()
    with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as other:
        first.bind(str(path))
        file = SocketFile.of(first)
        assert file is not None
        path.unlink()
        (tmp_path / "keeps the inode").touch()
        other.bind(str(path))
        file.remove()
        assert path.is_socket()
