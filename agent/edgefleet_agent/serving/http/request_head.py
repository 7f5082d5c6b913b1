"""Parses the head of an HTTP/1.1 request, and refuses ambiguous fields (RFC 9112)."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.serving.protocol.errors import invalid

_TOKEN = frozenset(b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")
_NOTHING = memoryview(b"")


@dataclass(slots=True)
class RequestHead:
    """One request. headers: names in lower case; target: path and query, not decoded. http10: HTTP/1.0, without chunks."""

    method: bytes
    target: bytes
    headers: dict[bytes, bytes]
    keep_alive: bool
    body: memoryview = _NOTHING
    http10: bool = False

    def again(self) -> RequestHead:
        """A new request with the same head."""
        return RequestHead(self.method, self.target, self.headers, self.keep_alive, http10=self.http10)


def read_head(data: bytes) -> RequestHead:
    """Parse the request line and header fields, without the empty line.

    Raises:
        CallError: not HTTP/1.x, or an ambiguous field.
    """
    line, *lines = data.split(b"\r\n")
    words = line.split(b" ")
    if len(words) != 3 or words[2] not in (b"HTTP/1.1", b"HTTP/1.0") or not words[0].isalpha() or not words[1].startswith(b"/"):
        raise invalid("not an HTTP/1.1 request")
    headers: dict[bytes, bytes] = {}
    for field_line in lines:
        name, colon, value = field_line.partition(b":")
        name = name.lower()
        if not colon or not name or not _TOKEN.issuperset(name):
            raise invalid("a header field has no valid name")
        if name in headers:
            if name in (b"content-length", b"transfer-encoding", b"host", b"inference-header-content-length"):
                raise invalid(f"the header field {name.decode()} is sent twice")
            headers[name] += b", " + value.strip()
        else:
            headers[name] = value.strip()
    connection = headers.get(b"connection", b"").lower()
    keep_alive = connection != b"close" if words[2] == b"HTTP/1.1" else connection == b"keep-alive"
    return RequestHead(words[0], words[1], headers, keep_alive, http10=words[2] == b"HTTP/1.0")
