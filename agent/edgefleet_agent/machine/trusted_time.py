"""A lower bound of the current time. A device without a battery-backed clock starts in 1970, and must not trust expired metadata.

The floor comes from times that were signed (`SIGNED_AT` in the timestamp role, the issue of the device's certificate), and rises
with every second that the agent is up, by the monotonic clock. It does not come from the device's own wall clock, nor from file
dates, which that clock has written: a clock that once ran ahead would raise it permanently.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from edgefleet_contract.core.atomic_files import make_folder, read_if_there, write_atomic
from edgefleet_contract.core.errors import MessageError, StoreError
from edgefleet_contract.encoding.codec import Wire, decode, encode

SAVE_S = 3600.0
FILE_BYTES_MAX = 4096

log = logging.getLogger(__name__)


class TimeFloor(Wire):
    """`trust/time.json`: the time is not earlier than `at` (wall time, seconds)."""

    at: Annotated[float, Meta(ge=0.0, le=1e11)] = 0.0


class TrustedTime:
    """The lower bound of the time, stored under `state`; it never decreases. `now` is monotonic seconds. Used from one thread,
    except for `at`."""

    def __init__(self, state: Path, signed_at: float = 0.0, now: float = 0.0) -> None:
        self._path = state / "trust" / "time.json"
        self._floor = (max(signed_at, self._read()), now)
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
        if now - self._saved_s >= SAVE_S and self._floor[0] > 0.0:
            self._keep(self.at(now, 0.0), now)

    def _keep(self, at: float, now: float) -> None:
        """Stores the bound. A failure of the disk loses only as much as a power cut."""
        self._floor, self._saved_s = (at, now), now
        try:
            make_folder(self._path.parent)
            write_atomic(self._path, encode(TimeFloor(at=at)))
        except StoreError as error:
            log.warning("the lower bound of the time cannot be stored: %s", error)

    def _read(self) -> float:
        data = read_if_there(self._path, FILE_BYTES_MAX)
        if data is None:
            return 0.0
        try:
            return decode(data, TimeFloor).at
        except MessageError as error:
            log.error("%s is damaged (%s); signed metadata will set the lower bound of the time again", self._path, error)
            return 0.0
