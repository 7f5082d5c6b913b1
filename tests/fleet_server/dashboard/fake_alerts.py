"""Alerts of the fake fleet: three rules, their alerts, and the routes of the API."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from edgefleet_server.api.schemas.fleet import alerts as schemas
from edgefleet_server.api.schemas.fleet.recipients import (
    AlertRecipient,
    AlertRecipientList,
    AlertRecipientRequest,
    PushKey,
    RecipientTest,
)
from edgefleet_server.api.schemas.fleet.snoozes import Snooze, SnoozeList, SnoozeRequest
from edgefleet_server.domain.fleet.alerts import rollout_of

routes = APIRouter(prefix="/api/v1")
HOUR_S = 3600.0


def _rule(number: int, name: str, rule: schemas.AlertRuleBody) -> dict[str, Any]:
    made = {"silenced_until": 0.0, "silenced_by": "", "created_at": time.time() - 40 * HOUR_S, "created_by": "ada"}
    return {"id": number, "name": name, "rule": rule.model_dump(), "enabled": True, **made}


def _alert(
    number: int, rule: int, name: str, severity: str, subject: str, text: str, value: float, ago_s: float
) -> dict[str, Any]:
    return {
        "id": number,
        "rule": rule,
        "rule_name": name,
        "severity": severity,
        "subject": subject,
        "text": text,
        "value": value,
        "rollout": rollout_of(subject),
        "began_at": time.time() - ago_s,
        "ended_at": None,
        "acknowledged_at": None,
        "acknowledged_by": "",
    }


def _recipient(number: int, **more: Any) -> dict[str, Any]:
    body = AlertRecipientRequest(**more).model_dump()
    if body["secret"]:
        body["secret"] = "(hidden)"
    return {"id": number, **body, "created_at": time.time() - 40 * HOUR_S, "created_by": "ada"}


@dataclass
class FakeAlerts:
    """Rules and alerts in memory."""

    rules: list[dict[str, Any]] = field(default_factory=list)
    alerts: list[dict[str, Any]] = field(default_factory=list)
    recipients: list[dict[str, Any]] = field(default_factory=list)
    snoozes: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        hot = schemas.AlertRuleBody(kind="threshold", figure="temperature_c", above=80.0, for_s=60.0, severity="critical")
        away = schemas.AlertRuleBody(kind="absence", for_s=600.0)
        stopped = schemas.AlertRuleBody(kind="rollout_paused", for_s=60.0)
        self.rules = [_rule(1, "Cabinet too hot", hot), _rule(2, "Device away", away), _rule(3, "Rollout stopped", stopped)]
        paused = "'parts-detector 1.1.0' was paused: gate of wave 'canary': 2 of 4 failed"
        self.alerts = [
            _alert(3, 1, "Cabinet too hot", "critical", "osaka-press2-cam02", "temperature 84.2 °C, over 80 °C", 84.2, 340.0),
            _alert(2, 2, "Device away", "warning", "lyon-paint3-cam01", "away for 47 min", 2820.0, 2220.0),
            _alert(4, 3, "Rollout stopped", "warning", "rollout 1", paused, 120.0, 120.0),
            {**_alert(1, 2, "Device away", "warning", "toledo-gate1-cam02", "away for 12 min", 720.0, 9 * HOUR_S)},
        ]
        self.recipients = [
            _recipient(1, name="Night shift", kind="email", emails=["night-shift@example.org"]),
            _recipient(2, name="On call", kind="slack", secret="(hidden)", severities=["critical"]),
        ]
        self.alerts[-1]["ended_at"] = self.alerts[-1]["began_at"] + 1300.0


def _of(request: Request) -> FakeAlerts:
    alerts: FakeAlerts = request.app.state.fleet.alerts
    return alerts


def _found(request: Request, rule: int) -> dict[str, Any]:
    for row in _of(request).rules:
        if row["id"] == rule:
            return row
    raise HTTPException(404, f"no alert rule {rule}")


def _row(request: Request, rule: dict[str, Any]) -> schemas.AlertRule:
    mine = [alert for alert in _of(request).alerts if alert["rule"] == rule["id"] and alert["ended_at"] is None]
    return schemas.AlertRule(**rule, alerts_open=len(mine))


@routes.get("/alert-rules", operation_id="list_alert_rules")
def list_rules(request: Request) -> schemas.AlertRuleList:
    return schemas.AlertRuleList(items=[_row(request, rule) for rule in _of(request).rules])


@routes.post("/alert-rules", operation_id="create_alert_rule", status_code=201)
def create_rule(request: Request, body: schemas.AlertRuleRequest) -> schemas.AlertRule:
    rule = _rule(max((row["id"] for row in _of(request).rules), default=0) + 1, body.name, body.rule)
    _of(request).rules.append(rule)
    return _row(request, rule)


@routes.delete("/alert-rules/{rule}", operation_id="delete_alert_rule", status_code=204)
def delete_rule(request: Request, rule: int) -> Response:
    _of(request).rules.remove(_found(request, rule))
    _of(request).alerts[:] = [alert for alert in _of(request).alerts if alert["rule"] != rule]
    return Response(status_code=204)


@routes.post("/alert-rules/{rule}/silence", operation_id="silence_alert_rule")
def silence(request: Request, rule: int, body: schemas.SilenceRequest) -> schemas.AlertRule:
    found = _found(request, rule)
    found["silenced_until"] = time.time() + body.for_s if body.for_s else 0.0
    return _row(request, found)


@routes.get("/alerts", operation_id="list_alerts")
def list_alerts(request: Request, open: bool = True) -> schemas.AlertList:  # noqa: A002 (the API's word)
    found = [alert for alert in _of(request).alerts if not open or alert["ended_at"] is None]
    return schemas.AlertList(items=[schemas.Alert(**alert) for alert in found])


@routes.post("/alerts/{alert}/acknowledge", operation_id="acknowledge_alert", status_code=204)
def acknowledge(request: Request, alert: int) -> Response:
    for row in _of(request).alerts:
        if row["id"] == alert:
            row |= {"acknowledged_at": time.time(), "acknowledged_by": "ada"}
    return Response(status_code=204)


@routes.get("/alert-recipients", operation_id="list_alert_recipients")
def list_recipients(request: Request) -> AlertRecipientList:
    return AlertRecipientList(items=[AlertRecipient(**row) for row in _of(request).recipients])


@routes.get("/alert-recipients/push-key", operation_id="get_push_key")
def get_push_key() -> PushKey:
    return PushKey(public_key="BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")


@routes.post("/alert-recipients", operation_id="create_alert_recipient", status_code=201)
def create_recipient(request: Request, body: AlertRecipientRequest) -> AlertRecipient:
    rows = _of(request).recipients
    rows.append(_recipient(max((row["id"] for row in rows), default=0) + 1, **body.model_dump()))
    return AlertRecipient(**rows[-1])


@routes.put("/alert-recipients/{recipient}", operation_id="change_alert_recipient")
def change_recipient(request: Request, recipient: int, body: AlertRecipientRequest) -> AlertRecipient:
    row = next(row for row in _of(request).recipients if row["id"] == recipient)
    row |= body.model_dump()
    return AlertRecipient(**row)


@routes.delete("/alert-recipients/{recipient}", operation_id="delete_alert_recipient", status_code=204)
def delete_recipient(request: Request, recipient: int) -> Response:
    _of(request).recipients[:] = [row for row in _of(request).recipients if row["id"] != recipient]
    return Response(status_code=204)


@routes.post("/alert-recipients/{recipient}/test", operation_id="test_alert_recipient")
def try_recipient(request: Request, recipient: int) -> RecipientTest:
    (kind,) = [row["kind"] for row in _of(request).recipients if row["id"] == recipient]
    error = "Slack returned status 404: no_service" if kind == "slack" else ""
    return RecipientTest(delivered=not error, error=error)


@routes.get("/alert-snoozes", operation_id="list_alert_snoozes")
def list_snoozes(request: Request) -> SnoozeList:
    return SnoozeList(items=[Snooze(**row) for row in _of(request).snoozes])


@routes.post("/alert-snoozes", operation_id="create_alert_snooze", status_code=201)
def create_snooze(request: Request, body: SnoozeRequest) -> Snooze:
    rows = _of(request).snoozes
    name = _found(request, body.rule)["name"] if body.rule else ""
    made = {"id": max((row["id"] for row in rows), default=0) + 1, "rule_name": name, "created_at": time.time()}
    rows.append({**body.model_dump(), **made, "created_by": "ada"})
    return Snooze(**rows[-1])


@routes.delete("/alert-snoozes/{snooze}", operation_id="end_alert_snooze", status_code=204)
def end_snooze(request: Request, snooze: int) -> Response:
    _of(request).snoozes[:] = [row for row in _of(request).snoozes if row["id"] != snooze]
    return Response(status_code=204)


@routes.get("/notices", operation_id="list_notices")
def list_notices() -> schemas.NoticeList:
    now = time.time()
    hook = {"id": 2, "target": "https://hooks.example.org/plant-7", "alert": 3, "state": "delivered", "tries": 1, "error": ""}
    mail = {"id": 1, "target": "night-shift@example.org", "alert": 2, "state": "waiting", "tries": 2, "error": "refused"}
    rows: list[dict[str, Any]] = [{**hook, "created_at": now - 335.0}, {**mail, "created_at": now - 2200.0}]
    return schemas.NoticeList(items=[schemas.Notice(**row, due_at=now + 40.0) for row in rows])
