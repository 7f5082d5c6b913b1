"""Not now: why a device that could go on with an update waits. Pure.

Bytes are fetched whatever it is doing; what may disturb it, the self-test and the switch, waits until it is cool, idle and inside
its own hours. The operator sees the reason; his rollout's own windows are the server's business and come besides.
"""

from __future__ import annotations

from dataclasses import dataclass

DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class MaintenanceHours:
    """Minutes of the day, local time; `begin` after `end` = over midnight; both the same = the whole day."""

    begin: int
    end: int

    @classmethod
    def parse(cls, text: str) -> MaintenanceHours:
        """Read `22:00-05:30`, as the settings allow it."""
        begin, end = (int(part[:2]) * 60 + int(part[3:5]) for part in text.split("-"))
        return cls(begin, end)

    def has(self, minute: int) -> bool:
        """Whether `minute` of the day lies inside."""
        length = (self.end - self.begin) % DAY_MINUTES or DAY_MINUTES
        return (minute - self.begin) % DAY_MINUTES < length


@dataclass(frozen=True, slots=True)
class DeferralRules:
    """When a device may be disturbed. `hot_c` 0: however warm it is; `hours` None: at any time."""

    hot_c: float = 0.0
    hours: MaintenanceHours | None = None
    busy_file: str = ""


def deferral(rules: DeferralRules, temperature_c: float | None, *, busy: bool, minute: int) -> str:
    """Why no update goes on now; empty: it may. `busy`: `rules.busy_file` is there; `minute` of the day, local time."""
    if busy:
        return f"waits: a program on this device is busy ({rules.busy_file})"
    if rules.hot_c and temperature_c is not None and temperature_c >= rules.hot_c:
        return f"waits: {temperature_c:.0f} °C, to be below {rules.hot_c:.0f} °C"
    if rules.hours is not None and not rules.hours.has(minute):
        begin, end = (f"{at // 60:02}:{at % 60:02}" for at in (rules.hours.begin, rules.hours.end))
        return f"waits for this device's own hours, {begin} to {end}"
    return ""
