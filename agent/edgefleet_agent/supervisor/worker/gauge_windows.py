"""The worker's gauges: the last window, and all since the last sample of telemetry as one."""

from __future__ import annotations

from edgefleet_agent.supervisor.worker.metrics_merge import join
from edgefleet_contract.worker_process import Gauges


class GaugeWindows:
    """Windows of one worker process. `last` is None before the first."""

    def __init__(self) -> None:
        self.last: Gauges | None = None
        self._since_sample: Gauges | None = None

    def add(self, window: Gauges) -> None:
        """Take a window that follows those before."""
        self.last = window
        self._since_sample = join(self._since_sample, window)

    def take(self) -> Gauges | None:
        """All windows since the last call, merged; None if the worker has sent none."""
        window, self._since_sample = self._since_sample, None
        return window

    @property
    def expected(self) -> bool:
        """Whether the worker sends gauges, but none arrived since the last sample."""
        return self.last is not None and self._since_sample is None

    def clear(self) -> None:
        """The process is another one, or none."""
        self.last = self._since_sample = None
