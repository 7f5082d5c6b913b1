"""`grpc.reflection`: tools such as grpcurl ask the server for its services and messages. Versions `v1` and `v1alpha`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf.message import DecodeError

from edgefleet_agent.serving.frontend.listener_context import ENDING
from edgefleet_agent.serving.grpc import health, messages
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.descriptors import DescribedFile
from edgefleet_agent.serving.grpc.methods import Method
from edgefleet_agent.serving.grpc.response_headers import Status

ANSWERS_BYTES_MAX = 4 * 1024 * 1024
"""Unread answers of one call, beyond which no further request is read."""
_PACKAGES = ("grpc.reflection.v1", "grpc.reflection.v1alpha")
_MESSAGES = {
    "ServerReflectionRequest": "host 1 string, file_by_filename 3 |string, file_containing_symbol 4 |string, "
    "file_containing_extension 5 |ExtensionRequest, all_extension_numbers_of_type 6 |string, list_services 7 |string",
    "ExtensionRequest": "containing_type 1 string, extension_number 2 int32",
    "ServerReflectionResponse": "valid_host 1 string, original_request 2 ServerReflectionRequest, "
    "file_descriptor_response 4 |FileDescriptorResponse, all_extension_numbers_response 5 |ExtensionNumberResponse, "
    "list_services_response 6 |ListServiceResponse, error_response 7 |ErrorResponse",
    "FileDescriptorResponse": "file_descriptor_proto 1 *bytes",
    "ExtensionNumberResponse": "base_type_name 1 string, extension_number 2 *int32",
    "ListServiceResponse": "service 1 *ServiceResponse",
    "ServiceResponse": "name 1 string",
    "ErrorResponse": "error_code 1 int32, error_message 2 string",
}
_FILES = tuple(
    DescribedFile(
        f"{package.replace('.', '/')}/reflection.proto",
        package,
        _MESSAGES,
        {},
        {"ServerReflection": {"ServerReflectionInfo": ("*ServerReflectionRequest", "*ServerReflectionResponse")}},
    )
    for package in _PACKAGES
)
KNOWN: tuple[DescribedFile, ...] = (messages.FILE, health.FILE, *_FILES)
"""The files that callers may ask for."""
SERVICES = tuple(service for file in KNOWN for service in file.services)
"""Full names of all services of the listener."""


def reflection_methods() -> dict[bytes, Method[GrpcCall]]:
    """Path -> method."""
    return {f"/{file.package}.ServerReflection/ServerReflectionInfo".encode(): _method(file) for file in _FILES}


def _method(file: DescribedFile) -> Method[GrpcCall]:
    return Method(stream=lambda rpc: _Reflection(rpc, file))


class _Reflection:
    """One call: an answer for each request, in their order."""

    def __init__(self, rpc: GrpcCall, file: DescribedFile) -> None:
        self._rpc = rpc
        self._file = file

    def message(self, data: memoryview) -> None:
        """Answer a request."""
        try:
            request = self._file.classes["ServerReflectionRequest"].FromString(bytes(data))
        except DecodeError as cause:
            self._rpc.fail(Status.INVALID_ARGUMENT, f"the message is not a ServerReflectionRequest: {cause}")
            return
        response = self._file.classes["ServerReflectionResponse"](valid_host=request.host, original_request=request)
        _answer(request, response)
        self._rpc.send([response.SerializeToString()])
        if self._rpc.waiting_bytes > ANSWERS_BYTES_MAX:
            self._rpc.pause()

    def half_closed(self) -> None:
        """There are no further requests."""
        self._rpc.finish()

    def cancelled(self) -> None:
        """The caller has gone."""

    def drained(self) -> None:
        """All answers were sent; continue to read."""
        self._rpc.resume()

    def end(self) -> None:
        """The server ends."""
        self._rpc.fail(Status.UNAVAILABLE, str(ENDING), ENDING.retry_s)


def _answer(request: Any, response: Any) -> None:
    kind = request.WhichOneof("choice")
    if kind == "list_services":
        for service in SERVICES:
            response.list_services_response.service.add(name=service)
    elif kind == "file_by_filename":
        _describe([file for file in KNOWN if file.name == request.file_by_filename], response, request.file_by_filename)
    elif kind == "file_containing_symbol":
        symbol = request.file_containing_symbol
        _describe([file for file in KNOWN if file.has(symbol)], response, symbol)
    elif kind == "all_extension_numbers_of_type" and any(file.has(request.all_extension_numbers_of_type) for file in KNOWN):
        response.all_extension_numbers_response.base_type_name = request.all_extension_numbers_of_type
    elif kind is None:
        _refuse(response, Status.INVALID_ARGUMENT, "the request asks for nothing")
    else:
        _refuse(response, Status.NOT_FOUND, "there are no extensions")


def _describe(found: Sequence[DescribedFile], response: Any, name: str) -> None:
    if found:
        response.file_descriptor_response.file_descriptor_proto.append(found[0].serialized)
    else:
        _refuse(response, Status.NOT_FOUND, f"{name[:200]!r} is not known")


def _refuse(response: Any, status: Status, text: str) -> None:
    response.error_response.error_code = int(status)
    response.error_response.error_message = text
