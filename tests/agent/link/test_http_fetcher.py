"""Blocks over HTTPS come from servers of trusted authorities only: those of the system, and the one of the enrolment."""

from __future__ import annotations

import queue
import ssl
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from edgefleet_agent.link.download_tickets import TicketCache
from edgefleet_agent.link.http_fetcher import HttpFetcher
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BLOCK_BYTES, BlockRequest
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority

BLOB = "ab" * 32
BLOCK = bytes(range(256)) * (BLOCK_BYTES // 256)


class _Blobs(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(206)
        self.send_header("Content-Length", str(len(BLOCK)))
        self.end_headers()
        self.wfile.write(BLOCK)

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@pytest.fixture
def authority(tmp_path: Path) -> CertificateAuthority:
    made = CertificateAuthority(tmp_path / "authority")
    made.open(time.time())
    return made


@pytest.fixture
def url(tmp_path: Path, authority: CertificateAuthority) -> Iterator[str]:
    key, certificate = authority.https_identity(["127.0.0.1"], time.time())
    (tmp_path / "chain.pem").write_bytes(key + certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "chain.pem")
    server = HTTPServer(("127.0.0.1", 0), _Blobs)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://127.0.0.1:{server.server_address[1]}/blobs"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_authority_of_the_enrolment_is_trusted(url: str, authority: CertificateAuthority) -> None:
    got: queue.Queue[ReceivedMessage] = queue.Queue()
    fetcher = HttpFetcher("line-7", url, "", got.put, TicketCache(), lambda: authority.certificate)
    try:
        assert fetcher.take(BlockRequest(blob=BLOB, ranges=[(0, 1)]))
        message = got.get(timeout=120.0)
        assert (message.topic, bytes(message.payload)) == (topics.block("line-7", BLOB, 0), BLOCK)
    finally:
        fetcher.close()


def test_another_authority_is_not(url: str, caplog: pytest.LogCaptureFixture) -> None:
    got: queue.Queue[ReceivedMessage] = queue.Queue()
    fetcher = HttpFetcher("line-7", url, "", got.put, TicketCache())
    want = BlockRequest(blob=BLOB, ranges=[(0, 1)])
    try:
        deadline = time.monotonic() + 120
        while fetcher.take(want):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert "fetching over MQTT" in caplog.text
        assert got.empty()
    finally:
        fetcher.close()
