"""People over HTTP: who gets in, who may what on every route, and what is written down about it."""

from __future__ import annotations

import http.client
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from edgefleet_server.api.middleware.authorization import UNKNOWN_REFUSALS
from edgefleet_server.domain.policy.roles import NEEDED, Role
from tests.fleet_server.auth.conftest import PASSWORD, Peopled, setup_code
from tests.fleet_server.fakes.server_process import ServerProcess

pytestmark = pytest.mark.system

DOCUMENT = json.loads((Path(__file__).resolve().parents[3] / "docs" / "openapi.json").read_text(encoding="utf-8"))
"""The committed document: another test compares it with the one that the code makes, which takes seconds."""

OPERATIONS = [
    (method.upper(), path.removeprefix("/api/v1"), operation["operationId"])
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]
VALUES = {"sha256": "0" * 64, "rollout": "1", "version": "1.0.0", "token": "0" * 12}


def filled(path: str) -> str:
    """The path with something in place of its parameters that does not exist."""
    return re.sub(r"\{(\w+)\}", lambda found: VALUES.get(found[1], "nobody"), path)


def test_set_up_needs_the_code_and_ends_open_access(server: ServerProcess) -> None:
    """Open to this machine until the first administrator is made, with what the server printed; closed from then on."""
    assert server.get("/session") == {
        "mode": "open", "user": None, "role": "admin", "via": "open", "expires_at": None, "openid": None, "proposes": False,
        "grants": [{"role": "admin", "group": None}],
    }  # fmt: skip
    assert server.get("/devices")["total"] == 0
    body = {"code": "AAAA-BBBB-CCCC", "name": "ada", "password": PASSWORD}
    assert server.http.post("/setup", json=body).status_code == 403
    assert server.http.post("/users", json={"name": "eve", "role": "admin", "password": PASSWORD}).status_code == 409
    body["code"] = setup_code(server).lower()
    assert server.http.post("/setup", json={**body, "password": "short"}).status_code == 422
    answer = server.http.post("/setup", json=body)
    assert (answer.status_code, answer.json()["user"], answer.json()["role"]) == (201, "ada", "admin")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("edgefleet=efs_")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
    assert server.http.post("/setup", json=body).status_code == 409
    server.http.cookies.clear()
    refused = server.http.get("/devices")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert server.http.get("/health").status_code == 200
    server.stop()
    server.start()
    assert server.http.get("/devices").status_code == 401
    assert "/setup, code" not in server.log.read_text().splitlines()[-1]


BY_PASS = {"get_device_blob"}
"""What no person's sign-in opens: a device presents its own ticket."""


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS)
def test_no_access_outside_the_role(people: Peopled, method: str, path: str, operation: str) -> None:
    """Every operation of the document, tried by a stranger and with a token of each role."""
    needed = NEEDED[operation]
    json_body: Any = {} if method in ("POST", "PATCH", "PUT") else None
    for role in (None, *Role):
        client = people.bearer(people.tokens[role.value]) if role else people.client()
        with client, client.stream(method, filled(path), json=json_body) as answer:
            status = answer.status_code
        assert status < 500
        if needed is None or (role is not None and role.covers(needed)):
            refused = 403 if operation in BY_PASS else None
            assert status == refused or (refused is None and status not in (401, 403)), f"{role} was refused {operation}"
        else:
            assert status == (403 if role else 401), f"{role} was let into {operation}"


def test_every_route_is_documented_with_its_role() -> None:
    """No hidden route, and the document names the role of each."""
    assert {operation for _, _, operation in OPERATIONS} == set(NEEDED)
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            needed = NEEDED[operation["operationId"]]
            assert operation.get("x-role") == (needed.value if needed else None)
            assert bool(operation["security"]) == (needed is not None)


