"""Hostile requests over a real socket: each gets an answer of the protocol, and the next caller is served."""

from __future__ import annotations

import concurrent.futures
import contextlib
import gzip
import http.client
import json
import socket
import struct
import time
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.serving.grpc.messages import MESSAGES
from tests.agent.serving.conftest import LIMITS, Api

INFER = "/v2/models/identity_fp32/infer"
GOOD = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32"}


def ask(api: Api, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, Any, Any]:
    host, _, port = api.http.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    try:
        connection.request(method, path, body or None, headers or {})
        answer = connection.getresponse()
        data = answer.read()
        return answer.status, json.loads(data) if "json" in answer.headers["Content-Type"] else data, answer.headers
    finally:
        connection.close()


def infer(api: Api, request: Any, raw: bytes = b"", **headers: str) -> tuple[int, str]:
    head = request if isinstance(request, bytes) else json.dumps(request).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if raw:
        named.setdefault("Inference-Header-Content-Length", str(len(head)))
    status, answer, _ = ask(api, "POST", INFER, head + raw, named)
    return status, answer["error"] if isinstance(answer, dict) and "error" in answer else ""


def binary(size: Any, **changes: Any) -> dict[str, Any]:
    return {"inputs": [{**GOOD, "parameters": {"binary_data_size": size}, **changes}]}


@pytest.mark.parametrize(
    ("request_", "raw", "message"),
    [
        (b"", b"", "parse"),
        (b"[]", b"", "parse"),
        (b"{", b"", "parse"),
        (b"\xff\xfe", b"", "parse"),
        (b"[" * 100_000, b"", "parse"),
        ({}, b"", "inputs"),
        ({"inputs": []}, b"", "expected 1 inputs"),
        ({"inputs": [GOOD]}, b"", "neither"),
        ({"inputs": [{**GOOD, "data": [1.0] * 15}]}, b"", "16 elements"),
        ({"inputs": [{**GOOD, "data": [[1.0] * 8, 7.0]}]}, b"", "mixes"),
        ({"inputs": [{**GOOD, "data": ["x"] * 16}]}, b"", "not FP32"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16, "name": "OTHER"}]}, b"", "missing"),
        ({"inputs": [{**GOOD, "data": [1] * 16, "datatype": "INT32"}]}, b"", "data-type"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16, "datatype": "FP8"}]}, b"", "unknown datatype"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16, "shape": [16]}]}, b"", "unexpected shape"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16, "shape": [2, 8]}]}, b"", "unexpected shape"),
        ({"inputs": [{**GOOD, "data": [], "shape": [0, 16]}]}, b"", "has a batch of 0 rows; send at least 1"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16}] * 2}, b"", "twice"),
        (binary(64, shape=[-1, -16]), bytes(64), "0 or more"),
        (binary(64, shape=[2**62, 2**62]), bytes(64), "more than"),
        (binary(64, shape=[2**40, 0, 2**40]), bytes(64), "more than"),
        (binary(64, shape=[1.5, 16]), bytes(64), "parse"),
        (binary(64, shape=[1] * 1000), bytes(64), "at most"),
        (binary(64, shape=[10**30]), bytes(64), "more than"),
        (binary(63), bytes(63), "requires 64 bytes"),
        (binary(64), bytes(63), "invalid binary_data_size"),
        (binary(64), bytes(65), "additional"),
        (binary(-1), bytes(64), "invalid binary_data_size"),
        (binary(2**70), bytes(64), "invalid binary_data_size"),
        (binary("64"), bytes(64), "invalid binary_data_size"),
        (binary(True), bytes(64), "invalid binary_data_size"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16}], "outputs": [{"name": "NOTHING"}]}, b"", "unexpected inference output"),
        (
            {"inputs": [{**GOOD, "data": [1.0] * 16}], "outputs": [{"name": "OUTPUT", "parameters": {"classification": -1}}]},
            b"",
            "0 to",
        ),
        ({"inputs": [{**GOOD, "data": [1.0] * 16}], "parameters": {"priority": -1}}, b"", "priority"),
        ({"inputs": [{**GOOD, "data": [1.0] * 16}], "parameters": {"timeout": "now"}}, b"", "timeout"),
    ],
)
def test_a_wrong_request_is_refused_with_a_sentence(api: Api, request_: Any, raw: bytes, message: str) -> None:
    status, text = infer(api, request_, raw)
    assert status == 400
    assert message in text
    assert infer(api, {"inputs": [{**GOOD, "data": [1.0] * 16}]}) == (200, "")


