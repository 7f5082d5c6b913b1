"""Proposals: what an API token with scope `propose` asks for takes effect when a person approves it, and not before."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator

import httpx
import pytest

from edgefleet_server.app.openapi import document
from edgefleet_server.domain.policy import proposals as policy
from edgefleet_server.domain.policy.roles import NEEDED
from tests.fleet_server.auth.conftest import PASSWORD
from tests.fleet_server.fakes.proposing_fleet import ProposingFleet, recorded_call, started_fleet

pytestmark = pytest.mark.system

DOCUMENT = json.loads(document())
UNSAFE = [
    (method.upper(), path, operation["operationId"])
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    if method != "get"
]
VALUES = {"sha256": "0" * 64, "version": "1.0.0", "token": "0" * 12, "cid": "x", "pipeline": "gate"}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProposingFleet]:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    with started_fleet(tmp_path_factory.mktemp("proposals") / "fleet") as made:
        yield made


def test_a_proposing_token_writes_nothing_on_any_operation(fleet: ProposingFleet) -> None:
    """Every operation that is not a GET, with the recorded request on recorded objects, by an administrator's API token."""
    before, files = fleet.tables(), fleet.files()
    answers: dict[str, int] = {}
    for number, (method, path, operation) in enumerate(UNSAFE):
        token = fleet.token(f"matrix-{number}", ["propose"])
        call = recorded_call(operation)
        filled = re.sub(r"\{(\w+)\}", lambda at: str(call["path"].get(at[1], VALUES.get(at[1], "1"))), path)  # noqa: B023
        answer = token.request(method, filled.removeprefix("/api/v1"), json=call["request"], params=call["query"])
        answers[operation] = answer.status_code
        assert answer.status_code in (200, 202, 403, 404, 409, 422), f"{operation}: {answer.text}"
        assert (answer.status_code == 200) == (operation in policy.UNCHANGING), operation
        if operation in policy.NOT_PROPOSABLE:
            assert answer.status_code == 403, operation
        fleet.ada.delete(f"/api-tokens/{token.headers['x-token-id']}")
    after = fleet.tables()
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}
    assert fleet.files() == files
    assert fleet.changes_by_tokens() == []
    assert {alert["acknowledged_by"] for alert in fleet.ada.get("/alerts", params={"open": False}).json()["items"]} <= {"", "ada"}
    stored = [name for name, status in answers.items() if status == 202]
    assert len(stored) >= 20, answers


@pytest.mark.parametrize("operation", sorted({"view_live"}))
def test_reading_operations_with_an_effect_are_refused(fleet: ProposingFleet, operation: str) -> None:
    token = fleet.token(f"live-{operation}", ["propose"])
    answer = token.get("/devices/press-00/live/gate")
    assert (answer.status_code, "acts on a device" in answer.json()["detail"]) == (403, True)
    acting = {name for name in NEEDED if name in policy.roles.ACTS}
    gets = {each["get"]["operationId"] for each in DOCUMENT["paths"].values() if "get" in each}
    logs = {"view_logs", "get_last_logs", "list_support_bundles", "get_support_bundle"}
    assert gets & acting == {"view_live", "get_upload", *logs}


def test_approval_runs_the_request_once_and_both_names_are_in_the_log(fleet: ProposingFleet) -> None:
    token = fleet.token("once", ["propose"], "operator")
    headers = {"edgefleet-note": "two%20presses%20moved"}
    made = token.put("/groups/moved", json={"selector": {"labels": {"site": "south"}}, "note": "n"}, headers=headers)
    assert made.status_code == 202, made.text
    proposal = made.json()
    assert made.headers["edgefleet-proposal"] == str(proposal["id"])
    assert (proposal["state"], proposal["note"], proposal["checked"]) == ("pending", "two presses moved", "complete")
    assert token.get("/groups/moved").status_code == 404
    assert fleet.ada.get("/proposals", params={"state": "pending"}).json()["total"] >= 1
    effect = fleet.ada.get(f"/proposals/{proposal['id']}/effect").json()
    assert (effect["refusal"], effect["summary"]) == ("", "Create or change a group.")
    assert {"field": "note", "before": None, "after": "n"} in effect["changes"]
    answers: list[int] = []

    def approve() -> None:
        with httpx.Client(base_url=fleet.url, timeout=60.0, cookies=fleet.ada.cookies) as client:
            answers.append(client.post(f"/proposals/{proposal['id']}/approve", json={"reason": "seen"}).status_code)

    threads = [threading.Thread(target=approve) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, *[409] * 9]
    assert fleet.ada.get("/groups/moved").status_code == 200
    outcome = token.get(f"/proposals/{proposal['id']}").json()
    assert (outcome["state"], outcome["decided_by"], outcome["reason"], outcome["status"]) == ("approved", "ada", "seen", 200)
    assert outcome["outcome"] == "put_group: name moved"
    entries = fleet.ada.get("/audit", params={"action": "put_group", "limit": 5}).json()["items"]
    (entry,) = [item for item in entries if item["target"] == "/groups/moved"]
    assert (entry["actor"], entry["via"], json.loads(entry["detail"])["proposal"]["proposed_by"]) == ("ada", "session", "ada")
    assert json.loads(entry["detail"])["proposal"]["token_name"] == "once"
    actions = {item["action"] for item in fleet.ada.get("/audit", params={"limit": 60}).json()["items"]}
    assert {"create_proposal", "approve_proposal", "put_group"} <= actions
    assert fleet.ada.get("/audit/verification").json()["valid"]


