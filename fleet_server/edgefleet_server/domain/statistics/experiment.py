"""Experiments: divides devices among two or more versions and compares their figures."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from edgefleet_server.domain.statistics.confidence_intervals import (
    Interval,
    of_difference,
    of_mean,
    of_share,
    of_share_difference,
)

CONFIDENCE: Final = 0.95
"""Probability that all intervals of one comparison hold together; each single one is wider (Bonferroni)."""
ARMS_MAX: Final = 4

Verdict = Literal["better", "worse", "different", "no_difference_seen", "too_few"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that is compared: one number per device. `lower_is_better` None = neither direction is better."""

    name: str
    unit: str
    lower_is_better: bool | None


MEASURES: Final = (
    Measure("latency_p95_ms", "ms", True),
    Measure("dropped_percent", "% of frames", True),
    Measure("confidence", "%", None),
    Measure("events_per_hour", "1/h", None),
)
FAILURES: Final = Measure("failures", "% of devices", True)
"""Share of the devices that were offered the version."""


@dataclass(frozen=True, slots=True)
class ArmPlan:
    """A version and its part of the devices: `share` of the range of the hash, or the devices whose label has `value`."""

    name: str
    share: float = 1.0
    value: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """The results of one arm: by measure one value for each device, and `failed` of the `tried` devices that were offered the
    version."""

    arm: str
    values: Mapping[str, Sequence[float]]
    failed: int = 0
    tried: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of an arm to the first one."""

    arm: str
    interval: Interval
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure over all arms; `arms` without those that have no values."""

    measure: Measure
    arms: Mapping[str, Interval]
    differences: tuple[Difference, ...]


def split_by_hash(devices: Sequence[str], arms: Sequence[ArmPlan], seed: str) -> dict[str, str]:
    """Device → arm, by a stable hash: the same device, seed and shares give the same arm, independent of the other devices."""
    whole = sum(arm.share for arm in arms)
    found: dict[str, str] = {}
    for device in devices:
        digest = hashlib.sha256(f"{seed}:{device}".encode()).digest()
        place, reached = int.from_bytes(digest[:8], "big") / 2**64 * whole, 0.0
        found[device] = arms[-1].name
        for arm in arms:
            reached += arm.share
            if place < reached:
                found[device] = arm.name
                break
    return found


def split_by_label(labels: Mapping[str, Mapping[str, str]], key: str, arms: Sequence[ArmPlan]) -> dict[str, str]:
    """Device → arm, by the value of a label; devices that carry no arm's value take no part. `labels` by device."""
    by_value = {arm.value: arm.name for arm in arms}
    return {device: by_value[mine[key]] for device, mine in labels.items() if mine.get(key) in by_value}


def compare(fields: Sequence[Field], names: Collection[str] = ()) -> list[Comparison]:
    """Compare each arm with the first, by every figure or by those in `names`: fewer figures give narrower intervals."""
    chosen = [measure for measure in (*MEASURES, FAILURES) if not names or measure.name in names]
    confidence = 1.0 - (1.0 - CONFIDENCE) / (len(chosen) * max(1, len(fields) - 1))
    return [_failures(fields, confidence) if measure is FAILURES else _compare(measure, fields, confidence) for measure in chosen]


def _compare(measure: Measure, fields: Sequence[Field], confidence: float) -> Comparison:
    known = {field.arm: field.values.get(measure.name, ()) for field in fields}
    first = known[fields[0].arm]
    found: list[Difference] = []
    for field in fields[1:]:
        if first and known[field.arm]:
            interval = of_difference(first, known[field.arm], confidence)
            found.append(Difference(field.arm, interval, _verdict(measure, interval)))
    return Comparison(measure, {arm: of_mean(v, confidence) for arm, v in known.items() if v}, tuple(found))


def _failures(fields: Sequence[Field], confidence: float) -> Comparison:
    tried = {field.arm: (field.failed, field.tried) for field in fields if field.tried}
    first = fields[0].arm
    found: list[Difference] = []
    for field in fields[1:]:
        if first in tried and field.arm in tried:
            interval = _percent(of_share_difference(tried[first], tried[field.arm], confidence))
            found.append(Difference(field.arm, interval, _verdict(FAILURES, interval)))
    return Comparison(FAILURES, {arm: _percent(of_share(*pair, confidence)) for arm, pair in tried.items()}, tuple(found))


def _percent(interval: Interval) -> Interval:
    low, high = (None if limit is None else 100.0 * limit for limit in (interval.low, interval.high))
    return Interval(interval.devices, 100.0 * interval.value, low, high)


def _verdict(measure: Measure, interval: Interval) -> Verdict:
    if interval.low is None or interval.high is None:
        return "too_few"
    if interval.low <= 0.0 <= interval.high:
        return "no_difference_seen"
    if measure.lower_is_better is None:
        return "different"
    return "better" if (interval.value < 0.0) is measure.lower_is_better else "worse"