@pytest.mark.parametrize("length", ["-1", "999999", "x", "1e3", "9" * 40])
def test_a_lying_json_length(api: Api, length: str) -> None:
    assert infer(api, binary(64), bytes(64), Inference_Header_Content_Length=length)[0] == 400


@pytest.mark.parametrize("element", [struct.pack("<I", 5) + b"abc", struct.pack("<I", 2**32 - 1), b"\x01", b"", bytes(70)])
def test_lying_lengths_of_texts(api: Api, element: bytes) -> None:
    head = json.dumps(
        {"inputs": [{"name": "INPUT", "shape": [1, 16], "datatype": "BYTES", "parameters": {"binary_data_size": len(element)}}]}
    ).encode()
    status, answer, _ = ask(
        api, "POST", "/v2/models/identity_bytes/infer", head + element, {"Inference-Header-Content-Length": str(len(head))}
    )
    assert status == 400, answer


@pytest.mark.parametrize(
    ("datatype", "value"), [("UINT8", 256), ("INT8", -129), ("UINT64", 2**64), ("UINT64", -1), ("INT64", 2**63), ("BOOL", 2)]
)
def test_numbers_that_do_not_fit_are_refused(api: Api, datatype: str, value: int) -> None:
    body = json.dumps({"inputs": [{**GOOD, "datatype": datatype, "data": [value] * 16}]}).encode()
    assert ask(api, "POST", f"/v2/models/identity_{datatype.lower()}/infer", body)[0] == 400


def test_text_that_the_runtime_cannot_take_is_the_callers_fault(api: Api) -> None:
    element = struct.pack("<I", 1) + b"\xff"
    head = json.dumps(
        {"inputs": [{"name": "INPUT", "shape": [1, 16], "datatype": "BYTES", "parameters": {"binary_data_size": 16 * 5}}]}
    ).encode()
    status, answer, _ = ask(
        api, "POST", "/v2/models/identity_bytes/infer", head + element * 16, {"Inference-Header-Content-Length": str(len(head))}
    )
    assert (status, "UTF-8" in answer["error"]) == (400, True)


def test_bombs_and_bad_streams(api: Api) -> None:
    bomb = gzip.compress(bytes(64 * 1024 * 1024), 9)
    assert ask(api, "POST", INFER, bomb, {"Content-Encoding": "gzip"})[0] == 413
    assert ask(api, "POST", INFER, b"no stream", {"Content-Encoding": "deflate"})[0] == 400
    assert ask(api, "POST", INFER, gzip.compress(b"{}")[:-4], {"Content-Encoding": "gzip"})[0] == 400
    assert ask(api, "POST", INFER, b"{}", {"Content-Encoding": "br"})[0] == 415


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v2/nothing", 404),
        ("GET", "/v2/models/nothing", 404),
        ("GET", "/v2/models/add/versions/7", 404),
        ("GET", "/v2/models/nothing/ready", 400),
        ("GET", "/v2/models/%ff%fe", 404),
        ("GET", "/v2/models/../../../etc/passwd", 404),
        ("GET", INFER, 405),
        ("DELETE", "/v2/models/add", 405),
        ("POST", "/v2/health/live", 405),
        ("POST", "/v2/repository/models/..%2f..%2fetc/load", 400),
        ("POST", "/v2/repository/models/nothing/unload", 400),
    ],
)
def test_paths_and_methods(api: Api, method: str, path: str, status: int) -> None:
    found, answer, headers = ask(api, method, path)
    assert found == status
    assert isinstance(answer, dict)
    assert answer["error"]
    assert (headers["Allow"] is not None) == (status == 405)


def test_files_from_callers_are_not_taken(api: Api) -> None:
    body = json.dumps({"parameters": {"file:1/model.onnx": "AAAA", "config": "{}"}}).encode()
    assert ask(api, "POST", "/v2/repository/models/add/load", body)[0] == 501


def talk(api: Api, data: bytes, *, rest: bytes = b"", wait_s: float = 0.0) -> bytes:
    """Sends raw bytes. Returns all data received until the server closes the connection."""
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(data)
        if wait_s:
            time.sleep(wait_s)
        if rest:
            line.sendall(rest)
        found = b""
        while block := line.recv(65536):
            found += block
        return found


