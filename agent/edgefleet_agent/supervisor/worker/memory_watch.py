"""Judges the memory of the worker against its ceiling. Pure: samples and times in, a verdict out.

The base is the lowest level in the minute after the last change of models, pipelines or cameras that work: the frames that a
camera needs are part of it. What was gained before the change counts on. The ceiling lies half the base above it, at least
256 MiB, or where the device's setting puts it.
"""

from __future__ import annotations

from edgefleet_agent.supervisor.worker.memory_trend import FAST_S, RECENT_S, MemoryTrend
from edgefleet_contract.wire.messages import PipelineGauges

SETTLE_S = 10.0
"""After a change the level is not judged for this time: models and cameras are being opened."""
MEASURE_S = 60.0
"""Then the base is measured for this time, while the ceiling of what was found so far holds."""
ALLOWANCE_PART = 2
ALLOWANCE_BYTES_MIN = 256 * 2**20
FAST_TIMES = 2
"""So many times the allowance above the base is over the ceiling after `FAST_S`, not after a minute."""
MB = 1e6


class MemoryWatch:
    """One worker process after the other. limit_bytes: the device's own ceiling; 0: none. `bytes`: the last sample. `killed`: how
    the kernel ended the last process for memory, until `clear`; "": it did not."""

    def __init__(self, limit_bytes: int = 0) -> None:
        self._limit_bytes = limit_bytes
        self.clear()

    def clear(self) -> None:
        """The process is another one, or none."""
        self.bytes = 0
        self.killed = ""
        self._trend = MemoryTrend()
        self._changed_s: float | None = None
        self._before: tuple[int, int] | None = None
        self._lowest: int | None = None
        self._cameras: set[str] = set()

    def changed(self, now: float) -> None:
        """Models or pipelines have changed: the base is measured anew."""
        if self._lowest is not None:
            level = self._trend.lowest(FAST_S)
            self._before = (self.base, max(self.base, level if level is not None else self.bytes))
        self._changed_s, self._lowest = now, None

    def on_pipelines(self, pipelines: dict[str, PipelineGauges], now: float) -> None:
        """Pipelines whose source gives frames for the first time in this process need memory of their own."""
        working = {name for name, gauges in pipelines.items() if gauges.camera_fps > 0}
        if working - self._cameras:
            self._cameras |= working
            self.changed(now)

    def take(self, bytes_now: int, now: float) -> None:
        """Take a sample of the process; 0: it is not known."""
        if not bytes_now:
            return
        self.bytes = bytes_now
        self._trend.add(bytes_now, now)
        if self._changed_s is None:
            self._changed_s = now
        since_s = now - self._changed_s
        if since_s >= SETTLE_S and (self._lowest is None or since_s < SETTLE_S + MEASURE_S):
            self._lowest = min(self._lowest or bytes_now, bytes_now)

    @property
    def base(self) -> int:
        """Memory that models, pipelines and cameras need, without what was gained since; 0 while it is not known."""
        if self._lowest is None:
            return self._before[0] if self._before is not None else 0
        if self._before is None:
            return self._lowest
        base, level = self._before
        return min(base + max(0, self._lowest - level), self._lowest)

    @property
    def allowance(self) -> int:
        """The bytes that the process may gain on its base."""
        return max(ALLOWANCE_BYTES_MIN, self.base // ALLOWANCE_PART)

    @property
    def ceiling(self) -> int:
        """The memory above which the process is restarted, in bytes; 0 while it is not known."""
        if not self.base:
            return 0
        return self._limit_bytes if self._limit_bytes > self.base else self.base + self.allowance

    @property
    def overrun(self) -> str:
        """The reason for which the process has to be restarted, or was ended by the kernel; "" for none."""
        if self.killed:
            return self.killed
        return self._words() if self._over() and (self._ceiling_is_set or self._grows()) else ""

    @property
    def warning(self) -> str:
        """A remark about the memory that is no reason for a restart; "" for none."""
        if self._limit_bytes and self.base and self._limit_bytes <= self.base:
            return (
                f"memory_limit_mb = {self._limit_bytes / MB:.0f} is not applied: models and cameras need {self.base / MB:.0f} MB"
            )
        if self._over() and not self._ceiling_is_set and not self._grows():
            return f"{self._words()}; it does not keep growing, so the worker is not restarted"
        return ""

    @property
    def _ceiling_is_set(self) -> bool:
        return self.ceiling == self._limit_bytes

    def _grows(self) -> bool:
        return self._trend.keeps_growing(self.base, self.allowance)

    def _over(self) -> bool:
        """Whether the level was over the ceiling throughout: one sample below it is enough to deny it."""
        if self._lowest is None or not self.ceiling:
            return False
        minute, moment = self._trend.lowest(RECENT_S), self._trend.lowest(FAST_S)
        far = self.base + FAST_TIMES * (self.ceiling - self.base)
        return (minute is not None and minute > self.ceiling) or (moment is not None and moment > far)

    def _words(self) -> str:
        return (
            f"the worker's memory is {self.bytes / MB:.0f} MB, its ceiling {self.ceiling / MB:.0f} MB"
            f" ({self.base / MB:.0f} MB after its models were loaded)"
        )
