"""Requests of a page to other addresses than its server's are seen, and not answered."""

from __future__ import annotations

from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.fleet_server.dashboard.foreign_requests import ForeignRequests

PAGE = b"<title>own</title>"


class _Own(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_args: object) -> None:
        """Nothing."""


@pytest.mark.browser
@pytest.mark.timeout(method="thread")
def test_a_request_to_another_address_is_noted(browser: Browser) -> None:
    with HTTPServer(("127.0.0.1", 0), _Own) as own, HTTPServer(("127.0.0.1", 0), _Own) as other, ForeignRequests() as proxy:
        for server in (own, other):
            Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{own.server_port}"
        beside = f"http://127.0.0.1:{other.server_port}/metrics"
        with closing(browser.new_context(proxy=proxy.options_for(address))) as context:
            page = context.new_page()
            page.goto(address)
            assert (page.title(), proxy.seen) == ("own", [])
            for url in (beside, "http://fonts.example/a.css", "https://fonts.example/a.css"):
                assert (
                    page.evaluate("url => fetch(url, {mode: 'no-cors'}).then(() => 'answered', () => 'refused')", url)
                    == "refused"
                )
        for server in (own, other):
            server.shutdown()
        assert {f"GET {beside}", "GET http://fonts.example/a.css", "CONNECT fonts.example:443"} <= set(proxy.seen)