LIVE = b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", 501),
        (b"GET /v2 HTTP/2.0\r\n\r\n", 400),
        (b"GET v2 HTTP/1.1\r\n\r\n", 400),
        (LIVE + b" folded: x\r\n\r\n", 400),
        (LIVE + b"Name : x\r\n\r\n", 400),
        (LIVE + b"no colon\r\n\r\n", 400),
        (LIVE + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (LIVE + b"Content-Length: +1\r\n\r\n", 400),
        (LIVE + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (LIVE + b"Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (LIVE + b"Content-Length: 99999999999\r\n\r\n", 413),
        (LIVE + b"X: " + b"y" * 20_000, 431),
        (LIVE + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        (LIVE + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n", 413),
        (LIVE + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        (LIVE + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
        (LIVE, 408),
        (LIVE + b"Content-Length: 10\r\n\r\nabc", 408),
    ],
)
def test_what_is_not_http_is_answered_and_hung_up(api: Api, data: bytes, status: int) -> None:
    answer = talk(api, data)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer
    assert b"Connection: close\r\n" in answer


def test_requests_sent_ahead_are_answered_in_order(api: Api) -> None:
    ahead = (LIVE + b"\r\n") * 300
    answer = talk(api, ahead + b"GET /v2/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 OK") == 300
    assert answer.count(b"HTTP/1.1 404 ") == 1
    assert answer.rindex(b"200 OK") < answer.index(b"404 ")


def test_a_request_in_pieces_and_in_chunks(api: Api) -> None:
    body = json.dumps({"inputs": [{**GOOD, "data": [1.0] * 16}]}).encode()
    head = b"POST %b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" % INFER.encode()
    whole = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    for cut in (1, 10, len(head), len(whole) - 1):
        assert b"200 OK" in talk(api, whole[:cut], rest=whole[cut:], wait_s=0.01)
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(body[at : at + 7]), body[at : at + 7]) for at in range(0, len(body), 7))
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nTrailer: x\r\n\r\n"
    assert b"200 OK" in talk(api, chunked)
    for cut in (len(head) + 40, len(chunked) - 3):
        assert b"200 OK" in talk(api, chunked[:cut], rest=chunked[cut:], wait_s=0.01)


@given(st.binary(max_size=200))
def test_noise_never_breaks_the_server(api: Api, noise: bytes) -> None:
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (INFER.encode(), len(noise)) + noise)
        assert b" 400 Bad Request\r\n" in line.recv(65536)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda each: st.lists(each, max_size=3)))
def test_any_json_in_any_field_is_refused_or_served(api: Api, value: Any) -> None:
    for field in ("name", "shape", "datatype", "parameters", "data"):
        assert infer(api, {"inputs": [{**GOOD, "data": [1.0] * 16, field: value}]})[0] in (200, 400)
    for field in ("id", "parameters", "outputs", "inputs"):
        assert infer(api, {"inputs": [{**GOOD, "data": [1.0] * 16}], field: value})[0] in (200, 400)


def hung_up_on(line: socket.socket) -> bool:
    try:
        line.sendall(LIVE + b"\r\n")
        answer = line.recv(4096)
        return not answer or b"503 " in answer
    except ConnectionError:
        return True


def test_connections_are_limited_and_given_back(api: Api) -> None:
    host, _, port = api.http.rpartition(":")
    with contextlib.ExitStack() as open_lines:
        lines = [
            open_lines.enter_context(socket.create_connection((host, int(port)), timeout=20))
            for _ in range(LIMITS.connections + 5)
        ]
        answered = [line for line in lines if not hung_up_on(line)]
        still_open = sum(not hung_up_on(line) for line in answered)  # an idle one may have been given up for a newer one
    assert still_open <= LIMITS.connections
    assert answered_in_time(api)


def test_bodies_together_are_limited_and_their_memory_comes_back(api: Api) -> None:
    host, _, port = api.http.rpartition(":")
    many = LIMITS.bodies_bytes // LIMITS.body_bytes
    announced = LIVE + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % LIMITS.body_bytes
    with contextlib.ExitStack() as open_lines:
        for _ in range(many):
            line = open_lines.enter_context(socket.create_connection((host, int(port)), timeout=20))
            line.sendall(announced)
            assert line.recv(4096).startswith(b"HTTP/1.1 100 ")
        assert talk_once(api, announced).startswith(b"HTTP/1.1 503 ")
    give_up_s = time.monotonic() + 120
    while time.monotonic() < give_up_s and not (answer := talk_once(api, announced)).startswith(b"HTTP/1.1 100 "):
        time.sleep(0.02)
    assert answer.startswith(b"HTTP/1.1 100 ")