def test_a_strangers_upload_is_refused_before_its_body(people: Peopled) -> None:
    """A gigabyte from an unknown caller is never received."""
    connection = http.client.HTTPConnection(people.url.removeprefix("http://"), timeout=20)
    connection.putrequest("POST", "/api/v1/models")
    connection.putheader("Content-Type", "multipart/form-data; boundary=x")
    connection.putheader("Content-Length", str(10**9))
    connection.endheaders()
    assert connection.getresponse().status == 401
    connection.close()


def test_unknown_callers_do_not_fill_the_audit_log(people: Peopled) -> None:
    """Refused enrolments are recorded, up to a number a minute for all of them together."""

    def entries() -> int:
        return sum(item["actor"] == "(nobody)" for item in people.admin.get("/audit?limit=500").json()["items"])

    before = entries()
    with httpx.Client(base_url=people.url) as stranger:
        for _ in range(3 * UNKNOWN_REFUSALS):
            assert stranger.post("/api/v1/enrol", json={"token": "x"}).status_code in (401, 403, 422, 429)
    assert 0 < entries() - before <= UNKNOWN_REFUSALS


def test_pages_of_others_cannot_use_a_session(people: Peopled) -> None:
    """The cookie alone is not enough for a request that another site makes."""
    with people.signed_in("ada") as client:
        body = {"name": "stolen"}
        for headers in ({"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://evil.example"}):
            assert client.post("/api-tokens", json=body, headers=headers).status_code == 403
        assert client.post("/api-tokens", content=json.dumps(body), headers={"content-type": "text/plain"}).status_code == 415
        assert "stolen" not in client.get("/api-tokens").text


def test_tokens_are_shown_once_and_end_at_once(people: Peopled) -> None:
    """Its secret stands nowhere; it never does more than its owner may; revoked is revoked."""
    people.add("tina", "operator")
    with people.signed_in("tina") as tina:
        assert tina.post("/api-tokens", json={"name": "x", "role": "admin"}).status_code == 403
        made = tina.post("/api-tokens", json={"name": "ci", "role": "operator"}).json()
        assert made["secret"].startswith("eft_")
        assert [set(item) & {"secret", "hash"} for item in tina.get("/api-tokens").json()["items"]] == [set()]
        with people.bearer(made["secret"]) as program:
            assert program.get("/session").json()["via"] == "token"
            assert program.post("/rollouts/9/pause", json={}).status_code == 404
            assert program.post("/api-tokens", json={"name": "child"}).status_code == 409
            assert people.admin.patch("/users/tina", json={"role": "viewer"}).status_code == 200
            assert program.post("/rollouts/9/pause", json={}).status_code == 403
            assert tina.delete(f"/api-tokens/{made['id']}").status_code == 204
            assert program.get("/devices").status_code == 401
        with people.signed_in("vera") as vera:
            assert [item["user"] for item in vera.get("/api-tokens").json()["items"]] == ["vera"]
    raw = people.server.data.joinpath("fleet.db").read_bytes() + people.server.data.joinpath("fleet.db-wal").read_bytes()
    assert made["secret"].encode() not in raw
    assert PASSWORD.encode() not in raw


def test_a_disabled_user_is_out_at_once(people: Peopled) -> None:
    """Sessions end, tokens are refused, and the way in is closed; the last administrator cannot be disabled or removed."""
    people.add("lutz", "viewer")
    with people.signed_in("lutz") as lutz:
        assert lutz.get("/devices").status_code == 200
        assert people.admin.patch("/users/lutz", json={"disabled": True}).status_code == 200
        assert lutz.get("/devices").status_code == 401
    with people.client() as again:
        assert again.post("/session", json={"name": "lutz", "password": PASSWORD}).status_code == 401
    assert people.admin.delete("/users/lutz").status_code == 204
    assert people.admin.patch("/users/ada", json={"disabled": True}).status_code == 409
    assert people.admin.patch("/users/ada", json={"role": "viewer"}).status_code == 409
    assert people.admin.delete("/users/ada").status_code == 409