def test_a_request_that_would_fail_is_refused_at_once_and_one_that_went_stale_fails(fleet: ProposingFleet) -> None:
    token = fleet.token("stale", ["propose"])
    assert token.post("/rollouts/9999/pause", json={}).status_code == 404
    assert token.put("/groups/BAD NAME", json={"selector": {"all": True}}).status_code == 422
    assert token.put("/groups/g", json={"selector": {}}).status_code == 422
    fleet.ada.put("/groups/short", json={"selector": {"all": True}})
    made = token.delete("/groups/short")
    assert made.status_code == 202, made.text
    fleet.ada.delete("/groups/short")
    effect = fleet.ada.get(f"/proposals/{made.json()['id']}/effect").json()
    assert "no group 'short'" in effect["refusal"]
    answer = fleet.ada.post(f"/proposals/{made.json()['id']}/approve", json={})
    assert (answer.status_code, "not done: no group 'short'" in answer.json()["detail"]) == (404, True)
    seen = token.get(f"/proposals/{made.json()['id']}").json()
    assert (seen["state"], seen["status"], "no group" in seen["outcome"]) == ("failed", 404, True)


def test_rejection_reaches_the_proposer_and_no_token_decides(fleet: ProposingFleet) -> None:
    token, other = fleet.token("mine", ["propose"]), fleet.token("other", ["propose"])
    full = fleet.token("full", [])
    made = token.put("/groups/never", json={"selector": {"all": True}}).json()
    path = f"/proposals/{made['id']}"
    assert other.get(path).status_code == 404
    assert other.get("/proposals").json()["total"] == 0
    assert token.post(f"{path}/approve", json={}).status_code == 403
    assert full.post(f"{path}/approve", json={}).status_code == 409
    assert fleet.ada.post(f"{path}/reject", json={"reason": ""}).status_code == 422
    assert fleet.ada.post(f"{path}/reject", json={"reason": "not this week"}).status_code == 200
    seen = token.get(path).json()
    assert (seen["state"], seen["decided_by"], seen["reason"]) == ("rejected", "ada", "not this week")
    assert fleet.ada.post(f"{path}/approve", json={}).status_code == 409
    assert fleet.ada.get("/groups/never").status_code == 404


def test_the_approver_needs_the_role(fleet: ProposingFleet) -> None:
    """An operator neither sees nor approves what only administrators may; an operator's token cannot propose it."""
    fleet.ada.post("/users", json={"name": "otto", "role": "operator", "password": PASSWORD})
    token = fleet.token("roles", ["propose"])
    made = token.delete("/devices/press-05")
    assert (made.status_code, made.json()["checked"]) == (202, "partly")
    with httpx.Client(base_url=fleet.url, timeout=60.0) as otto:
        otto.post("/session", json={"name": "otto", "password": PASSWORD})
        assert otto.post(f"/proposals/{made.json()['id']}/approve", json={}).status_code == 404
        secret = otto.post("/api-tokens", json={"name": "p", "role": "operator", "scopes": ["propose"]}).json()["secret"]
        own = httpx.Client(base_url=fleet.url, headers={"Authorization": f"Bearer {secret}"})
        assert own.delete("/devices/press-05").status_code == 403
        own.close()
    assert fleet.ada.get("/devices/press-05").status_code == 200


def test_secrets_and_files_are_not_stored(fleet: ProposingFleet) -> None:
    token = fleet.token("secrets", ["propose"])
    rule = recorded_call("create_alert_rule")["request"]
    hook = {"url": "https://example.com/x", "secret": "hush-hush-hush"}
    answer = token.post("/alert-rules", json={**rule, "name": "s", "rule": {**rule["rule"], "webhooks": [hook]}})
    assert (answer.status_code, "must not contain a secret" in answer.json()["detail"]) == (422, True)
    assert token.patch("/users/bob", json={"password": PASSWORD}).status_code == 422
    assert token.post("/models", files={"package": b"x"}).status_code == 403
    assert token.put("/groups/g", content=b"x" * (policy.BODY_BYTES_MAX + 1)).status_code == 422
    assert token.put("/groups/g", content=b"{").status_code == 422


def test_the_number_of_waiting_proposals_is_limited(fleet: ProposingFleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rate of one API token first."""
    token = fleet.token("many", ["propose"])
    answers = [token.put(f"/groups/g{number}", json={"selector": {"all": True}}).status_code for number in range(40)]
    assert answers.count(202) == policy.MADE_PER_MINUTE
    assert answers[-1] == 429
    fleet.ada.delete(f"/api-tokens/{token.headers['x-token-id']}")
    rows = fleet.ada.get("/proposals", params={"size": 200}).json()["items"]
    mine = [row for row in rows if row["token"] == token.headers["x-token-id"]]
    assert {(row["state"], row["reason"]) for row in mine} == {("rejected", "the API token was revoked")}


def test_scopes_limit_what_can_be_proposed(fleet: ProposingFleet) -> None:
    token = fleet.token("narrow", ["devices", "propose"])
    assert token.get("/session").json()["proposes"] is True
    assert token.patch("/devices/press-00", json={"labels": {"site": "x"}}).status_code == 202
    assert token.post("/rollouts/1/pause", json={}).status_code == 403
    assert token.get("/rollouts").status_code == 403
    assert token.get("/proposals").json()["total"] == 1