def talk_once(api: Api, data: bytes) -> bytes:
    """Sends raw bytes. Returns the first received data."""
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(data)
        return line.recv(4096)


def answered_in_time(api: Api) -> bool:
    """Whether the server answers soon; its loop detects closed connections with a delay."""
    give_up_s = time.monotonic() + 120
    while time.monotonic() < give_up_s:
        try:
            if ask(api, "GET", "/v2/health/live")[0] == 200:
                return True
        except (ConnectionError, http.client.HTTPException):
            pass  # refused by closing the connection
        time.sleep(0.02)
    return False


def test_a_full_queue_answers_503_and_when_to_come_back(api: Api) -> None:
    numbers = {"START": 0.0, "LIMIT": 8e6, "DELTA": 1.0}
    tensors = [{"name": name, "shape": [], "datatype": "FP32", "data": [number]} for name, number in numbers.items()]
    body = json.dumps({"inputs": tensors}).encode()
    with concurrent.futures.ThreadPoolExecutor(16) as callers:
        pending = [callers.submit(ask, api, "POST", "/v2/models/narrow/infer", body) for _ in range(64)]
        answers = [each.result() for each in pending]
    statuses = {status for status, _, _ in answers}
    assert statuses == {200, 503}
    assert all(headers["Retry-After"] == "1" for status, _, headers in answers if status == 503)
    page = ask(api, "GET", "/metrics?names=triton")[1].decode()
    refused = sum(status == 503 for status, _, _ in answers)
    assert f'nv_inference_request_failure{{model="narrow",version="1",reason="REJECTED"}} {refused}' in page


def test_thousands_of_hostile_requests_leave_nothing_behind(api: Api) -> None:
    host, _, port = api.http.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    bodies = [json.dumps(binary(size)).encode() for size in (-1, 2**62, "x", 64)] + [b"{" * 50, b""]

    def round_of(number: int) -> None:
        for place in range(number):
            connection.request("POST", INFER, bodies[place % len(bodies)])
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 400

    round_of(500)
    before = rss_bytes()
    round_of(3000)
    connection.close()
    assert rss_bytes() - before < 20 * 1024 * 1024


def test_hostile_grpc(api: Api) -> None:
    with grpc.insecure_channel(api.grpc) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        request = MESSAGES["ModelInferRequest"]

        def code(**fields: Any) -> grpc.StatusCode:
            data = fields.pop("data", None) or request(**fields).SerializeToString()
            try:
                call(data, timeout=20)
            except grpc.RpcError as error:
                found: grpc.StatusCode = error.code()
                return found
            return grpc.StatusCode.OK

        good = {"name": "INPUT", "datatype": "FP32", "shape": [1, 16]}
        invalid = grpc.StatusCode.INVALID_ARGUMENT
        fine = {"model_name": "identity_fp32", "inputs": [good], "raw_input_contents": [bytes(64)]}
        assert code(**fine) is grpc.StatusCode.OK
        assert code(**{**fine, "model_name": "nothing"}) is grpc.StatusCode.NOT_FOUND
        assert code(**{**fine, "raw_input_contents": [bytes(63)]}) is invalid
        assert code(**{**fine, "raw_input_contents": [bytes(64)] * 2}) is invalid
        assert code(**{**fine, "raw_input_contents": []}) is invalid
        assert code(**{**fine, "inputs": [{**good, "shape": [-1, -16]}]}) is invalid
        assert code(**{**fine, "inputs": [{**good, "shape": [2**62, 2**62]}]}) is invalid
        assert code(**{**fine, "inputs": [{**good, "datatype": "BF16"}]}) is invalid
        assert code(**{**fine, "inputs": []}) is invalid
        assert code(**{**fine, "raw_input_contents": [bytes(8 * 1024 * 1024)]}) is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert code(data=b"\xff" * 30) is invalid
        assert code(**fine) is grpc.StatusCode.OK
