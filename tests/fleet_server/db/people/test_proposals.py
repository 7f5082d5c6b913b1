"""Stored proposals in both databases: each is decided once, limits hold, and a trial leaves nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlmodel import col, select

from edgefleet_server.core.errors import ConflictError, NotFoundError, TrialEnd
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import groups
from edgefleet_server.db.people import credentials, people, proposals
from edgefleet_server.db.tables.people import ApiTokenRecord
from edgefleet_server.domain.policy import proposals as policy
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.proposals import ProposalState
from edgefleet_server.domain.policy.roles import Role

NOW = 1_800_000_000.0
ALL = proposals.Reader(Role.ADMIN)


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    yield opened
    opened.close()


def _record(token: str = "t1", needed: str = "operator") -> proposals.Record:
    texts = ("token_name", "proposed_by", "operation", "summary", "method", "path", "body", "note", "checked")
    return {**dict.fromkeys(texts, "x"), "token": token, "needed": needed}


def _add(database: Database, token: str = "t1", needed: str = "operator", now: float = NOW) -> int:
    with database.write() as connection:
        return proposals.add(connection, _record(token, needed), now)


def test_many_decide_at_once_and_one_succeeds(database: Database) -> None:
    number = _add(database)
    results: list[str] = []

    def decide(state: ProposalState) -> None:
        try:
            with database.write() as connection:
                proposals.decide(connection, number, state, "ada", "r", NOW + 1.0)
            results.append(state.value)
        except ConflictError:
            results.append("refused")

    threads = [threading.Thread(target=decide, args=(ProposalState.APPROVING,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["approving", *["refused"] * 7]
    with database.write() as connection:
        proposals.carried_out(connection, number, 200)
    with pytest.raises(ConflictError), database.write() as connection:
        proposals.carried_out(connection, number, 200)
    with database.write() as connection:
        proposals.finish(connection, number, ProposalState.FAILED, 507, "stored, and then a fault")
    with database.read() as connection:
        found = proposals.find(connection, number, ALL, NOW)
    assert (found["state"], found["status"], found["outcome"]) == ("approved", 507, "stored, and then a fault")


def test_a_released_one_waits_again_and_an_interrupted_one_can_only_be_closed(database: Database) -> None:
    number = _add(database)
    with database.write() as connection:
        proposals.decide(connection, number, ProposalState.APPROVING, "ada", "", NOW)
        proposals.release(connection, number)
        proposals.decide(connection, number, ProposalState.APPROVING, "otto", "", NOW)
    with pytest.raises(ConflictError, match="is approving by otto"), database.write() as connection:
        proposals.decide(connection, number, ProposalState.APPROVING, "ada", "", NOW)
    with database.write() as connection:
        proposals.decide(connection, number, ProposalState.REJECTED, "ada", "the server stopped", NOW)
    with database.read() as connection:
        assert proposals.find(connection, number, ALL, NOW)["state"] == "rejected"


def test_they_expire_and_old_ones_are_deleted(database: Database) -> None:
    number = _add(database)
    late = NOW + policy.LIFE_S
    with database.read() as connection:
        assert proposals.find(connection, number, ALL, late)["state"] == "expired"
        assert proposals.page(connection, ALL, ["pending"], 0, 10, late) == ([], 0)
        assert proposals.page(connection, ALL, ["expired"], 0, 10, late)[1] == 1
    with pytest.raises(ConflictError, match="is expired"), database.write() as connection:
        proposals.decide(connection, number, ProposalState.APPROVING, "ada", "", late)
    later = [_add(database, now=NOW + policy.STORED_S + 1.0) for _ in range(2)]
    assert later == [number + 1, number + 2]
    with pytest.raises(NotFoundError), database.read() as connection:
        proposals.find(connection, number, ALL, late)


def test_limits_of_a_token_and_of_all(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "PENDING_OF_TOKEN", 2)
    monkeypatch.setattr(policy, "PENDING_MAX", 3)
    _add(database)
    _add(database)
    with pytest.raises(ConflictError, match="2 proposals of this API token"):
        _add(database)
    _add(database, "t2")
    with pytest.raises(ConflictError, match="3 proposals wait"):
        _add(database, "t3")
    with database.write() as connection:
        proposals.withdraw(connection, ["t1"], NOW)
    _add(database, "t3")


def test_readers_see_what_they_may(database: Database) -> None:
    _add(database, "t1", "admin")
    _add(database, "t2", "operator")
    with database.read() as connection:
        totals = [
            proposals.page(connection, reader, [], 0, 10, NOW)[1]
            for reader in (
                ALL,
                proposals.Reader(Role.OPERATOR),
                proposals.Reader(Role.ADMIN, "t1"),
                proposals.Reader(Role.ADMIN, "t9"),
            )
        ]
    assert totals == [2, 1, 1, 0]


def test_a_trial_is_rolled_back(database: Database) -> None:
    group = {"name": "g", "selector": {"all": True, "ids": [], "labels": {}}, "note": "", "changed_at": 1.0, "changed_by": ""}
    with pytest.raises(TrialEnd), database.trial().write() as connection:
        groups.put(connection, group)
    with database.read() as connection:
        assert groups.list_all(connection) == []
    with database.write() as connection:
        groups.put(connection, group)


def test_an_older_version_gets_no_token_that_proposes(database: Database) -> None:
    """It would let it change what it may only propose to change."""
    with database.write() as connection:
        people.add(connection, "ada", Grants(Role.ADMIN), "hash", NOW)
        for name, scopes in (("proposes", ["devices", "propose"]), ("full", [])):
            row = {"id": name, "hash": name, "user": "ada", "name": name, "role": "admin", "scopes": scopes, "created_at": NOW}
            connection.execute(insert(ApiTokenRecord), {**row, "groups": [], "expires_at": NOW + 60.0, "used_at": None})
    database.downgrade("0003")
    with database.read() as connection:
        assert list(connection.execute(select(col(ApiTokenRecord.id))).scalars()) == ["full"]
    database.migrate()
    with database.read() as connection:
        assert [row["name"] for row in credentials.tokens(connection)] == ["full"]
