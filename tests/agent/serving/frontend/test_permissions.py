"""Permissions by a key's level, a caller's address and a web page's origin; over HTTP and gRPC, and in a browser."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import tritonclient.grpc as triton_grpc
from playwright.sync_api import sync_playwright
from tritonclient.utils import InferenceServerException

from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.api_keys import Level, read_keys
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.grpc.messages import SERVICE
from edgefleet_agent.serving.grpc.methods import level_of as grpc_level
from edgefleet_agent.serving.http.permissions import level_of
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model
from tests.agent.serving.frontend.test_authentication import keys_file
from tests.fleet_server.dashboard.conftest import find_chromium

INFER, OLD, MANAGE, ADMIN = (letter * 20 for letter in "ioma")
UNLOAD = "/v2/repository/models/model/unload"
WAIT_S = 30.0
FLAGS = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP elsewhere.example 127.0.0.1"]


class Site:
    """Both listeners at `address`, and one model."""

    def __init__(self, root: Path, guard: Authentication, address: str = "127.0.0.1:0") -> None:
        put_model(root, "model", onnx_file.identity())
        self.catalogue = ModelRegistry()
        repository = FolderRepository([root], self.catalogue, LoadTarget(tuple(installed_runtimes())), sent_bytes=1_000_000)
        assert repository.load_all() == []
        self.http = open_http(address, self.catalogue, repository, SERVER, LIMITS, guard)
        self.grpc = open_grpc("127.0.0.1:0", self.catalogue, repository, SERVER, LIMITS, guard)
        self.port = int(self.http.address.rpartition(":")[2]) if not address.startswith("unix:") else 0

    @property
    def served(self) -> bool:
        return bool(self.catalogue.versions("model"))

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes = b"{}") -> int:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        line.request(method, path, body if method == "POST" else None, headers)
        status = line.getresponse().status
        line.close()
        return status

    def close(self) -> None:
        self.http.close()
        self.grpc.close()
        self.catalogue.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Any]:
    made: list[Site] = []

    def build(guard: Authentication | None = None, address: str = "127.0.0.1:0") -> Site:
        made.append(Site(tmp_path / "models", guard or Authentication(), address))
        return made[-1]

    yield build
    for each in made:
        each.close()


@pytest.fixture
def keyed(make: Any, tmp_path: Path) -> Site:
    lines = f"reader {INFER} infer\nold {OLD}\nkeeper {MANAGE} manage\nboss {ADMIN} admin\n"
    site: Site = make(Authentication(read_keys(keys_file(tmp_path, lines))))
    return site


UPLOAD = json.dumps({"parameters": {"config": "{}", "file:1/model.onnx": "AAAA"}}).encode()


@pytest.mark.parametrize(
    ("path", "body", "allowed"),
    [
        ("/v2/repository/index", b"{}", {INFER, OLD, MANAGE, ADMIN}),
        ("/v2/repository/models/model/load", b"{}", {OLD, MANAGE, ADMIN}),
        ("/v2/repository/models/model/%6coad", b"{}", {OLD, MANAGE, ADMIN}),
        ("/v2/repository/models/sent/load", UPLOAD, {ADMIN}),
        ("/v2/trace/setting", b"{}", {OLD, MANAGE, ADMIN}),
        ("/v2/logging", b"{}", {OLD, MANAGE, ADMIN}),
        ("/v2/models/model/split", b"{}", {OLD, MANAGE, ADMIN}),
        ("/v2/systemsharedmemory/unregister", b"{}", {OLD, MANAGE, ADMIN}),
    ],
)
def test_the_level_of_a_key_decides(keyed: Site, path: str, body: bytes, allowed: set[str]) -> None:
    found = {key: keyed.send("POST", path, {"X-API-Key": key}, body) for key in (INFER, OLD, MANAGE, ADMIN)}
    assert {key for key, status in found.items() if status != 403} == allowed
    assert keyed.send("POST", path, {}, body) == 401


def test_every_key_infers_and_reads(keyed: Site) -> None:
    tensor = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "data": [0.0] * 16}
    body = json.dumps({"inputs": [tensor]}).encode()
    for key in (INFER, OLD, MANAGE, ADMIN):
        assert keyed.send("POST", "/v2/models/model/infer", {"X-API-Key": key}, body) == 200
        for path in ("/v2", "/v2/models/model/config", "/v2/models/stats", "/v2/logging", "/metrics"):
            assert keyed.send("GET", path, {"X-API-Key": key}) == 200


def test_the_level_of_a_key_decides_over_grpc(keyed: Site) -> None:
    with triton_grpc.InferenceServerClient(keyed.grpc.address) as client:
        for change in (
            lambda headers: client.unload_model("model", headers=headers),
            lambda headers: client.load_model("model", headers=headers),
            lambda headers: client.update_log_settings({"log_info": True}, headers=headers),
        ):
            with pytest.raises(InferenceServerException, match="marked 'manage' or 'admin'") as refused:
                change({"x-api-key": INFER})
            assert refused.value.status() == "StatusCode.PERMISSION_DENIED"
            change({"x-api-key": MANAGE})
        assert client.get_model_repository_index(headers={"x-api-key": INFER}).models


def test_what_is_not_known_needs_manage() -> None:
    """A new path or method is managing until it is listed."""
    assert level_of("POST", ["v2", "something", "new"]) is Level.MANAGE
    assert level_of("PUT", ["v2", "models", "m", "infer", "x"]) is Level.MANAGE
    assert grpc_level(f"/{SERVICE}/SomethingNew".encode()) is Level.MANAGE


def test_without_keys_only_this_machine_manages(make: Any) -> None:
    guard = Authentication(allow_unauthenticated=True)
    with pytest.raises(CallError, match="only from this machine"):
        guard.check_level(Level.MANAGE, {}, "192.0.2.7")
    site = make(guard, "0.0.0.0:0")
    assert site.send("POST", UNLOAD, {}) == 200


def test_a_unix_socket_is_this_machine_and_takes_any_host(make: Any, tmp_path: Path) -> None:
    site = make(None, f"unix:{tmp_path / 'api.sock'}")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(tmp_path / "api.sock"))
        line.sendall(f"POST {UNLOAD} HTTP/1.1\r\nHost: anything\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 200 ")
    assert not site.served


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8000", None, 200),
        ("[::1]:8000", None, 200),
        ("192.0.2.7", None, 200),
        ("localhost", None, 200),
        ("LOCALHOST.:8000", None, 200),
        (socket.gethostname(), None, 200),
        ("cam-7.example:8000", None, 200),
        ("localhost:8000", "http://localhost:8000", 200),
        ("localhost:8000", "HTTP://LOCALHOST:8000", 200),
        ("localhost:8000", "http://localhost:3000", 403),
        ("localhost:8000", "https://elsewhere.example", 403),
        ("localhost:8000", "null", 403),
        ("localhost:8000", "", 403),
        ("localhost:8000", "http://localhost:8000.elsewhere.example", 403),
        ("elsewhere.example:8000", "http://elsewhere.example:8000", 403),
        ("elsewhere.example:8000", None, 403),
        ("127.0.0.1.elsewhere.example", None, 403),
        ("localhost.elsewhere.example", None, 403),
        (f"{socket.gethostname()}.elsewhere.example", None, 403),
        ("", None, 403),
    ],
)
def test_a_page_of_another_origin_changes_nothing(make: Any, host: str, origin: str | None, status: int) -> None:
    site = make(Authentication(allowed_hosts=("cam-7.example",)))
    headers = {"Host": host, "Content-Type": "text/plain"} | ({"Origin": origin} if origin is not None else {})
    assert site.send("POST", UNLOAD, headers) == status
    assert site.served is (status == 403)


def test_a_name_of_a_page_reads_nothing_but_health(make: Any) -> None:
    site = make()
    rebound = {"Host": "elsewhere.example:8000"}
    for path in ("/v2", "/v2/models/model", "/v2/models/model/config", "/metrics", "/v2/logging", "/v2/../v2"):
        assert site.send("GET", path, rebound) == 403
        assert site.send("GET", path, {"Host": "localhost"}) in (200, 404)
    assert site.send("GET", "/v2/health/ready", rebound) == 200
    # The browser hides the response from a page of another origin: there is no Access-Control-Allow-Origin.
    assert site.send("GET", "/v2", {"Host": "localhost", "Origin": "https://elsewhere.example"}) == 200


def test_the_first_request_of_a_connection_vouches_for_no_other(make: Any) -> None:
    """The head of the last request is remembered, its check is not passed on."""
    site = make()
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=WAIT_S)
    line.request("GET", "/v2/health/ready", headers={"Host": "localhost"})
    assert line.getresponse().read() is not None
    line.request("POST", UNLOAD, b"{}", {"Host": "elsewhere.example"})
    assert line.getresponse().status == 403
    line.close()
    assert site.served


def test_an_absolute_target_names_the_host(make: Any) -> None:
    site = make()
    with socket.create_connection(("127.0.0.1", site.port), timeout=WAIT_S) as line:
        line.sendall(f"POST http://elsewhere.example{UNLOAD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 403 ")
    assert site.served


def test_a_browser_gets_nothing_from_the_grpc_port(make: Any) -> None:
    """Without TLS browsers speak HTTP/1.1 only; with TLS they say where a request comes from."""
    site = make()
    host, _, port = site.grpc.address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=WAIT_S) as line:
        line.sendall(f"POST /{SERVICE}/RepositoryModelUnload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode())
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while data := line.recv(4096):
                received += data
    assert b"not HTTP/2" in received
    with (
        triton_grpc.InferenceServerClient(site.grpc.address) as client,
        pytest.raises(InferenceServerException, match="web pages"),
    ):
        client.unload_model("model", headers={"origin": "https://elsewhere.example"})
    assert site.served


class Page(BaseHTTPRequestHandler):
    """A page of another origin, which sends what its query says."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title>")

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


@pytest.mark.browser
def test_pages_in_a_browser_reach_no_model(make: Any) -> None:
    """A page of another origin, and a page whose own name resolves to this machine."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium: install the package chromium, or set EDGEFLEET_CHROMIUM")
    site = make()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    send = "url => fetch(url, {method: 'POST', mode: 'no-cors', body: '{}'}).then(() => 'sent', e => String(e))"
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        page.goto(f"http://localhost:{server.server_port}/")
        assert page.evaluate(send, f"http://127.0.0.1:{site.port}{UNLOAD}") == "sent"
        assert site.served
        statuses: list[int] = []
        page.on("response", lambda response: statuses.append(response.status))
        page.goto(f"http://elsewhere.example:{site.port}/v2")  # the page and the listener are one origin here
        assert page.evaluate(send, UNLOAD) == "sent"
        assert site.served
        assert set(statuses) == {403}
        page.goto(f"http://localhost:{site.port}/v2")
        assert page.evaluate(send, UNLOAD) == "sent"  # a page of the server's own origin may
        assert not site.served
        browser.close()
    server.shutdown()
    server.server_close()
