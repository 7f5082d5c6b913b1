"""The process that runs pipelines, told what to do by the supervisor over a socket it was born with.

    ours, theirs = socket.socketpair()
    fd = theirs.fileno()
    subprocess.Popen([sys.executable, "-m", "edgefleet_agent", "worker", "--fd", str(fd)], pass_fds=[fd])
    theirs.close()
    ours.sendall(encode(SetPipelines(request=1, pipelines=[spec])) + b"\\n")     # and read lines of `FromWorker`

Threads: this one reads; one carries requests out in order, so that a slow load delays neither heartbeats nor frames; one shows
that the process lives; one writes. A heartbeat is withheld while a runtime does not return, because then the process does not
live in the sense that counts. End-of-file ends the process: nobody is left to hear it.
"""

from __future__ import annotations

import os
import queue
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from pathlib import Path

from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.model.compile_cache import open_cache
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.pipeline.model.model_slots import Swap
from edgefleet_agent.pipeline.observers import Observers
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundHost
from edgefleet_agent.pipeline.scheduling.device_failback import DeviceFailback
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.pipeline.scheduling.shadow import check_room
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
"""How often gauges are told."""
STUCK_S = 10.0
"""A frame that has been computing for so long will not come back: no more heartbeats, and the supervisor does the rest."""
LINE_BYTES_MAX = 4 * 1024 * 1024
REQUESTS_MAX = 64
QUEUED_MAX = 1000
EVENT_WAIT_S = 2.0
"""How long an event waits for a supervisor that does not read, before it is given up."""
FLUSH_S_MAX = 3.0

_REASONS: tuple[tuple[type[EdgefleetError], Reason], ...] = (
    (ManifestError, Reason.MANIFEST_INVALID),
    (ModelError, Reason.MODEL_REFUSED),
)
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class _Retry:
    """A request of the worker to itself: load the slot once more."""

    slot: str


_Queued = wire.SetSlot | wire.ClearSlot | wire.SetPipelines | wire.Stop | _Retry


