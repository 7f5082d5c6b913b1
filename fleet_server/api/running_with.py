"""What the server runs with, in words a person can act on: each value with what changes it. Secrets are never in it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from fleet_server.api.server_schemas import Setting, SettingGroup, Unit
from fleet_server.domain import presence, terms
from fleet_server.domain.gates import Gate
from fleet_server.settings import Settings

PER_ROLLOUT: Final = "each rollout says its own"


def _one(name: str, title: str, value: str | float | bool, change: str, unit: Unit = "") -> Setting:
    return Setting(name=name, title=title, value=value, unit=unit, change=change)


def groups(settings: Settings, device_url: str) -> list[SettingGroup]:
    """Everything, by subject."""
    return [
        SettingGroup(name="reach", title="How it is reached", items=_reach(settings, device_url)),
        SettingGroup(name="retention", title="What is kept, and how long", items=_retention(settings)),
        SettingGroup(name="gates", title="What a rollout has where nobody says otherwise", items=_gates(settings)),
        SettingGroup(name="limits", title="Limits", items=_limits(settings)),
        SettingGroup(name="mail", title="Mail and measures", items=_mail(settings)),
    ]


def _reach(settings: Settings, device_url: str) -> list[Setting]:
    https = "yes" if settings.tls_cert else "by a proxy" if settings.is_secure else "no"
    return [
        _one("host", "Listens on", f"{settings.host}:{settings.port}", "--host, --port"),
        _one("https", "HTTPS", https, "--tls-cert and --tls-key, or a proxy and --public-url"),
        _one("public_url", "Published as", settings.public_url or "not published", "--public-url"),
        _one("broker", "Broker", _place(settings.broker_url) or "Mosquitto, run by this server", "--broker"),
        _one("device_url", "Devices find it at", _place(device_url), "--device-host, --mqtts-port"),
        _one("plain_devices", "Devices without certificates", settings.plain_devices, "--plain-devices"),
        _one("certificate_days", "Life of a device's certificate", settings.certificate_days, "--certificate-days", "days"),
    ]


def _retention(settings: Settings) -> list[Setting]:
    return [
        _one("telemetry_kept_s", "Samples of devices", settings.telemetry_kept_s, "--keep-samples-hours", "s"),
        _one("minutes_kept_s", "Figures by the minute", settings.minutes_kept_s, "--keep-minutes-days", "s"),
        _one("hours_kept_s", "Figures by the hour", settings.hours_kept_s, "--keep-hours-days", "s"),
        _one("events_kept_s", "Events and their pictures", settings.events_kept_s, "--keep-events-days", "s"),
        _one("audit_kept_s", "Audit log, before it moves to files", settings.audit_kept_s, "--keep-audit-days", "s"),
        _one("alerts_kept_s", "Alerts that have ended", settings.alerts_kept_s, "--keep-alerts-days", "s"),
        _one("commands_kept_s", "Commands that were answered", settings.commands_kept_s, "--keep-commands-days", "s"),
        _one("versions_kept", "Versions of each model, at least", settings.versions_kept or "all", "--keep-versions"),
        _one("versions_kept_s", "Versions that nothing needs", settings.versions_kept_s, "--keep-versions-days", "s"),
        _one("telemetry_rows_max", "Samples, at most", settings.telemetry_rows_max, "", "rows"),
        _one("events_rows_max", "Events, at most", settings.events_rows_max, "", "rows"),
    ]


def _gates(settings: Settings) -> list[Setting]:
    gate, retry = Gate(), terms.Retry()
    second = ", ".join(f"{key}={value}" for key, value in settings.second_person.items())
    return [
        _one("error_percent_max", "A wave stops over", gate.error_percent_max, PER_ROLLOUT, "percent"),
        _one("tolerated", "A good version may fail on", gate.tolerated, PER_ROLLOUT, "percent"),
        _one("confidence_percent", "Proof of more has to be sure to", gate.confidence_percent, PER_ROLLOUT, "percent"),
        _one("offline_s", "Silence after an update is a failure after", gate.offline_s, PER_ROLLOUT, "s"),
        _one("soak_s", "A wave is watched on for", gate.soak_s, PER_ROLLOUT, "s"),
        _one("tries_max", "Tries of a device whose link failed", retry.tries_max, PER_ROLLOUT),
        _one("box", "A device is set aside after", f"{terms.BOX_FAILURES} failures within a day, for a day", ""),
        _one("second_person", "A second person has to agree for", second or "no device", "--second-person K=V"),
        _one("silent_s", "A silent line counts as away after", presence.SILENT_S, "", "s"),
    ]


def _limits(settings: Settings) -> list[Setting]:
    device = settings.device_bytes_per_s
    return [
        _one("requests", "Requests of one session or token", settings.requests_per_minute, "--requests-per-minute", "per_minute"),
        _one("block_bytes_per_s", "Models, to all devices", settings.block_bytes_per_s, "--models-mbit", "bytes_per_s"),
        _one(
            "device_bytes_per_s", "Models, to one device", device or "no limit", "--device-mbit", "bytes_per_s" if device else ""
        ),
        _one("upload_bytes_max", "A package", settings.upload_bytes_max, "", "bytes"),
        _one("devices_max", "Devices", settings.devices_max, ""),
    ]


def _mail(settings: Settings) -> list[Setting]:
    return [
        _one(
            "smtp_url", "Mail server", _place(settings.smtp_url) or "none: alerts go to webhooks only", "--smtp, $EDGEFLEET_SMTP"
        ),
        _one("mail_from", "Mail comes from", settings.mail_from, "--mail-from"),
        _one("otlp_url", "Measures go to", _place(settings.otlp_url) or "nobody; /metrics has them", "--otlp"),
    ]


def _place(url: str) -> str:
    """An address without user and password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else ""
