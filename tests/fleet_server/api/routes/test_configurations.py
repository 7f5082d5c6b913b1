"""Configurations keep their revision, and a key creates one rollout, also of requests at the same time."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.registry import configurations
from edgefleet_server.db.rollouts import creation_keys, rollouts
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order

GROUP = {"kind": "group", "name": "lyon", "made": True}


def put(server: ServerProcess, revision: int, *resources: dict[str, Any], name: str = "plant") -> httpx.Response:
    return server.http.put(f"/configurations/{name}", json={"revision": revision, "resources": list(resources)})


@pytest.mark.system
def test_a_change_of_an_older_revision_is_refused(server: ServerProcess) -> None:
    first = put(server, 0, GROUP)
    assert (first.status_code, first.json()["revision"]) == (200, 1)
    assert put(server, 1).json()["resources"] == []
    for old in (0, 1, 3):
        refused = put(server, old, GROUP)
        assert (refused.status_code, "plan again" in refused.text) == (409, True), refused.text
    assert "does not exist" in put(server, 4, name="other").text
    (only,) = server.get("/configurations")["items"]
    assert (only["name"], only["revision"], only["resources"]) == ("plant", 2, [])
    assert put(server, 2, {**GROUP, "kind": "device"}).status_code == 422
    assert put(server, 2, name="../x").status_code in (404, 405, 422)


@pytest.mark.system
def test_a_key_creates_one_rollout(server: ServerProcess, device: MakeDevice) -> None:
    device("dev-0")
    eventually("online", lambda: server.get("/overview")["online"] == 1)
    for version in ("1.0.0", "1.1.0"):
        assert server.push(tar(files(version=version))).status_code == 201
    body = order("spotter", "1.0.0", [{"name": "all"}], start=False)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: server.http.post("/rollouts", json={**body, "key": "plant/one"}), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert {answer.json()["id"] for answer in answers} == {1}
    assert server.get("/rollouts")["total"] == 1
    assert [row["id"] for row in server.get("/rollouts", key="plant/one")["items"]] == [1]
    assert server.get("/rollouts", key="plant/two")["items"] == []
    assert server.get("/rollouts", key="plant/one", state="running")["items"] == []
    again = server.http.post("/rollouts", json={**body, "key": "plant/two"})
    assert (again.status_code, again.json()["id"]) == (201, 2)
    other = server.http.post("/rollouts", json={**body, "slot": "second", "key": "plant/two"})
    assert (other.status_code, "belongs to rollout 2 of spotter in slot detector" in other.text) == (409, True)
    refused = server.http.post("/rollouts", json={**body, "selector": {"ids": ["nobody"]}, "key": "plant/three"})
    assert refused.status_code == 422
    assert server.http.post("/rollouts", json={**body, "key": "plant/three"}).status_code == 201, "a refused one leaves no key"
    assert server.http.post("/rollouts", json={**body, "key": "with space"}).status_code == 422


def test_two_processes_reserve_a_key_once(where: Path | str) -> None:
    """The second waits for the first, and takes the key if the first fails."""
    first, second = Database(where), Database(where)
    first.migrate()
    entered, leave = threading.Event(), threading.Event()

    def fail() -> None:
        with contextlib.suppress(KeyError), first.write() as connection:
            assert creation_keys.reserve(connection, "one") is None
            entered.set()
            assert leave.wait(120.0)
            raise KeyError

    thread = threading.Thread(target=fail)
    thread.start()
    assert entered.wait(120.0)
    threading.Timer(0.3, leave.set).start()
    with second.write() as connection:
        assert creation_keys.reserve(connection, "one") is None, "the first transaction was rolled back"
        creation_keys.assign(connection, "one", _rollout(connection))
    thread.join()
    with first.write() as connection:
        assert creation_keys.reserve(connection, "one") == 1
    second.close()
    first.close()


def _rollout(connection: Connection) -> int:
    raw(connection).execute(
        "INSERT INTO package (digest, name, version, created_at, descriptor_bytes, length_bytes, manifest, files)"
        " VALUES ('d', 'spotter', '1.0.0', 1, 1, 1, '{}', '[]')"
    )
    record = {"name": "r", "package": "d", "slot": "s", "state": "draft", "selector": {}, "gate": {}, "policy": {}, "terms": {}}
    return rollouts.create(connection, {**record, "plans": [], "created_at": 1.0, "changed_at": 1.0, "wave_timeout_s": 1.0})


def test_two_processes_change_a_configuration_once(where: Path | str) -> None:
    first, second = Database(where), Database(where)
    first.migrate()
    record = {"name": "plant", "revision": 0, "resources": [GROUP], "changed_at": 1.0, "changed_by": "ada"}
    for database, revision in ((first, 0), (second, 1)):
        with database.write() as connection:
            assert configurations.put(connection, {**record, "revision": revision})["revision"] == revision + 1
    for revision in (0, 1):
        with pytest.raises(ConflictError, match="was changed by ada; plan again"), first.write() as connection:
            configurations.put(connection, {**record, "revision": revision})
    second.close()
    first.close()
