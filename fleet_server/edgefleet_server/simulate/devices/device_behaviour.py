"""Behaviour of a virtual device: drawn once from a seed, so that a run is reproducible.

Pure: seed in, values out. Every draw has a separate random stream (`seed:device:what`), so that one draw never changes another.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.core.errors import InputError

FailBy = Literal["rollback", "refuse", "offline", "stuck", "slow"]

AWAY_S_MEAN: Final = 60.0
DAY_S: Final = 86_400.0
DRIFT_PER_MIN: Final = 0.5
"""Growth of the latency of a version that becomes slower, as a share of the usual one."""
CONFIDENCE_LOSS_PER_MIN: Final = 0.08
CONFIDENCE: Final = 0.8
LATENCY_MS_MEDIAN: Final = 12.0
LINK_S_MEDIAN: Final = 0.04
SPREAD: Final = 0.35
SITES: Final = ("lyon", "graz", "turku", "porto", "gdansk", "leeds", "malmo", "bari")
FAILURES: Final = (
    (Reason.TRIAL_UNHEALTHY, "confidence fell below its baseline"),
    (Reason.TRIAL_CRASH, "the worker ended with signal 11"),
    (Reason.GOLDEN_MISMATCH, "golden/one.jpg: found 0 of 1"),
    (Reason.OVER_LATENCY, "p95 61 ms, the budget is 40 ms"),
)


@dataclass(frozen=True, slots=True)
class BadVersion:
    """A version that fails on `rate` of the devices (of `profile`, if one is named). by: `rollback` after the trial, `refuse`
    before it, `offline` in the trial without return, `stuck` in a trial that never ends, `slow`: it is committed, and then
    needs `DRIFT_PER_MIN` more time an inference with each minute, and is less certain."""

    version: str = ""
    rate: float = 0.0
    by: FailBy = "rollback"
    profile: str = ""


@dataclass(frozen=True, slots=True)
class FleetModel:
    """The parameters of the fleet. `profiles` are weights; `offline_rate` is the share of time for which a device is offline, for
    `away_s` at a time in the mean; `clock_days`: the clocks of devices are up to so many days wrong; `late_rate`: share of the
    devices that connect for the first time only after `late_s`."""

    seed: int = 1
    profiles: Mapping[str, float] = field(default_factory=lambda: {"cpu": 1.0})
    offline_rate: float = 0.0
    bad: BadVersion = BadVersion()
    away_s: float = AWAY_S_MEAN
    clock_days: float = 0.0
    late_rate: float = 0.0
    late_s: float = 120.0

    def __post_init__(self) -> None:
        """Validate the values.

        Raises:
            InputError: a value is invalid.
        """
        if not self.profiles or min(self.profiles.values()) < 0 or sum(self.profiles.values()) <= 0:
            raise InputError("--profiles: give weights above 0, for example cpu=3,coral_usb=1")
        if not 0 <= self.offline_rate < 1:
            raise InputError(f"--offline-rate {self.offline_rate:g}: a share of time from 0 to below 1")
        if not 0 <= self.late_rate < 1:
            raise InputError(f"--late-rate {self.late_rate:g}: a share of devices from 0 to below 1")
        if not 0 <= self.bad.rate <= 1:
            raise InputError(f"--fail-rate {self.bad.rate:g}: a share of devices from 0 to 1")


@dataclass(frozen=True, slots=True)
class DeviceBehaviour:
    """One device. `phase` in [0, 1) spreads periodic work; `link_s`: delay of its link for a message; `clock_s`: its clock less
    the right time; `begin_s`: when it connects for the first time; all in seconds."""

    device: str
    profile: str
    labels: Mapping[str, str]
    latency_ms: float
    temperature_c: float
    link_s: float
    phase: float
    clock_s: float = 0.0
    begin_s: float = 0.0


@dataclass(frozen=True, slots=True)
class UpdateOutcome:
    """The end of an update on a device. `vanishes`: it goes offline in its trial and does not return; `sticks`: its trial
    does not end; `slows`: after the commit it becomes slower and slower."""

    phase: SlotPhase = SlotPhase.COMMITTED
    reason: Reason = Reason.NONE
    detail: str = ""
    vanishes: bool = False
    sticks: bool = False
    slows: bool = False


def draw(model: FleetModel, number: int, prefix: str = "virtual") -> DeviceBehaviour:
    """Device `number` of a fleet."""
    device = f"{prefix}-{number:05d}"
    chance = _stream(model, device, "nature")
    profile = chance.choices(list(model.profiles), list(model.profiles.values()))[0]
    site = SITES[number % len(SITES)]
    return DeviceBehaviour(
        device=device,
        profile=profile,
        labels={"site": site, "line": str(number // len(SITES) % 12 + 1)},
        latency_ms=LATENCY_MS_MEDIAN * chance.lognormvariate(0.0, SPREAD),
        temperature_c=chance.gauss(52.0, 5.0),
        link_s=LINK_S_MEDIAN * chance.lognormvariate(0.0, 2 * SPREAD),
        phase=chance.random(),
        clock_s=_stream(model, device, "clock").uniform(-1.0, 1.0) * model.clock_days * DAY_S,
        begin_s=model.late_s if _stream(model, device, "late").random() < model.late_rate else 0.0,
    )


def fate(model: FleetModel, nature: DeviceBehaviour, version: str, attempt: str = "") -> UpdateOutcome:
    """The outcome of an update of this device to `version`; always the same for the same attempt."""
    bad = model.bad
    if version != bad.version or (bad.profile and bad.profile != nature.profile):
        return UpdateOutcome()
    chance = _stream(model, nature.device, f"fate:{version}")
    if chance.random() >= bad.rate:
        return UpdateOutcome()
    if bad.by == "offline":
        return UpdateOutcome(SlotPhase.TRIAL, vanishes=True)
    if bad.by == "stuck":
        return UpdateOutcome(SlotPhase.TRIAL, sticks=True)
    if bad.by == "slow":
        return UpdateOutcome(slows=True)
    if bad.by == "refuse":
        return UpdateOutcome(SlotPhase.REFUSED, Reason.MODEL_REFUSED, f"unsupported operator ({attempt or version})")
    reason, detail = chance.choice(FAILURES)
    return UpdateOutcome(SlotPhase.ROLLED_BACK, reason, detail)


class Connectivity:
    """The connectivity of a device: online and offline periods of exponential length, whose means give `offline_rate`."""

    def __init__(self, model: FleetModel, nature: DeviceBehaviour) -> None:
        self._rate = model.offline_rate
        self._away_s = model.away_s
        self._chance = _stream(model, nature.device, "connectivity")

    def starts_online(self) -> bool:
        """Whether it is online at the start."""
        return self._chance.random() >= self._rate

    def stay_s(self) -> float | None:
        """Length of the next online period in seconds; None = without end."""
        if not self._rate:
            return None
        return self._chance.expovariate(self._rate / (self._away_s * (1.0 - self._rate)))

    def away_s(self) -> float:
        """Length of the next offline period in seconds."""
        return self._chance.expovariate(1.0 / self._away_s)


def _stream(model: FleetModel, device: str, what: str) -> random.Random:
    return random.Random(f"{model.seed}:{device}:{what}")  # noqa: S311 (repeatable on purpose, keeps no secret)


def parse_profiles(text: str) -> dict[str, float]:
    """Parse `cpu=3,coral_usb=1` or `cpu,coral_usb`.

    Raises:
        InputError: names the part that is not of this form.
    """
    weights: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, weight = part.partition("=")
        try:
            weights[name] = float(weight or 1.0)
        except ValueError:
            raise InputError(f"--profiles: {part!r} is not of the form NAME or NAME=WEIGHT") from None
    return weights
