"""One pipeline at work: a thread that captures frames and hands them to the graph, and what is told of it.

The graph may be replaced while frames come: the capture thread lets the frames on their way finish and goes on with the next
frame in the new one. Where both follow the same things, tracks and the rules that did not change go on; what else went on, ends.
The source is not opened anew for that.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.pipeline.camera.event_lifecycle import EventLifecycle
from edgefleet_agent.pipeline.camera.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.camera.frame_job import FrameJob
from edgefleet_agent.pipeline.camera.frame_rate import FrameRate
from edgefleet_agent.pipeline.camera.frame_step import FrameGraphState
from edgefleet_agent.pipeline.camera.graph_diff import same_tracks
from edgefleet_agent.pipeline.camera.motion_gate import MotionGate
from edgefleet_agent.pipeline.camera.node_executor import occupant_of
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.metrics import PipelineMeter, Totals
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.observers import Observers, PipelineObserver
from edgefleet_agent.recording.event_recorder import EventRecorder, jpeg
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.recording.masked_recorder import MaskedRecorder
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.privacy_mask import PrivacyMasks
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.spec import PipelineSpec, config_digest
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges


class CameraPipeline:
    """One pipeline from its source to its events. Made and closed by the runner; `ready` is the runner's one condition. memory:
    where it is kept what stands in front of the camera. switches: what people switch off meanwhile.

    Raises:
        PipelineError: the specification cannot work; the text says why.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        slots: dict[str, ModelSlot],
        ready: threading.Condition,
        listener: PipelineObserver,
        clock: Clock,
        evidence: EvidenceFolder | None = None,
        audience: Observers | None = None,
        memory: SceneMemory | None = None,
        switches: CameraSwitches | None = None,
    ) -> None:
        self.switches = switches if switches is not None else CameraSwitches()
        self.error: EdgefleetError | None = None
        self.done = threading.Event()
        self._fast = spec.source.pace == "fast"
        self._ready = ready
        self._listener = listener
        self._audience = audience
        self._clock = clock
        self._memory = memory
        self._meter = PipelineMeter()
        self._dropped_before: Counter[str] = Counter()
        self.flow = self._flow_of(spec, slots)
        self._digest = config_digest(spec)
        self._next_flow: GraphExecutor | None = None
        self._recorder: EventRecorder | None = None
        self._masked: MaskedRecorder | None = None
        if evidence is not None and spec.evidence is not None:
            self._recorder = EventRecorder(spec.evidence, evidence, self._trouble, self.switches)
            if spec.masks and spec.evidence.clips:
                self._masked = MaskedRecorder(self._recorder.ring)
        snapshots = self._recorder is not None and spec.evidence is not None and spec.evidence.snapshots
        self._lifecycle = EventLifecycle(jpeg if snapshots else None)
        # Packets show what is under a mask: where there are masks, nobody gets them.
        ring = self._recorder.ring if self._recorder is not None and not spec.masks else None
        masks = PrivacyMasks(spec.masks) if spec.masks else None
        self._capture = Capture(spec.source, self._trouble, spec.name, ring=ring, masks=masks, trigger=self.switches.trigger)
        self._closing = self._capturing = False
        self._number = 0
        self._pace = FrameRate(spec.schedule.fps)
        self._gate: MotionGate | None = None
        self._size = (0, 0)
        self._thread = threading.Thread(target=self._run, name=f"capture:{spec.name}", daemon=True)

    @property
    def spec(self) -> PipelineSpec:
        """What it does now, or as soon as it has the models for it."""
        return self.flows[-1].spec

    @property
    def slots(self) -> list[ModelSlot]:
        """The slots that it uses."""
        return [slot for flow in self.flows for slot in flow.slots]

    @property
    def state(self) -> str:
        """`waiting` (for a model), `opening`, `running`, `stalled`, `source_lost`, `ended` or `failed`."""
        if self.done.is_set():
            return "failed" if self.error else "ended"
        return self._capture.state if self.flow.loaded else "waiting"

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
        return self._dropped_before + self.flow.dropped

    def start(self) -> None:
        """Begin to capture as soon as every model is there."""
        self._thread.start()

    def close(self) -> None:
        """Stop capturing, let frames on their way finish, and end what goes on in the rules."""
        self._closing = True
        self._capture.close()
        self.flow.close()
        with self._ready:
            self._ready.notify_all()
        self._thread.join()

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Whether `model` can do what the stages on `slot` ask.

        Raises:
            PipelineError: it is no detector, or lacks a label.
        """
        for flow in self.flows:
            flow.check_model(slot, model)

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call."""
        gauges = self._meter.drain(window_s, time.monotonic(), self.dropped)
        gauges.state = self.state
        occupant = occupant_of(self.flow.places)
        if occupant is not None:
            gauges.model = occupant.model.manifest.id
            gauges.model_digest = occupant.running.digest
            gauges.placement = occupant.running.placement
        return gauges

    def totals(self) -> Totals:
        """What was done since the start."""
        return self._meter.totals(self.dropped, self._capture.losses_total)

    @property
    def flows(self) -> list[GraphExecutor]:
        """What lanes have to serve: the flow at work, and the one that is to follow."""
        follows = self._next_flow
        return [self.flow] if follows is None else [self.flow, follows]

    # Another graph over the same source.

    def prepared(self, spec: PipelineSpec, slots: dict[str, ModelSlot]) -> GraphExecutor | None:
        """The flow of another spec, where that is about the same source and evidence; None where the pipeline has to be made
        anew.

        Raises:
            PipelineError: the specification cannot work.
        """
        own = self.spec
        if self.done.is_set() or (spec.source, spec.masks, spec.evidence) != (own.source, own.masks, own.evidence):
            return None
        return self._flow_of(spec, slots)

    def change(self, flow: GraphExecutor) -> None:
        """Go on in `flow` from the next frame on."""
        with self._ready:
            self._next_flow = flow
            self._ready.notify_all()

    def _flow_of(self, spec: PipelineSpec, slots: dict[str, ModelSlot]) -> GraphExecutor:
        return GraphExecutor(spec, compile_graph(spec), slots, self._ready, self._meter, self._conclude, self._failed)

    def _switch(self) -> None:
        """To the next graph, if there is one and its models are there."""
        flow = self._next_flow
        if flow is None or (self._capturing and not flow.loaded):
            return
        self.flow.drain()
        before = self.flow.step
        if before is not None and same_tracks(self.flow.spec, flow.spec):
            self._prepare_step(flow, before)
        else:
            self._size = (0, 0)
        self._finish_step()
        self._dropped_before += self.flow.dropped
        self.flow, self._next_flow = flow, None
        self._digest = config_digest(flow.spec)
        self._number = 0
        self._pace = FrameRate(flow.spec.schedule.fps)

    # What is told.

    def _conclude(self, job: FrameJob) -> None:
        frame, meter, began_s = job.frame, self._meter, time.monotonic()
        step = self.flow.step
        if step is not None:
            self._tell(step.conclude(job), frame.media_s, frame)
            self._follow(step, frame)
            self._keep(step)
        done_s = time.monotonic()
        age_ms = (done_s - frame.captured_at_s) * 1000
        meter.stage("rules", (done_s - began_s) * 1000)
        meter.stage("total", age_ms)
        meter.processed(job.scores, age_ms)

    def _tell(self, events: list[Event], media_s: float, frame: Frame | None = None) -> None:
        occupant = occupant_of(self.flow.places) if events else None
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

    def _follow(self, step: FrameGraphState, frame: Frame) -> None:
        """What goes on is looked at again; updates of it stay on the device."""
        for event, picture in self._lifecycle.look(frame, step.sightings):
            if self._recorder is not None:
                self._recorder.on_event(event, None, picture)
            if self._audience is not None:
                self._audience.on_event(event, picture)
        if self._audience is not None:
            self._audience.on_frame(self.spec.name, frame, step.answers())

    def _trouble(self, text: str, over: bool) -> None:
        self._listener.on_trouble(self.spec.name, text, over)
        if self._audience is not None:
            self._audience.on_trouble(self.spec.name, text, over)

    def _failed(self, error: EdgefleetError | None) -> None:
        self._trouble("inference works again" if error is None else f"inference fails: {error}", error is None)

    # What the capture thread does.

    def _run(self) -> None:
        try:
            self._wait_for_models()
            for number, frame in enumerate(self._capture.frames()):
                self._switch()
                if not self.switches["detect"]:
                    self._look_away(frame)
                elif number % self.flow.graph.every == 0 and self._pace.due(frame.media_s, self._rate(frame)):
                    self._hand_over(frame)
        except EdgefleetError as error:
            self.error = error
            if not self._fast:
                self._trouble(str(error), False)
        finally:
            self._finish_step()
            if self._masked is not None:
                self._masked.close()
            if self._recorder is not None:
                self._recorder.close()
            self.done.set()

    def _wait_for_models(self) -> None:
        with self._ready:
            while not self._closing and not self.flow.loaded:
                self._ready.wait()
                self._switch()
        self._capturing = True
        for slot in self.flow.slots:
            if slot.occupant is not None:
                self.flow.check_model(slot, slot.occupant.model)

    def _rate(self, frame: Frame) -> float:
        return self.flow.step.rate(frame.media_s) if self.flow.step is not None else 0.0

    def _hand_over(self, frame: Frame) -> None:
        if (frame.width, frame.height) != self._size:
            self._begin_size(frame)
        gated = self._capture.take_gated()
        if gated:
            self._meter.gated(len(gated), time.monotonic())
        self._meter.captured(time.monotonic())
        if self._recorder is not None:
            if self._masked is not None:
                self._masked.add(frame, self._capture.info.fps)
            self._recorder.advance(frame.media_s)
        job = FrameJob(frame, self._number, quiet=gated)
        self._number += 1
        if self._passes(job):
            self.flow.hand_over(job)
            return
        if self._audience is not None:
            self._audience.on_frame(self.spec.name, frame, None)
        self.flow.conclude_answered()

    def _look_away(self, frame: Frame) -> None:
        """Switched off: what goes on ends now, frames are counted and shown, and nothing looks at them."""
        if self.flow.step is not None:
            self._finish_step()
            self._size = (0, 0)
        self._capture.take_gated()
        self._meter.captured(time.monotonic())
        self._dropped_before["off"] += 1
        if self._recorder is not None:
            self._recorder.advance(frame.media_s)
        if self._audience is not None:
            self._audience.on_frame(self.spec.name, frame, None)

    def _begin_size(self, frame: Frame) -> None:
        self._finish_step()
        self._size = (frame.width, frame.height)
        self._prepare_step(self.flow)

    def _prepare_step(self, flow: GraphExecutor, before: FrameGraphState | None = None) -> None:
        """before: the step of the flow that this one follows, where both follow the same things."""
        fps = self._capture.info.fps
        prefix = f"{random.getrandbits(40):010x}-"
        kept = self._memory.standing(flow.spec.name, self._size) if self._memory is not None and before is None else {}
        flow.step = FrameGraphState(flow.spec, flow.graph, *self._size, fps, prefix, kept, before)
        looks = fps / flow.graph.every
        self._meter.expect(0.0 if self._fast else min(looks, flow.spec.schedule.fps or looks))
        if before is None or flow.graph.motion != self.flow.graph.motion:
            self._gate = MotionGate(flow.graph.motion, *self._size) if flow.graph.motion is not None else None

    def _passes(self, job: FrameJob) -> bool:
        """Let the motion stage look, if there is one; False where that was all."""
        gate, step = self._gate, self.flow.step
        if gate is None or step is None:
            return True
        began_s = time.monotonic()
        opens = gate.opens(job.frame, forced=self.switches.trigger.active or not self.switches["motion"])
        self._meter.stage("motion", (time.monotonic() - began_s) * 1000)
        if not opens:
            self._meter.quiet()
            return False
        job.moving = step.moving(gate.boxes)
        job.quiet += gate.take_quiet()
        if not self.flow.places:
            job.scores = job.moving.scores.tolist()
        return True

    def _finish_step(self) -> None:
        """Wait for the frames on their way, then end what goes on in the rules: the source ended or changed its size."""
        self.flow.drain()
        step = self.flow.step
        if step is None:
            return
        step.quiet(self._gate.take_quiet() if self._gate is not None else ())
        self._keep(step, always=True)
        events, media_s = step.finish()
        self._tell(events, media_s)
        self.flow.step = None

    def _keep(self, step: FrameGraphState, *, always: bool = False) -> None:
        if self._memory is None or not (self._memory.due(self.spec.name, step.standing_changes()) or always):
            return
        try:
            self._memory.keep(self.spec.name, self._size, step.standing(), step.standing_changes())
        except EdgefleetError as error:
            self._trouble(f"what stands there is not remembered: {error}", False)
