"""Alert rules, figures and `/metrics` over HTTP: who may do what, and whether Prometheus takes it."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import time
from typing import Any

import httpx
import pytest

from tests.fleet_server.auth.conftest import Peopled

pytestmark = pytest.mark.system

RULE: dict[str, Any] = {
    "kind": "threshold",
    "figure": "temperature_c",
    "above": 80,
    "webhooks": [{"url": "https://example.org/hook", "secret": "s3cret"}],
}


def test_rules_need_an_administrator_and_hide_secrets(people: Peopled) -> None:
    """Others may look, silence and acknowledge."""
    body = {"name": "hot", "rule": RULE}
    for role in ("viewer", "operator"):
        with people.bearer(people.tokens[role]) as other:
            assert other.post("/alert-rules", json=body).status_code == 403
    made = people.admin.post("/alert-rules", json=body)
    assert made.status_code == 201, made.text
    number = made.json()["id"]
    hook = made.json()["rule"]["webhooks"][0]
    assert hook["secret"] == "(hidden)"
    assert hook["url"].startswith("https://example.org/(hidden-")
    assert people.admin.post("/alert-rules", json=body).status_code == 409
    changed = {"name": "hot", "rule": {**made.json()["rule"], "above": 85}}
    assert people.admin.put(f"/alert-rules/{number}", json=changed).json()["rule"]["above"] == 85
    with contextlib.closing(sqlite3.connect(people.server.data / "fleet.db")) as connection:
        stored = json.loads(connection.execute("SELECT rule FROM alert_rule WHERE id = ?", (number,)).fetchone()[0])
    assert stored["webhooks"] == RULE["webhooks"], "what was sent back hidden is as before"
    other = {**changed["rule"], "webhooks": [{"url": "https://example.org/(hidden-00000000)", "secret": ""}]}
    assert people.admin.put(f"/alert-rules/{number}", json={"name": "hot", "rule": other}).status_code == 422
    assert "example.org/hook" not in people.admin.get("/audit", params={"limit": 50}).text
    with people.bearer(people.tokens["operator"]) as operator:
        silenced = operator.post(f"/alert-rules/{number}/silence", json={"for_s": 60}).json()
        assert silenced["silenced_by"] == "otto"
        assert operator.post("/alerts/999/acknowledge").status_code == 404
    with people.bearer(people.tokens["viewer"]) as viewer:
        assert viewer.get("/alert-rules").json()["items"][0]["name"] == "hot"
    assert people.admin.delete(f"/alert-rules/{number}").status_code == 204
    assert people.admin.get("/alert-rules").json()["items"] == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ({"kind": "threshold", "figure": "confidence", "above": 1}, "figure of a rule of kind threshold: must be one of"),
        ({"kind": "threshold", "figure": "fps"}, "requires above or below"),
        ({"kind": "threshold", "figure": "coverage_percent", "below": 9}, "figure of a rule of kind threshold: must be one of"),
        ({"kind": "rate"}, "requires above or below"),
        ({"kind": "blind_camera", "figure": "fps", "below": 1}, "must be one of detections_per_hour, coverage_percent"),
        ({"kind": "blind_camera", "figure": "coverage_percent", "above": 1}, "requires below, and takes no above"),
        ({"kind": "rollout_failed", "group": "lyon"}, "applies to all rollouts"),
        ({"kind": "anomaly", "figure": "disk_free_bytes"}, "figure of a rule of kind anomaly: must be one of"),
        ({"kind": "absence", "group": "nobody"}, "no group 'nobody'"),
        ({"kind": "absence", "webhooks": [{"url": "http://[::1"}]}, "webhook 'http://[::1' is not a URL"),
    ],
)
def test_rules_that_say_nothing_are_refused(people: Peopled, rule: dict[str, Any], text: str) -> None:
    """One line that says what is missing."""
    answer = people.admin.post("/alert-rules", json={"name": "odd", "rule": rule})
    assert answer.status_code in (404, 422)
    assert text in answer.json()["detail"]


def test_snoozes_are_shown_and_recorded(people: Peopled) -> None:
    """An operator snoozes, with a reason; everyone sees it, and the audit log has it."""
    number = people.admin.post("/alert-rules", json={"name": "hot", "rule": RULE}).json()["id"]
    until = time.time() + 600.0
    body = {"rule": number, "until_at": until, "reason": "the fan is replaced"}
    with people.bearer(people.tokens["viewer"]) as viewer, people.bearer(people.tokens["operator"]) as operator:
        assert viewer.post("/alert-snoozes", json=body).status_code == 403
        made = operator.post("/alert-snoozes", json=body)
        assert made.status_code == 201, made.text
        (shown,) = viewer.get("/alert-snoozes").json()["items"]
        assert (shown["rule_name"], shown["reason"], shown["created_by"]) == ("hot", "the fan is replaced", "otto")
        for wrong, text in (
            ({"until_at": until}, "requires rule, group or device"),
            ({"rule": number, "until_at": 5.0}, "must be in the future"),
            ({"rule": 99, "until_at": until}, "no alert rule 99"),
            ({"group": "nowhere", "until_at": until}, "no group"),
            ({"device": "nothing", "until_at": until}, "nothing"),
        ):
            refused = operator.post("/alert-snoozes", json={"reason": "x", **wrong})
            assert refused.status_code in (404, 422)
            assert text in refused.json()["detail"]
        assert operator.post("/alert-snoozes", json={"rule": number, "until_at": until, "reason": ""}).status_code == 422
        assert operator.delete(f"/alert-snoozes/{made.json()['id']}").status_code == 204
        assert viewer.get("/alert-snoozes").json()["items"] == []
    entries = people.admin.get("/audit", params={"action": "create_alert_snooze"}).json()["items"]
    assert any("the fan is replaced" in json.dumps(entry) for entry in entries)
    assert people.admin.delete(f"/alert-rules/{number}").status_code == 204


def test_metrics_need_a_token_and_are_what_prometheus_reads(people: Peopled) -> None:
    """Checked by Prometheus' own tool where it is installed."""
    assert httpx.get(f"{people.url}/metrics").status_code == 401
    answer = httpx.get(f"{people.url}/metrics", headers={"Authorization": f"Bearer {people.tokens['viewer']}"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    names = {line.split()[2] for line in answer.text.splitlines() if line.startswith("# TYPE")}
    assert {"edgefleet_retention_removed_total", "edgefleet_retention_failing"} <= names
    assert {"edgefleet_devices", "edgefleet_ingest_seconds", "edgefleet_messages_total", "edgefleet_job_seconds"} <= names
    for line in answer.text.splitlines():
        if not line.startswith("#"):
            float(line.rpartition(" ")[2])
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed: apt-get install prometheus")
    checked = subprocess.run([promtool, "check", "metrics"], input=answer.text, capture_output=True, text=True, timeout=240)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_figures_of_an_unknown_device(people: Peopled) -> None:
    """Not found is said as everywhere."""
    assert people.admin.get("/devices/nobody/figures").status_code == 404
