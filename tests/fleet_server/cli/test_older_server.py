"""A command whose server is older: its answer lacks a field that was added later."""

from __future__ import annotations

import http.server
import threading

import pytest

from edgefleet_server.__main__ import main


class OlderServer(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"name": "m", "version": "1.0.0", "title": "", "digest": ""}')

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def test_a_field_that_the_answer_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), OlderServer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        code = main(["model", "show", "m", "1.0.0", "--server", f"http://127.0.0.1:{server.server_port}"])
        server.shutdown()
    assert code == 2
    assert "the server is older than this command: its answer has no 'labels_file'" in capsys.readouterr().err
