"""The supervisor's client of the worker: requests sent, answers received.

`WorkerPort` manages the process. After a restart of it (`incarnation`) every request has to be sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.supervisor.worker.gauge_windows import GaugeWindows
from edgefleet_agent.supervisor.worker.late_answers import NOT_RUNNING, LateAnswers
from edgefleet_agent.supervisor.worker.memory_watch import MemoryWatch
from edgefleet_agent.supervisor.worker.pipeline_requests import PipelineRequests
from edgefleet_agent.supervisor.worker.shadow_runs import ShadowRuns
from edgefleet_agent.supervisor.worker.trial_watches import TrialWatches
from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_agent.updates.state import LoadFailure, ShadowWatch
from edgefleet_contract import worker_process as wire
from edgefleet_contract.package.shadow import shadow_slot, shadowed
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Running
from edgefleet_contract.wire.reason_codes import Reason

ANSWER_S_MAX = 180.0
CRASHES_WITHIN_S = 600.0
"""Two crashes of the worker within this time: accelerators are used in processes of their own from then on, so that the next
crash shows whose it is, and ends nothing else."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """Options for loading packages on this device. threads: 0 leaves the choice to the runtime. strict: no fallback to the CPU.
    cache: folder of compiled models; "": none. memory_limit_bytes: ceiling of the worker's memory; 0: what was measured."""

    runtimes: list[str]
    profile: str
    threads: int = 0
    strict: bool = False
    cache: str = ""
    memory_limit_bytes: int = 0


@dataclass(slots=True)
class _Pending:
    request: int
    running: Running
    since_s: float


