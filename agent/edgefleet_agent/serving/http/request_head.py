"""The head of an HTTP/1.1 request: parsed by llhttp (`httptools`), and refused where its fields are ambiguous (RFC 9112)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import httptools

from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid

_ONCE = (b"content-length", b"transfer-encoding", b"host", b"origin", b"inference-header-content-length")
"""Fields whose repetition would mean two things."""
_AUTHORITY = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+;=%-]*)(?::[0-9]*)?")
_ABSOLUTE = re.compile(rb"https?://([^/?#@]*)(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class RequestHead:
    """The head of one request, and of those of its connection that have the same one.

    headers: names in lower case; target: path and query, not decoded. http10: HTTP/1.0, without chunks. length: of the body, as
    announced; -1 until `read_framing` was called. chunked: the body comes in chunks. awaits: the caller asks whether to send it.
    infer: what an inference over HTTP needs of the headers; None until one has read them.
    """

    method: bytes
    target: bytes
    headers: dict[bytes, bytes]
    keep_alive: bool
    http10: bool = False
    length: int = -1
    chunked: bool = False
    awaits: bool = False
    infer: InferHead | None = None

    def read_framing(self) -> None:
        """Read the framing of the body.

        Raises:
            CallError: it is ambiguous, or unknown.
        """
        length, coding = self.headers.get(b"content-length"), self.headers.get(b"transfer-encoding")
        if coding is not None:
            if length is not None or self.http10:
                raise invalid("a body requires either Content-Length or, in HTTP/1.1, Transfer-Encoding: chunked")
            if coding.lower() != b"chunked":
                raise CallError(Code.UNSUPPORTED, "Transfer-Encoding must be chunked")
        if length is not None and (not length.isdigit() or len(length) > 18):
            raise invalid("Content-Length is not a number")
        self.chunked = coding is not None
        self.awaits = self.headers.get(b"expect", b"").lower() == b"100-continue"
        self.length = int(length or 0)


@dataclass(frozen=True, slots=True)
class InferHead:
    """The part of a head that an inference needs. json_bytes: `Inference-Header-Content-Length`, None if not sent. compressed:
    the body or the answer. answer_coding: of the answer; empty for none."""

    model: str
    version: str
    json_bytes: int | None
    compressed: bool
    answer_coding: bytes


NO_HEAD = RequestHead(b"", b"", {}, keep_alive=False)
"""The head of a request that could not be read."""


class _Parts:
    """Receives the parts of a head from the parser."""

    __slots__ = ("complete", "fields", "target")

    def __init__(self) -> None:
        self.target = b""
        self.fields: list[tuple[bytes, bytes]] = []
        self.complete = False

    def on_url(self, part: bytes) -> None:
        self.target += part

    def on_header(self, name: bytes, value: bytes) -> None:
        self.fields.append((name, value))

    def on_headers_complete(self) -> None:
        self.complete = True


def read_head(data: bytes) -> RequestHead:
    """Parse the request line and header fields, without the empty line.

    Raises:
        CallError: not HTTP/1.x, an unknown method, or an ambiguous field.
    """
    parts = _Parts()
    parser = httptools.HttpRequestParser(parts)
    try:
        parser.feed_data(data + b"\r\n\r\n")
    except httptools.HttpParserUpgrade:
        pass  # an upgrade that is not offered is ignored (RFC 9110, 7.8)
    except httptools.HttpParserInvalidMethodError as cause:
        raise CallError(Code.UNSUPPORTED, "unknown request method") from cause
    except httptools.HttpParserError as cause:
        if not parts.complete:  # otherwise it is the framing of the body, which the connection reads
            raise invalid(f"not an HTTP/1.1 request: {cause}") from cause
    version = parser.get_http_version()
    if version not in ("1.1", "1.0"):
        raise invalid("not an HTTP/1.1 request")
    headers, method, target = _headers(parts.fields), parser.get_method(), parts.target
    if not target.startswith(b"/") or b"#" in target:
        target = _target(method, target, headers)
    if version == "1.1" and b"host" not in headers:
        raise invalid("the header field host is missing")
    if not _AUTHORITY.fullmatch(headers.get(b"host", b"")):
        raise invalid("the header field host is not a host and port")
    keep_alive = version == "1.1"
    if b"connection" in headers:
        tokens = {token.strip(b" \t") for token in headers[b"connection"].lower().split(b",")}
        keep_alive = b"close" not in tokens and (keep_alive or b"keep-alive" in tokens)
    return RequestHead(method, target, headers, keep_alive, http10=version == "1.0")


def _headers(fields: list[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    headers: dict[bytes, bytes] = {}
    for given_name, given_value in fields:
        name, value = given_name.lower(), given_value.rstrip(b" \t")
        if name not in headers:
            headers[name] = value
        elif name in _ONCE:
            raise invalid(f"the header field {name.decode()} is sent twice")
        else:
            headers[name] += b", " + value
    return headers


def _target(method: bytes, target: bytes, headers: dict[bytes, bytes]) -> bytes:
    """The path and query of a target in any form; the host of an absolute one takes the place of `Host` (RFC 9112, 3.2.2)."""
    if not target.startswith(b"/"):
        absolute = _ABSOLUTE.fullmatch(target)
        if absolute is not None and absolute[1]:
            headers[b"host"] = absolute[1]
            target = absolute[2] if absolute[2].startswith(b"/") else b"/" + absolute[2]
        elif target != b"*" or method != b"OPTIONS":
            raise invalid("the request target must be a path")
    if b"#" in target:
        raise invalid("the request target has a fragment")
    return target