class WorkerServer:
    """Speaks the contract over `line` until it is closed or told to stop."""

    def __init__(
        self,
        line: socket.socket,
        clock: Clock | None = None,
        host: BackgroundHost | None = None,
        evidence: EvidenceFolder | None = None,
        audience: Observers | None = None,
        homing: DeviceFailback | None = None,
        memory: SceneMemory | None = None,
        photographer: SnapshotMaker | None = None,
    ) -> None:
        self._line = line
        self._clock = clock or SystemClock()
        self._audience = audience
        self._runner = Runner(self, self._clock, host, evidence, audience, memory)
        self._pictures = SnapshotRequests(photographer, self._clock, self._told_picture)
        self._requests: queue.Queue[_Queued | None] = queue.Queue(REQUESTS_MAX)
        self._homing = homing
        self._told: dict[str, wire.SetSlot] = {}
        self._outgoing: queue.Queue[bytes | None] = queue.Queue(QUEUED_MAX)
        self._ending = threading.Event()
        self._events_lost = 0

    def serve(self) -> int:
        """Work until the end; the exit code."""
        jobs = {"requests": self._carry_out, "heartbeat": self._beat, "writer": self._write}
        if self._homing is not None:
            jobs["homing"] = partial(self._go_home, self._homing)
        threads = {name: threading.Thread(target=job, name=name, daemon=True) for name, job in jobs.items()}
        for thread in threads.values():
            thread.start()
        try:
            with self._line.makefile("rb") as lines:
                self._read(lines)
        finally:
            self._ending.set()
            self._queue_request(None)
            threads["requests"].join(FLUSH_S_MAX)
            self._put(None)
            threads["writer"].join(FLUSH_S_MAX)
        if threads["requests"].is_alive():  # a runtime that does not return holds it; there is nothing left to save
            os._exit(0)
        return 0

    # What pipelines say (see `Listener`).

    def switches(self, pipeline: str) -> CameraSwitches | None:
        """What people switch at a camera. From any thread."""
        return self._runner.switches(pipeline)

    def on_event(self, event: Event) -> None:
        """Tell an event. Only a supervisor that has stopped reading can lose it, and only the first loss keeps frames waiting."""
        if self._put(wire.EventFound(event=event), 0.0 if self._events_lost else EVENT_WAIT_S):
            if self._events_lost:
                self.on_trouble("", f"{self._events_lost} events were lost while the supervisor did not read", False)
            self._events_lost = 0
        else:
            self._events_lost += 1

    def on_trouble(self, pipeline: str, text: str, over: bool) -> None:
        """Tell what a person should read."""
        self._put(wire.WorkerFault(pipeline=pipeline, text=text[:1000], over=over), EVENT_WAIT_S)

    def _told_picture(self, answer: wire.PictureTaken) -> None:
        self._put(answer, EVENT_WAIT_S)

    # The threads.

    def _read(self, lines: BufferedReader) -> None:
        whole = True
        while line := self._next_line(lines):
            if not line.endswith(b"\n"):
                whole = False  # the middle of a line beyond every limit: its end will be dropped too
            elif not whole:
                whole = True
                self.on_trouble("", f"a request is longer than {LINE_BYTES_MAX} bytes and was dropped", False)
            else:
                self._take(line)

    def _next_line(self, lines: BufferedReader) -> bytes:
        try:
            return lines.readline(LINE_BYTES_MAX)
        except OSError:  # the other end broke off; the same as its end
            return b""

    def _take(self, line: bytes) -> None:
        try:
            request = wire.read_request(line)
        except MessageError as error:
            self.on_trouble("", str(error), False)
            return
        if isinstance(request, wire.TakePicture):
            self._pictures.take(request)
        elif not self._queue_request(request):
            self._put(wire.Done(request=request.request, ok=False, detail=f"{REQUESTS_MAX} requests wait already"))

    def _queue_request(self, request: _Queued | None) -> bool:
        try:
            self._requests.put(request, timeout=FLUSH_S_MAX if request is None else None, block=request is None)
        except queue.Full:
            return False
        return True

    def _carry_out(self) -> None:
        while (request := self._requests.get()) is not None:
            if isinstance(request, _Retry):
                self._load_again(request.slot)
                continue
            if isinstance(request, wire.Stop):
                self._runner.close()
                self._put(wire.Done(request=request.request, ok=True), EVENT_WAIT_S)
                self._shut_reading()
                return
            self._put(self._answer(request), EVENT_WAIT_S)
        self._runner.close()

    def _shut_reading(self) -> None:
        try:
            self._line.shutdown(socket.SHUT_RD)
        except OSError:
            self._ending.set()  # the supervisor has gone already, which ends `_read` just as well

    def _answer(self, request: wire.SetSlot | wire.ClearSlot | wire.SetPipelines) -> wire.Done:
        try:
            if isinstance(request, wire.ClearSlot):
                self._runner.clear(f"slot:{request.slot}")
                self._told.pop(f"slot:{request.slot}", None)
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
        if slot is not None and slot.occupant is not None and slot.occupant.running.digest == request.digest:
            return wire.Done(request=request.request, ok=True, running=slot.occupant.running)

        swap, lost = self._load(request, lambda: _open(request))
        self._told[name] = request
        return wire.Done(
            request=request.request, ok=True, running=swap.running, load_ms=swap.load_ms, gap_ms=swap.gap_ms, frames_lost=lost
        )

    def _load(self, request: wire.SetSlot, open_model: Callable[[], LoadedModel]) -> tuple[Swap, int]:
        def running(model: LoadedModel) -> Running:
            return self._running(model, request.package, request.version, request.digest)

        return self._runner.load(f"slot:{request.slot}", open_model, running)

    def _load_again(self, name: str) -> None:
        """The slot's own package once more, because of where it computes (see `pipeline.scheduling.device_failback`)."""
        request, slot = self._told.get(name), self._runner.slots().get(name)
        if request is None or slot is None or slot.occupant is None:
            return
        before = slot.occupant.model

        def further() -> LoadedModel:
            model = _open(request)
            if before.home is not None and model.home is not None:  # gone again since it answered: stay, without a swap
                model.close()
                raise MissingError(model.placement.detail)
            return model

        try:
            swap, _ = self._load(request, further)
        except EdgefleetError as error:
            self.on_trouble("", f"{name} stays where it is: {error}", False)
            return
        why = _why_moved(before, swap.running.placement)
        self._put(wire.DeviceMoved(slot=request.slot, running=swap.running, detail=why), EVENT_WAIT_S)

    def _go_home(self, homing: DeviceFailback) -> None:
        while not self._ending.wait(wire.HEARTBEAT_S):
            for name in homing.due(self._runner.slots(), time.monotonic()):
                self._queue_request(_Retry(name))

    def _open_package(self, name: str) -> None:
        folder = Path(name.removeprefix("package:"))
        if not folder.is_absolute():
            raise PipelineError(f"model {name!r}: give the whole path of the folder")
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
            since_at=self._clock.wall(),
        )

    def _beat(self) -> None:
        told_s = time.monotonic()
        while True:
            now_s = time.monotonic()
            slots = {name.removeprefix("slot:"): slot for name, slot in self._runner.slots().items() if name.startswith("slot:")}
            if self._runner.busy_s() < STUCK_S:
                self._put(
                    wire.Heartbeat(
                        monotonic_s=round(now_s, 3),
                        rss_bytes=_rss_bytes(),
                        frames_total={name: slot.frames_total for name, slot in slots.items()},
                        errors_total={name: slot.errors_total for name, slot in slots.items()},
                    )
                )
            if now_s - told_s >= GAUGES_S:
                window_s, told_s = now_s - told_s, now_s
                gauges = self._runner.gauges(window_s)
                self._put(wire.Gauges(window_s=round(window_s, 3), pipelines=gauges, shadows=self._runner.shadows()))
                if self._audience is not None:
                    self._audience.on_gauges(gauges, self._runner.totals())
            if self._ending.wait(wire.HEARTBEAT_S):
                return

    def _put(self, message: Wire | None, wait_s: float = 0.0) -> bool:
        """Queue a message, None to end the writer. False when there is no room: heartbeats and gauges are not worth waiting
        for."""
        data = None if message is None else encode(message) + b"\n"
        try:
            self._outgoing.put(data, block=wait_s > 0 or data is None, timeout=wait_s or FLUSH_S_MAX)
        except queue.Full:
            return False
        return True

    def _write(self) -> None:
        heard = True
        while (data := self._outgoing.get()) is not None:
            heard = heard and self._send(data)

    def _send(self, data: bytes) -> bool:
        try:
            self._line.sendall(data)
        except OSError:  # nobody reads any more; `_read` sees the end and ends us
            return False
        return True


def _open(request: wire.SetSlot) -> LoadedModel:
    """A candidate beside an incumbent computes on one thread, whose priority is the lowest, and only where there is room."""
    beside = shadowed(request.slot) is not None
    if beside:
        check_room(Path(request.folder))
    return LoadedModel.open(
        Path(request.folder),
        runtimes=request.runtimes,
        profile=request.profile,
        threads=1 if beside else request.threads,
        strict=request.strict,
        cache_dir=open_cache(Path(request.cache)) if request.cache else None,
    )


def _why_moved(before: LoadedModel, now: str) -> str:
    """For a person. now: the devices that the model computes on after it was loaded again."""
    if before.home is not None:
        return f"{before.home.device} answers again"
    joined = set(now.split(",")) - set(before.placement.device.split(","))
    if before.placement.beyond and joined and "cpu" not in joined:
        return f"{', '.join(sorted(joined))} answers too"
    return f"{before.placement.device} failed"


def _rss_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE_BYTES
