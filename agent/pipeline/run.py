"""One pipeline at work: a thread that captures frames, and what lanes do with them.

Two paces. `realtime`: the source goes by the clock, the newest frame wins, and the lane's thread does everything for the frame
it takes, at once. `fast`: nothing is dropped; while the runtime computes one frame, the capture thread prepares the next and
lets the rules speak about the last, so that the runtime waits for neither.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field

from agent.clock import Clock
from agent.contract.messages import Event, EventPhase, PipelineGauges
from agent.contract.pipeline import PipelineSpec, config_digest
from agent.errors import EdgefleetError, ModelError, PipelineError, UnavailableError
from agent.pipeline.capture import Capture
from agent.pipeline.gate import Gate
from agent.pipeline.gauges import PipelineMeter, Totals
from agent.pipeline.graph import check_labels, compile_graph
from agent.pipeline.latest import Latest
from agent.pipeline.lifecycle import Lifecycle
from agent.pipeline.listener import Audience, Listener
from agent.pipeline.model import LoadedModel, Prepared
from agent.pipeline.recorder import Recorder, jpeg
from agent.pipeline.slots import Occupant, Slot
from agent.pipeline.step import Step
from agent.sinks.evidence import EvidenceFolder
from agent.vision.detections import Detections
from agent.vision.frame import Frame

IN_FLIGHT_MAX = 2
"""Frames of one pipeline between its hand-over and its events: more only wait for each other."""


@dataclass(slots=True)
class Job:
    """One frame on its way. A lease and a prepared input for each detect stage, made by the thread that is told to prepare.

    moving: what the motion stage saw. quiet: media times of frames before this one that it kept back."""

    frame: Frame
    handed_at_s: float = 0.0
    leases: list[Occupant] = field(default_factory=list)
    prepared: list[Prepared] = field(default_factory=list)
    found: list[Detections] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    moving: Detections = field(default_factory=Detections.empty)
    quiet: list[float] = field(default_factory=list)

    def prepare(self, slot: Slot) -> float:
        """Take the model of this moment and write the frame into its input; milliseconds.

        Raises:
            UnavailableError: the slot is empty.
        """
        occupant = slot.lease()
        self.leases.append(occupant)
        prepared = occupant.model.prepare(self.frame)
        self.prepared.append(prepared)
        return prepared.pre_ms

    def release(self) -> None:
        """Give every lease back; the job must not be computed any more."""
        for occupant in self.leases:
            occupant.release()
        self.leases.clear()
        self.prepared.clear()


class PipelineRun:
    """One pipeline from its source to its events. Made and closed by the runner; `ready` is the runner's one condition.

    Raises:
        PipelineError: the specification cannot work; the text says why.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        slots: dict[str, Slot],
        ready: threading.Condition,
        listener: Listener,
        clock: Clock,
        evidence: EvidenceFolder | None = None,
        audience: Audience | None = None,
    ) -> None:
        self.spec = spec
        self._audience = audience
        self._digest = config_digest(spec)
        self.graph = compile_graph(spec)
        self.slots = [slots.setdefault(detect.model, Slot(detect.model)) for detect in self.graph.detects]
        self.error: EdgefleetError | None = None
        self.done = threading.Event()
        self._fast = spec.source.pace == "fast"
        self._ready = ready
        self._listener = listener
        self._clock = clock
        self._recorder: Recorder | None = None
        if evidence is not None and spec.evidence is not None:
            self._recorder = Recorder(spec.evidence, evidence, self._trouble)
        snapshots = self._recorder is not None and spec.evidence is not None and spec.evidence.snapshots
        self._lifecycle = Lifecycle(jpeg if snapshots else None)
        self._capture = Capture(
            spec.source, self._trouble, spec.name, ring=self._recorder.ring if self._recorder is not None else None
        )
        self._entry: Latest[Job] = Latest(ready, keep_all=self._fast)
        self._between: list[deque[Job]] = [deque() for _ in self.graph.detects]  # bounded by IN_FLIGHT_MAX
        self._in_flight = 0
        self._answered: deque[Job] = deque()  # waits for its rules, `fast` only; bounded because this thread feeds the lane
        self._errors: Counter[str] = Counter()
        self._failing = False
        self._closing = False
        self._meter = PipelineMeter()
        self._step: Step | None = None
        self._gate: Gate | None = None
        self._size = (0, 0)
        self._thread = threading.Thread(target=self._run, name=f"capture:{spec.name}", daemon=True)

    @property
    def state(self) -> str:
        """`waiting` (for a model), `opening`, `running`, `stalled`, `source_lost`, `ended` or `failed`."""
        if self.done.is_set():
            return "failed" if self.error else "ended"
        return self._capture.state if all(slot.occupant for slot in self.slots) else "waiting"

    @property
    def frames_expected(self) -> int:
        """Frames that the source announced, 0 where it does not know."""
        return self._capture.info.frames

    @property
    def frames_total(self) -> int:
        """Frames that went through all stages, or as far as a motion stage let them."""
        return self._meter.frames_total + self._meter.quiet_total

    @property
    def quiet_total(self) -> int:
        """Those of them that a motion stage kept from the models."""
        return self._meter.quiet_total

    @property
    def dropped(self) -> Counter[str]:
        """Frames lost since the start, by cause."""
        return self._entry.dropped + self._errors

    def start(self) -> None:
        """Begin to capture as soon as every model is there."""
        self._thread.start()

    def close(self) -> None:
        """Stop capturing, let frames on their way finish, and end what goes on in the rules."""
        self._closing = True
        self._capture.close()
        left = self._entry.close()
        if left is not None:
            left.release()
        with self._ready:
            self._ready.notify_all()
        self._thread.join()

    def check_model(self, slot: Slot, model: LoadedModel) -> None:
        """Whether `model` can do what the stages on `slot` ask.

        Raises:
            PipelineError: it is no detector, or lacks a label.
        """
        for detect, own in zip(self.graph.detects, self.slots, strict=True):
            if own is slot:
                if model.manifest.task != "detection":
                    raise PipelineError(f"stage {detect.name!r}: {model.manifest.id} does {model.manifest.task}, not detection")
                check_labels(detect, model.labels, model.manifest.id)

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call."""
        gauges = self._meter.drain(window_s, time.monotonic(), self.dropped)
        gauges.state = self.state
        occupant = self._occupant()
        if occupant is not None:
            gauges.model = occupant.model.manifest.id
            gauges.model_digest = occupant.running.digest
            gauges.placement = occupant.running.placement
        return gauges

    def totals(self) -> Totals:
        """What was done since the start."""
        return self._meter.totals(self.dropped, self._capture.losses_total)

    # What lanes do; `waiting` and `take` are called with `ready` held.

    def waiting(self, place: int) -> Job | None:
        """The frame that waits for the detect stage at `place`, if it may be taken now."""
        if place:
            return self._between[place][0] if self._between[place] else None
        return self._entry.peek() if self._in_flight < IN_FLIGHT_MAX else None

    def take(self, place: int) -> Job | None:
        """Take that frame."""
        if place:
            return self._between[place].popleft()
        job = self._entry.take()
        self._in_flight += job is not None
        return job

    def answer(self, place: int, job: Job) -> None:
        """Let the model of the detect stage at `place` look at the frame; after the last one, let the rules speak."""
        try:
            self._look(place, job)
        except (ModelError, UnavailableError) as error:
            self._errors["error"] += 1
            if not self._failing:
                self._failing = True
                self._trouble(f"inference fails: {error}", False)
            self._leave(job)
            return
        if place + 1 < len(self.slots):
            with self._ready:
                self._between[place + 1].append(job)
                self._ready.notify_all()
            return
        if self._failing:
            self._failing = False
            self._trouble("inference works again", True)
        if self._fast:
            self._answered.append(job)
        else:
            self._conclude(job)
        self._leave(job)

    def _look(self, place: int, job: Job) -> None:
        meter, detect = self._meter, self.graph.detects[place]
        if not place:
            meter.stage("wait", (time.monotonic() - job.handed_at_s) * 1000)
        if len(job.prepared) <= place:
            meter.stage("pre", job.prepare(self.slots[place]))
        occupant, prepared = job.leases[place], job.prepared[place]
        began_s = time.monotonic()
        try:
            outputs = occupant.model.invoke(prepared, self.spec.name)
            invoked_s = time.monotonic()
            result = occupant.model.decode(outputs, prepared, detect.floor)
        except ModelError:
            occupant.errors_total += 1
            raise
        occupant.note_answer(invoked_s)
        if self._step is None or not isinstance(result, Detections):
            raise ModelError(f"{occupant.model.manifest.id} answered without boxes; a detect stage needs a detector")
        boxes = self._step.translate(place, result, occupant.model.labels)
        job.found.append(boxes)
        job.scores += [score for score in boxes.scores.tolist() if score >= detect.min_score]
        meter.stage("invoke", (invoked_s - began_s) * 1000)
        meter.stage("post", (time.monotonic() - invoked_s) * 1000)

    def _conclude(self, job: Job) -> None:
        frame, meter, began_s = job.frame, self._meter, time.monotonic()
        if self._step is not None:
            self._step.quiet(job.quiet)
            if self.graph.moves is not None:
                job.found.append(self._step.moving(job.moving))
            self._tell(self._step.advance(frame.index, frame.media_s, job.found), frame.media_s, frame)
            self._follow(self._step, frame)
        done_s = time.monotonic()
        age_ms = (done_s - frame.captured_at_s) * 1000
        meter.stage("rules", (done_s - began_s) * 1000)
        meter.stage("total", age_ms)
        meter.processed(job.scores, age_ms)

    def _leave(self, job: Job) -> None:
        job.release()
        with self._ready:
            self._in_flight -= 1
            self._ready.notify_all()

    def _tell(self, events: list[Event], media_s: float, frame: Frame | None = None) -> None:
        occupant = self._occupant()
        for event in events:
            if occupant is not None:
                event.model, event.model_digest = occupant.model.manifest.id, occupant.running.digest
            if not self._fast:
                moment_s = event.end_s if event.end_s is not None else event.start_s
                event.at = round(self._clock.wall() - (media_s - moment_s if moment_s is not None else 0.0), 3)
            event.config_digest = self._digest
            picture = b""
            if event.phase is EventPhase.NEW:
                self._lifecycle.began(event, media_s)
            else:
                picture = self._lifecycle.ends(event)
            if self._recorder is not None:
                self._recorder.on_event(event, frame, picture)
            self._listener.on_event(event)
            if self._audience is not None:
                self._audience.on_event(event, picture)

    def _follow(self, step: Step, frame: Frame) -> None:
        """What goes on is looked at again; updates of it stay on the device."""
        for event, picture in self._lifecycle.look(frame, step.sightings):
            if self._recorder is not None:
                self._recorder.on_event(event, None, picture)
            if self._audience is not None:
                self._audience.on_event(event, picture)
        if self._audience is not None:
            self._audience.on_frame(self.spec.name, frame, step.answers())

    def _occupant(self) -> Occupant | None:
        return self.slots[0].occupant if self.slots else None

    def _trouble(self, text: str, over: bool) -> None:
        self._listener.on_trouble(self.spec.name, text, over)
        if self._audience is not None:
            self._audience.on_trouble(self.spec.name, text, over)

    # What the capture thread does.

    def _run(self) -> None:
        try:
            self._wait_for_models()
            for number, frame in enumerate(self._capture.frames()):
                if number % self.graph.every == 0:
                    self._hand_over(frame)
        except EdgefleetError as error:
            self.error = error
            if not self._fast:
                self._trouble(str(error), False)
        finally:
            self._finish_step()
            if self._recorder is not None:
                self._recorder.close()
            self.done.set()

    def _wait_for_models(self) -> None:
        with self._ready:
            while not self._closing and any(slot.occupant is None for slot in self.slots):
                self._ready.wait()
        for slot in self.slots:
            if slot.occupant is not None:
                self.check_model(slot, slot.occupant.model)

    def _hand_over(self, frame: Frame) -> None:
        if (frame.width, frame.height) != self._size:
            self._finish_step()
            fps = self._capture.info.fps
            self._size = (frame.width, frame.height)
            self._step = Step(self.spec, self.graph, *self._size, fps, f"{random.getrandbits(40):010x}-")
            self._meter.expect(0.0 if self._fast else fps / self.graph.every)
            self._gate = Gate(self.graph.moves, *self._size) if self.graph.moves is not None else None
        gated = self._capture.take_gated()
        if gated:
            self._meter.gated(len(gated), time.monotonic())
        self._meter.captured(time.monotonic())
        if self._recorder is not None:
            self._recorder.advance(frame.media_s)
        job = Job(frame, quiet=gated)
        if not self._passes(job):
            if self._audience is not None:
                self._audience.on_frame(self.spec.name, frame, None)
            self._conclude_answered()
            return
        if not self.slots:
            self._conclude(job)
            return
        if self._fast:
            for slot in self.slots:
                self._meter.stage("pre", job.prepare(slot))
        job.handed_at_s = time.monotonic()
        if not self._entry.put(job):
            job.release()
        self._conclude_answered()

    def _passes(self, job: Job) -> bool:
        """Let the motion stage look, if there is one; False where that was all."""
        gate = self._gate
        if gate is None:
            return True
        began_s = time.monotonic()
        opens = gate.opens(job.frame)
        self._meter.stage("motion", (time.monotonic() - began_s) * 1000)
        if not opens:
            self._meter.quiet()
            return False
        job.moving = gate.boxes
        job.quiet += gate.take_quiet()
        if not self.slots:
            job.scores = job.moving.scores.tolist()
        return True

    def _conclude_answered(self) -> None:
        while self._answered:
            self._conclude(self._answered.popleft())

    def _finish_step(self) -> None:
        """Wait for the frames on their way, then end what goes on in the rules: the source ended or changed its size."""
        with self._ready:
            while self._in_flight or self._entry.peek() is not None:
                self._ready.wait()
        self._conclude_answered()
        if self._step is not None:
            self._step.quiet(self._gate.take_quiet() if self._gate is not None else ())
            events, media_s = self._step.finish()
            self._tell(events, media_s)
            self._step = None
