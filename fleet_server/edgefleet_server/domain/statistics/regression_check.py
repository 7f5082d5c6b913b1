"""Compares the change of a device by its update with that of devices that were not updated meanwhile: (after - before) of the
device less the median of (after - before) of the others. What slows all of them, such as a busy host or a change of the scene,
is no regression.

With fewer than `CONTROLS_MIN` others, the device is compared with its own past only. Then nothing separates the version from the
scene, so what depends on the scene has wider limits, and fewer detections than before are not judged.

The levels before and after are medians (latency) and means over a period of telemetry; a period with too few samples is ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.statistics import class_mix
from edgefleet_server.domain.statistics.summaries import CLASS

BEFORE_S: Final = 900.0
"""Length of the baseline period before the update."""
CONTROLS_MIN: Final = 5
"""Number of devices that make a control group."""
NOISE: Final = 3.0 * 1.4826
"""A change has to exceed so many median absolute deviations of the others (3 standard deviations of normal values), too."""
LATENCY_MS_MIN: Final = 1.0
MEMORY_BYTES_MIN: Final = 256 * 2**20
GROWTH_MB_MIN: Final = 64.0
"""Smaller changes are ignored, whatever their share."""
FEW_DETECTIONS: Final = 0.25
"""Detections per frame added on both sides of a ratio, which is undefined without any."""
CLASS_CHANGE: Final = "class_change"
OWN_PAST_FACTOR: Final = 2.0
OWN_PAST_DETECTIONS_MIN: Final = 5.0
"""Compared with its own past, a device has to exceed twice the factor of detections, and to have so many more per frame."""


@dataclass(frozen=True, slots=True)
class RegressionLimits:
    """Largest accepted degradations; None = not compared. Latency in percent of the baseline, dropped frames in percentage points
    of all frames, confidence in percentage points of its mean, temperature in degrees Celsius. `detections_factor`: so many times
    as many detections per frame, or as few. Class mix in percent of the boxes. Memory in percent
    of the baseline, and its growth. `samples_min`: of each period.
    `agreement_percent_min`: of a shadow candidate with the incumbent; not a comparison, since there was no candidate before."""

    latency_percent: float | None = defaults.LATENCY_PERCENT
    dropped_points: float | None = defaults.DROPPED_POINTS
    confidence_points: float | None = defaults.CONFIDENCE_POINTS
    temperature_c: float | None = defaults.TEMPERATURE_C
    detections_factor: float | None = defaults.DETECTIONS_FACTOR
    class_mix_percent: float | None = defaults.CLASS_MIX_PERCENT
    memory_percent: float | None = defaults.MEMORY_PERCENT
    memory_mb_per_hour: float | None = defaults.MEMORY_MB_PER_HOUR
    samples_min: int = defaults.SAMPLES_MIN
    agreement_percent_min: float | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """One figure over a period."""

    count: int
    value: float


Levels = Mapping[str, Level]
"""By `latency_p95_ms`, `dropped_percent`, `confidence`, `temperature_c`, `detections_per_frame`, `memory_bytes`,
`memory_growth` (MB per hour), `shadow_agreement`, `CLASS` and a label (boxes per minute), and `CLASS_CHANGE` (in percent: before
an update the spread of the class mix, after it the change since). The counts of the growth and of classes are minutes."""


@dataclass(frozen=True, slots=True)
class Change:
    """The levels of one device before and after an update, its own or that of the device that it is compared with."""

    before: Levels
    after: Levels

    def pair(self, name: str, samples_min: int) -> tuple[float, float] | None:
        """Values before and after; None with too few samples."""
        was, now = self.before.get(name), self.after.get(name)
        if was is None or now is None or min(was.count, now.count) < samples_min:
            return None
        return was.value, now.value


@dataclass(frozen=True, slots=True)
class Verdict:
    """`worse`: the figures that are worse by more than the limits, as text; empty if none is. `controls`: number of devices to
    compare with, of the figure with the fewest; None: nothing could be compared, which says nothing about the version."""

    worse: str
    controls: int | None

    @property
    def text(self) -> str:
        """The worse figures and what they were compared with."""
        if not self.worse or self.controls is None:
            return self.worse
        return f"{self.worse} ({compared_with(self.controls)})"


def compared_with(controls: int) -> str:
    """The comparison as text."""
    if controls >= CONTROLS_MIN:
        return f"compared with {controls} devices that were not updated"
    only = {0: "no other device", 1: "only 1 device"}.get(controls, f"only {controls} devices")
    return f"compared with its own past: {only} to compare with"


@dataclass(frozen=True, slots=True)
class ComparedDevices:
    """Devices of a wave that committed the version. `own_past`: those of the compared ones that had fewer than `CONTROLS_MIN`
    others to be compared with; `fewest`: the least number of others."""

    committed: int = 0
    compared: int = 0
    own_past: int = 0
    fewest: int = 0

    def text(self, limits: RegressionLimits | None) -> str:
        """The number of compared devices as text; empty while none has the version."""
        if not self.committed:
            return ""
        if limits is None:
            return "regressions are not checked"
        if not self.compared:
            return f"none of {self.committed} updated devices has been compared: no figures of before and after its update"
        found = f"{self.compared} of {self.committed} updated devices compared"
        if not self.own_past:
            return f"{found} with devices that were not updated"
        only = f"only {self.fewest} device{'' if self.fewest == 1 else 's'}" if self.fewest else "no other device"
        return f"{found}, {self.own_past} of them with their own past: {only} to compare with"


@dataclass(slots=True)
class _Check:
    """Compares one figure after another."""

    limits: RegressionLimits
    mine: Change
    others: Sequence[Change]
    findings: list[str] = field(default_factory=list)
    controls: list[int] = field(default_factory=list)

    def excess(self, change_of: Callable[[Change], float | None]) -> tuple[float, float, float, bool] | None:
        """(The change of the device less that of the others, the latter, the least that is no noise, whether there is a control
        group); None if the device cannot be compared."""
        own = change_of(self.mine)
        if own is None:
            return None
        seen = [change for other in self.others if (change := change_of(other)) is not None]
        self.controls.append(len(seen))
        if len(seen) < CONTROLS_MIN:
            return own, 0.0, 0.0, False
        usual = median(seen)
        return own - usual, usual, NOISE * median(abs(change - usual) for change in seen), True

    def shares(self, name: str, added: float = 0.0) -> Callable[[Change], float | None]:
        """The change of a figure as the logarithm of its ratio."""

        def change(one: Change) -> float | None:
            pair = one.pair(name, self.limits.samples_min)
            if pair is None or min(pair) + added <= 0.0:
                return None
            return math.log((pair[1] + added) / (pair[0] + added))

        return change

    def differences(self, name: str) -> Callable[[Change], float | None]:
        """The change of a figure as a difference."""

        def change(one: Change) -> float | None:
            pair = one.pair(name, self.limits.samples_min)
            return None if pair is None else pair[1] - pair[0]

        return change

    def share(self, name: str, percent: float | None, least: float, what: str, unit: str, scale: float = 1.0) -> None:
        """A figure that may grow by a share. `least`: smaller changes are ignored. `scale`: the unit in those of the figure."""
        found = self.excess(self.shares(name)) if percent is not None else None
        if found is None or percent is None:
            return
        more, usual, noise, grouped = found
        now, expected = self.mine.after[name].value, self.mine.before[name].value * math.exp(usual)
        if more > max(math.log1p(percent / 100.0), noise) and now - expected >= least:
            self.findings.append(f"{what} {_figure(now / scale)} {unit}, {_than(grouped)} {_figure(expected / scale)} {unit}")

    def difference(self, name: str, limit: float | None, sign: float, text: str, unit: str, least: float = -math.inf) -> None:
        """A figure that may change by a difference. `sign`: of changes for the worse. `least`: its lowest possible value."""
        found = self.excess(self.differences(name)) if limit is not None else None
        if found is None or limit is None:
            return
        more, usual, noise, grouped = found
        if sign * more > max(limit, noise):
            now, expected = self.mine.after[name].value, max(least, self.mine.before[name].value + usual)
            self.findings.append(f"{text.format(_figure(now))}, {_than(grouped)} {_figure(expected)} {unit}")

    def growth(self) -> None:
        """Memory that grows faster."""
        limit, now = self.limits.memory_mb_per_hour, self.mine.after.get("memory_growth")
        if limit is not None and now is not None and now.value * now.count / 60.0 >= GROWTH_MB_MIN:
            self.difference("memory_growth", limit, 1.0, "memory grows by {} MB an hour", "MB")

    def detections(self) -> None:
        """Many more detections, or many fewer."""
        factor, name = self.limits.detections_factor, "detections_per_frame"
        found = self.excess(self.shares(name, FEW_DETECTIONS)) if factor is not None else None
        if found is None or factor is None:
            return
        more, usual, noise, grouped = found
        now, was = self.mine.after[name].value, self.mine.before[name].value
        if grouped:
            is_off = abs(more) > max(math.log(factor), noise)
        else:
            is_off = more > math.log(OWN_PAST_FACTOR * factor) and now - was >= OWN_PAST_DETECTIONS_MIN
        if is_off:
            expected = max(0.0, (was + FEW_DETECTIONS) * math.exp(usual) - FEW_DETECTIONS)
            self.findings.append(f"{_figure(now)} detections a frame, {_than(grouped)} {_figure(expected)}")

    def class_mix(self) -> None:
        """Boxes of other classes in place of those before."""
        limit = self.limits.class_mix_percent
        found = self.excess(_class_change) if limit is not None else None
        if found is None or limit is None:
            return
        more, others, noise, grouped = found
        changed, spread = self.mine.after[CLASS_CHANGE].value, self.mine.before[CLASS_CHANGE].value
        if more > max(limit, noise) and changed > spread:
            which = class_mix.sentence(mix_of(self.mine.before), mix_of(self.mine.after))
            self.findings.append(f"class mix: {which}, {changed:.0f} % changed, {_than(grouped)} {max(others, spread):.0f} %")


def _figure(value: float) -> str:
    """Three digits, and whole numbers from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}" if abs(value) >= 0.001 else "0"


