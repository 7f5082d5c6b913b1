"""Scopes of tokens, the request rate limit, and entries of the audit log in the transaction of their change."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from edgefleet_server.app.web import MODULES
from edgefleet_server.db.backend.engine import Connection, Database, before_commit
from edgefleet_server.db.devices import groups
from edgefleet_server.db.people import audit, audit_archive
from edgefleet_server.domain.policy.roles import SCOPES
from tests.fleet_server.auth.conftest import PASSWORD, Peopled, setup_code
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.server_process import ServerProcess


@pytest.mark.system
def test_token_stays_within_its_scopes(people: Peopled) -> None:
    """It reads devices, changes none, and sees nothing else, though its role could."""
    with people.signed_in("otto") as otto:
        body = {"name": "narrow", "role": "operator", "scopes": ["devices:read", "rollouts"]}
        made = otto.post("/api-tokens", json=body).json()
        assert otto.post("/api-tokens", json={"name": "odd", "scopes": ["everything"]}).status_code == 422
    assert made["scopes"] == ["devices:read", "rollouts"]
    with people.bearer(made["secret"]) as narrow:
        assert narrow.get("/devices").status_code == 200
        assert narrow.get("/rollouts").status_code == 200
        assert narrow.get("/health").status_code == 200
        assert narrow.post("/rollouts/99/pause", json={}).status_code == 404
        refused = narrow.post("/devices/bulk", json={"action": "release", "selector": {"all": True}})
        assert refused.status_code == 403
        assert "not in the scopes of this API token (devices:read, rollouts)" in refused.json()["detail"]
        assert narrow.get("/models").status_code == 403
    people.admin.delete(f"/api-tokens/{made['id']}")


def test_scopes_are_the_parts_of_the_api() -> None:
    """A new part that no token could be narrowed to would be forgotten."""
    tags = {str(tag) for module in MODULES for route in module.router.routes for tag in getattr(route, "tags", ())}
    assert tags == set(SCOPES)


@pytest.mark.system
def test_requests_are_rate_limited(tmp_path: Path) -> None:
    """The response names the delay; other callers are not limited."""
    server = ServerProcess(tmp_path / "fleet", "--requests-per-minute", "30").start()
    try:
        url = f"{server.state()['url']}/api/v1"
        with httpx.Client(base_url=url) as ada, httpx.Client(base_url=url) as stranger:
            assert ada.post("/setup", json={"code": setup_code(server), "name": "ada", "password": PASSWORD}).status_code == 201
            answers = [ada.get("/health").status_code for _ in range(40)]
            assert set(answers) == {200, 429}
            refused = ada.get("/devices")
            assert refused.status_code == 429
            assert 0 < int(refused.headers["retry-after"]) <= 61
            assert stranger.get("/health").status_code == 200
    finally:
        server.stop()


@pytest.fixture
def database(tmp_path: Path) -> Database:
    opened = Database(migrated_file(tmp_path / "fleet.db"))
    opened.migrate()
    return opened


def entry(connection: Connection, action: str, at: float = 1.0) -> None:
    names = ("actor", "role", "via", "source", "target", "detail")
    audit.append(connection, at=at, action=action, status=200, **dict.fromkeys(names, "x"))


def test_entry_and_change_are_there_together_or_not_at_all(database: Database) -> None:
    """The entry is written in the change's own transaction; when it cannot be, neither is the change."""
    group = {"name": "g", "selector": {"all": True, "ids": [], "labels": {}}, "note": "", "changed_at": 1.0, "changed_by": ""}

    def refuse(_connection: Connection) -> None:
        raise ZeroDivisionError

    token = before_commit.set(refuse)
    with pytest.raises(ZeroDivisionError), database.write() as connection:
        groups.put(connection, group)
    before_commit.reset(token)
    token = before_commit.set(lambda connection: entry(connection, "put_group"))
    with database.write() as connection:
        groups.put(connection, {**group, "name": "h"})
    before_commit.reset(token)
    with database.read() as connection:
        assert [one["name"] for one in groups.list_all(connection)] == ["h"]
        assert [row["action"] for row in audit.newest(connection)] == ["put_group"]
    database.close()


def test_old_entries_move_to_a_file_and_the_chain_holds(database: Database, tmp_path: Path) -> None:
    """With their digests; the rest continues the chain, and nothing else may delete entries."""
    for number in range(6):
        with database.write() as connection:
            entry(connection, f"do_{number}", at=float(number))
    with database.read() as connection:
        head = audit.check(connection).head
    assert audit_archive.archive(database, tmp_path / "audit", 4.0) == 4
    assert audit_archive.archive(database, tmp_path / "audit", 4.0) == 0
    (file,) = (tmp_path / "audit").iterdir()
    moved = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["seq"] for row in moved] == [1, 2, 3, 4]
    with database.write() as connection:
        entry(connection, "later")
    with database.read() as connection:
        verdict = audit.check(connection, head)
        assert (verdict.fault, verdict.entries) == ("", 7)
        assert audit.newest(connection)[-1]["previous"] == moved[-1]["digest"]
    with pytest.raises(Exception, match="append-only"), database.write() as connection:
        connection.exec_driver_sql("DELETE FROM audit")
    database.close()
