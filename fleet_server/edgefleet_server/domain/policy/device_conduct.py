"""Conduct of devices: counts what a device does that no device that follows the protocol does, and decides on its restriction.

Each offence is forgiven at a steady rate. Above a first limit the device is *throttled*: marked for operators, while its quota
drops what is too much. Above a second one it is *disconnected* for a time that doubles with each repetition, and *watched* for a
day after that. Pure: `now` is wall time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

DISCONNECTED_S_MIN: Final = 60.0
DISCONNECTED_S_MAX: Final = 3_600.0
THROTTLED_S: Final = 300.0
"""A device is marked as throttled for this long after its latest offence."""
WATCHED_S: Final = 86_400.0
"""The time until a device that was disconnected, and behaves, has a clean record."""
REPEAT_S: Final = 30.0
"""Shortest interval at which an ongoing offence renews a mark."""
DEVICES_MAX: Final = 10_000


class Offence(str, Enum):
    """Kinds of misuse."""

    OVER_QUOTA = "over_quota"
    WINDOW = "window"
    INVALID = "invalid"
    RETAINED = "retained"
    REQUESTS = "requests"
    CONNECTIONS = "connections"


class RestrictionState(str, Enum):
    """`WATCHED`: no longer restricted, but the next disconnection is longer."""

    THROTTLED = "throttled"
    DISCONNECTED = "disconnected"
    WATCHED = "watched"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`per_s`: offences forgiven in a second. throttled, disconnected: unforgiven ones from which on the device is so."""

    per_s: float
    throttled: float
    disconnected: float


TOLERANCES: Final[Mapping[Offence, Tolerance]] = {
    Offence.OVER_QUOTA: Tolerance(1.0, 20.0, 60.0),
    Offence.WINDOW: Tolerance(25.0, 60.0, 80.0),
    Offence.INVALID: Tolerance(1.0, 25.0, 40.0),
    Offence.RETAINED: Tolerance(0.1, 1.0, 20.0),
    Offence.REQUESTS: Tolerance(1.0, 30.0, 60.0),
    Offence.CONNECTIONS: Tolerance(3.0, 20.0, 40.0),
}
"""Two devices that share an identity connect about three times a second, each ending the other's connection, and send their
unacknowledged batches, eight at most, in each connection: that is not punished."""

OFFENCE_BYTES: Final = 32 * 1024
"""A message counts as one offence more for each of these: what a device may send before it is disconnected is bounded in bytes,
too, because the broker has a queue of bytes for all."""

REPEATED_SHARE: Final = 0.25
"""Share of the tolerance that is left for a device that was disconnected lately."""

_TEXTS: Final[Mapping[Offence, str]] = {
    Offence.OVER_QUOTA: "sends more than its quota",
    Offence.WINDOW: "sends without waiting for acknowledgements",
    Offence.INVALID: "sends invalid messages",
    Offence.RETAINED: "publishes retained messages on topics without retention",
    Offence.REQUESTS: "sends too many requests",
    Offence.CONNECTIONS: "connects too often",
}


@dataclass(frozen=True, slots=True)
class Restriction:
    """The restriction of a device until `until_at`. `times`: how often it was disconnected within `WATCHED_S`."""

    device: str
    state: RestrictionState
    offence: Offence
    since_at: float
    until_at: float
    times: int = 0


@dataclass(slots=True)
class _Record:
    scores: dict[Offence, tuple[float, float]] = field(default_factory=dict)
    restriction: Restriction | None = None
    renewed_at: float = 0.0


class DeviceConduct:
    """The records of devices with offences. Not for several threads at once: the owner locks."""

    def __init__(self) -> None:
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def restore(self, restrictions: list[Restriction]) -> None:
        """Continue with the restrictions stored before a restart."""
        for restriction in restrictions:
            self._record(restriction.device).restriction = restriction

    def soften(self, device: str, now: float) -> Restriction | None:
        """Throttle a disconnected device instead: others may use its name."""
        record = self._records.get(device)
        if record is None or record.restriction is None:
            return None
        until_at = now + THROTTLED_S
        record.restriction = Restriction(device, RestrictionState.THROTTLED, record.restriction.offence, now, until_at)
        record.renewed_at = now
        return record.restriction

    def is_disconnected(self, device: str, now: float) -> bool:
        """Whether the device is to be disconnected now."""
        record = self._records.get(device)
        restriction = record.restriction if record is not None else None
        return restriction is not None and restriction.state is RestrictionState.DISCONNECTED and now < restriction.until_at

    def offend(self, device: str, offence: Offence, count: float, now: float) -> Restriction | None:
        """Count offences; returns the restriction if it is new or longer than before."""
        record, tolerance = self._record(device), TOLERANCES[offence]
        before, at = record.scores.get(offence, (0.0, now))
        score = max(0.0, before - max(0.0, now - at) * tolerance.per_s) + count
        record.scores[offence] = (score, now)
        current = record.restriction
        if current is not None and current.state is RestrictionState.DISCONNECTED and now < current.until_at:
            return None
        times = _times(current, now)
        if score >= tolerance.disconnected * (REPEATED_SHARE if times else 1.0):
            times += 1
            until_at = now + min(DISCONNECTED_S_MAX, DISCONNECTED_S_MIN * 2.0 ** min(times - 1, 10))
            record.scores.clear()
            record.restriction = Restriction(device, RestrictionState.DISCONNECTED, offence, now, until_at, times)
            return record.restriction
        throttled = current is not None and current.state is RestrictionState.THROTTLED and now < current.until_at
        if score < tolerance.throttled or (throttled and now - record.renewed_at < REPEAT_S):
            return None
        since_at = current.since_at if throttled and current is not None else now
        record.renewed_at, until_at = now, now + THROTTLED_S
        record.restriction = Restriction(device, RestrictionState.THROTTLED, offence, since_at, until_at, times)
        return record.restriction

    def _record(self, device: str) -> _Record:
        record = self._records.setdefault(device, _Record())
        self._records.move_to_end(device)
        if len(self._records) > DEVICES_MAX:
            self._records.popitem(last=False)
        return record


def offences_of(length: int) -> int:
    """Number of offences that a message of `length` bytes counts as."""
    return 1 + length // OFFENCE_BYTES


def _times(restriction: Restriction | None, now: float) -> int:
    """Number of disconnections of a device that has no clean record again."""
    if restriction is None:
        return 0
    watched_s = 0.0 if restriction.state is RestrictionState.WATCHED else WATCHED_S
    return restriction.times if now < restriction.until_at + watched_s else 0


def after(restriction: Restriction, now: float) -> Restriction | None:
    """The restriction that follows one: itself before `until_at`, then it is watched if it was disconnected; None after that."""
    if now < restriction.until_at:
        return restriction
    if restriction.times == 0 or restriction.state is RestrictionState.WATCHED:
        return None
    until_at = restriction.until_at + WATCHED_S
    watched = Restriction(
        restriction.device, RestrictionState.WATCHED, restriction.offence, restriction.until_at, until_at, restriction.times
    )
    return watched if now < until_at else None


def describe(state: str, offence: str, until: str) -> str:
    """Text for operators. `until`: when the restriction ends, as text."""
    reason = _TEXTS[Offence(offence)]
    if state == RestrictionState.DISCONNECTED:
        return f"disconnected until {until}: {reason}"
    return f"throttled: {reason}"
