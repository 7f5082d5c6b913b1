"""The supervisor's client of the worker: requests sent, answers received, and the progress of a trial.

`WorkerPort` manages the process. After a restart of it (`incarnation`) every request has to be sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from edgefleet_agent.supervisor.worker.metrics_merge import join
from edgefleet_agent.updates.state import LoadFailure, TrialWatch
from edgefleet_contract import worker_process as wire
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, Running
from edgefleet_contract.wire.reason_codes import Reason

ANSWER_S_MAX = 180.0
PICTURES_MAX = 64

log = logging.getLogger(__name__)


class WorkerPort(Protocol):
    """The process."""

    @property
    def up(self) -> bool: ...
    @property
    def incarnation(self) -> int: ...
    @property
    def crashes(self) -> int: ...
    @property
    def restarts(self) -> int: ...
    @property
    def crash_detail(self) -> str: ...

    def turn(self, now: float) -> list[wire.FromWorker]: ...
    def send(self, message: wire.ToWorker) -> bool: ...
    def restart(self, why: str) -> None: ...


@dataclass(slots=True)
class _Pending:
    request: int
    running: Running
    since_s: float


@dataclass(slots=True)
class _Watch:
    """Counters of a trial. The base is the first heartbeat after the load: earlier frames were another package's."""

    began_s: float
    crashes_before: int
    loaded_s: float | None = None
    base: tuple[int, int] | None = None
    frames: int = 0
    errors: int = 0
    server_contact: bool = False