def test_changing_a_password_ends_the_other_sessions(people: Peopled) -> None:
    """But not the one in which it is changed."""
    people.add("paul", "viewer")
    with people.signed_in("paul") as here, people.signed_in("paul") as there:
        change = {"current": "not the password", "password": "some other unrelated words"}
        assert here.put("/session/password", json=change).status_code == 403
        assert here.put("/session/password", json={**change, "current": PASSWORD}).status_code == 204
        assert (here.get("/devices").status_code, there.get("/devices").status_code) == (200, 401)
        assert here.delete("/session").status_code == 204
        assert here.get("/devices").status_code == 401


def test_guessing_is_slowed_down(people: Peopled) -> None:
    """After five wrong tries not even the right password gets in for a while; a name that does not exist looks the same."""
    people.add("gina", "viewer")
    with people.client() as client:
        for name in ("gina", "nobody-at-all"):
            tries = [client.post("/session", json={"name": name, "password": "wrong"}) for _ in range(5)]
            assert {(answer.status_code, answer.json()["detail"]) for answer in tries} == {(401, "wrong user name or password")}
            refused = client.post("/session", json={"name": name, "password": PASSWORD})
            assert refused.status_code == 429
            assert 0 < int(refused.headers["retry-after"]) <= 301


def test_guesses_of_others_do_not_lock_out(people: Peopled) -> None:
    """A user with a session signs in and changes the password from the address that is refused."""
    people.add("rosa", "operator")
    with people.signed_in("rosa") as rosa, people.client() as attacker:
        answers = [attacker.post("/session", json={"name": "rosa", "password": f"guess {number}"}) for number in range(8)]
        assert [answer.status_code for answer in answers][-1] == 429
        assert attacker.post("/session", json={"name": "rosa", "password": PASSWORD}).status_code == 429
        assert rosa.post("/session", json={"name": "rosa", "password": PASSWORD}).status_code == 200
        change = {"current": PASSWORD, "password": "some other unrelated words"}
        assert rosa.put("/session/password", json=change).status_code == 204


def test_the_audit_log_names_actors_and_reveals_tampering(people: Peopled) -> None:
    """Every change and every refusal, without secrets; the database refuses to change an entry, and a forged one shows."""
    people.add("nora", "operator")
    with people.signed_in("nora") as nora:
        nora.post("/rollouts/77/abort", json={"reason": "smoke on line 3"})
        assert nora.delete("/users/vera").status_code == 403
        assert nora.get("/audit").status_code == 403
    with people.client() as stranger:
        stranger.post("/session", json={"name": "nora", "password": "wrong guess"})
        stranger.post("/session", json={"name": "my secret password", "password": "x"})
    found = people.admin.get("/audit", params={"actor": "nora"}).json()["items"]
    assert [(item["action"], item["target"], item["status"]) for item in found] == [
        ("sign_in", "/session", 401),
        ("delete_user", "/users/vera", 403),
        ("abort_rollout", "/rollouts/77/abort", 404),
        ("sign_in", "/session", 200),
    ]
    assert json.loads(found[2]["detail"]) == {"reason": "smoke on line 3"}
    assert (found[2]["via"], found[2]["role"], found[2]["source"]) == ("session", "operator", "127.0.0.1")
    everything = people.admin.get("/audit", params={"limit": 500}).text
    assert PASSWORD not in everything
    assert "my secret password" not in everything
    verdict = people.admin.get("/audit/verification").json()
    assert (verdict["valid"], verdict["fault"]) == (True, "")
    assert people.admin.get("/audit/verification", params={"head": verdict["head"]}).json()["valid"]
    cut = f"{verdict['entries'] + 5}:{'0' * 64}"
    assert "truncated or replaced" in people.admin.get("/audit/verification", params={"head": cut}).json()["fault"]
    copy = sqlite3.connect(people.server.data / "fleet.db")
    for statement in ("UPDATE audit SET actor = 'x' WHERE seq = 1", "DELETE FROM audit WHERE seq = 1"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            copy.execute(statement)
    copy.close()
