"""Counts what the worker reports of packages on trial: when they were loaded, frames, errors, crashes, contact to the server."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_agent.updates.state import TrialWatch
from edgefleet_contract import worker_process as wire
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of


@dataclass(slots=True)
class _Watch:
    """Counters of a trial. The base is the first heartbeat after the load: earlier frames were another package's."""

    began_s: float
    crashes_before: int
    loaded_s: float | None = None
    base: tuple[int, int, int] | None = None
    frames: int = 0
    errors: int = 0
    skipped: int = 0
    server_contact: bool = False


class TrialWatches:
    """The trials of this process by slot. Times are monotonic seconds."""

    def __init__(self, port: WorkerPort) -> None:
        self._port = port
        self._watches: dict[str, _Watch] = {}

    def begin(self, slot: str, now: float) -> None:
        """Begin a trial, or begin it anew."""
        self._watches[slot] = _Watch(now, self._port.crashes)

    def end(self, slot: str) -> None:
        """Forget the trial of `slot`, if there is one."""
        self._watches.pop(slot, None)

    def watch(self, slot: str) -> TrialWatch | None:
        """Observations of the slot's trial, or None without a trial."""
        watch = self._watches.get(slot)
        if watch is None:
            return None
        return TrialWatch(
            began_s=watch.began_s,
            loaded_s=watch.loaded_s,
            frames=watch.frames,
            errors=watch.errors,
            skipped=watch.skipped,
            crashes=self._port.crashes - watch.crashes_before,
            crash_detail=self._port.crash_detail,
            killed_for_memory=self._port.killed_for_memory,
            server_contact=watch.server_contact,
        )

    def model_loaded(self, slot: str, now: float) -> None:
        """The worker loaded the package of `slot`: frames count from the next heartbeat on."""
        watch = self._watches.get(slot)
        if watch is not None:
            watch.loaded_s, watch.base = now, None

    def pipeline_loaded(self, slot: str, now: float) -> None:
        """The pipeline of `slot` that is on trial runs: frames count from the next whole window on."""
        watch = self._watches.get(slot)
        if watch is not None and watch.loaded_s is None:
            watch.loaded_s, watch.base = now, None

    def on_server_contact(self) -> None:
        """Record a message of the server for the running trials."""
        for watch in self._watches.values():
            watch.server_contact = watch.server_contact or watch.loaded_s is not None

    @property
    def awaits_server(self) -> bool:
        """Whether a trial is running without server contact since it was loaded."""
        return any(watch.loaded_s is not None and not watch.server_contact for watch in self._watches.values())

    def on_heartbeat(self, beat: wire.Heartbeat) -> None:
        """Count frames, errors and skipped frames of the models on trial."""
        for slot, watch in self._watches.items():
            if watch.loaded_s is None or pipeline_of(slot) is not None:
                continue
            frames, errors, skipped = (each.get(slot, 0) for each in (beat.frames_total, beat.errors_total, beat.skipped_total))
            if watch.base is None:
                watch.base = (frames, errors, skipped)
            watch.frames, watch.errors = frames - watch.base[0], errors - watch.base[1]
            watch.skipped = max(0, skipped - watch.base[2])  # a pipeline that was made again counts from 0

    def on_window(self, window: wire.Gauges) -> None:
        """Count frames, errors and skipped frames of the pipelines on trial, from the first window that began after it."""
        for slot, watch in self._watches.items():
            name = pipeline_of(slot)
            if name is None or watch.loaded_s is None:
                continue
            if watch.base is None:
                watch.base = (0, 0, 0)
                continue
            gauges = window.pipelines.get(name)
            if gauges is not None:
                watch.frames += round((gauges.process_fps + gauges.quiet_fps) * window.window_s)
                watch.errors += gauges.dropped.get("error", 0)
                watch.skipped += sum(gauges.dropped.get(cause, 0) for cause in wire.MODEL_BUSY)

    def unload(self) -> None:
        """The process is another one, or none: nothing is loaded in it."""
        for watch in self._watches.values():
            watch.loaded_s, watch.base = None, None
