"""Presence of devices. Births and wills of connections arrive late, twice, and out of order; this decides which of them count.

Rules, after Sparkplug's bdSeq:
1. A birth counts unless it is of an older connection of the same boot.
2. A will counts only for the current connection: a late will of an older connection does not concern the current one.
3. A retained message describes the past: it never revives a device, and a retained will of an unknown boot makes the device
   *silent*, until its next message.
4. Wills are lost with a broker that dies: a device without a message `SILENT_S` after the server's own connection came up is
   silent; any live message ends that. The database does this for all devices at once
   (`db.telemetry.ingest.silence`, `seen`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

SILENT_S: Final = 180.0
"""Longer than three keep-alives of 60 s, within which every running device has reconnected to the broker."""


BIRTHS_HALF_S: Final = 1800.0
FLAPPING: Final = 5.0
"""Connections of the last half hour; the weight of older ones halves every half hour. A device that reconnects more often than
about seven times an hour has a bad line or a bad power supply, or crashes."""


def births_now(births: float, births_at: float, now: float) -> float:
    """The decayed number of recent connections at `now`; the caller adds 1 at a birth."""
    return float(births * 0.5 ** (max(0.0, now - births_at) / BIRTHS_HALF_S))


class PresenceState(str, Enum):
    ONLINE = "online"
    OFFLINE = "offline"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class DevicePresence:
    """`since_at` = when the state began."""

    state: PresenceState
    boot: str
    connection: int
    since_at: float
    boot_before: str = ""


def after_message(
    known: DevicePresence | None, *, online: bool, boot: str, connection: int, retained: bool, now: float
) -> DevicePresence | None:
    """The presence after a birth or will; None when the message changes nothing."""
    if known is None:
        state = PresenceState.ONLINE if online else PresenceState.OFFLINE
        return DevicePresence(state, boot, connection, now)
    same_boot = boot == known.boot
    if online:
        return _after_birth(known, boot, connection, retained, now)
    if same_boot:
        current = connection >= known.connection and known.state is not PresenceState.OFFLINE
        return replace(known, state=PresenceState.OFFLINE, connection=connection, since_at=now) if current else None
    if retained and boot != known.boot_before:
        return DevicePresence(PresenceState.SILENT, boot, connection, now, known.boot)
    return None


def _after_birth(known: DevicePresence, boot: str, connection: int, retained: bool, now: float) -> DevicePresence | None:
    if boot == known.boot:
        if connection < known.connection:
            return None
        if connection == known.connection and (retained or known.state is PresenceState.ONLINE):
            return None
        return replace(known, state=PresenceState.ONLINE, connection=connection, since_at=now)
    if retained and boot == known.boot_before:
        return None
    return DevicePresence(PresenceState.ONLINE, boot, connection, now, known.boot)
