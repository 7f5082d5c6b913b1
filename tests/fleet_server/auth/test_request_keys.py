"""Idempotency keys: a POST that is sent again gets the first answer, and acts once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edgefleet_server.api.context import Context
from edgefleet_server.api.middleware.request_keys import POLL_S, KeyedRequest
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import request_keys
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.roles import Role
from tests.fleet_server.auth.conftest import Peopled

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"
RULE = {"name": "once", "rule": {"kind": "absence", "for_s": 60.0}}


def headers(key: str) -> dict[str, str]:
    return {"idempotency-key": key}


def test_the_same_request_acts_once_and_gets_the_first_answer(people: Peopled) -> None:
    first = people.admin.post("/alert-rules", json=RULE, headers=headers(KEY))
    again = people.admin.post("/alert-rules", json=RULE, headers=headers(f'"{KEY}"'))
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert (first.headers.get("idempotency-replayed"), again.headers["idempotency-replayed"]) == (None, "true")
    rules = people.admin.get("/alert-rules").json()["items"]
    assert [rule["name"] for rule in rules].count("once") == 1
    made = [each for each in people.admin.get("/audit").json()["items"] if each["action"] == "create_alert_rule"]
    assert len([each for each in made if "once" in each["detail"]]) == 1
    other = people.admin.post("/alert-rules", json={**RULE, "name": "other"}, headers=headers(KEY))
    assert (other.status_code, other.json()["type"]) == (422, "urn:edgefleet:problem:idempotency-key-reused")
    with people.bearer(people.tokens["admin"]) as client:
        theirs = client.post("/alert-rules", json={**RULE, "name": "theirs"}, headers=headers(KEY))
    assert theirs.status_code == 201, "a key belongs to its caller"


def test_a_secret_is_answered_again_but_not_stored_in_plain(people: Peopled) -> None:
    with people.signed_in("ada") as ada:
        body = {"name": "twice", "role": "viewer"}
        secrets = {ada.post("/api-tokens", json=body, headers=headers("a" * 32)).json()["secret"] for _ in range(2)}
    assert len(secrets) == 1
    stored = b"".join(path.read_bytes() for path in people.server.data.glob("fleet.db*"))
    assert secrets.pop().encode() not in stored
    assert b"a" * 32 not in stored


def test_a_refused_request_leaves_its_key_free(people: Peopled) -> None:
    wrong = people.admin.post("/alert-rules", json={"name": "x"}, headers=headers("b" * 32))
    right = people.admin.post("/alert-rules", json={**RULE, "name": "right"}, headers=headers("b" * 32))
    assert (wrong.status_code, right.status_code) == (422, 201)
    short = people.admin.post("/alert-rules", json=RULE, headers=headers("short"))
    assert (short.status_code, "16 to 255" in short.json()["detail"]) == (422, True)


@pytest.fixture
def database(where: Path | str) -> Any:
    made = Database(where)
    made.migrate()
    yield made
    made.close()


def test_keys_of_several_processes(database: Database) -> None:
    """One runs, a lost one is replaced, and what it would commit later is refused."""
    now = time.time()

    def take(owner: str, at: float, print_: str = "f") -> request_keys.TakenKey | None:
        with database.write() as connection:
            return request_keys.take(connection, "k", "ada", print_, owner, at)

    assert take("one", now) is None
    assert take("two", now + 1.0) == request_keys.TakenKey("f", committed=False, status=0, answer="", runs=True)
    assert take("two", now + request_keys.RUNS_S) is None
    with database.write() as connection, pytest.raises(ConflictError, match="another try"):
        request_keys.commit(connection, "k", "one")
    with database.write() as connection:
        request_keys.commit(connection, "k", "two")
        request_keys.release(connection, "k", "two")
    found = take("three", now + 2 * request_keys.RUNS_S + 1.0)
    assert found is not None
    assert (found.committed, found.status, found.runs) == (True, 0, False), "what is stored is never done twice"
    with database.write() as connection:
        request_keys.finish(connection, "k", "two", 201, "sealed")
    assert take("three", now + 900.0, "g") == request_keys.TakenKey("f", committed=True, status=201, answer="sealed")
    assert take("three", now + request_keys.RUNS_S + request_keys.LIFE_S) is None


def test_the_oldest_keys_of_a_caller_go(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_keys, "OF_CALLER_MAX", 2)
    with database.write() as connection:
        for number, key in enumerate("abc"):
            assert request_keys.take(connection, key, "ada", "f", "one", 1000.0 + number) is None
        assert request_keys.take(connection, "c", "ada", "f", "two", 1003.0) is not None
        assert request_keys.take(connection, "a", "ada", "f", "two", 1003.0) is None
        request_keys.trim(connection, 1003.0 + request_keys.LIFE_S)
        assert request_keys.take(connection, "c", "ada", "f", "two", 1004.0) is None


class SlowRoute:
    """A route that stores something and answers when the test lets it."""

    def __init__(self, status: int = 201, *, commits: bool = True) -> None:
        self.status, self.commits = status, commits
        self.calls = 0
        self.began, self.may_end = asyncio.Event(), asyncio.Event()

    def __call__(self, database: Database) -> ASGIApp:
        async def app(scope: Scope, _receive: Receive, send: Send) -> None:
            self.calls += 1
            if self.commits:
                with database.write() as connection:
                    scope["state"]["keyed_request"].commit(connection)
            self.began.set()
            await self.may_end.wait()
            await send({"type": "http.response.start", "status": self.status, "headers": []})
            await send({"type": "http.response.body", "body": b"done"})

        return app


async def sent(database: Database, app: ASGIApp) -> tuple[int, dict[bytes, bytes], bytes]:
    """Send one request with the key; returns status, headers and body of the answer."""
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: Message) -> None:
        answers.append(message)

    scope: Scope = {"type": "http", "path": "/x", "query_string": b"", "headers": [], "state": {}}
    caller = Caller("ada", Grants(Role.ADMIN), "token", "127.0.0.1")
    context = cast("Context", SimpleNamespace(database=database))
    await KeyedRequest(app, context, caller, KEY)(scope, receive, send)
    return answers[0]["status"], dict(answers[0]["headers"]), answers[-1]["body"]


async def both(database: Database, route: SlowRoute) -> list[tuple[int, dict[bytes, bytes], bytes]]:
    """Two equal requests: the second comes while the first runs, and the first may end then."""
    app = route(database)
    first = asyncio.create_task(sent(database, app))
    await route.began.wait()
    second = asyncio.create_task(sent(database, app))
    await asyncio.sleep(2 * POLL_S)
    route.may_end.set()
    return list(await asyncio.gather(first, second))


def test_a_request_beside_the_first_one_waits_for_its_answer(database: Database) -> None:
    """Also between the commit of the first one and its answer, when the change is stored already."""
    for commits in (True, False):
        route = SlowRoute(commits=commits)
        first, second = asyncio.run(both(database, route))
        assert (first[0], second[0], first[2], second[2]) == (201, 201, b"done", b"done")
        assert second[1][b"idempotency-replayed"] == b"true"
        assert route.calls == 1
        with database.write() as connection:
            raw(connection).execute("DELETE FROM request_key")


def test_a_request_takes_the_place_of_one_that_was_refused_beside_it(database: Database) -> None:
    route = SlowRoute(422, commits=False)
    first, second = asyncio.run(both(database, route))
    assert (first[0], second[0], route.calls) == (422, 422, 2)


def test_a_request_that_waits_too_long_may_be_sent_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edgefleet_server.api.middleware.request_keys.WAIT_S", 0.0)
    first, second = asyncio.run(both(database, SlowRoute()))
    assert (first[0], second[0], second[1][b"retry-after"]) == (201, 409, b"1")
    assert b"idempotency-key-in-use" in second[2]
