"""The worker process: runs pipelines and executes the supervisor's requests from an inherited socket.

    ours, theirs = socket.socketpair()
    fd = theirs.fileno()
    subprocess.Popen([sys.executable, "-m", "edgefleet_agent", "worker", "--fd", str(fd)], pass_fds=[fd])
    theirs.close()
    ours.sendall(encode(SetPipelines(request=1, pipelines=[spec])) + b"\\n")     # and read lines of `FromWorker`

Threads: this one reads; one executes requests in order, so that a slow load delays neither heartbeats nor frames; one sends
heartbeats; one writes. No heartbeat is sent while a runtime hangs, because the process does no work then. End-of-file ends the
process, because the supervisor has ended.
"""

from __future__ import annotations

import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from pathlib import Path

from edgefleet_agent.backends.isolated.child_process import private_with_processes, resident_with_processes
from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_agent.core.disk_faults import DiskFault, DiskFaults
from edgefleet_agent.live_video.video_streams import VideoStreams
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.model.compile_cache import load_with_cache
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.pipeline.model.model_slots import Swap
from edgefleet_agent.pipeline.model.variant_order import ChosenDevice
from edgefleet_agent.pipeline.observers import Observers
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundHost
from edgefleet_agent.pipeline.scheduling.device_failback import DeviceFailback, why_moved
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.pipeline.scheduling.shadow import check_room
from edgefleet_agent.recording.event_journal import EventJournal
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.recording.snapshots import SnapshotMaker, SnapshotRequests
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_contract import worker_process as wire
from edgefleet_contract.core.errors import (
    EdgefleetError,
    ManifestError,
    MessageError,
    MissingError,
    ModelError,
    PipelineError,
    PipelinesRefusedError,
)
from edgefleet_contract.encoding.codec import Wire, encode
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.wire.messages import Event, Running
from edgefleet_contract.wire.reason_codes import Reason

GAUGES_S = 2.0
"""Interval between two reports of gauges."""
STUCK_S = 10.0
"""Age of a frame in progress after which its runtime hangs: heartbeats stop, and the supervisor restarts the process."""
LINE_BYTES_MAX = 4 * 1024 * 1024
REQUESTS_MAX = 64
QUEUED_MAX = 1000
EVENT_WAIT_S = 2.0
"""Time for which an event waits for a supervisor that does not read, before it is dropped."""
FLUSH_S_MAX = 3.0
REASON_CHARS_MAX = 500

_REASONS: tuple[tuple[type[EdgefleetError], Reason], ...] = (
    (ManifestError, Reason.MANIFEST_INVALID),
    (ModelError, Reason.MODEL_REFUSED),
)


@dataclass(frozen=True, slots=True)
class _Retry:
    """An internal request: load the slot again."""

    slot: str


_Queued = wire.SetSlot | wire.ClearSlot | wire.SetPipelines | wire.Stop | _Retry


