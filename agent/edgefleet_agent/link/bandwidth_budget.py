"""Bandwidth limits of models: bytes a second, and bytes a day on a metered connection. They hold over restarts."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_contract.encoding.codec import Wire

DAY_S = 86_400.0
BURST_S = 1.0
SAVE_BYTES = 1024 * 1024
"""Largest spending since the last save, which a power cut may lose."""


class _Spent(Wire):
    day: int = 0
    count_bytes: int = 0


class BandwidthBudget:
    """The limits, in bytes; 0 = no limit. `now` is monotonic, `wall` wall time, in seconds."""

    def __init__(self, folder: Path, bytes_per_s: float = 0.0, bytes_per_day: int = 0, faults: DiskFaults | None = None) -> None:
        follows = Consequences("today's usage of the link is counted from 0", "today's usage of the link is kept in memory")
        self._file = StateFile(folder / "budget.json", _Spent, faults, follows)
        self._bytes_per_s = bytes_per_s
        self._bytes_per_day = bytes_per_day
        self._tokens = bytes_per_s * BURST_S
        self._filled_s = 0.0
        self._spent = (self._file.read() or _Spent()) if bytes_per_day else _Spent()
        self._saved_bytes = self._spent.count_bytes

    def room_bytes(self, now: float, wall: float) -> float:
        """Bytes that may be requested now; infinite without limits, 0 or less if none."""
        self._file.turn()
        room = float("inf")
        if self._bytes_per_s:
            burst = self._bytes_per_s * BURST_S
            self._tokens = min(burst, self._tokens + max(0.0, now - self._filled_s) * self._bytes_per_s)
            self._filled_s = now
            room = self._tokens
        if self._bytes_per_day:
            self._turn_day(wall)
            room = min(room, float(self._bytes_per_day - self._spent.count_bytes))
        return room

    def spent_out(self, wall: float) -> bool:
        """Whether today's budget is spent: not even blocks requested by other devices are received."""
        self._turn_day(wall)
        return bool(self._bytes_per_day) and self._spent.count_bytes >= self._bytes_per_day

    def spend(self, count_bytes: int, wall: float) -> None:
        """Count received bytes of models."""
        self._tokens -= count_bytes
        if not self._bytes_per_day:
            return
        self._turn_day(wall)
        self._spent.count_bytes += count_bytes
        if self._spent.count_bytes - self._saved_bytes >= SAVE_BYTES or self.spent_out(wall):
            self._save()

    def _turn_day(self, wall: float) -> None:
        day = int(wall // DAY_S)
        if day != self._spent.day:
            self._spent = _Spent(day=day)
            self._saved_bytes = 0

    def _save(self) -> None:
        self._file.write(self._spent)
        self._saved_bytes = self._spent.count_bytes
