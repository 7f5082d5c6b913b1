"""The status codes of gRPC, and the headers and trailers of responses."""

from __future__ import annotations

import base64
from enum import IntEnum
from urllib.parse import quote

from edgefleet_agent.serving.http2.header_writer import Fields

HEAD: Fields = ((b":status", b"200"), (b"content-type", b"application/grpc"))
OK_TRAILERS: Fields = ((b"grpc-status", b"0"),)


class Status(IntEnum):
    """gRPC's status codes."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


def error_trailers(status: int, text: str, retry_s: int = 0) -> Fields:
    """The trailers of an error. retry_s: seconds after which a retry may succeed, 0 if it will not."""
    fields = [(b"grpc-status", str(status).encode())]
    if text:
        fields.append((b"grpc-message", quote(text[:1000], safe=" !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~").encode()))
    if retry_s:
        fields += [(b"retry-after", str(retry_s).encode()), retry_info(status, text, retry_s)]
    return tuple(fields)


def retry_info(status: int, text: str, retry_s: int) -> tuple[bytes, bytes]:
    """The standard retry hint: a `google.rpc.Status` with a `RetryInfo`, encoded by hand."""

    def field(number: int, data: bytes) -> bytes:
        assert len(data) < 128 * 128
        size = bytes((len(data),)) if len(data) < 128 else bytes((len(data) & 127 | 128, len(data) >> 7))
        return bytes((number << 3 | 2,)) + size + data

    delay = field(1, bytes((1 << 3, min(retry_s, 127))))
    detail = field(1, b"type.googleapis.com/google.rpc.RetryInfo") + field(2, delay)
    details = bytes((1 << 3, status)) + field(2, text.encode()[:500]) + field(3, detail)
    return b"grpc-status-details-bin", base64.b64encode(details).rstrip(b"=")
