"""Recipients of alerts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from edgefleet_client.schemas.alerts import AlertRecipient, AlertRecipientRequest
from edgefleet_server.cli.apply.changes import Change, Outcome, additions, differences, digest_of
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.documents import FleetRecipient, plain
from edgefleet_server.cli.apply.fleet_files import Entry, secret_of
from edgefleet_server.domain.notices.recipients import NTFY_URL, PAGERDUTY_URL, shown
from edgefleet_server.domain.policy.roles import Role

_URLS: Final = {"pagerduty": PAGERDUTY_URL, "ntfy": NTFY_URL}
"""Addresses that the server uses where none is given."""
_COMPARED: Final = ("kind", "url", "secret", "emails", "topic", "groups", "severities", "enabled")


def plan(context: PlanContext) -> Iterator[Change]:
    """The recipients of the files.

    Raises:
        InputError: a variable with a secret is not set.
    """
    for entry, recipient in context.files.of("recipients", FleetRecipient):
        context.ownership.check("recipient", entry.name, entry.place)
        yield _recipient(context, entry, recipient)


def _recipient(context: PlanContext, entry: Entry, recipient: FleetRecipient) -> Change:
    before = context.recipients.get(entry.name)
    secret = secret_of(entry, recipient.secret_env)
    desired = plain(recipient)
    del desired["secret_env"]
    url = recipient.url or _URLS.get(recipient.kind, "")
    desired = shown(recipient.kind, {**desired, "url": url, "secret": secret})
    change = Change(
        "none", "recipient", entry.name, digest=digest_of(desired), recorded=True, id=before["id"] if before else None
    )
    held = {name: before[name] for name in _COMPARED} if before else None
    if held == desired:
        return change
    change.action, change.role = ("create" if held is None else "change"), Role.ADMIN
    change.details = additions(desired) if held is None else differences(held, desired)
    change.drift = context.ownership.drift("recipient", entry.name, change.digest, exists=held is not None)
    change.run = _put(context, entry.name, {**desired, "url": url, "secret": secret}, before)
    return change


def _put(context: PlanContext, name: str, desired: dict[str, Any], before: AlertRecipient | None) -> Callable[[], Outcome]:
    def run() -> Outcome:
        body = cast("AlertRecipientRequest", {"name": name, **desired})
        alerts = context.client.alerts
        made = alerts.create_alert_recipient(body) if before is None else alerts.change_alert_recipient(before["id"], body)
        return made["id"], ""

    return run


def delete(context: PlanContext, name: str) -> Outcome:
    """Delete the recipient."""
    if (recipient := context.recipients.get(name)) is not None:
        context.client.alerts.delete_alert_recipient(recipient["id"])
    return None, ""