def _class_change(change: Change) -> float | None:
    was, now = change.before.get(CLASS_CHANGE), change.after.get(CLASS_CHANGE)
    if was is None or now is None or was.count < class_mix.MINUTES_BEFORE_MIN or now.count < class_mix.MINUTES_AFTER_MIN:
        return None
    return now.value


def mix_of(levels: Levels) -> dict[str, float]:
    """The class mix."""
    return {name.removeprefix(CLASS): level.value for name, level in levels.items() if name.startswith(CLASS)}


def compare(limits: RegressionLimits, mine: Change, others: Sequence[Change]) -> Verdict:
    """Judge the change of a device. `others`: devices that were not updated, over the same periods."""
    check = _Check(limits, mine, others)
    check.share("latency_p95_ms", limits.latency_percent, LATENCY_MS_MIN, "latency", "ms")
    check.difference("dropped_percent", limits.dropped_points, 1.0, "{} % of frames dropped", "%", 0.0)
    check.difference("confidence", limits.confidence_points, -1.0, "mean confidence {} %", "%")
    check.difference("temperature_c", limits.temperature_c, 1.0, "{} °C", "°C")
    check.detections()
    check.class_mix()
    check.share("memory_bytes", limits.memory_percent, MEMORY_BYTES_MIN, "memory", "MB", 1e6)
    check.growth()
    agreed, required = mine.after.get("shadow_agreement"), limits.agreement_percent_min
    if agreed is not None and required is not None and agreed.count >= limits.samples_min and agreed.value < required:
        check.findings.append(f"agreement {agreed.value:.3g} % with the running version, minimum {required:g} %")
    return Verdict("; ".join(check.findings), min(check.controls, default=None))


def _than(grouped: bool) -> str:
    return "expected" if grouped else "before"
