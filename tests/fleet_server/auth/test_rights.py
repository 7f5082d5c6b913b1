"""Every operation of the OpenAPI document is tried by callers of every role for all devices, for the group of its object, and for
another group. What they have to get is written here, apart from the table of the server."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from edgefleet_server.api.live.live_updates import SeenObjects
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.roles import NEEDED, REACHES, Role
from edgefleet_server.jobs.late_joiners import LateJoining
from tests.fleet_server.auth.test_people import BY_PASS, DOCUMENT, OPERATIONS
from tests.fleet_server.fakes.server_process import eventually
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
    "sign_out", "change_password", "list_api_tokens", "create_api_token", "revoke_api_token", "check_pipeline",
    "list_rollout_templates", "get_trust", "get_push_key", "list_channels", "get_channel_history", "list_proposals",
    "get_proposal", "get_proposal_effect",
})  # fmt: skip
"""What callers with a role for a group may do as all others: the answer has nothing about devices."""
ONE_DEVICE: Final = frozenset({
    "get_device", "get_device_telemetry", "get_device_figures", "get_device_identity", "get_evidence", "get_command",
    "list_pictures", "get_picture", "pin_device", "unpin_device", "release_device", "label_device", "send_command",
    "take_picture", "view_live", "block_device", "unblock_device", "view_logs", "get_last_logs", "request_support_bundle",
    "list_support_bundles", "get_support_bundle", "delete_support_bundle",
})  # fmt: skip
"""What is about the device in its path."""
ONE_ROLLOUT: Final = frozenset({
    "get_rollout", "list_attempts", "get_timeline", "get_rollout_history", "get_rollout_shadow", "start_rollout",
    "approve_rollout", "skip_wave", "pause_rollout", "resume_rollout", "abort_rollout", "rollback_rollout",
})  # fmt: skip
"""What is about the rollout in its path."""
OWN_DEVICES: Final = frozenset({
    "list_devices", "list_device_ids", "list_events", "summarize_events", "review_events", "list_groups", "list_group_members",
    "get_overview", "stream", "list_models", "get_model", "list_pipelines", "list_rollouts", "preview_rollout", "list_alerts",
    "list_sites", "bulk_devices", "acknowledge_alert", "create_rollout", "get_figures",
})  # fmt: skip
"""What takes the devices of the caller, and leaves out all others."""
ALL_DEVICES: Final = frozenset({
    "list_measurements", "get_pipeline", "get_blob", "list_experiments", "get_experiment", "list_alert_rules", "list_notices",
    "list_alert_recipients", "list_alert_snoozes", "get_coverage", "list_version_shares", "get_model_field", "preview_experiment",
    "list_configurations", "put_group", "delete_group", "silence_alert_rule", "test_alert_recipient", "create_alert_snooze",
    "end_alert_snooze", "push_model", "set_channel", "remove_channel", "begin_upload", "get_upload", "append_upload",
    "finish_upload", "drop_upload", "upload_measurements", "create_pipeline", "put_configuration", "approve_proposal",
    "reject_proposal", "create_experiment", "choose_experiment_arm", "stop_experiment", "decommission_device",
    "create_alert_rule", "change_alert_rule", "delete_alert_rule", "create_alert_recipient", "change_alert_recipient",
    "delete_alert_recipient", "prune_models", "list_users", "create_user", "change_user", "delete_user", "list_audit",
    "verify_audit", "get_settings", "change_settings", "get_certificates", "list_enrolment_tokens", "create_enrolment_token",
    "revoke_enrolment_token", "list_enrolment_requests", "decide_enrolment_requests", "post_signed_targets", "rotate_trust_key",
    "withdraw_version", "get_model_sbom", "list_components", "list_component_devices", "create_dossier",
    "get_authority_rotation", "begin_authority_rotation", "finish_authority_rotation", "post_signed_root",
})  # fmt: skip
"""What needs the role for all devices."""
WITHOUT: Final = frozenset({
    "get_health", "get_session", "sign_in", "begin_openid", "finish_openid", "set_up", "enrol_device", "get_trust_metadata",
    "get_trust_files", "get_device_blob",
})  # fmt: skip
"""What needs no sign-in."""
ROWS: Final = (SAME, ONE_DEVICE, ONE_ROLLOUT, OWN_DEVICES, ALL_DEVICES, WITHOUT)
VALUES: Final = {"sha256": "0" * 64, "rollout": "1", "version": "1.0.0", "token": "0" * 12}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoGroups]:
    with two_groups(tmp_path_factory.mktemp("rights") / "fleet") as made:
        yield made


@pytest.fixture
def fresh_site(tmp_path: Path) -> Iterator[TwoGroups]:
    """A server of its own, for tests that compare all that it answers."""
    with two_groups(tmp_path / "fleet") as made:
        yield made


OBJECTS: Final = {"list_group_members": ("name", "group"), "acknowledge_alert": ("alert", "alert")}
"""Parameters of paths that name something of a group, though the route itself finds its devices."""


def url(site: TwoGroups, operation: str, path: str, group: str) -> str:
    """The path with an object of the group in place of its parameters, where the operation is about one, else with nothing."""
    own = {"group": group, **site.ids[group]}
    known = {**VALUES, "device": own["device"] if operation in ONE_DEVICE else "nobody", "name": "nobody", "alert": "9999"}
    known |= {"rollout": str(own["rollout"])} if operation in ONE_ROLLOUT else {}
    if operation in OBJECTS:
        parameter, kind = OBJECTS[operation]
        known[parameter] = str(own[kind])
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
    if devices == "all" or operation in SAME | OWN_DEVICES - set(OBJECTS):
        return "in"
    if operation in ALL_DEVICES:
        return "403"
    return "in" if devices == MINE else "404"


def is_unknown(site: TwoGroups, operation: str, found: Any) -> bool:
    """Whether the answer says that my device or rollout does not exist."""
    own = site.ids[MINE]
    kind = "device" if operation in ONE_DEVICE else "rollout" if operation in ONE_ROLLOUT else ""
    return bool(kind) and found.json()["detail"].startswith(f"no {kind} {own[kind]!r};")


def test_every_operation_has_one_row() -> None:
    """A new operation has to be written down here, too."""
    names = [name for row in ROWS for name in row]
    assert sorted(names) == sorted(operation for _, _, operation in OPERATIONS)
    assert set(names) == set(NEEDED) == set(REACHES)


def test_every_operation_by_every_role_for_every_group(fresh_site: TwoGroups, capsys: pytest.CaptureFixture[str]) -> None:
    tried = 0
    wrong = []
    for method, path, operation in OPERATIONS:
        body: Any = {} if method in ("POST", "PATCH", "PUT") else None
        for caller in CALLERS:
            found = fresh_site.call(caller, method, url(fresh_site, operation, path, MINE), body)
            tried += 1
            want = expected(operation, caller)
            refused = str(found.status_code) if found.status_code in (401, 403) else "in"
            if found.status_code == 404 and (want == "404" or is_unknown(fresh_site, operation, found)):
                refused = "404"
            if refused != want:
                wrong.append(f"{operation} as {caller}: {found.status_code} in place of {want}: {found.text[:200]}")
            elif CALLERS[caller][1] == MINE and OTHER in found.text:
                wrong.append(f"{operation} as {caller} names the other group: {found.text[:500]}")
            if found.status_code >= 500 and (operation, found.status_code) != ("view_live", 503):
                wrong.append(f"{operation} as {caller}: {found.text[:200]}")
    with capsys.disabled():
        print(f" {tried} combinations of {len(OPERATIONS)} operations and {len(CALLERS)} callers ", end="")
    assert wrong == []


READS: Final = tuple(
    (path, operation)
    for method, path, operation in OPERATIONS
    if method == "GET" and operation in SAME | OWN_DEVICES | ONE_DEVICE | ONE_ROLLOUT
)
CHANGING: Final = frozenset({"seen_at", "used_at", "last_seen_at", "until_at", "since_at", "counts", "at"})
"""Times, and counts by equal parts of a period that ends now."""


def steady(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: steady(value) for name, value in found.items() if name not in CHANGING}
    if isinstance(found, str):
        return re.sub(r"^Offline for [^:]+:", "Offline:", found)
    return [steady(each) for each in found] if isinstance(found, list) else found


@pytest.mark.parametrize("caller", [f"viewer-{MINE}", "token-mine"])
def test_no_answer_changes_with_the_data_of_others(fresh_site: TwoGroups, caller: str) -> None:
    """Whatever is added to the other group: lists, counts, facets and pages stay as they were."""

    def answers() -> dict[str, Any]:
        found = {}
        for path, operation in READS:
            answer = fresh_site.call(caller, "GET", url(fresh_site, operation, path, MINE))
            is_json = "json" in answer.headers.get("content-type", "")
            found[operation] = (answer.status_code, steady(answer.json()) if is_json else answer.content)
        return found

    for group in (MINE, OTHER):  # so that nothing happens by itself
        address = f"/rollouts/{fresh_site.ids[group]['rollout']}"
        fresh_site.call("admin", "POST", f"{address}/abort", {"reason": "enough"}).raise_for_status()
        view = partial(fresh_site.call, "admin", "GET", address)
        eventually("aborted", lambda view=view: view().json()["state"] == "aborted")
    before = answers()
    assert f"{MINE}-2" in json.dumps(before["list_devices"])
    for number in range(3, 6):
        fresh_site.add_device(f"{OTHER}-{caller}-{number}", OTHER)
    assert answers() == before


class Whatever(dict[str, str]):
    """Any value for the rest of a path."""

    def __missing__(self, name: str) -> str:
        return VALUES.get(name, "nobody")


def test_a_device_of_others_is_answered_as_none(site: TwoGroups) -> None:
    caller = f"operator-{MINE}"
    for method, path, operation in OPERATIONS:
        if operation in ONE_DEVICE:
            body: Any = {} if method in ("POST", "PATCH", "PUT") else None
            theirs = site.call(caller, method, url(site, operation, path, OTHER), body)
            none = site.call(caller, method, path.replace("{device}", "nobody").format_map(Whatever()), body)
            assert theirs.status_code == none.status_code == 404
            assert theirs.json()["detail"].replace(f"{OTHER}-1", "nobody") == none.json()["detail"]


def test_a_device_that_may_be_seen_and_not_changed_is_forbidden(site: TwoGroups) -> None:

    site.add_caller("mixed", Grants(Role.VIEWER, {MINE: Role.OPERATOR}))
    assert site.call("mixed", "GET", f"/devices/{OTHER}-1").status_code == 200
    assert site.call("mixed", "PATCH", f"/devices/{MINE}-2", {"labels": {"site": MINE, "line": "3"}}).status_code == 200
    refused = site.call("mixed", "PATCH", f"/devices/{OTHER}-1", {"labels": {"site": OTHER}})
    assert (refused.status_code, "role operator for device zzparis-1" in refused.json()["detail"]) == (403, True)


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


UPDATE: Final[dict[str, Any]] = {"package": "spotter", "version": "1.0.0", "waves": [{"name": "all"}]}


def devices_of(site: TwoGroups, rollout: int) -> set[str]:
    found = site.call("admin", "GET", f"/rollouts/{rollout}/attempts", params={"size": 500})
    return {row["device"] for row in found.json()["items"]}


@pytest.mark.parametrize("selector", [
    {"all": True},
    {"ids": [f"{MINE}-1", f"{OTHER}-1"]},
    {"query": "profile = cpu"},
    {"labels": {"site": MINE}},
    {"group": MINE},
    {"all": True, "within": [MINE]},
])  # fmt: skip
def test_a_rollout_has_only_devices_of_the_own_group(site: TwoGroups, selector: dict[str, Any]) -> None:
    """However it selects, and as what it is stored: the other group sees nothing of it, its own group does."""
    caller = f"operator-{MINE}"
    seen = site.call(caller, "POST", "/rollouts/preview", {**UPDATE, "selector": selector})
    own = {row["id"] for row in site.call(caller, "GET", "/devices").json()["items"]}
    assert (seen.status_code, 0 < seen.json()["eligible"] <= len(own)) == (200, True), seen.text
    made = site.call(caller, "POST", "/rollouts", {"name": "mine", **UPDATE, "selector": selector})
    assert made.status_code == 201, made.text
    rollout = made.json()["id"]
    assert made.json()["selector"]["within"] == [MINE]
    assert all(name.startswith(MINE) for name in own)
    assert devices_of(site, rollout) <= own
    assert site.call(f"viewer-{MINE}", "GET", f"/rollouts/{rollout}").status_code == 200
    assert site.call(f"operator-{OTHER}", "POST", f"/rollouts/{rollout}/pause", {}).status_code == 404
    assert site.call("admin", "POST", f"/rollouts/{rollout}/abort", {}).status_code == 200


@pytest.mark.parametrize("selector", [{"group": OTHER}, {"all": True, "within": [OTHER]}, {"all": True, "within": [MINE, OTHER]}])
def test_a_rollout_names_no_group_of_others(site: TwoGroups, selector: dict[str, Any]) -> None:
    refused = site.call(f"operator-{MINE}", "POST", "/rollouts", {"name": "mine", **UPDATE, "selector": selector})
    assert (refused.status_code, refused.json()["detail"].startswith("no group")) == (404, True)


def test_devices_that_join_later_are_of_the_own_group(site: TwoGroups) -> None:
    caller = f"operator-{MINE}"
    body = {"name": "follows", **UPDATE, "selector": {"all": True}, "terms": {"follow": True}}
    rollout = site.call(caller, "POST", "/rollouts", body).json()["id"]
    with site.context.database.write() as connection:
        raw(connection).execute("UPDATE rollout SET state = 'completed' WHERE id = ?", (rollout,))
    for group in (MINE, OTHER):
        site.add_device(f"{group}-late", group)
    joined = LateJoining(site.context.database).turn(time.time())
    assert joined == {rollout: [f"{MINE}-late"]}


def test_a_key_of_others_gives_no_rollout(site: TwoGroups) -> None:
    body = {"name": "keyed", **UPDATE, "key": "theirs"}
    assert site.call("admin", "POST", "/rollouts", {**body, "selector": {"group": OTHER}}).status_code == 201
    refused = site.call(f"operator-{MINE}", "POST", "/rollouts", {**body, "selector": {"all": True}})
    assert (refused.status_code, OTHER in refused.text) == (409, False)
    assert site.call(f"operator-{MINE}", "GET", "/rollouts", params={"key": "theirs"}).json()["total"] == 0


@pytest.mark.parametrize("action", [{"action": "label", "labels": {"floor": "1"}}, {"action": "release"}])
def test_bulk_actions_are_for_own_devices(site: TwoGroups, action: dict[str, Any]) -> None:
    selector = {"ids": [f"{MINE}-1", f"{OTHER}-1"]}
    done = site.call(f"operator-{MINE}", "POST", "/devices/bulk", {**action, "selector": selector})
    assert (done.status_code, done.json()["devices"], done.json()["refused"]) == (200, 1, [])
    assert "floor" not in site.call("admin", "GET", f"/devices/{OTHER}-1").json()["labels"]
    assert site.call(f"operator-{MINE}", "POST", "/devices/bulk", {**action, "group": OTHER}).status_code == 404


def test_bulk_labels_move_no_device_out(site: TwoGroups) -> None:
    moved = {"action": "label", "labels": {"site": OTHER}, "selector": {"ids": [f"{MINE}-2"]}}
    assert site.call(f"operator-{MINE}", "POST", "/devices/bulk", moved).status_code == 403
    assert site.call("admin", "GET", f"/devices/{MINE}-2").json()["labels"]["site"] == MINE


def test_reviews_leave_events_of_others_out(site: TwoGroups) -> None:
    body = {"events": [site.ids[MINE]["event"], site.ids[OTHER]["event"]], "verdict": "seen"}
    assert site.call(f"operator-{MINE}", "POST", "/events/reviews", body).json() == {"changed": 1}


def test_a_limited_token_proposes_only_what_names_its_object(site: TwoGroups) -> None:
    """The selection of a rollout would be that of the approver."""
    site.add_caller("robot", Grants(Role.OPERATOR), (MINE,), ("propose",))
    refused = site.call("robot", "POST", "/rollouts", {"name": "big", **UPDATE, "selector": {"all": True}})
    assert (refused.status_code, "cannot be proposed" in refused.json()["detail"]) == (403, True)
    assert site.call("robot", "POST", f"/devices/{OTHER}-1/release", {}).status_code == 404
    assert site.call("robot", "POST", f"/devices/{MINE}-1/release", {}).status_code == 202
    assert site.call("robot", "GET", "/proposals").json()["total"] == 1
    assert site.call(f"operator-{MINE}", "GET", "/proposals").json()["total"] == 0


def test_a_stream_has_the_own_objects(site: TwoGroups) -> None:
    hub, frames = site.context.hub, {}
    for name, seen in (("all", SeenObjects()), (MINE, SeenObjects({f"{MINE}-1"}, {site.ids[MINE]["rollout"]}))):
        frames[name] = hub._join(frozenset({"overview", "devices", "rollouts", "events"}), name, seen).queue
    hub._send([
        (("overview",), "", b"overview"),
        *((("devices",), f"{group}-1", group.encode()) for group in (MINE, OTHER)),
        *((("rollouts",), site.ids[group]["rollout"], group.encode()) for group in (MINE, OTHER)),
    ])  # fmt: skip
    assert (frames["all"].qsize(), frames[MINE].qsize()) == (5, 2)
    assert {frames[MINE].get_nowait() for _ in range(2)} == {MINE.encode()}
    hub._subscribers.clear()
