"""Evaluates alert rules: when an alert starts for a subject, and when it ends. Pure: readings in, changes out.

An alert starts when its condition has held for `for_s`, and ends when the reading has passed `clear`, which lies on the good side
of the limit: a value that oscillates around the limit causes one alert.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Kind = Literal[
    "threshold", "absence", "rate", "anomaly", "blind_camera", "memory", "rollout_paused", "rollout_failed", "rollout_approval"
]
ROLLOUT_KINDS: Final = frozenset({"rollout_paused", "rollout_failed", "rollout_approval"})
"""Kinds whose subjects are rollouts."""
LASTING: Final = ROLLOUT_KINDS | {"absence"}
"""Kinds whose reading is the number of seconds for which the condition has lasted; 0 = it does not hold."""
LATEST_FIGURES: Final = (
    "fps", "latency_p95_ms", "dropped_per_s", "temperature_c", "cpu_percent", "disk_free_bytes", "memory_bytes",
    "memory_growth_percent",
)  # fmt: skip
"""Figures of a threshold rule. `memory_bytes`: of the agent's processes. `memory_growth_percent`: the mean of the last whole hour
against that of the same hour a day before."""
SUMMED_FIGURES: Final = (
    "fps", "latency_p95_ms", "dropped_percent", "temperature_c", "cpu_percent", "confidence", "memory_bytes",
)  # fmt: skip
"""Figures of an anomaly rule."""
CAMERA_FIGURES: Final = ("detections_per_hour", "coverage_percent")
"""Figures of a rule about blind cameras. `coverage_percent`: analyzed frames of those expected."""
_ROLLOUT: Final = "rollout"
HYSTERESIS: Final = 0.05
"""Distance from the limit, as a share of it, that a reading needs to end an alert if the rule has no `clear`."""
HISTORY_MIN: Final = 30
"""Minimum number of past readings of the device for the detection of an anomaly."""
SPREAD_MIN: Final = 0.02
"""Smallest spread, as a share of the mean: otherwise the first change of a constant figure would be an anomaly."""


@dataclass(frozen=True, slots=True)
class AlertRuleTerms:
    """`threshold`: a figure above or below a limit. `absence`: a device away for `for_s`. `rate`: more events than `above`, or
    fewer than `below`, in `window_s`. `anomaly`: a figure further than `deviations` from the device's own mean of the last day.
    `blind_camera`: a figure of a pipeline below a limit. `memory`: the worker of a device is over its memory ceiling, or was
    restarted for that within the last day, for `for_s`. `rollout_paused`: a rollout paused by a gate for `for_s`.
    `rollout_failed`: a rollout that was aborted or rolled back. `rollout_approval`: a rollout that has waited for a person's
    approval for `for_s`. `event_*`: which events are counted; empty = all. `pipeline`: of this pipeline only; empty = of all."""

    id: int
    kind: Kind
    figure: str = ""
    above: float | None = None
    below: float | None = None
    clear: float | None = None
    for_s: float = 0.0
    window_s: float = 300.0
    deviations: float = 4.0
    event_kind: str = ""
    event_label: str = ""
    event_rule: str = ""
    pipeline: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The input of a rule for one subject. For `absence`, seconds away; for `rate`, events in the window; for `anomaly`, the
    figure with the mean and spread of its past; for `memory`, 1 or 0, and `text` is the device's sentence; for rollouts, seconds
    paused or waiting, and `text` names what for."""

    value: float
    mean: float = 0.0
    spread: float = 0.0
    history: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class StartedAlert:
    """An alert that starts."""

    subject: str
    value: float
    text: str


@dataclass(slots=True)
class Changes:
    """Result of one evaluation. `waiting`: subjects whose condition holds, and since when; input of the next evaluation."""

    started: list[StartedAlert] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    waiting: dict[str, float] = field(default_factory=dict)


def evaluate(
    rule: AlertRuleTerms, readings: Mapping[str, Reading], active: frozenset[str], waiting: Mapping[str, float], now: float
) -> Changes:
    """Evaluate a rule for all subjects. A subject without a reading keeps its alert."""
    changes = Changes()
    for subject, reading in readings.items():
        if subject in active:
            if _over(rule, reading):
                changes.ended.append(subject)
        elif _holds(rule, reading):
            since = waiting.get(subject, now)
            if now - since >= (0.0 if rule.kind in LASTING else rule.for_s):
                changes.started.append(StartedAlert(subject, reading.value, _words(rule, reading)))
            else:
                changes.waiting[subject] = since
    return changes


