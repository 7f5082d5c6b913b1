"""Comparison of a shadow candidate with the incumbent, by device and by profile. The device is the unit: each counts once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from edgefleet_server.domain.statistics.confidence_intervals import of_mean
from edgefleet_server.domain.statistics.regression_check import RegressionLimits

CONFIDENCE: Final = 0.95
WORST_MAX: Final = 5


@dataclass(frozen=True, slots=True)
class ShadowComparison:
    """One device that runs the candidate on its frames. `agreement_percent`: mean over `samples`; `latency_percent`: in percent
    of the incumbent's; `confidence_points`: difference to the incumbent's. All None before the first measurement."""

    device: str
    profile: str
    samples: int = 0
    agreement_percent: float | None = None
    latency_percent: float | None = None
    confidence_points: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Devices of one profile (empty: all). `low`, `high`: 95 % confidence limits of the mean agreement, None for fewer than two
    devices. `below`: number of devices with enough samples that agree less than the gate requires."""

    profile: str
    devices: int
    measured: int
    below: int
    agreement_percent: float | None
    low: float | None
    high: float | None
    latency_percent: float | None
    confidence_points: float | None


def is_below(one: ShadowComparison, limits: RegressionLimits | None) -> bool:
    """Whether the gate counts a device as failed because of the candidate's agreement."""
    if limits is None or limits.agreement_percent_min is None or one.agreement_percent is None:
        return False
    return one.samples >= limits.samples_min and one.agreement_percent < limits.agreement_percent_min


def summaries(found: Sequence[ShadowComparison], limits: RegressionLimits | None) -> list[Summary]:
    """Summary of all devices, followed by those of the profiles, the one with the most devices first."""
    by_profile: defaultdict[str, list[ShadowComparison]] = defaultdict(list)
    for one in found:
        by_profile[one.profile].append(one)
    ordered = sorted(by_profile.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [_summary("", found, limits), *(_summary(profile, rows, limits) for profile, rows in ordered)]


def worst(found: Sequence[ShadowComparison]) -> list[ShadowComparison]:
    """The devices with the lowest agreement."""
    known = [(one.agreement_percent, one.device, one) for one in found if one.agreement_percent is not None]
    return [one for _, _, one in sorted(known, key=lambda each: each[:2])[:WORST_MAX]]


def _summary(profile: str, rows: Sequence[ShadowComparison], limits: RegressionLimits | None) -> Summary:
    agreed = [one.agreement_percent for one in rows if one.agreement_percent is not None]
    interval = of_mean(agreed, CONFIDENCE) if agreed else None
    return Summary(
        profile=profile,
        devices=len(rows),
        measured=len(agreed),
        below=sum(is_below(one, limits) for one in rows),
        agreement_percent=interval.value if interval else None,
        low=_share(interval.low if interval else None),
        high=_share(interval.high if interval else None),
        latency_percent=_mean([one.latency_percent for one in rows]),
        confidence_points=_mean([one.confidence_points for one in rows]),
    )


def _share(limit: float | None) -> float | None:
    """A limit of Student's interval cut to 0 to 100 %, the range of a share."""
    return None if limit is None else min(100.0, max(0.0, limit))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
