"""A server with three people, each with an API token of the role."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.fleet_server.fakes.server_process import ServerProcess

PASSWORD = "four unrelated little words"


@dataclass
class Peopled:
    """The server, with clients for each user and token."""

    server: ServerProcess
    admin: httpx.Client
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return str(self.server.state()["url"])

    def client(self) -> httpx.Client:
        """A client without credentials."""
        return httpx.Client(base_url=f"{self.url}/api/v1", timeout=30.0, verify=False)  # plain HTTP: no certificates to load

    @contextmanager
    def signed_in(self, name: str, password: str = PASSWORD) -> Iterator[httpx.Client]:
        with self.client() as client:
            answer = client.post("/session", json={"name": name, "password": password})
            assert answer.status_code == 200, answer.text
            yield client

    def bearer(self, token: str) -> httpx.Client:
        client = self.client()
        client.headers["Authorization"] = f"Bearer {token}"
        return client

    def add(self, name: str, role: str) -> None:
        answer = self.admin.post("/users", json={"name": name, "role": role, "password": PASSWORD})
        assert answer.status_code == 201, answer.text


def setup_code(server: ServerProcess) -> str:
    """The code that the server printed at its start."""
    found = re.findall(r"/setup, code ([A-Z2-9-]{14})", server.log.read_text())
    return str(found[-1])


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peopled]:
    """Administrator ada, operator otto, viewer vera. Of one module: the rules and the failed sign-ins of others would be seen."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    server = ServerProcess(tmp_path_factory.mktemp("people") / "fleet").start()
    try:
        with httpx.Client(base_url=f"{server.state()['url']}/api/v1", timeout=30.0) as admin:
            yield _fill(Peopled(server, admin))
    finally:
        server.stop()


def _fill(made: Peopled) -> Peopled:
    body: dict[str, Any] = {"code": setup_code(made.server), "name": "ada", "password": PASSWORD}
    assert made.admin.post("/setup", json=body).status_code == 201
    for name, role in (("otto", "operator"), ("vera", "viewer")):
        made.add(name, role)
    for name, role in (("ada", "admin"), ("otto", "operator"), ("vera", "viewer")):
        with made.signed_in(name) as client:
            made.tokens[role] = client.post("/api-tokens", json={"name": "tests", "role": role}).json()["secret"]
    return made
