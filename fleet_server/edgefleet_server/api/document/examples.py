"""Examples of the OpenAPI document: of the body of each operation, and of each parameter that it requires. They are of one plant,
and can be carried out one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_DEVICES: Final = {"ids": ["press-01"]}
_DIGEST: Final = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
_REASON: Final = {"reason": "Agreed with the shift leader"}
_WAVES: Final = [{"name": "canary", "count": 1}, {"name": "rest"}]
_PIPELINE: Final = (
    'name = "gate"\n[source]\nkind = "device"\n[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'
)
_ARMS: Final = [
    {"name": "a", "package": "spotter", "version": "1.0.0"},
    {"name": "b", "package": "spotter", "version": "1.1.0"},
]
_EXPERIMENT: Final = {"name": "Is 1.1.0 faster?", "selector": {"group": "north"}, "arms": _ARMS}
_RECIPIENT: Final = {"name": "On call", "kind": "webhook", "url": "http://127.0.0.1:9/alerts", "severities": ["critical"]}
_HOT: Final = {"kind": "threshold", "figure": "temperature_c", "above": 80.0, "for_s": 300.0, "severity": "critical"}
_UPDATE: Final = {"package": "spotter", "version": "1.1.0", "selector": _DEVICES, "waves": _WAVES}
_MEASURED: Final = {
    "variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 2, "streams": 1, "instances": 1, "batch": 1,
    "per_s": 41.7, "p50_ms": 23.1, "p95_ms": 28.4, "load_ms": 210.0, "memory_bytes": 48_000_000, "best": True,
}  # fmt: skip
_REQUEST: Final = "-----BEGIN CERTIFICATE REQUEST-----\n...\n-----END CERTIFICATE REQUEST-----\n"

BODIES: Final[Mapping[str, Any]] = {
    "create_alert_recipient": _RECIPIENT,
    "change_alert_recipient": {**_RECIPIENT, "severities": ["warning", "critical"]},
    "create_alert_rule": {"name": "Too hot", "rule": _HOT},
    "change_alert_rule": {"name": "Too hot", "rule": {**_HOT, "above": 85.0}},
    "silence_alert_rule": {"for_s": 3600.0},
    "create_alert_snooze": {"device": "press-01", "until_at": 4_102_444_800.0, "reason": "The fan is replaced"},
    "create_api_token": {"name": "ci", "role": "operator", "scopes": ["rollouts", "models"], "expires_s": 2_592_000.0},
    "set_channel": {"version": "1.1.0", "note": "Tried on line 3"},
    "put_configuration": {"revision": 0, "resources": [{"kind": "group", "name": "north", "made": True}]},
    "bulk_devices": {"action": "label", "labels": {"floor": "1"}, "selector": _DEVICES},
    "review_events": {"events": [1, 2], "verdict": "confirmed"},
    "label_device": {"labels": {"site": "north", "line": "3"}},
    "block_device": {"reason": "Stolen"},
    "send_command": {"op": "identify", "args": {}, "deadline_s": 30.0},
    "pin_device": {"version": "1.0.0", "package": "spotter", "reason": "Demonstration on Friday"},
    "take_picture": {"pipeline": "gate", "overlays": True},
    "enrol_device": {"token": "ef_q7Zk2m5vX9", "device": "press-02", "request": _REQUEST},
    "decide_enrolment_requests": {"approve": True, "devices": [{"device": "press-02"}]},
    "create_enrolment_token": {"labels": {"site": "north"}, "life_s": 3600.0},
    "create_experiment": _EXPERIMENT,
    "preview_experiment": _EXPERIMENT,
    "choose_experiment_arm": {"arm": "b", "waves": _WAVES},
    "put_group": {"selector": {"labels": {"site": "north"}}, "note": "The north plant"},
    "prune_models": {"keep": 5, "age_s": 2_592_000.0, "dry_run": True},
    "upload_measurements": {"digest": _DIGEST, "machine": "press-01", "profile": "cpu", "rows": [_MEASURED]},
    "create_pipeline": {"text": _PIPELINE, "note": "First version"},
    "check_pipeline": {"text": _PIPELINE},
    "approve_proposal": _REASON,
    "reject_proposal": {"reason": "Not during the night shift"},
    "create_rollout": {"name": "Spotter 1.1.0", **_UPDATE},
    "preview_rollout": _UPDATE,
    "abort_rollout": _REASON,
    "approve_rollout": {**_REASON, "wave": 0},
    "pause_rollout": _REASON,
    "resume_rollout": _REASON,
    "rollback_rollout": _REASON,
    "skip_wave": {**_REASON, "wave": 1},
    "start_rollout": _REASON,
    "sign_in": {"name": "ada", "password": "four unrelated little words"},
    "change_password": {"current": "four unrelated little words", "password": "five other unrelated little words"},
    "change_settings": {"values": {"soak_s": 60.0}},
    "set_up": {"code": "ABCD-2345-EFGH", "name": "ada", "password": "four unrelated little words"},
    "rotate_trust_key": {"role": "snapshot"},
    "finish_authority_rotation": {"online_days": 30.0, "leave": 0},
    "withdraw_version": {"package": "spotter", "version": "1.0.0"},
    "post_signed_targets": {"metadata": '{"signatures": [], "signed": {}}', "role": "targets"},
    "post_signed_root": {"metadata": '{"signatures": [], "signed": {}}'},
    "begin_upload": {"length_bytes": 4096, "sha256": _DIGEST},
    "create_dossier": {"component": "numpy", "version": "<2", "stage": "24h"},
    "create_user": {"name": "bob", "password": "four unrelated little words", "role": "operator"},
    "change_user": {"role": "viewer"},
}
"""Bodies of JSON by operation."""

PATHS: Final[Mapping[str, Any]] = {
    "alert": 1,
    "channel": "stable",
    "component": "numpy",
    "cid": "3f0c2f1e9b6d4a52",
    "device": "press-01",
    "event": "e-0001",
    "experiment": 1,
    "kind": "snapshot",
    "model": "spotter",
    "name": "north",
    "bundle": "9f2c4d1e0b7a4c3d8e6f5a4b3c2d1e0f",
    "picture": "p-0001",
    "pipeline": "gate",
    "proposal": 1,
    "recipient": 1,
    "role": "root",
    "rollout": 1,
    "rule": 1,
    "sha256": _DIGEST,
    "slot": "detector",
    "snooze": 1,
    "token": "0123456789ab",
    "upload": "0123456789abcdef0123456789abcdef",
    "user": "bob",
    "version": "1.1.0",
}
"""Parameters of paths by their names; `NAMES` has those of single subjects."""
QUERIES: Final[Mapping[str, Any]] = {"topics": "overview", "offset_bytes": 0, "device": ["press-01"]}
"""Required parameters of queries."""
NAMES: Final[Mapping[str, str]] = {"models": "spotter", "pipelines": "gate"}
"""The example of `{name}` by tag."""


def add_examples(operation: dict[str, Any]) -> None:
    """Add the examples of an operation of the document."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None:
        body["example"] = BODIES[operation["operationId"]]
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "query" and parameter.get("required"):
            parameter["example"] = QUERIES[parameter["name"]]
        if parameter["in"] == "path":
            name = parameter["name"]
            parameter["example"] = NAMES.get(operation["tags"][0], PATHS[name]) if name == "name" else PATHS[name]
