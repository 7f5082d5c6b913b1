"""Before the first user exists, only the account that runs the server and who has the set-up code have access."""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from edgefleet_server.auth.local_account import is_own_account, owner_of
from edgefleet_server.auth.setup_code import FILE, forget_setup_code, setup_code
from tests.fleet_server.auth.conftest import PASSWORD
from tests.fleet_server.fakes.server_process import ServerProcess, eventually

OTHER = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another account")


def as_other(what: Callable[[], str]) -> str:
    """Runs `what` in a process of another account of this machine; returns what it returned."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgid(OTHER)
            os.setuid(OTHER)
            os.write(writer, what().encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_kernel_names_the_owner_of_a_connection(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.bind((host, 0))
        listener.listen()
        far = listener.getsockname()[:2]
        with socket.create_connection(far) as line:
            near = line.getsockname()[:2]
            assert owner_of(near, far) == os.geteuid()
            assert is_own_account(near, far)
            assert not is_own_account((host, near[1] ^ 1), far), "another port"
        assert not is_own_account(near, far), "who has closed the connection is not known any more"
    for wrong in (("testclient", 50000), ("127.0.0.1", 70000), None):
        assert not is_own_account(wrong, far)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    server = ServerProcess(tmp_path / "fleet").start()
    try:
        yield server
    finally:
        server.stop()


def ask(url: str, head: str, body: str = "", *, waits: bool = True) -> str:
    """Sends a request, and returns the first line of the answer; without `waits` it closes the connection at once."""
    host, _, port = url.rpartition("/")[2].rpartition(":")
    with socket.create_connection((host, int(port)), timeout=60.0) as line:
        line.sendall(f"{head}\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n{body}".encode())
        return line.makefile("r").readline().strip() if waits else ""


@needs_root
@pytest.mark.system
def test_another_account_needs_the_code(server: ServerProcess) -> None:
    """It neither reads nor changes anything, also when it does not wait for the answer; with the code it may."""
    url, file = server.state()["url"], server.data / FILE
    assert file.stat().st_mode & 0o777 == 0o600
    code = file.read_text().strip()
    assert server.http.get("/devices").status_code == 200, "the account that runs it"
    get = "GET /api/v1/devices HTTP/1.1"
    assert "401" in as_other(lambda: ask(url, get))
    assert "401" in as_other(lambda: ask(url, f"{get}\r\nAuthorization: Bearer AAAA-AAAA-AAAA"))
    assert "200" in as_other(lambda: ask(url, f"{get}\r\nAuthorization: Bearer {code}"))
    body = json.dumps({"selector": {"all": True}})
    put = f"PUT /api/v1/groups/stolen HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    for _ in range(20):
        as_other(lambda: ask(url, put, body, waits=False))
    time.sleep(1.0)
    assert server.get("/groups")["items"] == []
    session = httpx.get(f"{server.state()['url']}/api/v1/session", headers={"Authorization": "Bearer no"}).json()
    assert (session["mode"], session["role"]) == ("open", None), "the dashboard then shows the page of the set-up"


@pytest.mark.system
def test_the_code_stays_and_ends_with_the_first_user(server: ServerProcess) -> None:
    code = (server.data / FILE).read_text().strip()
    server.kill()
    server.start()
    assert (server.data / FILE).read_text().strip() == code
    refused = server.http.get("/devices", headers={"Authorization": "Bearer wrong"})
    assert refused.status_code == 401
    assert "setup.code" in refused.json()["detail"]
    assert server.http.post("/setup", json={"code": code, "name": "ada", "password": PASSWORD}).status_code == 201
    assert not (server.data / FILE).exists()
    server.http.cookies.clear()
    assert server.http.get("/devices").status_code == 401
    assert server.http.get("/devices", headers={"Authorization": f"Bearer {code}"}).status_code == 401
    server.stop()
    server.start()
    eventually("it has started", lambda: server.http.get("/session").json()["mode"] == "required")
    assert not (server.data / FILE).exists()


def test_a_file_that_others_can_read_or_that_is_none_of_ours_is_replaced(tmp_path: Path) -> None:
    code = setup_code(tmp_path)
    assert setup_code(tmp_path) == code
    (tmp_path / FILE).chmod(0o644)
    other = setup_code(tmp_path)
    assert other != code
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    (tmp_path / FILE).write_text("password\n", encoding="utf-8")
    assert setup_code(tmp_path) not in (other, "password")
    forget_setup_code(tmp_path)
    forget_setup_code(tmp_path)
    assert not (tmp_path / FILE).exists()
    assert setup_code(tmp_path / "no" / "folder"), "kept in memory"