class WorkerClient:
    """Requests and answers. `running` and `failures`: of packages, by slot. `part_faults`: of parts of the worker.
    Times are monotonic seconds, `wall` is wall time."""

    def __init__(self, port: WorkerPort, options: LoadOptions, disk: DiskFaults | None = None) -> None:
        self._disk = disk or DiskFaults()
        self._stores_failing: set[str] = set()
        self.port = port
        self.options = options
        self.running: dict[str, Running] = {}
        self.failures: dict[str, LoadFailure] = {}
        self.rss_bytes = 0
        self.part_faults: dict[str, str] = {}
        self.trials = TrialWatches(port)
        self.shadows = ShadowRuns(port)
        self.pipelines = PipelineRequests(port)
        self.pictures = LateAnswers(port, lambda request: wire.PictureTaken(request=request, ok=False, detail=NOT_RUNNING))
        self.videos = LateAnswers(port, lambda request: wire.VideoStarted(request=request, ok=False, detail=NOT_RUNNING))
        self.gauges = GaugeWindows()
        self.memory = MemoryWatch(options.memory_limit_bytes)
        self.on_log: Callable[[wire.LoggedLine], None] = lambda _line: None
        self._loading: dict[str, _Pending] = {}
        self._abandoned: set[int] = set()
        self._request = 0
        self._incarnation, self._crashes = 0, 0
        self._crashed_s = -CRASHES_WITHIN_S
        self._apart = False
        self._changed = False

    def turn(self, now: float, wall: float) -> list[wire.EventFound]:
        """Handle messages of the process; returns its events."""
        messages = self.port.turn(now)
        if self.port.incarnation != self._incarnation or self.port.crashes != self._crashes:
            self._forget(now)
        events = []
        for message in messages:
            if isinstance(message, wire.EventFound):
                events.append(message)
            else:
                self._take(message, now, wall)
        if self._changed:
            self._changed = False
            self.memory.changed(now)
        if any(now - pending.since_s > ANSWER_S_MAX for pending in self._loading.values()):
            self.port.restart(f"no response to a request for {ANSWER_S_MAX:.0f} s")
        return events

    def loading(self, slot: str) -> bool:
        """Whether a package of `slot` is being loaded."""
        return slot in self._loading

    def load(self, slot: str, package: Running, folder: str, now: float) -> None:
        """Load a package; the result appears in `running` or `failures`."""
        options = self.options
        message = wire.SetSlot(
            request=self._next_request(),
            slot=slot,
            package=package.package,
            version=package.version,
            digest=package.digest,
            folder=folder,
            runtimes=options.runtimes,
            profile=options.profile,
            threads=options.threads,
            strict=options.strict,
            cache=options.cache,
            apart=self._apart,
        )
        if self.port.send(message):
            self._loading[slot] = _Pending(message.request, package, now)

    def watch_beside(self, slot: str) -> ShadowWatch | None:
        """Observations of the package that runs beside that of `slot` before its trial. A first crash is no obstacle."""
        failure = self.failures.get(shadow_slot(slot))
        return self.shadows.watch(slot, failure if failure and not failure.died else None)

    def stop_beside(self, slot: str) -> None:
        """End the run of a package beside that of `slot`, if there is one."""
        if self.shadows.end(slot):
            pending = self._loading.pop(shadow_slot(slot), None)
            if pending is not None:
                self._abandoned.add(pending.request)
            self.failures.pop(shadow_slot(slot), None)
            self.unload(shadow_slot(slot))

    def unload(self, slot: str) -> None:
        """Release the model of a slot that no pipeline uses."""
        if self.port.send(wire.ClearSlot(request=self._next_request(), slot=slot)):
            self.running.pop(slot, None)
            self.failures.pop(slot, None)
            self._changed = True

    def load_failed(self, slot: str, digest: str, reason: Reason, detail: str, now: float, *, died: bool = False) -> None:
        """Count a package that could not be loaded. died: the worker, while it loaded the package."""
        before = self.failures.get(slot)
        count = before.count if before is not None and before.digest == digest else 0
        self.failures[slot] = LoadFailure(digest, reason, detail, count + 1, now, died)
        log.error("slot %s cannot run %s: %s: %s", slot, digest[:12], reason.value, detail)

    def set_pipelines(self, specs: list[PipelineSpec]) -> None:
        """Send the pipelines to run."""
        self.pipelines.send(self._next_request(), specs)
        self._changed = True

    def take_picture(self, pipeline: str, file: str, *, overlays: bool) -> int:
        """Request a picture; the answer of `pictures` to the returned number gives the result."""
        request = self._next_request()
        self.pictures.send(wire.TakePicture(request=request, pipeline=pipeline, file=file, overlays=overlays))
        return request

    def start_video(self, pipeline: str, url: str, ticket: str, authority: str, streams_max: int, bytes_per_hour: int) -> int:
        """Request live video; the answer of `videos` to the returned number says whether it has started."""
        request = self._next_request()
        message = wire.StartVideo(request=request, pipeline=pipeline, url=url, ticket=ticket, authority=authority)
        message.streams_max, message.bytes_per_hour = streams_max, bytes_per_hour
        self.videos.send(message)
        return request

    def _take(self, message: wire.FromWorker, now: float, wall: float) -> None:
        if isinstance(message, wire.Done):
            self._done(message, now, wall)
        elif isinstance(message, wire.PictureTaken):
            self.pictures.on_answer(message)
        elif isinstance(message, wire.VideoStarted):
            self.videos.on_answer(message)
        elif isinstance(message, wire.Heartbeat):
            self.rss_bytes = message.rss_bytes
            self.memory.take(message.private_bytes, now)
            self.trials.on_heartbeat(message)
        elif isinstance(message, wire.Gauges):
            self.trials.on_window(message)
            self.shadows.on_window(message)
            self.gauges.add(message)
            self.memory.on_pipelines(message.pipelines, now)
        elif isinstance(message, wire.LoggedLine):
            self.on_log(message)
        elif isinstance(message, wire.DeviceMoved):
            self._moved(message)
        elif isinstance(message, wire.WorkerFault) and message.pipeline.startswith(wire.STORE_PREFIX):
            self._take_disk_fault(message.pipeline.removeprefix(wire.STORE_PREFIX), message)
        elif isinstance(message, wire.WorkerFault) and message.pipeline.startswith(wire.PART_PREFIX):
            self.part_faults.pop(message.pipeline, None)
            if not message.over:
                self.part_faults[message.pipeline] = message.text
        elif isinstance(message, wire.WorkerFault):
            log.log(logging.INFO if message.over else logging.WARNING, "%s: %s", message.pipeline, message.text)

    def _done(self, answer: wire.Done, now: float, wall: float) -> None:
        if answer.request in self._abandoned:
            self._abandoned.discard(answer.request)
            return
        self.pipelines.on_answer(answer)
        slot = next((slot for slot, pending in self._loading.items() if pending.request == answer.request), None)
        if slot is None:
            if not answer.ok and answer.detail:
                self.pipelines.detail = answer.detail
                log.error("worker error: %s", answer.detail)
            return
        pending = self._loading.pop(slot)
        if not answer.ok:
            self.load_failed(slot, pending.running.digest, answer.reason, answer.detail, now)
            return
        loaded = answer.running or pending.running
        self.running[slot] = replace(loaded, digest=pending.running.digest, since_at=loaded.since_at or wall)
        self.failures.pop(slot, None)
        self._changed = True
        log.info(
            "slot %s runs %s@%s on %s (load %.0f ms, gap %.0f ms, %d frames lost)",
            *(slot, loaded.package, loaded.version, loaded.placement or loaded.runtime or "its worker"),
            *(answer.load_ms, answer.gap_ms, answer.frames_lost),
        )
        self.trials.model_loaded(slot, now)
        self.shadows.model_loaded(shadowed(slot) or "", now)

    def _take_disk_fault(self, store: str, fault: wire.WorkerFault) -> None:
        if fault.over:
            self._stores_failing.discard(store)
            self._disk.clear(store)
        else:
            self._stores_failing.add(store)
            state = DiskState(fault.disk_state) if fault.disk_state in set(DiskState) else DiskState.UNUSABLE
            self._disk.set(store, state, fault.text, Path(fault.folder) if fault.folder else None, waits=fault.waits)

    def _moved(self, moved: wire.DeviceMoved) -> None:
        """The worker put a slot's model onto another device."""
        before = self.running.get(moved.slot)
        if before is not None and before.digest == moved.running.digest:
            self.running[moved.slot] = moved.running
            self._changed = True
            log.warning("slot %s moved to %s %s", moved.slot, moved.running.placement, moved.detail)

    def _forget(self, now: float) -> None:
        """The process is another one, or none: nothing is loaded in it."""
        died = self.port.crashes != self._crashes
        if died:
            self._note_crash(now)
        for slot, pending in self._loading.items():
            if died:
                detail = f"while loading the package, {self.port.crash_detail}"
                reason = Reason.OVER_MEMORY if self.port.killed_for_memory else Reason.TRIAL_CRASH
                self.load_failed(slot, pending.running.digest, reason, detail, now, died=True)
        self._incarnation, self._crashes = self.port.incarnation, self.port.crashes
        for store in self._stores_failing:  # of the process that has ended
            self._disk.clear(store)
        self._stores_failing.clear()
        self.part_faults.clear()
        self._loading.clear()
        self._abandoned.clear()
        self.running.clear()
        self.trials.unload()
        self.shadows.unload()
        self.pipelines.forget()
        self.pictures.forget()
        self.videos.forget()
        self.gauges.clear()
        killed = self.port.crash_detail if died and self.port.killed_for_memory else self.memory.killed
        self.memory.clear()
        self.memory.killed = killed  # until it was counted

    def _note_crash(self, now: float) -> None:
        if now - self._crashed_s < CRASHES_WITHIN_S and not self._apart:
            self._apart = True
            log.warning("the worker crashed twice: accelerators are used in processes of their own from now on")
        self._crashed_s = now

    def _next_request(self) -> int:
        self._request += 1
        return self._request
