"""Routes of alerts: rules, alerts, notifications; and the metrics that rules evaluate."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Path, Query, Response

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep, subject_filter
from edgefleet_server.api.paging import PagingDep, number_key
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import DeviceId, Span, TimeAt
from edgefleet_server.api.schemas.fleet import alerts as schemas
from edgefleet_server.core.errors import InputError, NotFoundError
from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.devices import devices, groups
from edgefleet_server.db.telemetry import alerts, rollups
from edgefleet_server.domain.fleet.alerts import CAMERA_FIGURES, LATEST_FIGURES, ROLLOUT_KINDS, SUMMED_FIGURES
from edgefleet_server.domain.policy.hidden_secrets import HIDDEN, masked_url, unmasked_url
from edgefleet_server.domain.statistics.summaries import MINUTE_S

router = APIRouter(tags=["alerts"])

DAY_S: Final = 86_400.0
_FIGURES: Final = {"threshold": LATEST_FIGURES, "anomaly": SUMMED_FIGURES, "blind_camera": CAMERA_FIGURES}

RuleId = Annotated[int, Path(ge=1, le=2**62)]
Before = Annotated[int, Query(ge=1, le=2**62, description="`next_before_id` of the page before")]
AlertId = Annotated[int, Path(ge=1, le=2**62)]


@router.get("/alert-rules", operation_id="list_alert_rules")
def list_alert_rules(context: ContextDep, paging: PagingDep) -> schemas.AlertRuleList:
    """All rules, each with its number of open alerts."""
    with context.database.read() as connection:
        rows, more = paging.cut(alerts.rules(raw(connection)), lambda record: number_key(record["id"]))
    return schemas.AlertRuleList(items=[_rule(record) for record in rows], next_after=more)


@router.post("/alert-rules", operation_id="create_alert_rule", status_code=201)
def create_alert_rule(context: ContextDep, caller: CallerDep, body: schemas.AlertRuleRequest) -> schemas.AlertRule:
    """Create an alert rule."""
    return _put(context, None, body, caller.name)


@router.put("/alert-rules/{rule}", operation_id="change_alert_rule")
def change_alert_rule(context: ContextDep, caller: CallerDep, rule: RuleId, body: schemas.AlertRuleRequest) -> schemas.AlertRule:
    """Change a rule. Open alerts are evaluated with the changed rule."""
    return _put(context, rule, body, caller.name)


@router.delete("/alert-rules/{rule}", operation_id="delete_alert_rule", status_code=204)
def delete_alert_rule(context: ContextDep, rule: RuleId) -> Response:
    """Delete a rule with its alerts."""
    with context.database.write() as connection:
        alerts.delete_rule(raw(connection), rule)
    return Response(status_code=204)


@router.post("/alert-rules/{rule}/silence", operation_id="silence_alert_rule")
def silence_alert_rule(context: ContextDep, caller: CallerDep, rule: RuleId, body: schemas.SilenceRequest) -> schemas.AlertRule:
    """Mute the notifications of a rule for some time; alerts are still recorded."""
    until_at = time.time() + body.for_s if body.for_s else 0.0
    with context.database.write() as connection:
        alerts.silence(raw(connection), rule, until_at, caller.name)
        return _rule(alerts.rule(raw(connection), rule))


@router.get("/alerts", operation_id="list_alerts")
def list_alerts(
    context: ContextDep,
    scope: DeviceScopeDep,
    open: Annotated[bool, Query(description="only those that go on")] = True,  # noqa: A002 (the API's word)
    rule: Annotated[int, Query(ge=1, le=2**62)] | None = None,
    device: DeviceId | None = None,
    before_id: Before | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> schemas.AlertList:
    """Alerts, newest first. A caller with roles for groups sees those about their devices and rollouts."""
    with context.database.read() as connection:
        found = alerts.alerts(
            raw(connection),
            open_only=open,
            rule_id=rule,
            device=device or "",
            limit=limit,
            before_id=before_id or alerts.NUMBER_MAX,
            seen=None if scope.is_all else subject_filter(connection, scope),
        )
    items = [schemas.Alert.model_validate(record) for record in found]
    return schemas.AlertList(items=items, next_before_id=items[-1].id if len(items) == limit else None)


@router.post("/alerts/{alert}/acknowledge", operation_id="acknowledge_alert", status_code=204)
def acknowledge_alert(context: ContextDep, caller: CallerDep, scope: DeviceScopeDep, alert: AlertId) -> Response:
    """Acknowledge an alert."""
    with context.database.write() as connection:
        if not scope.is_all and not subject_filter(connection, scope)(alerts.subject(raw(connection), alert)):
            raise NotFoundError(alerts.NO_ALERT.format(alert))
        alerts.acknowledge(raw(connection), alert, caller.name or "a local user", time.time())
    return Response(status_code=204)


@router.get("/notices", operation_id="list_notices")
def list_notices(
    context: ContextDep, before_id: Before | None = None, limit: Annotated[int, Query(ge=1, le=1000)] = 100
) -> schemas.NoticeList:
    """Notifications to webhooks and mail addresses, newest first, with their delivery state."""
    with context.database.read() as connection:
        found = notices.notices(raw(connection), limit, before_id or alerts.NUMBER_MAX)
    items = [schemas.Notice.model_validate({**record, "target": masked_url(record["target"])}) for record in found]
    return schemas.NoticeList(items=items, next_before_id=items[-1].id if len(items) == limit else None)


@router.get("/devices/{device}/figures", operation_id="get_device_figures")
def get_device_figures(
    context: ContextDep,
    device: Annotated[DeviceId, Path(description="Device id")],
    span_s: Annotated[Span, Query(description="minutes or hours")] = 60,
    since_at: TimeAt | None = None,
    until_at: TimeAt | None = None,
    points_max: Annotated[int, Query(ge=1, le=5000)] = 1440,
) -> schemas.FigureSeries:
    """Telemetry aggregated by minute (default: one day) or hour (default: thirty days); stored much longer than samples."""
    until = time.time() if until_at is None else until_at
    since = until - (DAY_S if span_s == MINUTE_S else 30 * DAY_S) if since_at is None else since_at
    with context.database.read() as connection:
        devices.check_exists(connection, device)
        found = rollups.series(raw(connection), device, span_s, since, until, points_max)
    points = [
        schemas.FigurePoint(at=at, figures={name: views.figure_summary(each) for name, each in figures.items()})
        for at, figures in found
    ]
    return schemas.FigureSeries(span_s=span_s, points=points)


def _rule(record: dict[str, Any]) -> schemas.AlertRule:
    shown = schemas.AlertRule.model_validate(record)
    for hook in shown.rule.webhooks:
        hook.url = masked_url(hook.url)
        hook.secret = HIDDEN if hook.secret else ""
    return shown


def _put(context: ContextDep, number: int | None, body: schemas.AlertRuleRequest, by: str) -> schemas.AlertRule:
    _check(body.rule)
    definition = body.rule.model_dump()
    with context.database.write() as connection:
        db = raw(connection)
        _keep_secrets(definition, alerts.rule(db, number)["rule"] if number is not None else {})
        _check_group(connection, body.rule)
        saved = alerts.put_rule(db, number, body.name, definition, body.enabled, by, time.time())
        return _rule(alerts.rule(db, saved))


def _keep_secrets(definition: dict[str, Any], before: dict[str, Any]) -> None:
    known = {hook["url"]: hook["secret"] for hook in before.get("webhooks", [])}
    for hook in definition["webhooks"]:
        hook["url"] = unmasked_url(hook["url"], known)
        if hook["secret"] == HIDDEN:
            hook["secret"] = known.get(hook["url"], "")


def _check_url(url: str) -> None:
    try:
        is_valid = bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise InputError(f"webhook {url!r} is not a URL; specify https://HOST[:PORT]/PATH")


def _check_group(connection: Connection, rule: schemas.AlertRuleBody) -> None:
    if rule.group is not None:
        groups.find(connection, rule.group)


def _check(rule: schemas.AlertRuleBody) -> None:
    for hook in rule.webhooks:
        _check_url(hook.url)
    if (known := _FIGURES.get(rule.kind)) is not None and rule.figure not in known:
        raise InputError(f"figure of a rule of kind {rule.kind}: must be one of {', '.join(known)}")
    has_limit = rule.above is not None or rule.below is not None
    if rule.kind == "threshold" and not has_limit:
        raise InputError("a threshold rule requires above or below")
    if rule.kind == "rate" and not has_limit:
        raise InputError("a rate rule requires above or below, the largest or smallest number of events in window_s")
    if rule.above is not None and rule.below is not None and rule.above <= rule.below:
        raise InputError(f"above {rule.above:g} with below {rule.below:g} always holds; above must be more than below")
    if rule.kind == "blind_camera" and (rule.below is None or rule.above is not None):
        raise InputError("a rule about blind cameras requires below, and takes no above")
    if rule.kind in ROLLOUT_KINDS and rule.group is not None:
        raise InputError(f"{rule.kind} applies to all rollouts; omit group")
