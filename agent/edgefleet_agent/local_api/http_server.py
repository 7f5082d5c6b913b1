"""HTTP server of the local API, for few clients: one thread each, with limits on all resources.

On loopback every local client is admitted if `HostCheck` accepts its Host header: a web page that resolves a foreign name to
127.0.0.1 is refused. Open to other machines it requires a key, given as `Authorization: Bearer KEY`, as `?key=KEY` in addresses
(cameras of home automation support nothing else), or by the cookie that the page sets from that.
"""

from __future__ import annotations

import hmac
import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from edgefleet_agent.core.host_check import HostCheck, is_loopback, same_origin
from edgefleet_contract.core.errors import EdgefleetError, InputError, UnavailableError
from edgefleet_contract.encoding.number_text import json_text

CONNECTIONS_MAX = 32
IDLE_S = 20.0
QUERY_FIELDS_MAX = 32
BODY_BYTES_MAX = 4096
FILE_PART_BYTES = 256 * 1024
COOKIE = "edgefleet_session"
_RANGE = re.compile(r"^bytes=(\d{0,18})-(\d{0,18})$")
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
}


@dataclass(slots=True)
class HttpRequest:
    """A request. path: decoded, without query."""

    path: str
    query: dict[str, str]
    method: str = "GET"


@dataclass(slots=True)
class HttpResponse:
    """A response: `body`, or a `file` (with ranges, for video players), or `parts` as a stream."""

    body: bytes = b""
    kind: str = "application/json"
    status: int = 200
    file: Path | None = None
    parts: Iterator[bytes] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: Any) -> HttpResponse:
        """A response with a value as JSON."""
        return cls(json_text(value, compact=True).encode(), headers={"Cache-Control": "no-store"})

    @classmethod
    def error(cls, status: int, text: str) -> HttpResponse:
        """An error response, with one line of text."""
        return cls(json_text({"error": text}).encode(), status=status)


Handle = Callable[[HttpRequest], HttpResponse]


