"""A web server that behaves as servers on the way to a file do: it cuts off, lies, never ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Site:
    """content by path. cut: bytes after which each of the next answers ends. statuses: of the next answers, 0 for what is right.
    endless: send on behind the end. ranges: answer Range. asked: (path, Range) of every request."""

    content: dict[str, bytes]
    cut: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    endless: bool = False
    ranges: bool = True
    shift: int = 0
    redirect: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""


@contextmanager
def serve(site: Site) -> Iterator[Site]:
    """The site on loopback while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Not into the test's output."""

        def do_GET(self) -> None:
            byte_range = self.headers.get("Range", "")
            site.requests.append((self.path, byte_range))
            status = site.statuses.pop(0) if site.statuses else 0
            self.close_connection = True
            if site.redirect and not self.path.startswith("/there"):
                self.send_response(302)
                self.send_header("Location", f"{site.redirect}/there{self.path}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body = site.content.get(self.path.removeprefix("/there"))
            if status or body is None:
                self.send_error(status or 404)
                return
            start = int(byte_range.removeprefix("bytes=").rstrip("-")) if byte_range and site.ranges else 0
            self.send_response(206 if byte_range and site.ranges else 200)
            if byte_range and site.ranges:
                self.send_header("Content-Range", f"bytes {start + site.shift}-{len(body) - 1}/{len(body)}")
            if not site.endless:
                self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            end = start + site.cut.pop(0) if site.cut else len(body)
            try:
                self.wfile.write(body[start:end])
                while site.endless:
                    self.wfile.write(b"\0" * 65536)
            except OSError:
                pass  # the other side has had enough

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
