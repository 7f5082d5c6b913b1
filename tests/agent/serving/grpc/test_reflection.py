"""Health and reflection, asked with grpcio: what is learned by reflection is enough to call a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from edgefleet_agent.serving.grpc import reflection
from tests.agent.serving.conftest import Api

WAIT_S = 10.0


@pytest.fixture
def channel(api: Api) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(api.grpc) as made:
        yield made


def text_field(number: int, text: str) -> bytes:
    """A message with one short text field."""
    return bytes((number << 3 | 2, len(text.encode()))) + text.encode()


def ask(channel: grpc.Channel, package: str, *requests: bytes) -> list[Any]:
    """The responses of one call, in their order."""
    file = next(file for file in reflection.KNOWN if file.package == package)
    call = channel.stream_stream(f"/{package}.ServerReflection/ServerReflectionInfo")
    return [file.classes["ServerReflectionResponse"].FromString(each) for each in call(iter(requests), timeout=WAIT_S)]


def code_of(channel: grpc.Channel, path: str) -> grpc.StatusCode:
    """The status of a call with a message that is damaged."""
    call = channel.stream_stream(path)(iter([b"\xff"]), timeout=WAIT_S)
    try:
        list(call)
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()
        return code
    return grpc.StatusCode.OK


@pytest.mark.parametrize("package", ["grpc.reflection.v1", "grpc.reflection.v1alpha"])
def test_what_is_described_can_be_called(channel: grpc.Channel, package: str) -> None:
    services, described = ask(channel, package, text_field(7, ""), text_field(4, "inference.GRPCInferenceService"))
    names = {each.name for each in services.list_services_response.service}
    assert names >= {"inference.GRPCInferenceService", "grpc.health.v1.Health", f"{package}.ServerReflection"}
    (file,) = described.file_descriptor_response.file_descriptor_proto
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file)
    methods = pool.FindServiceByName("inference.GRPCInferenceService").methods_by_name
    assert methods["ModelStreamInfer"].client_streaming
    assert methods["ModelStreamInfer"].server_streaming
    infer = methods["ModelInfer"]
    request = message_factory.GetMessageClass(infer.input_type)(model_name="identity_fp32")
    request.inputs.add(name="INPUT", datatype="FP32", shape=[1, 16])
    request.raw_input_contents.append(np.arange(16, dtype=np.float32).tobytes())
    call = channel.unary_unary(f"/{infer.containing_service.full_name}/{infer.name}")
    answer = message_factory.GetMessageClass(infer.output_type).FromString(call(request.SerializeToString(), timeout=WAIT_S))
    assert answer.raw_output_contents[0] == request.raw_input_contents[0]


def test_every_service_is_described_and_there(channel: grpc.Channel) -> None:
    for service in reflection.SERVICES:
        (answer,) = ask(channel, "grpc.reflection.v1", text_field(4, service))
        file = descriptor_pb2.FileDescriptorProto.FromString(answer.file_descriptor_response.file_descriptor_proto[0])
        (again,) = ask(channel, "grpc.reflection.v1", text_field(3, file.name))
        assert again.file_descriptor_response == answer.file_descriptor_response
        for method in (method for each in file.service for method in each.method):
            assert code_of(channel, f"/{service}/{method.name}") is not grpc.StatusCode.UNIMPLEMENTED, method.name
    assert code_of(channel, "/grpc.health.v1.Health/List") is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("request_bytes", [text_field(4, "no.Such"), text_field(3, "no.proto"), text_field(6, "no.Such"), b""])
def test_what_is_not_known_is_an_error_of_that_request(channel: grpc.Channel, request_bytes: bytes) -> None:
    wrong, right = ask(channel, "grpc.reflection.v1", request_bytes, text_field(7, ""))
    assert wrong.error_response.error_code in (3, 5)
    assert right.list_services_response.service


def test_health(channel: grpc.Channel) -> None:
    check = channel.unary_unary("/grpc.health.v1.Health/Check")
    for service in ("", "inference.GRPCInferenceService"):
        assert check(text_field(1, service), timeout=WAIT_S) == b"\x08\x01"
    with pytest.raises(grpc.RpcError) as caught:
        check(text_field(1, "no.Such"), timeout=WAIT_S)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(("service", "state"), [("", b"\x08\x01"), ("no.Such", b"\x08\x03")])
def test_a_watch_stays_open(channel: grpc.Channel, service: str, state: bytes) -> None:
    watch = channel.unary_stream("/grpc.health.v1.Health/Watch")(text_field(1, service), timeout=5.0)
    assert next(watch) == state
    with pytest.raises(grpc.RpcError) as caught:
        next(watch)
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED, "the caller's own"
