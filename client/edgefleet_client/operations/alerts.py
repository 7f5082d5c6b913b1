"""Operations about alerts.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from edgefleet_client.pages import followed, newest_first
from edgefleet_client.schemas.alerts import (
    Alert,
    AlertList,
    AlertRecipient,
    AlertRecipientList,
    AlertRecipientRequest,
    AlertRule,
    AlertRuleList,
    AlertRuleRequest,
    FigureSeries,
    Notice,
    NoticeList,
    PushKey,
    RecipientTest,
    SilenceRequest,
    Snooze,
    SnoozeList,
    SnoozeRequest,
)
from edgefleet_client.transport import Transport


class AlertsOperations:
    """Operations about alerts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_alert_recipients(self, *, after: str | None = None, limit: int | None = None) -> AlertRecipientList:
        """All recipients, by name, without their secrets. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: AlertRecipientList = self._transport.ask("GET", ("alert-recipients",), query=query)
        return answer

    def iterate_alert_recipients(self) -> Iterator[AlertRecipient]:
        """Every item of `list_alert_recipients`, one request a page."""
        return followed(lambda at: self.list_alert_recipients(after=at, limit=1000))

    def create_alert_recipient(self, body: AlertRecipientRequest) -> AlertRecipient:
        """Create a recipient. It gets notices of alerts that begin from now on. Role: admin."""
        answer: AlertRecipient = self._transport.ask("POST", ("alert-recipients",), json=body)
        return answer

    def get_push_key(self) -> PushKey:
        """The key with which a browser subscribes to notifications of this server. Role: viewer."""
        answer: PushKey = self._transport.ask("GET", ("alert-recipients", "push-key"))
        return answer

    def delete_alert_recipient(self, recipient: int) -> None:
        """Delete a recipient with its notifications. Role: admin."""
        self._transport.send("DELETE", ("alert-recipients", recipient))

    def change_alert_recipient(self, recipient: int, body: AlertRecipientRequest) -> AlertRecipient:
        """Change a recipient. Role: admin."""
        answer: AlertRecipient = self._transport.ask("PUT", ("alert-recipients", recipient), json=body)
        return answer

    def test_alert_recipient(self, recipient: int) -> RecipientTest:
        """Send a test notification, and wait for the result, at most 15 seconds. Role: operator."""
        answer: RecipientTest = self._transport.ask("POST", ("alert-recipients", recipient, "test"))
        return answer

    def list_alert_rules(self, *, after: str | None = None, limit: int | None = None) -> AlertRuleList:
        """All rules, each with its number of open alerts. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: AlertRuleList = self._transport.ask("GET", ("alert-rules",), query=query)
        return answer

    def iterate_alert_rules(self) -> Iterator[AlertRule]:
        """Every item of `list_alert_rules`, one request a page."""
        return followed(lambda at: self.list_alert_rules(after=at, limit=1000))

    def create_alert_rule(self, body: AlertRuleRequest) -> AlertRule:
        """Create an alert rule. Role: admin."""
        answer: AlertRule = self._transport.ask("POST", ("alert-rules",), json=body)
        return answer

    def delete_alert_rule(self, rule: int) -> None:
        """Delete a rule with its alerts. Role: admin."""
        self._transport.send("DELETE", ("alert-rules", rule))

    def change_alert_rule(self, rule: int, body: AlertRuleRequest) -> AlertRule:
        """Change a rule. Open alerts are evaluated with the changed rule. Role: admin."""
        answer: AlertRule = self._transport.ask("PUT", ("alert-rules", rule), json=body)
        return answer

    def silence_alert_rule(self, rule: int, body: SilenceRequest) -> AlertRule:
        """Mute the notifications of a rule for some time; alerts are still recorded. Role: operator."""
        answer: AlertRule = self._transport.ask("POST", ("alert-rules", rule, "silence"), json=body)
        return answer

    def list_alert_snoozes(self, *, after: str | None = None, limit: int | None = None) -> SnoozeList:
        """Snoozes that go on. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: SnoozeList = self._transport.ask("GET", ("alert-snoozes",), query=query)
        return answer

    def iterate_alert_snoozes(self) -> Iterator[Snooze]:
        """Every item of `list_alert_snoozes`, one request a page."""
        return followed(lambda at: self.list_alert_snoozes(after=at, limit=1000))

    def create_alert_snooze(self, body: SnoozeRequest) -> Snooze:
        """Hold back the notices of alerts until a time, for a reason; alerts are still recorded. Those that are still open
        then are announced then. Role: operator."""
        answer: Snooze = self._transport.ask("POST", ("alert-snoozes",), json=body)
        return answer

    def end_alert_snooze(self, snooze: int) -> None:
        """End a snooze now. Role: operator."""
        self._transport.send("DELETE", ("alert-snoozes", snooze))

    def list_alerts(
        self,
        *,
        open: bool | None = None,
        rule: int | None = None,
        device: str | None = None,
        before_id: int | None = None,
        limit: int | None = None,
    ) -> AlertList:
        """Alerts, newest first. A caller with roles for groups sees those about their devices and rollouts. Role: viewer."""
        query = {"open": open, "rule": rule, "device": device, "before_id": before_id, "limit": limit}
        answer: AlertList = self._transport.ask("GET", ("alerts",), query=query)
        return answer

    def iterate_alerts(
        self,
        *,
        open: bool | None = None,
        rule: int | None = None,
        device: str | None = None,
    ) -> Iterator[Alert]:
        """Every item of `list_alerts`, one request a page."""
        return newest_first(lambda at: self.list_alerts(open=open, rule=rule, device=device, before_id=at, limit=1000), "id")

    def acknowledge_alert(self, alert: int) -> None:
        """Acknowledge an alert. Role: operator."""
        self._transport.send("POST", ("alerts", alert, "acknowledge"))

    def get_device_figures(
        self,
        device: str,
        *,
        span_s: Literal[60, 3600] | None = None,
        since_at: float | None = None,
        until_at: float | None = None,
        points_max: int | None = None,
    ) -> FigureSeries:
        """Telemetry aggregated by minute (default: one day) or hour (default: thirty days); stored much longer than samples.
        Role: viewer."""
        query = {"span_s": span_s, "since_at": since_at, "until_at": until_at, "points_max": points_max}
        answer: FigureSeries = self._transport.ask("GET", ("devices", device, "figures"), query=query)
        return answer

    def list_notices(self, *, before_id: int | None = None, limit: int | None = None) -> NoticeList:
        """Notifications to webhooks and mail addresses, newest first, with their delivery state. Role: viewer."""
        query = {"before_id": before_id, "limit": limit}
        answer: NoticeList = self._transport.ask("GET", ("notices",), query=query)
        return answer

    def iterate_notices(self) -> Iterator[Notice]:
        """Every item of `list_notices`, one request a page."""
        return newest_first(lambda at: self.list_notices(before_id=at, limit=1000), "id")
