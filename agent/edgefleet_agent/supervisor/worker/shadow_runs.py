"""Packages that run beside the one in their slot before their trial, and what the worker reports of them."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_agent.updates.state import LoadFailure, ShadowWatch
from edgefleet_contract import worker_process as wire


@dataclass(slots=True)
class _Run:
    """`agreed`: sum over the frames."""

    digest: str
    began_s: float
    crashes_before: int
    loaded_s: float | None = None
    frames: int = 0
    agreed: float = 0.0
    empty: int = 0


class ShadowRuns:
    """By slot of the committed package. Times are monotonic seconds."""

    def __init__(self, port: WorkerPort) -> None:
        self._port = port
        self._runs: dict[str, _Run] = {}

    def begin(self, slot: str, digest: str, now: float) -> None:
        """Begin to watch a package; one that is watched already goes on."""
        known = self._runs.get(slot)
        if known is None or known.digest != digest:
            self._runs[slot] = _Run(digest, now, self._port.crashes)

    def end(self, slot: str) -> bool:
        """Forget the package of `slot`; whether there was one."""
        return self._runs.pop(slot, None) is not None

    def watch(self, slot: str, failure: LoadFailure | None) -> ShadowWatch | None:
        """Observations; None without such a package. failure: of the shadow slot."""
        run = self._runs.get(slot)
        if run is None:
            return None
        crashes = self._port.crashes - run.crashes_before
        agreement = run.agreed / run.frames if run.frames else 0.0
        obstacle = failure.detail if failure is not None and failure.digest == run.digest else ""
        return ShadowWatch(run.digest, run.began_s, run.loaded_s, run.frames, agreement, crashes, obstacle, run.empty)

    def model_loaded(self, slot: str, now: float) -> None:
        """The worker runs the package."""
        if slot in self._runs:
            self._runs[slot].loaded_s = now

    def on_window(self, window: wire.Gauges) -> None:
        """Count the frames that both packages analysed."""
        for slot, run in self._runs.items():
            gauges = window.shadows.get(slot)
            if gauges is not None and gauges.model_digest == run.digest:
                run.frames += gauges.frames
                run.agreed += gauges.agreement * gauges.frames
                run.empty += min(gauges.frames_empty, gauges.frames)

    def unload(self) -> None:
        """The process is another one, or none: nothing is loaded in it."""
        for run in self._runs.values():
            run.loaded_s = None
