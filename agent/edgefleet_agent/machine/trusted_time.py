"""A lower bound of the current time. A device without a battery-backed clock starts in 1970, and must not trust expired metadata.

The floor comes from times that were signed (`SIGNED_AT` in the timestamp role, the issue of the device's certificate), and rises
with every second that the agent is up, by the monotonic clock. It does not come from the device's own wall clock, nor from file
dates, which that clock has written: a clock that once ran ahead would raise it permanently.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_contract.encoding.codec import Wire

SAVE_S = 3600.0


class TimeFloor(Wire):
    """`trust/time.json`: the time is not earlier than `at` (wall time, seconds)."""

    at: Annotated[float, Meta(ge=0.0, le=1e11)] = 0.0


class TrustedTime:
    """The lower bound of the time, stored under `state`; it never decreases. `now` is monotonic seconds. Used from one thread,
    except for `at`."""

    def __init__(self, state: Path, signed_at: float = 0.0, now: float = 0.0, faults: DiskFaults | None = None) -> None:
        follows = Consequences(
            "signed metadata sets the lower bound of the time again",
            "a restart begins with an earlier lower bound of the time",
            waits=True,
        )
        self._file = StateFile(state / "trust" / "time.json", TimeFloor, faults, follows)
        stored = self._file.read()
        self._floor = (max(signed_at, stored.at if stored is not None else 0.0), now)
        self._saved_s = now

    def at(self, now: float, wall: float) -> float:
        """Wall time by which dates are judged: the later of `wall` and the lower bound."""
        floor, since = self._floor
        return max(wall, floor + max(0.0, now - since))

    def learn(self, signed_at: float, now: float) -> None:
        """Take `signed_at` from a valid signature as a lower bound of the time."""
        if signed_at > self.at(now, 0.0):
            self._keep(signed_at, now)

    def turn(self, now: float) -> None:
        """Store the elapsed time periodically."""
        self._file.turn()
        if now - self._saved_s >= SAVE_S and self._floor[0] > 0.0:
            self._keep(self.at(now, 0.0), now)

    def _keep(self, at: float, now: float) -> None:
        """Stores the bound. A failure of the disk loses only as much as a power cut."""
        self._floor, self._saved_s = (at, now), now
        self._file.write(TimeFloor(at=at))
