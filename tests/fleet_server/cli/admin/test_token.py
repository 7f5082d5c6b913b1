"""`edgefleet token create` with a server of an earlier version."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import UnavailableError
from tests.corpus.folder import HERE

ANSWER = json.loads((HERE / "0.2.0/server/rest/create_enrolment_token.json").read_bytes())["response"]


class _Earlier(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.dumps(ANSWER).encode()
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Earlier)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_earlier_server_is_enrolled_at_by_its_url(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["token", "create", "--server", url, "--device", "line-7"]) == 0
    expected = f"echo {ANSWER['token']} | edgefleet-agent enroll {url} --token-file - --device line-7\n"
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("terminal", [True, False])
def test_a_server_that_does_not_start_is_waited_for_and_on_a_terminal_that_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr("edgefleet_server.cli.admin.token.FIRST_LOCKING_S", 0.4)
    monkeypatch.setattr("edgefleet_server.cli.admin.token.NOTICE_S", 0.1)
    (tmp_path / "fleet").mkdir()
    assert main(["token", "create", "--data", str(tmp_path / "fleet")]) == UnavailableError.exit_code
    *notices, fault = capsys.readouterr().err.splitlines()
    assert notices == [f"edgefleet: waiting for the server of {tmp_path}/fleet to start"] * terminal
    assert "the server has no address yet; start it with `edgefleet serve`" in fault
