"""Memory for bodies: aligned, not beyond what was announced, and read in place by the models."""

from __future__ import annotations

import json

import numpy as np
import pytest

from edgefleet_agent.cli.measure.load_clients import GrpcLoadClient, HttpLoadClient, Tensor, closed_loop, grpc_infer, http_post
from edgefleet_agent.serving.frontend.body_buffer import ALIGNED_BYTES, FIRST_BYTES_MAX, BodyBuffer, GrowingBuffer
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, RequestTemplate
from tests.agent.serving.conftest import Api

ROWS = 5_000
DATA = bytes(range(256)) * (ROWS * 16 * 4 // 256)


@pytest.mark.parametrize("tensor_at", range(2 * ALIGNED_BYTES))
def test_the_first_tensor_is_aligned(tensor_at: int) -> None:
    body = BodyBuffer(1000, tensor_at)
    body.append(bytes(1000))
    assert np.frombuffer(body.whole()[tensor_at:], np.uint8).ctypes.data % ALIGNED_BYTES == 0


def test_a_body_is_what_was_written_and_its_surplus_what_follows() -> None:
    body = BodyBuffer(6, 5)
    body.append(b"abc")
    room = body.room()
    assert len(room) == 4, "one byte more than the body, so that a read is not tried again"
    room[:4] = b"defG"
    body.add(4)
    assert (bytes(body.whole()), body.surplus(), body.missing) == (b"abcdef", b"G", -1)


def test_a_message_grows_with_what_arrives_and_not_with_what_is_announced() -> None:
    message = GrowingBuffer(100 * FIRST_BYTES_MAX)
    assert message.size == FIRST_BYTES_MAX
    message.append(b"x" * FIRST_BYTES_MAX)
    room = message.room_for(10)
    assert room is not None
    assert len(room) == 10
    room[:] = b"y" * 10
    message.add(10)
    assert message.size == 4 * FIRST_BYTES_MAX
    message.append(b"z" * (4 * FIRST_BYTES_MAX))
    assert bytes(message.whole()) == b"x" * FIRST_BYTES_MAX + b"y" * 10 + b"z" * (4 * FIRST_BYTES_MAX)


def test_beyond_what_was_announced_nothing_is_read_in_place() -> None:
    message = GrowingBuffer(3)
    message.append(b"abc")
    assert message.room_for(1) is None
    message.append(b"de")
    assert bytes(message.whole()) == b"abcde"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the tensors of each repeated request are in the memory of its body."""
    in_place: list[bool] = []
    before = RequestTemplate.request

    def request(self: RequestTemplate, data: memoryview, start: int = 0) -> InferenceRequest:
        found = before(self, data, start)
        in_place.extend(not array.flags.owndata for array in found.inputs.values())
        assert all(array.tobytes() == DATA for array in found.inputs.values())
        return found

    monkeypatch.setattr(RequestTemplate, "request", request)
    return in_place


@pytest.mark.parametrize("protocol", ["http", "grpc"])
@pytest.mark.parametrize("shift", range(4))
def test_a_model_reads_a_large_tensor_of_floats_in_place(api: Api, read: list[bool], protocol: str, shift: int) -> None:
    """Wherever the tensor is in the request."""
    tensor = Tensor("INPUT", "FP32", (ROWS, 16), DATA)
    host, _, port = getattr(api, protocol).removeprefix("http://").rpartition(":")
    client: GrpcLoadClient | HttpLoadClient
    if protocol == "http":
        described = {"name": "INPUT", "datatype": "FP32", "shape": [ROWS, 16], "parameters": {"binary_data_size": len(DATA)}}
        head = json.dumps({"inputs": [described], "parameters": {"binary_data_output": True}}).encode() + b" " * shift
        size = f"Inference-Header-Content-Length: {len(head)}"
        client = HttpLoadClient((host, int(port)), http_post("/v2/models/identity_fp32/infer", head + DATA, size))
    else:
        version = b"\x12" + bytes((shift + 1,)) + b"0" * shift + b"1"
        client = GrpcLoadClient((host, int(port)), version + grpc_infer("identity_fp32", [tensor]))
    result = closed_loop([client], 1.0)
    assert not result.failures
    assert len(read) >= 2, "no request was repeated"
    assert all(read[1:])
