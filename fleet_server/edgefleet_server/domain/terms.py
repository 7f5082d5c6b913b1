"""The terms of a rollout: its rate, retries, maintenance window, priority, and the exclusion of devices that failed.

Sources of the mechanisms: the ramp that grows with devices that *succeeded* is AWS IoT Jobs' exponential rate; exclusion is
the penalty box of NervesHub; weights are those of hawkBit. Failures caused by the version are never retried: the device has it in
quarantine, and the gate has counted the failure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.maintenance_windows import Window
from edgefleet_server.domain.reasons import RETRIED
from edgefleet_server.domain.states import AttemptState

RAMP_S: Final = 60.0
EXCLUSION_FAILURES: Final = 3
EXCLUSION_WINDOW_S: Final = 24 * 3600.0
"""A device whose last `EXCLUSION_FAILURES` tries failed within this time is excluded for the same time after the last one."""


@dataclass(frozen=True, slots=True)
class Retry:
    """`tries_max`: tries of a device in total; the pause before the second is `back_off_s`, and grows by `factor` each time."""

    tries_max: int = defaults.TRIES_MAX
    back_off_s: float = defaults.BACK_OFF_S
    factor: float = defaults.BACK_OFF_FACTOR

    def pause_s(self, number: int) -> float:
        """The pause after try `number` (from 1)."""
        return float(self.back_off_s * self.factor ** (number - 1))


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `per_minute` devices start in any minute; `factor` times as many each time another `grow_after` have committed,
    up to `per_minute_max`."""

    per_minute: int
    factor: float = defaults.RATE_FACTOR
    grow_after: int = defaults.RATE_GROW_AFTER
    per_minute_max: int = defaults.RATE_PER_MINUTE_MAX

    def now(self, committed: int) -> int:
        """Devices per minute after `committed` devices have committed."""
        steps = min(64, committed // max(1, self.grow_after))
        return max(1, min(self.per_minute_max, int(self.per_minute * self.factor**steps)))


@dataclass(frozen=True, slots=True)
class Terms:
    """`priority` 0 to 1000: a device belongs to the running rollout with the highest priority, of equals to the newest. `follow`:
    devices that match the selector later get the version, too. `prestage`: every device fetches at once, and switches when its
    wave starts."""

    priority: int = defaults.PRIORITY
    retry: Retry = field(default_factory=Retry)
    rate: Rate | None = None
    window: Window | None = None
    follow: bool = False
    prestage: bool = False

    def tries_again(self, state: AttemptState, reason: str, number: int) -> bool:
        """Whether a try that ended like this is followed by another."""
        return state is AttemptState.REJECTED and reason in RETRIED and number < self.retry.tries_max


DEFAULT: Final = Terms()


def excluded_until(failures: int, last_failed_at: float) -> float:
    """Until when a device is excluded, 0 = it is not. `failures`: in a row, within `EXCLUSION_WINDOW_S`."""
    return last_failed_at + EXCLUSION_WINDOW_S if failures >= EXCLUSION_FAILURES else 0.0