@dataclass(slots=True)
class WorkerClient:
    """Requests and answers. Times are monotonic seconds, `wall` is wall time."""

    port: WorkerPort
    runtimes: list[str]
    profile: str
    threads: int = 0
    strict: bool = False
    cache: str = ""
    running: dict[str, Running] = field(default_factory=dict)
    failures: dict[str, LoadFailure] = field(default_factory=dict)
    gauges: wire.Gauges | None = None
    rss_bytes: int = 0
    pipelines_detail: str = ""
    refused: dict[str, str] = field(default_factory=dict)
    """Pipelines of the last answer that cannot work, and why."""
    _accepted: dict[str, PipelineSpec] = field(default_factory=dict)
    _unanswered: tuple[int, list[PipelineSpec]] | None = None
    _loading: dict[str, _Pending] = field(default_factory=dict)
    _pictures: dict[int, wire.PictureTaken | None] = field(default_factory=dict)
    _watches: dict[str, _Watch] = field(default_factory=dict)
    _since_sample: wire.Gauges | None = None
    _sent_specs: bytes | None = None
    _request: int = 0
    _incarnation: int = 0
    _crashes: int = 0

    def turn(self, now: float, wall: float) -> list[Event]:
        """Handle messages of the process; returns its events."""
        messages = self.port.turn(now)
        if self.port.incarnation != self._incarnation or self.port.crashes != self._crashes:
            self._forget(now)
        events = []
        for message in messages:
            if isinstance(message, wire.EventFound):
                events.append(message.event)
            elif isinstance(message, wire.Done):
                self._done(message, now, wall)
            elif isinstance(message, wire.PictureTaken):
                if message.request in self._pictures:
                    self._pictures[message.request] = message
            elif isinstance(message, wire.Heartbeat):
                self._beat(message)
            elif isinstance(message, wire.Gauges):
                self.gauges = message
                self._watch_pipelines(message)
                self._since_sample = join(self._since_sample, message)
            elif isinstance(message, wire.DeviceMoved):
                self._moved(message)
            else:
                log.log(logging.INFO if message.over else logging.WARNING, "%s: %s", message.pipeline, message.text)
        if any(now - pending.since_s > ANSWER_S_MAX for pending in self._loading.values()):
            self.port.restart(f"no answer to a request for {ANSWER_S_MAX:.0f} s")
        return events

    def take_window(self) -> wire.Gauges | None:
        """All windows since the last call, merged; None if the worker has sent none."""
        window, self._since_sample = self._since_sample, None
        return window

    @property
    def between_windows(self) -> bool:
        """Whether the worker sends gauges, but none arrived since the last sample."""
        return self.gauges is not None and self._since_sample is None

    def loading(self, slot: str) -> bool:
        return slot in self._loading

    def load(self, slot: str, package: Running, folder: str, now: float) -> None:
        """Load a package; the result appears in `running` or `failures`."""
        message = wire.SetSlot(
            request=self._next_request(),
            slot=slot,
            package=package.package,
            version=package.version,
            digest=package.digest,
            folder=folder,
            runtimes=self.runtimes,
            profile=self.profile,
            threads=self.threads,
            strict=self.strict,
            cache=self.cache,
        )
        if self.port.send(message):
            self._loading[slot] = _Pending(message.request, package, now)

    def unload(self, slot: str) -> None:
        """Release the model of a slot that no pipeline uses."""
        if self.port.send(wire.ClearSlot(request=self._next_request(), slot=slot)):
            self.running.pop(slot, None)
            self.failures.pop(slot, None)

    def load_failed(self, slot: str, digest: str, reason: Reason, detail: str, now: float) -> None:
        """Count a package that could not be loaded."""
        before = self.failures.get(slot)
        count = before.count if before is not None and before.digest == digest else 0
        self.failures[slot] = LoadFailure(digest, reason, detail, count + 1, now)
        log.error("slot %s cannot run %s: %s: %s", slot, digest[:12], reason.value, detail)

    def pipelines_differ(self, specs: list[PipelineSpec]) -> bool:
        """Whether the pipelines last sent to the process differ from `specs`."""
        return self._sent_specs != _fingerprint(specs)

    def set_pipelines(self, specs: list[PipelineSpec]) -> None:
        """Send the pipelines to run."""
        self.pipelines_detail = ""
        request = self._next_request()
        if self.port.send(wire.SetPipelines(request=request, pipelines=specs)):
            self._sent_specs = _fingerprint(specs)
            self._unanswered = request, specs

    def runs(self, spec: PipelineSpec) -> bool:
        """The process has taken exactly this pipeline."""
        accepted = self._accepted.get(spec.name)
        return accepted is not None and accepted.work() == spec.work()

    def refusal(self, spec: PipelineSpec) -> str:
        """Why the process did not take this pipeline; "" where it did, or has not answered yet."""
        answered = self._unanswered is None and self._sent_specs is not None
        return self.refused.get(spec.name, "") if answered and not self.runs(spec) else ""

    def pipeline_loaded(self, slot: str, now: float) -> None:
        """The pipeline of `slot` that is on trial runs: frames count from the next whole window on."""
        watch = self._watches.get(slot)
        if watch is not None and watch.loaded_s is None:
            watch.loaded_s, watch.base = now, None

    def take_picture(self, pipeline: str, file: str, *, overlays: bool) -> int:
        """Request a picture; `picture` of the returned number gives the result."""
        request = self._next_request()
        sent = self.port.send(wire.TakePicture(request=request, pipeline=pipeline, file=file, overlays=overlays))
        self._pictures[request] = None if sent else _unheard(request)
        while len(self._pictures) > PICTURES_MAX:
            del self._pictures[next(iter(self._pictures))]
        return request

    def picture(self, request: int) -> wire.PictureTaken | None:
        """The answer to `take_picture`, returned once; None while there is none."""
        answer = self._pictures.get(request, _unheard(request))
        if answer is not None:
            self._pictures.pop(request, None)
        return answer

    def begin_trial(self, slot: str, now: float) -> None:
        self._watches[slot] = _Watch(now, self.port.crashes)

    def end_trial(self, slot: str) -> None:
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
            crashes=self.port.crashes - watch.crashes_before,
            crash_detail=self.port.crash_detail,
            server_contact=watch.server_contact,
        )

    def on_server_contact(self) -> None:
        """Record a message of the server for the running trials."""
        for watch in self._watches.values():
            watch.server_contact = watch.server_contact or watch.loaded_s is not None

    @property
    def awaits_server(self) -> bool:
        """Whether a trial is running without server contact since it was loaded."""
        return any(watch.loaded_s is not None and not watch.server_contact for watch in self._watches.values())

    def _done(self, answer: wire.Done, now: float, wall: float) -> None:
        if self._unanswered is not None and self._unanswered[0] == answer.request:
            self._answered(self._unanswered[1], answer)
        slot = next((slot for slot, pending in self._loading.items() if pending.request == answer.request), None)
        if slot is None:
            if not answer.ok and answer.detail:
                self.pipelines_detail = answer.detail
                log.error("the worker refuses: %s", answer.detail)
            return
        pending = self._loading.pop(slot)
        if not answer.ok:
            self.load_failed(slot, pending.running.digest, answer.reason, answer.detail, now)
            return
        loaded = answer.running or pending.running
        self.running[slot] = replace(loaded, digest=pending.running.digest, since_at=loaded.since_at or wall)
        self.failures.pop(slot, None)
        log.info(
            "slot %s runs %s@%s on %s (load %.0f ms, gap %.0f ms, %d frames lost)",
            *(slot, loaded.package, loaded.version, loaded.placement or loaded.runtime or "its worker"),
            *(answer.load_ms, answer.gap_ms, answer.frames_lost),
        )
        if slot in self._watches:
            watch = self._watches[slot]
            watch.loaded_s, watch.base = now, None

    def _answered(self, specs: list[PipelineSpec], answer: wire.Done) -> None:
        """Refused pipelines keep their earlier spec; if the answer names none, all were refused."""
        self._unanswered, self.refused = None, dict(answer.refused)
        if not answer.ok and not answer.refused:
            self.refused = {spec.name: answer.detail for spec in specs}
        before = self._accepted
        self._accepted = {spec.name: spec for spec in specs if spec.name not in self.refused}
        self._accepted |= {name: before[name] for name in self.refused if name in before}

    def _watch_pipelines(self, window: wire.Gauges) -> None:
        """Count frames and errors of the pipelines on trial. The first window is skipped: it began before the change."""
        for slot, watch in self._watches.items():
            name = pipeline_of(slot)
            if name is None or watch.loaded_s is None:
                continue
            if watch.base is None:
                watch.base = (0, 0)
                continue
            gauges = window.pipelines.get(name)
            if gauges is not None:
                watch.frames += round((gauges.process_fps + gauges.quiet_fps) * window.window_s)
                watch.errors += gauges.dropped.get("error", 0)

    def _moved(self, moved: wire.DeviceMoved) -> None:
        """The worker put a slot's model onto another device."""
        before = self.running.get(moved.slot)
        if before is not None and before.digest == moved.running.digest:
            self.running[moved.slot] = moved.running
            log.warning("slot %s moved to %s %s", moved.slot, moved.running.placement, moved.detail)

    def _beat(self, beat: wire.Heartbeat) -> None:
        self.rss_bytes = beat.rss_bytes
        for slot, watch in self._watches.items():
            if watch.loaded_s is None or pipeline_of(slot) is not None:
                continue
            frames, errors = beat.frames_total.get(slot, 0), beat.errors_total.get(slot, 0)
            if watch.base is None:
                watch.base = (frames, errors)
            watch.frames, watch.errors = frames - watch.base[0], errors - watch.base[1]

    def _forget(self, now: float) -> None:
        """The process is another one, or none: nothing is loaded in it."""
        died = self.port.crashes != self._crashes
        for slot, pending in self._loading.items():
            if died:
                detail = f"while loading it, {self.port.crash_detail}"
                self.load_failed(slot, pending.running.digest, Reason.TRIAL_CRASH, detail, now)
        self._incarnation, self._crashes = self.port.incarnation, self.port.crashes
        self._loading.clear()
        self._pictures = {request: answer or _unheard(request) for request, answer in self._pictures.items()}
        self.running.clear()
        self.gauges = self._since_sample = None
        self._sent_specs = self._unanswered = None
        self._accepted.clear()
        self.refused.clear()
        for watch in self._watches.values():
            watch.loaded_s, watch.base = None, None

    def _next_request(self) -> int:
        self._request += 1
        return self._request


def _unheard(request: int) -> wire.PictureTaken:
    return wire.PictureTaken(request=request, ok=False, detail="the worker is not up; ask again in a moment")


def used_slots(specs: Mapping[str, PipelineSpec]) -> set[str]:
    """Slots that some pipeline shows frames."""
    return {slot for spec in specs.values() for slot in spec.slots()}


def _fingerprint(specs: list[PipelineSpec]) -> bytes:
    return b"\n".join(encode(spec) for spec in specs)
