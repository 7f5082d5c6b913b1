"""A server whose disk is full: nothing is called done that was not, all can look and sign in, and health says what is wrong."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.fleet_server.auth.conftest import PASSWORD, Peopled, setup_code
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.small_disk import SmallDisk, mounted

pytestmark = pytest.mark.system


@pytest.fixture
def full(tmp_path: Path) -> Iterator[tuple[Peopled, SmallDisk]]:
    """A server with an administrator and tokens that were last used long ago, on a disk that has just become full."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    with mounted(tmp_path / "disk", "64m") as disk:
        server = ServerProcess(disk.folder / "fleet")
        server.log = tmp_path / "server.log"
        server.start()
        try:
            with httpx.Client(base_url=f"{server.state()['url']}/api/v1", timeout=30.0) as admin:
                people = Peopled(server, admin)
                body = {"code": setup_code(server), "name": "ada", "password": PASSWORD}
                assert admin.post("/setup", json=body).status_code == 201
                for role in ("admin", "viewer"):
                    people.tokens[role] = admin.post("/api-tokens", json={"name": role, "role": role}).json()["secret"]
                with closing(sqlite3.connect(server.data / "fleet.db")) as db, db:
                    db.execute("UPDATE session SET seen_at = seen_at - 600")
                disk.fill()
                yield people, disk
        finally:
            server.stop()


CHANGES = {
    "user": ("POST", "/users", {"name": "eve", "role": "viewer", "password": PASSWORD}),
    "group": ("PUT", "/groups/lyon", {"selector": {"labels": {"site": "lyon"}}}),
    "enrolment token": ("POST", "/enrolment-tokens", {}),
    "settings": ("PATCH", "/settings", {"values": {"certificate_days": 30}}),
}


def test_full_disk(full: tuple[Peopled, SmallDisk]) -> None:
    people, disk = full
    with people.bearer(people.tokens["admin"]) as program:
        for kind, (method, path, body) in CHANGES.items():
            answer = program.request(method, path, json=body)
            assert answer.status_code == 507, (kind, answer.text)
            assert answer.json()["detail"].startswith("not done: "), (kind, answer.text)
            assert "free some space" in answer.json()["detail"]
            again = program.request(method, path, json=body, headers={"idempotency-key": kind.ljust(16, "-")})
            assert (again.status_code, again.json()["detail"]) == (507, answer.json()["detail"])
        pushed = program.post("/models", files={"package": ("p.tar", tar(files("spotter", "1.0.0")), "application/x-tar")})
        assert pushed.status_code == 507, pushed.text
        assert pushed.json()["detail"].startswith("not done: ")
        for path in ("/overview", "/devices", "/users", "/rollouts", "/audit", "/health"):
            assert program.get(path).status_code == 200, path
        assert program.get(people.url + "/metrics").status_code == 200
        assert "edgefleet_database_unwritable 1" in program.get(people.url + "/metrics").text
        assert program.get(people.url + "/readyz").status_code == 200
        health = program.get("/health").json()
        assert health["status"] == "degraded"
        assert health["database_unwritable_since"] > 1e9
        assert "free some space" in health["storage_warnings"][0]
        assert "is in memory (tmpfs)" in health["storage_warnings"][-1]
        assert program.get("/overview").json()["server"]["storage_warnings"] == health["storage_warnings"]
    assert people.admin.get("/overview").status_code == 200  # a session that was last used minutes ago
    made = people.admin.post("/api-tokens", json={"name": "more", "role": "viewer"})
    assert (made.status_code, made.json()["detail"][:10]) == (507, "not done: ")
    with people.bearer(people.tokens["viewer"]) as viewer:
        assert viewer.post("/users", json=CHANGES["user"][2]).status_code == 403
    with people.client() as stranger:
        assert stranger.post("/session", json={"name": "ada", "password": "wrong"}).status_code == 401
    with people.signed_in("ada") as person:
        assert person.get("/devices").status_code == 200
        assert person.post("/groups/none").status_code in (404, 405)
        assert person.delete("/session").status_code == 204
        assert person.get("/devices").status_code == 401
    assert "done, but" not in people.server.log.read_text()
    disk.free()
    with people.bearer(people.tokens["admin"]) as program:
        assert eventually("room again", lambda: program.post("/users", json=CHANGES["user"][2]).status_code == 201)
        assert program.get("/health").json()["status"] == "ok"
        assert "eve" in {user["name"] for user in program.get("/users").json()["items"]}