class WorkerServer:
    """Serves the worker protocol over `connection` until it is closed or a `Stop` is received."""

    def __init__(
        self,
        connection: socket.socket,
        clock: Clock | None = None,
        host: BackgroundHost | None = None,
        evidence: EvidenceFolder | None = None,
        observers: Observers | None = None,
        failback: DeviceFailback | None = None,
        memory: SceneMemory | None = None,
        snapshot_maker: SnapshotMaker | None = None,
        faults: DiskFaults | None = None,
        journal: EventJournal | None = None,
    ) -> None:
        self._connection = connection
        self._journal = journal
        self._clock = clock or SystemClock()
        self._observers = observers
        self._runner = Runner(self, self._clock, host, evidence, observers, memory)
        self._pictures = SnapshotRequests(snapshot_maker, self._clock, self._send_answer)
        self._videos = VideoStreams(self._runner.live_ring, self._clock, self._send_answer)
        self._requests: queue.Queue[_Queued | None] = queue.Queue(REQUESTS_MAX)
        self._failback = failback
        self._slot_requests: dict[str, wire.SetSlot] = {}
        self._outgoing: queue.Queue[bytes | None] = queue.Queue(QUEUED_MAX)
        self._ending = threading.Event()
        self._events_lost = 0
        self._faults = faults or DiskFaults()
        self._faults.on_change = self.on_disk_fault
        for store, fault in self._faults.present().items():
            self.on_disk_fault(store, fault, False)

    def serve(self) -> int:
        """Serve until the end. Returns the exit code."""
        jobs = {"requests": self._execute_requests, "heartbeat": self._send_heartbeats, "writer": self._write}
        if self._failback is not None:
            jobs["failback"] = partial(self._run_failback, self._failback)
        threads = {name: threading.Thread(target=job, name=name, daemon=True) for name, job in jobs.items()}
        for thread in threads.values():
            thread.start()
        try:
            with self._connection.makefile("rb") as lines:
                self._read(lines)
        finally:
            self._ending.set()
            self._videos.stop()
            self._enqueue_request(None)
            threads["requests"].join(FLUSH_S_MAX)
            self._enqueue(None)
            threads["writer"].join(FLUSH_S_MAX)
        if threads["requests"].is_alive():  # a hanging runtime blocks it, and nothing is left to save
            os._exit(0)
        return 0

    # Called by pipelines (see `PipelineObserver`).

    def switches(self, pipeline: str) -> CameraSwitches | None:
        """Switches of a camera pipeline; None if there is no such pipeline. From any thread."""
        return self._runner.switches(pipeline)

    def on_event(self, event: Event) -> None:
        """Write an event to the journal, and send it. It is lost only if the disk does not take it and the supervisor has stopped
        reading, and only the first loss delays frames."""
        plain = wire.EventFound(event=event)
        line, noted = self._journal.note(event) if self._journal is not None else (encode(plain) + b"\n", False)
        if self._put(line, 0.0 if noted or self._events_lost else EVENT_WAIT_S) or noted:
            if self._events_lost:
                self.on_fault("", f"{self._events_lost} events were lost because the supervisor did not read them", False)
            self._events_lost = 0
        else:
            self._events_lost += 1

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """Send a fault, or its end, for people to read."""
        self._enqueue(wire.WorkerFault(pipeline=pipeline, text=text[:1000], over=over), EVENT_WAIT_S)

    def on_disk_fault(self, store: str, fault: DiskFault, over: bool) -> None:
        """Send a fault of a store on disk, or its end."""
        folder = str(fault.folder) if fault.folder is not None else ""
        name, text, state = f"{wire.STORE_PREFIX}{store}", fault.text[:1000], fault.state.value
        self._enqueue(wire.WorkerFault(name, text, over, state, folder, fault.waits), EVENT_WAIT_S)

    def on_log(self, line: wire.LoggedLine) -> bool:
        """Send a line of the log; False if it was dropped."""
        return self._enqueue(line)

    def _send_answer(self, answer: wire.PictureTaken | wire.VideoStarted) -> None:
        self._enqueue(answer, EVENT_WAIT_S)

    # The threads.

    def _read(self, lines: BufferedReader) -> None:
        whole = True
        while line := self._next_line(lines):
            if not line.endswith(b"\n"):
                whole = False  # part of a line above the limit: its end will be dropped too
            elif not whole:
                whole = True
                self.on_fault("", f"request larger than {LINE_BYTES_MAX} bytes dropped", False)
            else:
                self._handle_line(line)

    def _next_line(self, lines: BufferedReader) -> bytes:
        try:
            return lines.readline(LINE_BYTES_MAX)
        except OSError:  # a broken connection counts as end-of-file
            return b""

    def _handle_line(self, line: bytes) -> None:
        try:
            request = wire.read_request(line)
        except MessageError as error:
            self.on_fault("", str(error), False)
            return
        if isinstance(request, wire.TakePicture):
            self._pictures.take(request)
        elif isinstance(request, wire.StartVideo):
            self._videos.start(request)
        elif isinstance(request, wire.EventsTaken):
            if self._journal is not None:
                self._journal.taken(request.journal, request.number)
        elif not self._enqueue_request(request):
            detail = f"limit of {REQUESTS_MAX} pending requests reached"
            self._enqueue(wire.Done(request=request.request, ok=False, detail=detail))

    def _enqueue_request(self, request: _Queued | None) -> bool:
        try:
            self._requests.put(request, timeout=FLUSH_S_MAX if request is None else None, block=request is None)
        except queue.Full:
            return False
        return True

    def _execute_requests(self) -> None:
        while (request := self._requests.get()) is not None:
            if isinstance(request, _Retry):
                self._load_again(request.slot)
                continue
            if isinstance(request, wire.Stop):
                self._runner.close()
                self._enqueue(wire.Done(request=request.request, ok=True), EVENT_WAIT_S)
                self._shut_down_reading()
                return
            self._enqueue(self._answer(request), EVENT_WAIT_S)
        self._runner.close()

    def _shut_down_reading(self) -> None:
        try:
            self._connection.shutdown(socket.SHUT_RD)
        except OSError:
            self._ending.set()  # the supervisor has ended already, which also ends `_read`

    def _answer(self, request: wire.SetSlot | wire.ClearSlot | wire.SetPipelines) -> wire.Done:
        try:
            if isinstance(request, wire.ClearSlot):
                self._runner.clear(f"slot:{request.slot}")
                self._slot_requests.pop(f"slot:{request.slot}", None)
                return wire.Done(request=request.request, ok=True)
            if isinstance(request, wire.SetSlot):
                return self._set_slot(request)
            for name in dict.fromkeys(stage.model for spec in request.pipelines for stage in spec.stages):
                if name.startswith("package:") and name not in self._runner.slots():
                    self._open_package(name)
            self._runner.set_pipelines(request.pipelines)
        except EdgefleetError as error:
            reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), Reason.INCOMPATIBLE)
            refused = error.refused if isinstance(error, PipelinesRefusedError) else {}
            return wire.Done(request=request.request, ok=False, reason=reason, detail=str(error)[:2000], refused=refused)
        return wire.Done(request=request.request, ok=True)

    def _set_slot(self, request: wire.SetSlot) -> wire.Done:
        name = f"slot:{request.slot}"
        slot = self._runner.slots().get(name)
        if slot is not None and slot.loaded is not None and slot.loaded.running.digest == request.digest:
            return wire.Done(request=request.request, ok=True, running=slot.loaded.running)

        avoided = self._avoided(name)
        swap, lost = self._load(request, lambda: _open(request, self._faults, avoided))
        self._slot_requests[name] = request
        return wire.Done(
            request=request.request, ok=True, running=swap.running, load_ms=swap.load_ms, gap_ms=swap.gap_ms, frames_lost=lost
        )

    def _load(self, request: wire.SetSlot, open_model: Callable[[], LoadedModel]) -> tuple[Swap, int]:
        def running(model: LoadedModel) -> Running:
            return self._running(model, request.package, request.version, request.digest)

        return self._runner.load(f"slot:{request.slot}", open_model, running)

    def _load_again(self, name: str) -> None:
        """Load the slot's package again to change its device (see `pipeline.scheduling.device_failback`)."""
        request, slot = self._slot_requests.get(name), self._runner.slots().get(name)
        if request is None or slot is None or slot.loaded is None:
            return
        before = slot.loaded.model
        avoided = self._avoided(name)

        def open_again() -> LoadedModel:
            model = _open(request, self._faults, avoided)
            if before.preferred is not None and model.chosen == before.chosen not in avoided:  # the device was lost again
                model.close()
                raise MissingError(model.placement.detail)
            return model

        try:
            swap, _ = self._load(request, open_again)
        except EdgefleetError as error:
            self.on_fault("", f"{name} stays on its device: {error}", False)
            return
        why = f"{before.placement.device} failed" if before.chosen in avoided else why_moved(before, swap.running.placement)
        self._enqueue(wire.DeviceMoved(slot=request.slot, running=swap.running, detail=why), EVENT_WAIT_S)

    def _avoided(self, slot: str) -> dict[ChosenDevice, str]:
        return self._failback.avoided(slot, time.monotonic()) if self._failback is not None else {}

    def _run_failback(self, failback: DeviceFailback) -> None:
        while not self._ending.wait(wire.HEARTBEAT_S):
            for name in failback.due(self._runner.slots(), time.monotonic()):
                self._enqueue_request(_Retry(name))

    def _open_package(self, name: str) -> None:
        folder = Path(name.removeprefix("package:"))
        if not folder.is_absolute():
            raise PipelineError(f"model {name!r}: must be an absolute path")
        self._runner.load(
            name,
            lambda: LoadedModel.open(folder, runtimes=installed_runtimes()),
            lambda model: self._running(model, model.manifest.name, model.manifest.version, ""),
        )

    def _running(self, model: LoadedModel, package: str, version: str, digest: str) -> Running:
        return Running(
            package=package,
            version=version,
            digest=digest,
            variant=model.variant.name,
            runtime=model.placement.runtime,
            placement=model.placement.device,
            placement_reason=model.placement.detail[:REASON_CHARS_MAX]
            if model.placement.fell_back or model.placement.short
            else "",
            since_at=self._clock.wall(),
        )

    def _send_heartbeats(self) -> None:
        reported_s = time.monotonic()
        while True:
            now_s = time.monotonic()
            slots = {name.removeprefix("slot:"): slot for name, slot in self._runner.slots().items() if name.startswith("slot:")}
            if self._runner.busy_s() < STUCK_S:
                self._enqueue(
                    wire.Heartbeat(
                        monotonic_s=round(now_s, 3),
                        rss_bytes=resident_with_processes(),
                        frames_total={name: slot.frames_total for name, slot in slots.items()},
                        errors_total={name: slot.errors_total for name, slot in slots.items()},
                        private_bytes=private_with_processes(),
                        skipped_total={name: self._runner.skipped(slot) for name, slot in slots.items()},
                    )
                )
            if now_s - reported_s >= GAUGES_S:
                window_s, reported_s = now_s - reported_s, now_s
                gauges = self._runner.gauges(window_s)
                self._enqueue(wire.Gauges(window_s=round(window_s, 3), pipelines=gauges, shadows=self._runner.shadows()))
                if self._observers is not None:
                    self._observers.on_gauges(gauges, self._runner.totals())
            if self._ending.wait(wire.HEARTBEAT_S):
                return

    def _enqueue(self, message: Wire | None, wait_s: float = 0.0) -> bool:
        """Queue a message; None ends the writer. False if the queue stays full: heartbeats and gauges do not wait."""
        return self._put(None if message is None else encode(message) + b"\n", wait_s)

    def _put(self, data: bytes | None, wait_s: float) -> bool:
        try:
            self._outgoing.put(data, block=wait_s > 0 or data is None, timeout=wait_s or FLUSH_S_MAX)
        except queue.Full:
            return False
        return True

    def _write(self) -> None:
        connected = True
        while (data := self._outgoing.get()) is not None:
            connected = connected and self._send(data)

    def _send(self, data: bytes) -> bool:
        try:
            self._connection.sendall(data)
        except OSError:  # the supervisor has closed it; `_read` gets end-of-file and ends the process
            return False
        return True


def _open(request: wire.SetSlot, faults: DiskFaults, avoided: Mapping[ChosenDevice, str] | None = None) -> LoadedModel:
    """Open a package, not on `avoided` devices if there is another. A shadow candidate is opened with one thread, and only if
    there is enough memory."""
    beside = shadowed(request.slot) is not None
    if beside:
        check_room(Path(request.folder))

    def opened(cache_dir: Path | None) -> LoadedModel:
        return LoadedModel.open(
            Path(request.folder),
            runtimes=request.runtimes,
            profile=request.profile,
            threads=1 if beside else request.threads,
            strict=request.strict,
            cache_dir=cache_dir,
            avoided=avoided,
            apart=request.apart,
        )

    return load_with_cache(opened, Path(request.cache), faults) if request.cache else opened(None)
