"""Settings that an administrator may change while the server runs: their bounds, and the errors for wrong values.

Values from the command line or the environment have precedence: they cannot be changed at runtime (`Settings.pinned`), so that a
unit file always describes the running server.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from edgefleet_contract.encoding.names import LABEL_KEY_PATTERN
from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings
from edgefleet_server.domain.rollout.templates import TEMPLATES

Kind = Literal["number", "whole", "labels", "keys", "text", "secret", "choice"]
Unit = Literal["", "s", "bytes", "bytes_per_s", "per_minute", "rows", "days", "percent", "frames"]
Value = float | int | str
"""A value as in the REST API and in the database; labels are `key=value, key=value`, keys `key, key`."""

HOUR_S: Final = 3_600.0
DAY_S: Final = 86_400.0
MBIT: Final = 125_000.0
TEXT_MAX: Final = 500
_KEY: Final = re.compile(LABEL_KEY_PATTERN)
_PAIR: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}=[^=,\s]{1,128}$")
_MAIL_URL: Final = re.compile(r"^(smtp|smtps|smtp\+starttls)://([^\s@/]+@)?[A-Za-z0-9.\-\[\]:]+/?$")
_ADDRESS: Final = re.compile(r"^[^@\s<>]{1,64}@[^@\s<>]{1,190}$")


@dataclass(frozen=True, slots=True)
class RuntimeSetting:
    """A setting that can be changed at runtime. `name`: the field of `Settings`. `flag`: the option that sets it at the start.
    `low`, `high`: bounds of a number, in `unit`. `zero`: the meaning of 0, if it is special."""

    name: str
    title: str
    flag: str
    kind: Kind = "number"
    unit: Unit = ""
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    zero: str = ""


def _retention(name: str, title: str, flag: str, low_s: float, high_s: float = 3_650 * DAY_S) -> RuntimeSetting:
    return RuntimeSetting(name, title, flag, "number", "s", low_s, high_s)


ADJUSTABLE: Final[Mapping[str, RuntimeSetting]] = {
    each.name: each
    for each in (
        _retention("telemetry_retention_s", "Telemetry samples", "--keep-samples-hours", HOUR_S, 90 * DAY_S),
        _retention("minutes_retention_s", "1-minute aggregates", "--keep-minutes-days", DAY_S, 400 * DAY_S),
        _retention("hours_retention_s", "1-hour aggregates", "--keep-hours-days", 7 * DAY_S),
        _retention("days_retention_s", "1-day aggregates", "--keep-days-days", 30 * DAY_S),
        _retention("events_retention_s", "Events and evidence", "--keep-events-days", HOUR_S),
        _retention("audit_retention_s", "Audit log (database)", "--keep-audit-days", 30 * DAY_S),
        _retention("alerts_retention_s", "Closed alerts", "--keep-alerts-days", DAY_S),
        _retention("commands_retention_s", "Completed commands", "--keep-commands-days", DAY_S),
        RuntimeSetting("versions_retained", "Versions kept per model", "--keep-versions", "whole", "", 0, 10_000, zero="all"),
        _retention("versions_retention_s", "Unused versions", "--keep-versions-days", DAY_S),
        RuntimeSetting("telemetry_rows_max", "Max telemetry samples", "", "whole", "rows", 10_000, 1_000_000_000),
        RuntimeSetting("events_rows_max", "Max events", "", "whole", "rows", 10_000, 1_000_000_000),
        RuntimeSetting("template", "Default template", "", "choice", choices=tuple(TEMPLATES)),
        RuntimeSetting("error_percent_max", "Max failure rate", "", "number", "percent", 0.0, 100.0),
        RuntimeSetting("confidence_percent", "Confidence level", "", "number", "percent", 50.0, 99.999),
        RuntimeSetting("offline_s", "Offline timeout", "", "number", "s", 1.0, DAY_S),
        RuntimeSetting("soak_s", "Soak time", "", "number", "s", 0.0, 7 * DAY_S, zero="none"),
        RuntimeSetting("tries_max", "Max attempts", "", "whole", "", 1, 10),
        RuntimeSetting("second_person", "Require approval for devices with", "--second-person", "labels"),
        RuntimeSetting("trust_reported", "Labels that devices may set themselves", "", "keys"),
        RuntimeSetting(
            "requests_per_minute",
            "Max request rate per session or token",
            "--requests-per-minute",
            "whole",
            "per_minute",
            120,
            1_000_000,
        ),
        RuntimeSetting(
            "block_bytes_per_s", "Max download rate, all devices", "--models-mbit", "number", "bytes_per_s", MBIT, 1e5 * MBIT
        ),
        RuntimeSetting(
            "device_bytes_per_s",
            "Max download rate per device",
            "--device-mbit",
            "number",
            "bytes_per_s",
            0.0,
            1e5 * MBIT,
            zero="no limit",
        ),
        RuntimeSetting("video_streams_max", "Max live videos", "", "whole", "", 0, 1_000),
        RuntimeSetting("video_session_bytes", "Max size of a live video", "", "whole", "bytes", 1_000_000, 1e12),
        RuntimeSetting("video_device_bytes", "Max live video per device and hour", "", "whole", "bytes", 1_000_000, 1e12),
        RuntimeSetting("video_watch_s", "Ask viewers of live video after", "", "number", "s", 60.0, DAY_S),
        RuntimeSetting("certificate_days", "Device certificate lifetime", "--certificate-days", "number", "days", 1.0, 3_650.0),
        RuntimeSetting("smtp_url", "SMTP server", "--smtp, $EDGEFLEET_SMTP", "secret"),
        RuntimeSetting("mail_from", "Sender address", "--mail-from", "text"),
    )
}


def adjusted(start: Settings, stored: Mapping[str, Value]) -> Settings:
    """The effective settings: those of the start, with the stored changes of settings that the start did not pin.

    Raises:
        InputError: a stored value is not allowed by this version of the server.
    """
    known = {name: value for name, value in stored.items() if name in ADJUSTABLE and name not in start.pinned}
    return replace(start, **{name: _field(ADJUSTABLE[name], value) for name, value in known.items()})


def checked(name: str, value: Value, start: Settings) -> Value:
    """Validate a new value and return it as it is stored.

    Raises:
        InputError: the setting cannot be changed at runtime, or not to this value; the text names the setting and its bounds.
    """
    about = ADJUSTABLE.get(name)
    if about is None:
        known = name in {each.name for each in fields(Settings)}
        more = "set it at server startup" if known else "GET /settings lists all settings"
        raise InputError(f"{name!r} is not a setting that can be changed here; {more}")
    if name in start.pinned:
        raise InputError(f"{about.title}: set at startup by {about.flag}; remove the option there to change it here")
    _field(about, value)
    return value.strip() if isinstance(value, str) else value


def text_of(labels: Mapping[str, str] | Sequence[str]) -> str:
    """Labels as `key=value, key=value`, keys of labels as `key, key`."""
    return ", ".join([f"{key}={value}" for key, value in labels.items()] if isinstance(labels, Mapping) else labels)


def _field(about: RuntimeSetting, value: Value) -> Any:
    """The value of the field of `Settings`."""
    if about.kind in ("number", "whole"):
        return _number(about, value)
    if not isinstance(value, str) or len(value) > TEXT_MAX:
        raise InputError(f"{about.title}: must be a text of at most {TEXT_MAX} characters")
    return _word(about, value.strip())


def _word(about: RuntimeSetting, text: str) -> Any:
    if about.kind == "labels":
        pairs = [pair for part in text.split(",") if (pair := part.strip())]
        wrong = next((pair for pair in pairs if not _PAIR.match(pair)), None)
        if wrong is not None:
            raise InputError(f"{about.title}: {wrong!r} is not a label; use name=value, separated by commas")
        return dict(pair.split("=", 1) for pair in pairs)
    if about.kind == "keys":
        keys = tuple(dict.fromkeys(key for part in text.split(",") if (key := part.strip())))
        wrong = next((key for key in keys if not _KEY.fullmatch(key)), None)
        if wrong is not None:
            raise InputError(f"{about.title}: {wrong!r} is not the key of a label; use keys separated by commas")
        return keys
    if about.kind == "choice" and text not in about.choices:
        raise InputError(f"{about.title}: {text!r} must be one of {', '.join(about.choices)}")
    if about.kind == "secret" and text and not _MAIL_URL.match(text):
        raise InputError(
            f"{about.title}: must be smtp://host:25, smtp+starttls://user:password@host:587, smtps://host:465, or empty for none"
        )
    if about.kind == "text" and not _ADDRESS.match(text):
        raise InputError(f"{about.title}: must be an email address, e.g. edgefleet@example.com")
    return text


def _number(about: RuntimeSetting, value: Value) -> float | int:
    if isinstance(value, (str, bool)) or not math.isfinite(value):
        raise InputError(f"{about.title}: {value!r} is not a number; must be {_bounds(about)}")
    if about.kind == "whole" and value != int(value):
        raise InputError(f"{about.title}: {value} is not an integer; must be {_bounds(about)}")
    if not about.low <= value <= about.high:
        raise InputError(f"{about.title}: {setting_text(value, about.unit)}: must be {_bounds(about)}")
    return int(value) if about.kind == "whole" else float(value)


def _bounds(about: RuntimeSetting) -> str:
    return f"between {setting_text(about.low, about.unit)} and {setting_text(about.high, about.unit)}"


def setting_text(value: float, unit: Unit) -> str:
    """A number with its unit, as readable text."""
    if unit == "s":
        size, name = (DAY_S, "d") if abs(value) >= DAY_S else (HOUR_S, "h") if abs(value) >= HOUR_S else (1.0, "s")
        return f"{value / size:g} {name}"
    if unit == "bytes_per_s":
        return f"{value / MBIT:g} Mbit/s"
    words = {"percent": " %", "days": " d", "per_minute": " per minute", "rows": " rows"}
    return f"{value:,.6g}".replace(",", " ") + words.get(unit, "") if abs(value) < 1e6 else f"{value:,.0f}{words.get(unit, '')}"
