"""HTTP bodies: compression, JSON, errors in the form of the protocol."""

from __future__ import annotations

import concurrent.futures
import contextlib
import gzip
import logging
import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.request_head import InferHead, RequestHead
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault, invalid
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.serving.protocol.json_codec import write_infer
from edgefleet_agent.serving.protocol.json_limits import check_values
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.json_faults import json_fault

log = logging.getLogger(__name__)

_QUALITY = re.compile(rb"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")

JSON = b"Content-Type: application/json\r\n"
BINARY = b"Content-Type: application/octet-stream\r\n"
CHUNK_BYTES = 64 * 1024
"""Of a compressed body, at a time: what is behind the end of a member is copied."""
MEMBERS_MAX = 1000
"""Members of a gzip body (RFC 1952, 2.2)."""
OBJECT_BYTES_MAX = 64 * 1024
"""Body of a request that carries no tensors and no files."""
encode = msgspec.json.encode

Action = Callable[[RequestHead, Exchange], None]
"""Answers one request."""


def answer_json(exchange: Exchange, value: Any) -> None:
    """Send a value as JSON."""
    exchange.answer(200, JSON, [encode(value)])


def answer_error(exchange: Exchange, error: EdgefleetError) -> None:
    """Send an error in the form of the protocol."""
    code, retry_s = (error.code, error.retry_s) if isinstance(error, CallError) else (Code.INVALID, 0)
    headers = JSON + (b"Retry-After: %d\r\n" % retry_s if retry_s else b"")
    exchange.answer(code.value, headers, [encode({"error": str(error)})])


def answer_infer(
    exchange: Exchange, call: InferenceRequest, coding: bytes, answer: Mapping[str, Array], signature: TensorSignature
) -> None:
    """Send the outputs of an inference. coding: of the body; empty for none.

    Raises:
        CallError: an output cannot be encoded in the requested form.
    """
    parts, json_bytes = write_infer(call, signature, answer)
    headers = JSON if json_bytes is None else b"%bInference-Header-Content-Length: %d\r\n" % (BINARY, json_bytes)
    if coding:
        body = b"".join(parts)
        parts = [gzip.compress(body, 1) if coding == b"gzip" else zlib.compress(body, 1)]
        headers += b"Content-Encoding: %b\r\n" % coding
    exchange.answer(200, headers, parts)


def answer_fault(future: concurrent.futures.Future[None], exchange: Exchange) -> None:
    """Answer a request whose work on another thread failed unexpectedly, so that the caller does not wait forever."""
    with contextlib.suppress(concurrent.futures.CancelledError):
        fault = future.exception()
        if fault is not None:
            log.error("internal error in a request", exc_info=fault)
            answer_error(exchange, internal_fault())


def header_length(request: RequestHead) -> int | None:
    """The header `Inference-Header-Content-Length`; None if not sent.

    Raises:
        CallError: it is not a number.
    """
    text = request.headers.get(b"inference-header-content-length")
    if text is None:
        return None
    if not text.isdigit() or len(text) > 18:
        raise invalid("Inference-Header-Content-Length is not a number")
    return int(text)


def plain_body(request: RequestHead, body: memoryview, bytes_max: int) -> memoryview:
    """The uncompressed body of a request.

    Raises:
        CallError: the coding is unknown, the body is damaged, or larger than `bytes_max` after decompression.
    """
    coding = request.headers.get(b"content-encoding", b"identity").lower()
    if coding == b"identity":
        return body
    if coding not in (b"gzip", b"deflate"):
        raise CallError(Code.MEDIA, "Content-Encoding must be gzip, deflate or identity")
    wbits = zlib.MAX_WBITS | (16 if coding == b"gzip" else 0)
    members_max = MEMBERS_MAX if coding == b"gzip" else 1
    unpacker, members, found = zlib.decompressobj(wbits=wbits), 1, bytearray()
    for start in range(0, len(body), CHUNK_BYTES):
        rest: bytes | memoryview = body[start : start + CHUNK_BYTES]
        while len(rest):
            if unpacker.eof:
                unpacker, members = zlib.decompressobj(wbits=wbits), members + 1
            if members > members_max:
                raise invalid(f"the body has something behind the end of its {coding.decode()} stream")
            try:
                found += unpacker.decompress(rest, bytes_max + 1 - len(found))
            except zlib.error as cause:
                raise invalid(f"the body is not {coding.decode()}: {cause}") from cause
            if len(found) > bytes_max:
                raise CallError(Code.TOO_LARGE, f"the decompressed body is larger than {bytes_max} bytes")
            rest = unpacker.unused_data
    if not unpacker.eof:
        raise invalid(f"the body is not a complete {coding.decode()} stream")
    return memoryview(found)


def infer_head(request: RequestHead, model: str, version: str) -> InferHead:
    """The part of a head that an inference needs.

    Raises:
        CallError: a header field is not valid.
    """
    coding = answer_coding(request)
    compressed = bool(coding) or b"content-encoding" in request.headers
    return InferHead(model, version, header_length(request), compressed, coding)


def answer_coding(request: RequestHead) -> bytes:
    """The coding of the response body: that of gzip and deflate with the higher weight, the first of equals; empty for none."""
    if b"accept-encoding" not in request.headers:
        return b""
    best, best_weight = b"", 0.0
    for part in request.headers[b"accept-encoding"].lower().split(b","):
        coding, *parameters = (word.strip() for word in part.split(b";"))
        weight = 1.0
        for parameter in parameters:
            if parameter.startswith(b"q="):
                weight = _weight(parameter[2:])
        if coding in (b"gzip", b"deflate") and weight > best_weight:
            best, best_weight = coding, weight
    return best


def _weight(text: bytes) -> float:
    """A quality value of `Accept-Encoding`; 0 if it is none."""
    return float(text) if _QUALITY.fullmatch(text) else 0.0


def body_object(body: memoryview, bytes_max: int = OBJECT_BYTES_MAX) -> dict[str, Any]:
    """The body as a JSON object; empty for an empty body.

    Raises:
        CallError: the body is not a JSON object, or longer than `bytes_max`.
    """
    if not body:
        return {}
    if len(body) > bytes_max:
        raise CallError(Code.TOO_LARGE, f"the body is larger than {bytes_max} bytes")
    check_values(body, OBJECT_BYTES_MAX)
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise invalid(f"failed to parse the request JSON: {json_fault(body, cause)}") from cause
    if not isinstance(value, dict):
        raise invalid("the body must be a JSON object")
    return value
