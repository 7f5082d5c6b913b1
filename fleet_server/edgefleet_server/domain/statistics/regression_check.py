"""Compares the figures of a device with those before its update. A device is compared with itself only: one that was slow before
and stays as slow has no regression.

The levels before and after are medians (latency) and means over a period of telemetry; a period with too few samples is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

BEFORE_S: Final = 900.0
"""Length of the baseline period before the update."""
LATENCY_MS_MIN: Final = 1.0
"""Smaller changes are ignored, whatever their share."""


@dataclass(frozen=True, slots=True)
class RegressionLimits:
    """Largest accepted degradations; None = not compared. Latency in percent of the baseline, dropped frames in percentage points
    of all frames, confidence in percentage points of its mean, temperature in degrees Celsius. `samples_min`: of each period.
    `agreement_percent_min`: of a shadow candidate with the incumbent; not a comparison, since there was no candidate before."""

    latency_percent: float | None = 50.0
    dropped_points: float | None = 10.0
    confidence_points: float | None = 10.0
    temperature_c: float | None = 10.0
    samples_min: int = 5
    agreement_percent_min: float | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """One figure over a period."""

    count: int
    value: float


Levels = Mapping[str, Level]
"""By `latency_p95_ms`, `dropped_percent`, `confidence`, `temperature_c`, `shadow_agreement`."""


def worse(limits: RegressionLimits, before: Levels, after: Levels) -> str:
    """The figures that are worse by more than the limits, as readable text; empty if none is."""

    def both(name: str) -> tuple[float, float] | None:
        was, now = before.get(name), after.get(name)
        if was is None or now is None or min(was.count, now.count) < limits.samples_min:
            return None
        return was.value, now.value

    findings: list[str] = []
    latency = both("latency_p95_ms")
    if latency and limits.latency_percent is not None:
        was, now = latency
        if now > was * (1.0 + limits.latency_percent / 100.0) and now - was >= LATENCY_MS_MIN:
            findings.append(f"latency {now:.3g} ms, before {was:.3g} ms")
    for name, limit, sign, text in (
        ("dropped_percent", limits.dropped_points, 1.0, "{now:.3g} % of frames dropped, before {was:.3g} %"),
        ("confidence", limits.confidence_points, -1.0, "mean confidence {now:.3g} %, before {was:.3g} %"),
        ("temperature_c", limits.temperature_c, 1.0, "{now:.3g} °C, before {was:.3g} °C"),
    ):
        pair = both(name)
        if pair and limit is not None and sign * (pair[1] - pair[0]) > limit:
            findings.append(text.format(was=pair[0], now=pair[1]))
    agreed, required = after.get("shadow_agreement"), limits.agreement_percent_min
    if agreed is not None and required is not None and agreed.count >= limits.samples_min and agreed.value < required:
        findings.append(f"agreement {agreed.value:.3g} % with the running version, minimum {required:g} %")
    return "; ".join(findings)
