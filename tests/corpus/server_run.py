"""A real server with real operations of every kind: devices, packages, rollouts, experiments, people, alerts."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import httpx

from edgefleet_contract.package.shadow import shadow_slot
from edgefleet_contract.wire.environment_bill import EnvironmentBill
from edgefleet_contract.wire.messages import Stream
from tests.corpus.rest_calls import Calls
from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.trust_metadata import request as certificate_request
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event, sample

MODEL, SLOT = "spotter", "detector"
VERSIONS = ("1.0.0", "1.1.0", "1.2.0")
DEVICES = tuple(f"press-0{number}" for number in range(6))
LONG_S = 1e9
PIPELINE = 'name = "gate"\n[source]\nkind = "device"\n[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'


class ServerRun:
    """One run. `calls`: what was recorded; `token`: an administrator's API token, for reads later."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.calls = Calls(server.http)
        self.devices = [VirtualDevice(name, server.mqtt_port) for name in DEVICES]
        self.token = ""

    def run(self) -> None:
        """Every operation, in an order in which each succeeds."""
        try:
            self._people()
            self._packages()
            self._fleet()
            self._rollouts()
            self._experiment()
            self._bundle_and_terms()
            self._alerts()
            self._trust_and_identity()
            self._proposals()
            self._reads()
            self._ends()
        finally:
            for device in self.devices:
                if device._client is not None:
                    device.stop()

    def _people(self) -> None:
        call = self.calls
        call("get_session")
        call("set_up", {"code": setup_code(self.server), "name": "ada", "password": PASSWORD})
        call("sign_in", {"name": "ada", "password": PASSWORD})
        call("create_user", {"name": "bob", "password": PASSWORD, "role": "operator"})
        call("change_user", {"role": "admin"}, user="bob")
        made = call("create_api_token", {"name": "reads", "role": "admin"})
        self.token = next(value for value in made.values() if isinstance(value, str) and len(value) > 30)
        call("list_users")
        call("list_api_tokens")
        call("get_settings")
        call("change_settings", {"values": {"soak_s": 1.0}})

    def _packages(self) -> None:
        call = self.calls
        for version in VERSIONS[:2]:
            package = {"package": ("package.tar", tar(files(MODEL, version, size=500)), "application/x-tar")}
            answer = call.send("push_model", None, {}, files=package)
            call.keep("push_model", answer.json(), {}, None, {}, answer.status_code)
        data = tar(files(MODEL, VERSIONS[2], size=500))
        upload = call("begin_upload", {"length_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
        name = {"upload": _id(upload)}
        query = {"offset_bytes": 0}
        answer = call.send("append_upload", query, name, content=data, headers={"content-type": "application/octet-stream"})
        call.keep("append_upload", answer.json(), name, None, query, answer.status_code)
        call("get_upload", **name)
        call("finish_upload", **name)
        model = {"name": MODEL, "version": VERSIONS[1]}
        digest = call("get_model", **model)["digest"]
        row = {
            "variant": "cpu-int8",
            "runtime": "lite_rt",
            "device": "cpu",
            "threads": 2,
            "streams": 1,
            "instances": 1,
            "batch": 1,
        }
        row |= {"per_s": 10.0, "p50_ms": 5.0, "p95_ms": 6.0, "load_ms": 1.0, "memory_bytes": 1, "best": True}
        measured = {"digest": digest, "machine": "m", "profile": "cpu", "rows": [row]}
        call("upload_measurements", measured, **model)
        for operation in ("list_measurements", "get_coverage", "get_model_field"):
            call(operation, **model)
        for version in VERSIONS[:2]:
            call("set_channel", {"version": version, "note": "first"}, model=MODEL, channel="stable")
        call("get_channel_history", model=MODEL, channel="stable")
        for operation in ("list_models", "list_channels"):
            call(operation)
        call("prune_models", {"dry_run": True})
        call("create_pipeline", {"text": PIPELINE})
        call("check_pipeline", {"text": PIPELINE})
        call("list_pipelines")
        call("get_pipeline", name="gate")

    def _fleet(self) -> None:
        call = self.calls
        self.devices[0].bill = EnvironmentBill(agent="0.3.0", python="3.11.2", system="debian", packages=[("numpy", "2.3.1")])
        for device in self.devices:
            device.start().wait_online()
        first = self.devices[0]
        first.record(Stream.TELEMETRY, *[{**sample(number), "at": time.time() - 300 + 60 * number} for number in range(5)])
        first.record(Stream.EVENTS, *[event(number) for number in range(3)])
        eventually("records are stored", lambda: first.acked[Stream.EVENTS] == 3 and first.acked[Stream.TELEMETRY] == 5)
        numpy = {"component": "numpy"}
        eventually("a bill is stored", lambda: call("list_component_devices", **numpy)["items"])
        del call.made["list_component_devices"]
        call("list_component_devices", **numpy)
        call("list_components")
        device = {"device": DEVICES[0]}
        call("label_device", {"labels": {"site": "north", "lat": "59.3", "lon": "18.1"}}, **device)
        call(
            "put_group",
            {"selector": {"labels": {"site": "north"}, "query": "not state = blocked"}, "note": "in the north"},
            name="north",
        )
        grants = [{"role": "viewer"}, {"role": "operator", "group": "plant"}]
        call("put_group", {"selector": {"labels": {"site": "north"}}}, name="plant")
        call("create_user", {"name": "lea", "password": PASSWORD, "grants": grants})
        managed = {"kind": "group", "name": "north", "made": True, "digest": "0123456789abcdef"}
        call("put_configuration", {"revision": 0, "resources": [managed]}, name="plant")
        call("list_group_members", name="north")
        sent = call("send_command", {"op": "identify", "args": {"n": 1}}, **device)
        eventually("answered", lambda: call("get_command", cid=_id(sent), **device)["state"] != "pending")
        del call.made["get_command"]
        call("get_command", cid=_id(sent), **device)
        call("take_picture", {"pipeline": "gate"}, **device)
        call("list_pictures", **device)
        call("view_logs", **device)
        call("get_last_logs", **device)
        bundle = call("request_support_bundle", **device)
        eventually("bundle", lambda: call("list_support_bundles", **device)["items"][0]["state"] != "pending")
        del call.made["list_support_bundles"]
        call("list_support_bundles", **device)
        call("delete_support_bundle", bundle=_id(bundle), **device)
        call("bulk_devices", {"action": "label", "labels": {"floor": "1"}, "selector": {"ids": list(DEVICES[:2])}})
        for operation in ("get_device", "get_device_telemetry", "get_device_figures"):
            call(operation, **device)
        call("get_figures", None, {"device": list(DEVICES[:2]), "figure": "fps"})
        for operation in (
            "list_devices",
            "list_device_ids",
            "list_groups",
            "list_configurations",
            "list_sites",
            "summarize_events",
            "get_overview",
        ):
            call(operation)
        newest = eventually("an event", lambda: call("list_events")["items"])[0]
        del call.made["list_events"]
        call("review_events", {"events": [newest["id"]], "verdict": "confirmed"})
        call("list_events")

    def _rollouts(self) -> None:
        call = self.calls
        body = order(MODEL, VERSIONS[0], [{"name": "all"}])
        checked = {key: value for key, value in body.items() if key not in ("name", "start", "wave_timeout_s", "priority")}
        call("preview_rollout", checked)
        done = call("create_rollout", body)
        self._wait(done, "completed")
        last = {"selector": {"ids": list(DEVICES[:2])}}
        waiting = [{"name": "one", "count": 1, "approval": True}, {"name": "rest"}]
        second = call(
            "create_rollout", {**order(MODEL, VERSIONS[1], waiting), **last, "start": False, "key": "apply/plant/second"}
        )
        which = {"rollout": _id(second)}
        call("start_rollout", {"reason": "now"}, **which)
        call("pause_rollout", {"reason": "a question"}, **which)
        call("resume_rollout", {"reason": "answered"}, **which)
        call("skip_wave", {"wave": 1, "reason": "one is enough"}, **which)
        call("approve_rollout", {"wave": 0, "reason": "agreed"}, **which)
        self._wait(second, "completed")
        call("rollback_rollout", {"reason": "too slow"}, **which)
        for operation in ("get_rollout", "list_attempts", "get_timeline", "get_rollout_history"):
            call(operation, **which)
        beside = {**order(MODEL, VERSIONS[2], [{"name": "all"}]), "slot": shadow_slot(SLOT), "selector": {"ids": [DEVICES[5]]}}
        shadow = call("create_rollout", beside)
        call("get_rollout_shadow", rollout=_id(shadow))
        third = call("create_rollout", {**order(MODEL, VERSIONS[2], [{"name": "all"}]), **last, "start": False})
        call("abort_rollout", {"reason": "the wrong day"}, rollout=_id(third))
        for operation in ("list_rollouts", "list_rollout_templates", "list_version_shares"):
            call(operation)

    def _experiment(self) -> None:
        call = self.calls
        arms = [{"name": name, "package": MODEL, "version": version} for name, version in zip("ab", VERSIONS, strict=False)]
        quick = {"waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.1}, "policy": {"trial_s": 0.2}}
        body = {"name": "faster", "selector": {"ids": list(DEVICES[2:])}, "arms": arms, **quick}
        call("preview_experiment", body)
        made = call("create_experiment", body)
        which = {"experiment": _id(made)}
        call("get_experiment", **which)
        call("choose_experiment_arm", {"arm": "a", **quick}, **which)
        other = call("create_experiment", {**body, "name": "again", "selector": {"ids": list(DEVICES[2:])}})
        call("stop_experiment", experiment=_id(other))
        call("list_experiments")

    def _bundle_and_terms(self) -> None:
        """A rollout of two packages that belong together, with every term; a pinned device."""
        call = self.calls
        slots = {"slot": SLOT, "parts": [{"package": MODEL, "slot": "second", "version": VERSIONS[1]}]}
        retry = {"tries_max": 2, "back_off_s": 1.0, "factor": 2.0}
        terms = {"follow": True, "prestage": True, "rate": {"per_minute": 60, "grow_after": 10}, "retry": retry}
        body = {**order(MODEL, VERSIONS[2], [{"name": "all"}]), **slots, "terms": terms, "selector": {"ids": [DEVICES[1]]}}
        call("create_rollout", {**body, "start": True})
        call("pin_device", {"reason": "a demonstration"}, device=DEVICES[3], slot=SLOT)
        call("pin_device", {"reason": "for a day"}, device=DEVICES[4], slot=SLOT)
        call("unpin_device", device=DEVICES[4], slot=SLOT)
        call("release_device", device=DEVICES[1])

    def _alerts(self) -> None:
        call = self.calls
        where = {"webhooks": [{"url": "http://127.0.0.1:9/hook", "secret": "s"}]}
        hot = {"kind": "threshold", "figure": "fps", "above": -1.0, "for_s": 0.0, **where}
        rule = call("create_alert_rule", {"name": "fast", "rule": hot})
        which = {"rule": _id(rule)}
        self.devices[0].record(Stream.TELEMETRY, {**sample(6), "at": time.time()})
        found = eventually("an alert", lambda: call("list_alerts")["items"], 60.0)
        del call.made["list_alerts"]
        call("list_alerts")
        call("acknowledge_alert", alert=_id(found[0]))
        call("change_alert_rule", {"name": "fast", "rule": {**hot, "above": -2.0}}, **which)
        call("silence_alert_rule", {"for_s": 60.0}, **which)
        call("list_alert_rules")
        ntfy = {"name": "on call", "kind": "ntfy", "url": "http://127.0.0.1:9", "topic": "fleet", "secret": "tk_s3cret"}
        recipient = {"recipient": _id(call("create_alert_recipient", ntfy))}
        call("change_alert_recipient", {**ntfy, "secret": "(hidden)", "severities": ["critical"]}, **recipient)
        call("test_alert_recipient", **recipient)
        call("list_alert_recipients")
        call.http.headers["Idempotency-Key"] = "8e03978e-40d5-43dd-bc93-6894a57f9324"
        snooze = {**which, "until_at": time.time() + 3600.0, "reason": "the fan is replaced"}
        call("create_alert_snooze", snooze)
        del call.http.headers["Idempotency-Key"]
        call("list_alert_snoozes")
        ended = call("create_alert_snooze", {"device": DEVICES[0], "until_at": time.time() + 3600.0, "reason": "moved"})
        call("end_alert_snooze", snooze=_id(ended))
        call("get_push_key")
        second = call("create_alert_recipient", {"name": "second", "kind": "email", "emails": ["ops@example.org"]})
        call("delete_alert_recipient", recipient=_id(second))
        eventually("a notice", lambda: call("list_notices")["items"])
        del call.made["list_notices"]
        call("list_notices")

    def _trust_and_identity(self) -> None:
        call = self.calls
        call("rotate_trust_key", {"role": "snapshot"})
        signed = call("get_trust")["signed"]
        withdrawn = next((path for path in signed if path.endswith("/1.0.0")), signed[0])
        call("withdraw_version", dict(zip(("package", "version"), withdrawn.split("/"), strict=True)))
        del call.made["get_trust"]
        for operation in ("get_trust", "get_trust_files", "get_certificates"):
            call(operation)
        call("begin_authority_rotation")
        call("get_authority_rotation")
        call("get_trust_metadata", role="root")
        claim = call("create_enrolment_token", {"life_s": LONG_S / 1e4, "devices_max": 3, "approval": True})["token"]
        for device in ("image-1", "image-2"):
            call("enrol_device", {"token": claim, "device": device, "request": certificate_request(device)})
        call("list_enrolment_requests")
        call("decide_enrolment_requests", {"approve": True, "devices": [{"device": "image-1"}]})
        del call.made["enrol_device"]
        tokens = [call("create_enrolment_token", {"labels": {"site": "north"}, "life_s": LONG_S / 1e4}) for _ in range(2)]
        call("list_enrolment_tokens")
        secret = next(value for value in tokens[0].values() if isinstance(value, str) and len(value) > 20)
        body = {"token": secret, "device": "enrolled-1", "request": certificate_request("enrolled-1")}
        call("enrol_device", body)
        call("get_device_identity", device="enrolled-1")
        call("block_device", {"reason": "lost"}, device="enrolled-1")
        call("unblock_device", device="enrolled-1")
        call("block_device", {"reason": "lost again"}, device="enrolled-1")
        call("finish_authority_rotation", {"online_days": 0.0})

    def _reads(self) -> None:
        for operation in ("get_health", "list_audit", "verify_audit"):
            self.calls(operation)
        body = {"component": "numpy", "version": "", "stage": "72h"}
        answer = self.calls.send("create_dossier", None, {}, json=body)
        self.calls.keep("create_dossier", None, {}, body, {}, answer.status_code)

    def _proposals(self) -> None:
        """Three requests of an API token that proposes: one is approved, one rejected, one waits."""
        call = self.calls
        body = {"name": "proposes", "role": "operator", "scopes": ["propose"]}
        secret = call.send("create_api_token", None, {}, json=body).json()["secret"]
        numbers = []
        with httpx.Client(base_url=call.http.base_url, headers={"Authorization": f"Bearer {secret}"}) as proposer:
            for name in ("south", "west", "east"):
                answer = proposer.put(f"groups/{name}", json={"selector": {"labels": {"site": name}}, "note": "proposed"})
                assert answer.status_code == 202, answer.text
                numbers.append(answer.json()["id"])
        call("get_proposal_effect", proposal=numbers[0])
        call("approve_proposal", {"reason": "looked at it"}, proposal=numbers[0])
        call("reject_proposal", {"reason": "not now"}, proposal=numbers[1])
        call("list_proposals")
        call("get_proposal", proposal=numbers[0])

    def _ends(self) -> None:
        """End the session, as the last step."""
        self.calls("change_password", {"current": PASSWORD, "password": f"{PASSWORD} more"})

    def _wait(self, rollout: dict[str, Any], state: str) -> None:
        eventually(f"rollout {state}", lambda: self.calls("get_rollout", rollout=_id(rollout))["state"] == state, 60.0)
        self.calls.made.pop("get_rollout", None)


def _id(made: dict[str, Any]) -> Any:
    """The identifier of something that was created."""
    return made["id"]


def reader(server: ServerProcess, token: str) -> Calls:
    """Calls of an administrator."""
    http = httpx.Client(base_url=f"{server.state()['url']}/api/v1", timeout=30.0)
    http.headers["Authorization"] = f"Bearer {token}"
    return Calls(http)
