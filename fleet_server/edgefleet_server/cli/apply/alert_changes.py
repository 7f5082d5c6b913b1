"""Alert rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from edgefleet_client.schemas.alerts import AlertRule, AlertRuleRequest
from edgefleet_server.cli.apply.changes import Change, Outcome, additions, differences, digest_of
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.documents import FleetAlert, plain
from edgefleet_server.cli.apply.fleet_files import Entry, secret_of
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.policy.hidden_secrets import HIDDEN, masked_url
from edgefleet_server.domain.policy.roles import Role


def plan(context: PlanContext) -> Iterator[Change]:
    """The alert rules of the files.

    Raises:
        InputError: several rules have the name, or a variable with a secret is not set.
    """
    for entry, alert in context.files.of("alerts", FleetAlert):
        context.ownership.check("alert", entry.name, entry.place)
        yield _rule(context, entry, alert)


def _rule(context: PlanContext, entry: Entry, alert: FleetAlert) -> Change:
    rules = context.alert_rules.get(entry.name, [])
    if len(rules) > 1:
        numbers = ", ".join(str(rule["id"]) for rule in rules)
        raise InputError(
            f"{entry.place}: alert rules {numbers} have the name {entry.name!r}; `edgefleet alert delete` deletes one"
        )
    before = rules[0] if rules else None
    desired = _comparable(plain(alert))
    secrets = [secret_of(entry, hook.secret_env) for hook in alert.webhooks]
    desired["webhooks"] = [{"url": masked_url(hook.url), "secret": HIDDEN if hook.secret_env else ""} for hook in alert.webhooks]
    urls = [hook.url for hook in alert.webhooks]
    change = Change("none", "alert", entry.name, digest=digest_of(desired), recorded=True, id=before["id"] if before else None)
    held = _plain(before) if before else None
    if held == desired:
        return change
    change.action, change.role = ("create" if held is None else "change"), Role.ADMIN
    change.details = additions(desired) if held is None else differences(held, desired)
    change.drift = context.ownership.drift("alert", entry.name, change.digest, exists=held is not None)
    change.run = _put(context, entry.name, desired, list(zip(urls, secrets, strict=True)), before)
    return change


def _comparable(values: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {
        key: float(value) for key, value in values.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return {**values, **numbers}


def _plain(rule: AlertRule) -> dict[str, Any]:
    return {**_comparable(rule["rule"]), "enabled": rule["enabled"]}


def _put(
    context: PlanContext, name: str, desired: dict[str, Any], hooks: list[tuple[str, str]], before: AlertRule | None
) -> Callable[[], Outcome]:
    def run() -> Outcome:
        rule = {key: value for key, value in desired.items() if key != "enabled"}
        rule["webhooks"] = [{"url": url, "secret": secret} for url, secret in hooks]
        body = cast("AlertRuleRequest", {"name": name, "rule": rule, "enabled": desired["enabled"]})
        alerts = context.client.alerts
        made = alerts.create_alert_rule(body) if before is None else alerts.change_alert_rule(before["id"], body)
        return made["id"], ""

    return run


def delete(context: PlanContext, name: str) -> Outcome:
    """Delete the alert rules with the name, and their alerts."""
    for rule in context.alert_rules.get(name, []):
        context.client.alerts.delete_alert_rule(rule["id"])
    return None, ""
