"""Converts the stored terms of a rollout (with the API's field names) to the engine's types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timezone, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from edgefleet_server.domain.maintenance_windows import Window
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from edgefleet_server.domain.terms import Rate, Retry, Terms


def read(record: Mapping[str, Any], priority: int) -> Terms:
    """The terms of one rollout; missing values have their defaults."""
    rate, window = record.get("rate"), record.get("window")
    return Terms(
        priority=priority,
        retry=Retry(**record.get("retry", {})),
        rate=Rate(**rate) if rate else None,
        window=_window(window) if window else None,
        follow=record.get("follow", False),
        prestage=record.get("prestage", False),
    )


def gate(record: Mapping[str, Any]) -> RolloutGate:
    """The gate of one rollout."""
    limits = record.get("regressions")
    return RolloutGate(**{**record, "regressions": RegressionLimits(**limits) if limits else None})


def _window(record: Mapping[str, Any]) -> Window:
    return Window(
        minute(record["start"]), minute(record["end"]), frozenset(record.get("days", ())), record.get("timezone", "UTC")
    )


def minute(clock: str) -> int:
    """`22:30` as minutes of the day."""
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)


@lru_cache(maxsize=1024)
def place(name: str, default: str) -> tzinfo:
    """The time zone `name` of a device; `default`, that of the rollout's window, if `name` is empty or unknown."""
    return zone_of(name) or zone_of(default) or timezone.utc


@lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo | None:
    """The time zone with a name of the IANA database; None if there is none."""
    if name == "UTC":
        return timezone.utc
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
