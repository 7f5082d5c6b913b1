"""Effective settings of the server for the dashboard: each value with the option that changes it. Secrets are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from edgefleet_server.api.schemas.admin.server import SettingEdit, SettingGroup, SettingView
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.settings import ChangedSetting
from edgefleet_server.domain import terms
from edgefleet_server.domain.fleet import presence
from edgefleet_server.domain.policy.runtime_settings import ADJUSTABLE, Unit, text_of
from edgefleet_server.domain.rollout.gates import RolloutGate

PER_ROLLOUT: Final = "Set per rollout"
NO_MAIL: Final = "None; alerts are sent to webhooks only"


def groups(now: Settings, device_url: str, start: Settings, stored: Mapping[str, ChangedSetting]) -> list[SettingGroup]:
    """All settings by subject. `now`: the effective ones; `start`: those of the server's start; `stored`: changes at runtime."""
    reported = _ReportedSettings(now, start, stored)
    return [
        SettingGroup(name="retention", title="Retention", items=reported.own(*_RETENTION)),
        SettingGroup(name="gates", title="Rollout defaults", items=_gates(reported)),
        SettingGroup(name="limits", title="Limits", items=_limits(reported)),
        SettingGroup(name="mail", title="Email and metrics", items=_mail(reported)),
        SettingGroup(name="reach", title="Network", items=_reach(reported, device_url)),
    ]


_RETENTION: Final = (
    "telemetry_retention_s", "minutes_retention_s", "hours_retention_s", "days_retention_s", "events_retention_s",
    "audit_retention_s", "alerts_retention_s", "commands_retention_s", "versions_retained", "versions_retention_s",
    "telemetry_rows_max", "events_rows_max",
)  # fmt: skip


class _ReportedSettings:
    """Builds the views of settings that can be changed at runtime, with the data for changing them."""

    def __init__(self, now: Settings, start: Settings, stored: Mapping[str, ChangedSetting]) -> None:
        self.now, self._start, self._stored = now, start, stored

    def own(self, *names: str) -> list[SettingView]:
        return [self._one(name) for name in names]

    def _one(self, name: str) -> SettingView:
        about, pinned, change = ADJUSTABLE[name], name in self._start.pinned, self._stored.get(name)
        changed = None if pinned else change
        edit = SettingEdit(
            kind=about.kind,
            low=about.low,
            high=about.high,
            choices=list(about.choices),
            zero=about.zero,
            default=_plain(name, self._start),
            pinned=pinned,
            changed_at=changed.at if changed else None,
            changed_by=changed.by if changed else "",
        )
        return SettingView(
            name=name, title=about.title, value=_plain(name, self.now), unit=about.unit, change=about.flag, edit=edit
        )


def _plain(name: str, settings: Settings) -> str | float:
    value = getattr(settings, name)
    if ADJUSTABLE[name].kind == "secret":
        return _place(value) or NO_MAIL
    return text_of(value) if isinstance(value, (Mapping, tuple)) else value


def _fixed(name: str, title: str, value: str | float | bool, change: str, unit: Unit = "") -> SettingView:
    return SettingView(name=name, title=title, value=value, unit=unit, change=change, edit=None)


def _gates(reported: _ReportedSettings) -> list[SettingView]:
    gate = RolloutGate(error_percent_max=reported.now.error_percent_max)
    return [
        *reported.own("template", "error_percent_max"),
        _fixed("tolerated", "Tolerated failure rate", gate.tolerated, PER_ROLLOUT, "percent"),
        *reported.own("confidence_percent", "offline_s", "soak_s", "tries_max", "second_person", "trust_reported"),
        _fixed("exclusion", "Device exclusion", f"For 1 day after {terms.EXCLUSION_FAILURES} failures within 1 day", ""),
        _fixed("silent_s", "Heartbeat timeout", presence.SILENT_S, "", "s"),
    ]


def _limits(reported: _ReportedSettings) -> list[SettingView]:
    return [
        *reported.own("requests_per_minute", "block_bytes_per_s", "device_bytes_per_s", "certificate_days"),
        _fixed("upload_bytes_max", "Max package size", reported.now.upload_bytes_max, "", "bytes"),
        _fixed("devices_max", "Max devices", reported.now.devices_max, ""),
    ]


def _mail(reported: _ReportedSettings) -> list[SettingView]:
    otlp = _place(reported.now.otlp) or "None; metrics are at /metrics"
    return [*reported.own("smtp_url", "mail_from"), _fixed("otlp", "OpenTelemetry collector", otlp, "--otlp")]


def _reach(reported: _ReportedSettings, device_url: str) -> list[SettingView]:
    settings = reported.now
    own = "Yes, own authority" if settings.tls_self_signed else "Yes"
    https = own if settings.has_tls else "By proxy" if settings.is_secure else "No"
    return [
        _fixed("host", "Listen address", f"{settings.host}:{settings.port}", "--host, --port"),
        _fixed("https", "HTTPS", https, "--tls-self-signed, --tls-cert and --tls-key, or a proxy and --public-url"),
        _fixed("public_url", "Public URL", settings.public_url or "Not set", "--public-url"),
        _fixed("broker", "Broker", _place(settings.broker_url) or "Built-in Mosquitto", "--broker"),
        _fixed("device_url", "Broker address for devices", _place(device_url), "--device-host, --mqtts-port"),
        _fixed("plain_devices", "Allow devices without certificates", settings.plain_devices, "--plain-devices"),
    ]


def _place(url: str) -> str:
    """An address without user and password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else ""