class LocalHttpServer:
    """Serves requests at `address` (HOST:PORT; port 0: any free one) until `close`.

    Raises:
        InputError: not an address, or open to other machines without a key. UnavailableError: the address cannot be bound.
    """

    def __init__(self, address: str, key: str, handle: Handle) -> None:
        host, port = check_address(address, bool(key))
        self.loopback = is_loopback(host)
        self.key = key
        self._hosts = HostCheck()
        self.handle = handle
        try:
            self._server = _Server((host, port), self)
        except OSError as cause:
            raise UnavailableError(f"local API: cannot listen on {address}: {cause.strerror}; use a free HOST:PORT") from cause
        shown = f"[{host}]" if ":" in host else host
        self.address = f"{shown}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="local_api:http", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; ongoing responses are finished by their threads."""
        self._server.shutdown()
        self._server.server_close()

    def admits(self, host: str, given: list[str]) -> bool:
        """Whether a request with these credentials, for `host`, is admitted."""
        if self.key:
            return any(hmac.compare_digest(one.encode(), self.key.encode()) for one in given)
        return self._hosts.accepts(host)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], listener: LocalHttpServer) -> None:
        self.listener = listener
        self._slots = threading.BoundedSemaphore(CONNECTIONS_MAX)
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start one thread for a connection, up to the limit."""
        if not self._slots.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore: a disconnected client is no error of the server; other errors were already answered with 500."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "edgefleet"
    sys_version = ""
    timeout = IDLE_S

    def do_GET(self) -> None:
        """Send the response."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send the response without its body."""
        self._answer(with_body=False)

    def do_POST(self) -> None:
        """Send the response, unless a page of another origin sends the request: on loopback no other check would refuse it."""
        origin, length = self.headers.get("Origin"), self.headers.get("Content-Length", "0")
        if origin is not None and not same_origin(origin, self.headers.get("Host", "")):
            self.close_connection = True
            self._send(HttpResponse.error(403, "cross-origin request rejected; open the page of the device"), with_body=True)
        elif not length.isascii() or not length.isdigit() or int(length) > BODY_BYTES_MAX or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            self._send(HttpResponse.error(413, "request body too large; pass parameters in the URL query"), with_body=True)
        else:
            self.rfile.read(int(length))
            self._answer(with_body=True)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        """Log nothing: requests are frequent, and addresses may hold the key."""

    def _answer(self, *, with_body: bool) -> None:
        parts = urlsplit(self.path)
        try:
            query = dict(parse_qsl(parts.query, max_num_fields=QUERY_FIELDS_MAX))
        except ValueError:
            self._send(HttpResponse.error(400, f"more than {QUERY_FIELDS_MAX} query parameters"), with_body=with_body)
            return
        key = query.pop("key", "")
        listener = self.server.listener
        if not listener.admits(self.headers.get("Host", ""), [key, self._bearer(), self._cookie()]):
            text = "API key required: Authorization: Bearer KEY, or ?key=KEY" if listener.key else "invalid host; use localhost"
            self._send(HttpResponse.error(401 if listener.key else 403, text), with_body=with_body)
            return
        try:
            reply = listener.handle(HttpRequest(unquote(parts.path), query, self.command))
        except EdgefleetError as error:
            reply = HttpResponse.error(400 if isinstance(error, InputError) else 503, str(error))
        if key and reply.status == 200:
            reply.headers["Set-Cookie"] = f"{COOKIE}={key}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        self._send(reply, with_body=with_body)

    def _send(self, reply: HttpResponse, *, with_body: bool) -> None:
        if reply.file is not None:
            self._send_file(reply, reply.file, with_body=with_body)
            return
        headers = dict(reply.headers)
        if reply.parts is None:
            headers["Content-Length"] = str(len(reply.body))
        else:
            headers["Connection"] = "close"
            self.close_connection = True
        self._head(reply.status, reply.kind, headers)
        if not with_body:
            return
        for part in reply.parts if reply.parts is not None else (reply.body,):
            self.wfile.write(part)

    def _send_file(self, reply: HttpResponse, path: Path, *, with_body: bool) -> None:
        try:
            file = path.open("rb")
        except OSError:
            self._send(HttpResponse.error(404, "file not found; retention may have removed it"), with_body=with_body)
            return
        with file:
            size = file.seek(0, 2)
            first, last, status = _part(self.headers.get("Range", ""), size)
            headers = {**reply.headers, "Accept-Ranges": "bytes", "Content-Length": str(last - first + 1)}
            if status == 206:
                headers["Content-Range"] = f"bytes {first}-{last}/{size}"
            elif status == 416:
                headers |= {"Content-Range": f"bytes */{size}", "Content-Length": "0"}
            self._head(status, reply.kind, headers)
            left = last - first + 1 if with_body and status != 416 else 0
            file.seek(first)
            while left > 0 and (data := file.read(min(left, FILE_PART_BYTES))):
                self.wfile.write(data)
                left -= len(data)

    def _head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **_SAFE, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _bearer(self) -> str:
        scheme, _, key = self.headers.get("Authorization", "").partition(" ")
        return key.strip() if scheme.lower() == "bearer" else ""

    def _cookie(self) -> str:
        try:
            found = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return ""
        return found.value if found is not None else ""


def _part(header: str, size: int) -> tuple[int, int, int]:
    """First and last byte, and the status. Only single ranges; anything else gets the whole file (RFC 9110, 14.2)."""
    match = _RANGE.match(header)
    if match is None or match[0] == "bytes=-" or not size:
        return 0, size - 1, 200
    if not match[1]:
        return max(0, size - int(match[2])), size - 1, 206
    first, last = int(match[1]), min(int(match[2]) if match[2] else size - 1, size - 1)
    return (first, last, 206) if first <= last else (0, size - 1, 416)


def check_address(address: str, has_key: bool) -> tuple[str, int]:
    """Host and port of a listener.

    Raises:
        InputError: not an address, or open to other machines without a key.
    """
    host, port = _parsed(address)
    if not is_loopback(host) and not has_key:
        raise InputError(
            f"local API: {address} is reachable from other machines; set `api_key_file` in [local_api] to a file with a key,"
            " or listen on 127.0.0.1"
        )
    return host, port


def _parsed(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise InputError(f"local API: {address!r} is not an address; use HOST:PORT, e.g. 127.0.0.1:8002")
    return host.strip("[]"), int(port)
