"""Every operation of the OpenAPI document is tried by callers of every role for all devices, for the group of its object, and for
another group. What they have to get is written here, apart from the table of the server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.roles import NEEDED, REACHES, Role
from tests.fleet_server.auth.test_people import BY_PASS, DOCUMENT, OPERATIONS
from tests.fleet_server.fakes.two_groups import MINE, OTHER, TwoGroups, two_groups

RANK: Final = {None: -1, "viewer": 0, "operator": 1, "admin": 2}
CALLERS: Final[Mapping[str | None, tuple[str | None, str | None]]] = {
    None: (None, None),
    "viewer": ("viewer", "all"),
    "operator": ("operator", "all"),
    "admin": ("admin", "all"),
    f"viewer-{MINE}": ("viewer", MINE),
    f"operator-{MINE}": ("operator", MINE),
    f"viewer-{OTHER}": ("viewer", OTHER),
    f"operator-{OTHER}": ("operator", OTHER),
    "token-mine": ("operator", MINE),
    "token-other": ("operator", OTHER),
}
"""Callers: the role, and the devices that they have it for. The last two are API tokens for groups, of users with a role for all
devices."""

SAME: Final = frozenset({
    "sign_out", "change_password", "list_api_tokens", "create_api_token", "revoke_api_token", "get_blob", "check_pipeline",
    "list_rollout_templates", "get_trust", "get_push_key", "list_channels", "get_channel_history", "list_proposals",
    "get_proposal", "get_proposal_effect",
})  # fmt: skip
"""What callers with a role for a group may do as all others: the answer tells nothing about devices."""
ONE_DEVICE: Final = frozenset({
    "get_device", "get_device_telemetry", "get_device_figures", "get_device_identity", "get_evidence", "get_command",
    "list_pictures", "get_picture", "pin_device", "unpin_device", "release_device", "label_device", "send_command",
    "take_picture", "view_live", "block_device", "unblock_device",
})  # fmt: skip
"""What is about the device in its path."""
OWN_DEVICES: Final = frozenset({
    "list_devices", "list_device_ids", "list_events", "summarize_events", "review_events", "list_groups", "list_group_members",
})  # fmt: skip
"""What takes the devices of the caller, and leaves out all others."""
ALL_DEVICES: Final = frozenset({
    "get_overview", "stream", "list_models", "get_model", "list_measurements", "list_pipelines", "get_pipeline",
    "list_rollouts", "get_rollout", "list_attempts", "get_timeline", "preview_rollout", "list_experiments", "get_experiment",
    "list_alert_rules", "list_alerts", "list_notices", "list_alert_recipients", "list_alert_snoozes", "get_coverage",
    "list_sites", "list_version_shares", "get_model_field", "get_rollout_history", "get_rollout_shadow", "preview_experiment",
    "list_configurations", "put_group", "delete_group", "bulk_devices", "silence_alert_rule", "acknowledge_alert",
    "test_alert_recipient", "create_alert_snooze", "end_alert_snooze", "push_model", "set_channel", "remove_channel",
    "begin_upload", "get_upload", "append_upload", "finish_upload", "drop_upload", "upload_measurements", "create_pipeline",
    "create_rollout", "start_rollout", "approve_rollout", "skip_wave", "pause_rollout", "resume_rollout", "abort_rollout",
    "put_configuration", "rollback_rollout", "approve_proposal", "reject_proposal", "create_experiment",
    "choose_experiment_arm", "stop_experiment", "decommission_device", "create_alert_rule", "change_alert_rule",
    "delete_alert_rule", "create_alert_recipient", "change_alert_recipient", "delete_alert_recipient", "prune_models",
    "list_users", "create_user", "change_user", "delete_user", "list_audit", "verify_audit", "get_settings",
    "change_settings", "get_certificates", "list_enrolment_tokens", "create_enrolment_token", "revoke_enrolment_token",
    "list_enrolment_requests", "decide_enrolment_requests", "post_signed_targets", "rotate_trust_key", "withdraw_version",
})  # fmt: skip
"""What needs the role for all devices."""
WITHOUT: Final = frozenset({
    "get_health", "get_session", "sign_in", "begin_openid", "finish_openid", "set_up", "enrol_device", "get_trust_metadata",
    "get_trust_files", "get_device_blob",
})  # fmt: skip
"""What needs no sign-in."""
ROWS: Final = (SAME, ONE_DEVICE, OWN_DEVICES, ALL_DEVICES, WITHOUT)
VALUES: Final = {"sha256": "0" * 64, "rollout": "1", "version": "1.0.0", "token": "0" * 12}
UNKNOWN_DEVICE: Final = "no device {!r}; `edgefleet device list` lists the devices"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoGroups]:
    with two_groups(tmp_path_factory.mktemp("rights") / "fleet") as made:
        yield made


def url(operation: str, path: str, device: str) -> str:
    """The path with an object of my group in place of its parameters, where the operation is about one, else with nothing."""
    known = {**VALUES, "device": device if operation in ONE_DEVICE else "nobody"}
    known |= {"name": MINE} if operation == "list_group_members" else {}
    return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], "nobody"), path)


def expected(operation: str, caller: str | None) -> str:
    """`in`, or the status of the refusal."""
    role, devices = CALLERS[caller]
    needed = next(
        each for _, methods in DOCUMENT["paths"].items() for each in methods.values() if each["operationId"] == operation
    )
    if operation in WITHOUT:
        return "403" if operation in BY_PASS else "in"
    if caller is None:
        return "401"
    if RANK[role] < RANK[needed["x-role"]]:
        return "403"
    if devices == "all" or operation in SAME | OWN_DEVICES - {"list_group_members"}:
        return "in"
    if operation in ALL_DEVICES:
        return "403"
    return "in" if devices == MINE else "404"


def test_every_operation_has_one_row() -> None:
    """A new operation has to be written down here, too."""
    names = [name for row in ROWS for name in row]
    assert sorted(names) == sorted(operation for _, _, operation in OPERATIONS)
    assert set(names) == set(NEEDED) == set(REACHES)


def test_every_operation_by_every_role_for_every_group(site: TwoGroups, capsys: pytest.CaptureFixture[str]) -> None:
    tried = 0
    wrong = []
    for method, path, operation in OPERATIONS:
        body: Any = {} if method in ("POST", "PATCH", "PUT") else None
        for caller in CALLERS:
            found = site.call(caller, method, url(operation, path, f"{MINE}-1"), body)
            tried += 1
            want = expected(operation, caller)
            refused = str(found.status_code) if found.status_code in (401, 403) else "in"
            if want == "404":
                refused = str(found.status_code)
            elif refused == "in" and operation in ONE_DEVICE and found.status_code == 404:
                refused = "404" if found.json()["detail"] == UNKNOWN_DEVICE.format(f"{MINE}-1") else "in"
            if refused != want:
                wrong.append(f"{operation} as {caller}: {found.status_code} in place of {want}: {found.text[:200]}")
            elif CALLERS[caller][1] == MINE and OTHER in found.text:
                wrong.append(f"{operation} as {caller} tells of the other group: {found.text[:500]}")
            if found.status_code >= 500 and (operation, found.status_code) != ("view_live", 503):
                wrong.append(f"{operation} as {caller}: {found.text[:200]}")
    with capsys.disabled():
        print(f" {tried} combinations of {len(OPERATIONS)} operations and {len(CALLERS)} callers ", end="")
    assert wrong == []


READS: Final = tuple(
    (path, operation)
    for method, path, operation in OPERATIONS
    if method == "GET" and operation in SAME | OWN_DEVICES | ONE_DEVICE
)
CHANGING: Final = frozenset({"seen_at", "used_at", "last_seen_at", "until_at", "since_at", "counts", "at"})
"""Times, and counts by equal parts of a period that ends now."""


def steady(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: steady(value) for name, value in found.items() if name not in CHANGING}
    return [steady(each) for each in found] if isinstance(found, list) else found


@pytest.mark.parametrize("caller", [f"viewer-{MINE}", "token-mine"])
def test_no_answer_changes_with_the_data_of_others(site: TwoGroups, caller: str) -> None:
    """Whatever is added to the other group: lists, counts, facets and pages stay as they were."""

    def answers() -> dict[str, Any]:
        found = {}
        for path, operation in READS:
            answer = site.call(caller, "GET", url(operation, path, f"{MINE}-1"))
            is_json = "json" in answer.headers.get("content-type", "")
            found[operation] = (answer.status_code, steady(answer.json()) if is_json else answer.content)
        return found

    before = answers()
    assert f"{MINE}-2" in json.dumps(before["list_devices"])
    for number in range(3, 6):
        site.add_device(f"{OTHER}-{caller}-{number}", OTHER)
    assert answers() == before


def test_a_device_of_others_looks_like_none(site: TwoGroups) -> None:
    caller = f"operator-{MINE}"
    for method, path, operation in OPERATIONS:
        if operation in ONE_DEVICE:
            body: Any = {} if method in ("POST", "PATCH", "PUT") else None
            theirs = site.call(caller, method, url(operation, path, f"{OTHER}-1"), body)
            none = site.call(caller, method, url(operation, path, "nobody"), body)
            assert theirs.status_code == none.status_code == 404
            assert theirs.text.replace(f"{OTHER}-1", "nobody") == none.text


def test_who_may_see_a_device_and_not_change_it_is_told_so(site: TwoGroups) -> None:

    site.add_caller("mixed", Grants(Role.VIEWER, {MINE: Role.OPERATOR}))
    assert site.call("mixed", "GET", f"/devices/{OTHER}-1").status_code == 200
    assert site.call("mixed", "PATCH", f"/devices/{MINE}-2", {"labels": {"site": MINE, "line": "3"}}).status_code == 200
    refused = site.call("mixed", "PATCH", f"/devices/{OTHER}-1", {"labels": {"site": OTHER}})
    assert (refused.status_code, "role operator for 'zzparis-1'" in refused.json()["detail"]) == (403, True)


@pytest.mark.parametrize("target", ["nowhere", OTHER])
def test_labels_do_not_move_a_device_out_of_the_own_group(site: TwoGroups, target: str) -> None:
    caller, device = f"operator-{MINE}", f"/devices/{MINE}-3"
    refused = site.call(caller, "PATCH", device, {"labels": {"site": target}})
    assert (refused.status_code, "would move" in refused.json()["detail"]) == (403, True)
    assert site.call("admin", "GET", device).json()["labels"]["site"] == MINE
    assert site.call(caller, "PATCH", device, {"labels": {"site": MINE, "line": "4"}}).status_code == 200


def test_a_token_has_no_more_than_its_owner(site: TwoGroups) -> None:
    """Groups are lost with the role of the owner, from the next request on."""
    users = {"name": "tina", "password": "four unrelated little words", "grants": [{"role": "operator", "group": MINE}]}
    assert site.call("admin", "POST", "/users", users).status_code == 201
    signed = site.http.post("/api/v1/session", json={"name": "tina", "password": users["password"]})
    assert signed.json()["grants"] == [{"role": "operator", "group": MINE}]
    made = site.http.post("/api/v1/api-tokens", json={"name": "all", "role": "operator"})
    more = site.http.post("/api/v1/api-tokens", json={"name": "other", "role": "operator", "groups": [OTHER]})
    site.http.cookies.clear()
    assert (made.status_code, more.status_code) == (201, 403)
    site.tokens["tina"] = made.json()["secret"]
    assert site.call("tina", "GET", f"/devices/{MINE}-1").status_code == 200
    assert site.call("tina", "GET", f"/devices/{OTHER}-1").status_code == 404
    changed = site.call("admin", "PATCH", "/users/tina", {"grants": [{"role": "viewer", "group": OTHER}]})
    assert changed.json()["grants"] == [{"role": "viewer", "group": OTHER}]
    assert site.call("tina", "GET", f"/devices/{MINE}-1").status_code == 404


@pytest.mark.parametrize("body", [
    {"grants": [{"role": "admin", "group": MINE}]},
    {"grants": []},
    {"grants": [{"role": "viewer"}], "role": "viewer"},
    {"grants": [{"role": "viewer", "group": MINE}, {"role": "operator", "group": MINE}]},
])  # fmt: skip
def test_roles_that_no_user_can_have(site: TwoGroups, body: dict[str, Any]) -> None:
    assert site.call("admin", "PATCH", "/users/viewer", body).status_code == 422


def test_groups_of_roles_stay_and_select_by_what_the_server_knows(site: TwoGroups) -> None:
    """A device must not give rights over itself, and a name must not become that of another group."""
    assert site.call("admin", "DELETE", f"/groups/{MINE}").status_code == 409
    reported = {"selector": {"query": "profile = cpu"}}
    assert site.call("admin", "PUT", f"/groups/{MINE}", reported).status_code == 422
    assert site.call("admin", "PUT", "/groups/fast", reported).status_code == 200
    answer = site.call("admin", "PATCH", "/users/viewer", {"grants": [{"role": "viewer", "group": "fast"}]})
    assert (answer.status_code, "which devices report" in answer.json()["detail"]) == (422, True)


def test_metrics_are_about_all_devices(site: TwoGroups) -> None:
    for caller, status in (("viewer", 200), (f"viewer-{MINE}", 403)):
        headers = {"Authorization": f"Bearer {site.tokens[caller]}"}
        assert site.http.get("/metrics", headers=headers).status_code == status
