"""Deferral of updates: conditions under which an update waits, with the reason. Pure.

Blocks are fetched at any time. The self-test and the switch may disturb, so they wait until the device is cool, idle and inside
its maintenance window. The operator sees the reason. The windows of a rollout are enforced by the server in addition.
"""

from __future__ import annotations

from dataclasses import dataclass

DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class MaintenanceHours:
    """Minutes of the day, local time; if `begin` is after `end`, the window spans midnight; if both are equal, it is the whole
    day."""

    begin: int
    end: int

    @classmethod
    def parse(cls, text: str) -> MaintenanceHours:
        """Parse a window such as `22:00-05:30`; the settings have checked its form."""
        begin, end = (int(part[:2]) * 60 + int(part[3:5]) for part in text.split("-"))
        return cls(begin, end)

    def has(self, minute: int) -> bool:
        """Whether `minute` of the day is within the window."""
        length = (self.end - self.begin) % DAY_MINUTES or DAY_MINUTES
        return (minute - self.begin) % DAY_MINUTES < length


@dataclass(frozen=True, slots=True)
class DeferralRules:
    """Conditions under which updates may disturb the device. `max_temperature_c` 0: no limit; `maintenance_window` None: at any
    time."""

    max_temperature_c: float = 0.0
    maintenance_window: MaintenanceHours | None = None
    inhibit_file: str = ""


def deferral(rules: DeferralRules, temperature_c: float | None, *, inhibited: bool, minute: int) -> str:
    """Returns the reason for which updates wait now; empty if they may continue. inhibited: `rules.inhibit_file` exists. minute:
    of the day, local time."""
    if inhibited:
        return f"deferred: a program on this device is busy ({rules.inhibit_file})"
    if rules.max_temperature_c and temperature_c is not None and temperature_c >= rules.max_temperature_c:
        return f"deferred: {temperature_c:.0f} °C, must be below {rules.max_temperature_c:.0f} °C"
    if rules.maintenance_window is not None and not rules.maintenance_window.has(minute):
        begin, end = (f"{at // 60:02}:{at % 60:02}" for at in (rules.maintenance_window.begin, rules.maintenance_window.end))
        return f"deferred to the maintenance window of this device, {begin} to {end}"
    return ""