def _deviation(reading: Reading) -> float:
    """Distance of a reading from the device's own mean in standard deviations; 0 while the device has too few past readings."""
    if reading.history < HISTORY_MIN:
        return 0.0
    spread = max(reading.spread, abs(reading.mean) * SPREAD_MIN, 1e-9)
    return (reading.value - reading.mean) / spread


def _holds(rule: AlertRuleTerms, reading: Reading) -> bool:
    if rule.kind in LASTING:
        return reading.value > 0.0 and reading.value >= rule.for_s
    if rule.kind == "anomaly":
        return abs(_deviation(reading)) > rule.deviations
    if rule.kind == "memory":
        return reading.value > 0.0
    high = rule.above is not None and reading.value > rule.above
    return high or (rule.below is not None and reading.value < rule.below)


def _over(rule: AlertRuleTerms, reading: Reading) -> bool:
    if rule.kind in LASTING or rule.kind == "memory":
        return reading.value <= 0.0
    if rule.kind == "anomaly":
        return abs(_deviation(reading)) < rule.deviations / 2
    low_enough = rule.above is None or reading.value <= _clear(rule, rule.above, -1.0)
    high_enough = rule.below is None or reading.value >= _clear(rule, rule.below, 1.0)
    return low_enough and high_enough


def _clear(rule: AlertRuleTerms, limit: float, side: float) -> float:
    return rule.clear if rule.clear is not None else limit + side * abs(limit) * HYSTERESIS


def _words(rule: AlertRuleTerms, reading: Reading) -> str:
    name = rule.figure.replace("_", " ")
    if rule.kind in ROLLOUT_KINDS or rule.kind == "memory":
        return reading.text
    if rule.kind == "absence":
        return f"offline for {_span(reading.value)}"
    if rule.kind == "rate":
        return f"{reading.value:g} {_events(rule)} in {_span(rule.window_s)}, {_limit(rule, reading)}"
    if rule.kind == "anomaly":
        return f"{name} {reading.value:.4g}, normal {reading.mean:.4g} ± {reading.spread:.2g}"
    if rule.figure.endswith("_bytes"):
        return f"{name.removesuffix(' bytes')} {_size(reading.value)}, {_limit(rule, reading)}"
    return f"{name} {reading.value:.4g}, {_limit(rule, reading)}"


def _events(rule: AlertRuleTerms) -> str:
    """The events that a rule counts: "person visit events of rule door of pipeline hall"."""
    words = [word for word in (rule.event_label, rule.event_kind, "events") if word]
    of = [f"of {what} {name}" for what, name in (("rule", rule.event_rule), ("pipeline", rule.pipeline)) if name]
    return " ".join([*words, *of])


def _limit(rule: AlertRuleTerms, reading: Reading) -> str:
    high = rule.above is not None and reading.value > rule.above
    limit = rule.above if high else rule.below
    text = _size(limit) if rule.figure.endswith("_bytes") and limit is not None else f"{limit:g}"
    return f"{'above' if high else 'below'} the limit of {text}"


def _size(count: float) -> str:
    for unit, length in (("GiB", 2**30), ("MiB", 2**20)):
        if abs(count) >= length:
            return f"{count / length:.4g} {unit}"
    return f"{count:.0f} bytes"


def _span(seconds: float) -> str:
    for unit, length_s in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length_s:
            return f"{int(seconds // length_s)} {unit}"
    return f"{int(seconds)} s"


def rollout_subject(rollout: int) -> str:
    """The subject of an alert about a rollout; no device can have this name."""
    return f"{_ROLLOUT} {rollout}"


def rollout_of(subject: str) -> int | None:
    """The rollout that an alert is about; None where it is about a device."""
    word, space, number = subject.partition(" ")
    return int(number) if space and word == _ROLLOUT else None


def camera_subject(device: str, pipeline: str) -> str:
    """The subject of an alert about a pipeline of a device; no device can have this name."""
    return f"{device}/{pipeline}"


def device_of(subject: str) -> str | None:
    """The device that an alert is about; None where it is about a rollout."""
    return None if rollout_of(subject) is not None else subject.partition("/")[0]


def pipeline_of(subject: str) -> str | None:
    """The pipeline that an alert is about; None where it is about a whole device or a rollout."""
    return subject.partition("/")[2] or None


def spread_of(total: float, squares: float, count: int) -> tuple[float, float]:
    """(mean, standard deviation) from sums."""
    if not count:
        return 0.0, 0.0
    mean = total / count
    return mean, math.sqrt(max(0.0, squares / count - mean * mean))
