"""Made-up requests to every operation as every role: no server error, and no role gets further than its permissions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from edgefleet_server.domain.policy.roles import NEEDED, Role
from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.auth.hostile_api import SKIPPED, attack, operations
from tests.fleet_server.fakes.server_process import ServerProcess

pytestmark = pytest.mark.system

ROLES = {"ada": Role.ADMIN, "otto": Role.OPERATOR, "vera": Role.VIEWER}


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Role, httpx.Client]]:
    """A server of its own, because administrators break things, and a client for each role."""
    server = ServerProcess(tmp_path_factory.mktemp("hostile") / "fleet", "--requests-per-minute", "10000000").start()
    url = f"{server.state()['url']}/api/v1"
    made = {role: httpx.Client(base_url=url) for role in Role}
    admin = made[Role.ADMIN]
    assert admin.post("/setup", json={"code": setup_code(server), "name": "ada", "password": PASSWORD}).status_code == 201
    for name, role in ROLES.items():
        if role is not Role.ADMIN:
            body = {"name": name, "role": role.value, "password": PASSWORD}
            assert admin.post("/users", json=body).status_code == 201
            assert made[role].post("/session", json={"name": name, "password": PASSWORD}).status_code == 200
    yield made
    for client in made.values():
        client.close()
    server.stop()


def attack_all(clients: dict[Role, httpx.Client], examples: int) -> int:
    document = clients[Role.VIEWER].get("/openapi.json").json()
    tried = list(operations(document))
    there = {operation["operationId"] for path in document["paths"].values() for operation in path.values()}
    assert {one.definition.raw["operationId"] for one in tried} == there - SKIPPED
    return sum(attack(one, role, clients[role], examples) for one in tried for role in Role)


@pytest.mark.timeout(1200)
def test_a_few_of_each(clients: dict[Role, httpx.Client]) -> None:
    """Small enough for every run; the audit chain holds afterwards."""
    assert attack_all(clients, 1) > len(NEEDED)
    assert clients[Role.ADMIN].get("/audit/verification").json()["valid"]


@pytest.mark.long(minutes=20)
@pytest.mark.timeout(3600)
def test_many_of_each(clients: dict[Role, httpx.Client]) -> None:
    """The same in earnest."""
    assert attack_all(clients, 20) > 10 * len(NEEDED)
    assert clients[Role.ADMIN].get("/audit/verification").json()["valid"]


def test_a_document_without_operations_attacks_nothing(tmp_path: Path) -> None:
    """The harness itself: what it is given is what it tries."""
    assert list(operations({"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {}})) == []
