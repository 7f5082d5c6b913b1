"""A camera pipeline: a thread captures frames and submits them to the graph, whose events are published.

The graph may be replaced while frames come: the capture thread waits for the frames in flight and submits the next one to the new
graph. With the same track stages, tracks and unchanged rules continue; all other open events end. The source stays open.
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
from edgefleet_agent.pipeline.camera.node_executor import first_loaded
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
from edgefleet_agent.vision.image.privacy_mask import Masks
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
        observers: Observers | None = None,
        memory: SceneMemory | None = None,
        switches: CameraSwitches | None = None,
    ) -> None:
        self.switches = switches if switches is not None else CameraSwitches()
        self.error: EdgefleetError | None = None
        self.done = threading.Event()
        self._fast = spec.source.pace == "fast"
        self._ready = ready
        self._listener = listener
        self._observers = observers
        self._clock = clock
        self._memory = memory
        self._meter = PipelineMeter()
        self._dropped_before: Counter[str] = Counter()
        self.executor = self._make_executor(spec, slots)
        self._digest = config_digest(spec)
        self._next_executor: GraphExecutor | None = None
        self._recorder: EventRecorder | None = None
        self._masked: MaskedRecorder | None = None
        if evidence is not None and spec.evidence is not None:
            self._recorder = EventRecorder(spec.evidence, evidence, self._report_trouble, self.switches)
            if spec.masks and spec.evidence.clips:
                self._masked = MaskedRecorder(self._recorder.ring)
        snapshots = self._recorder is not None and spec.evidence is not None and spec.evidence.snapshots
        self._lifecycle = EventLifecycle(jpeg if snapshots else None)
        # Packets show the areas under the masks, so they are not stored if there are any.
        ring = self._recorder.ring if self._recorder is not None and not spec.masks else None
        masks = Masks(spec.masks) if spec.masks else None
        self._capture = Capture(
            spec.source, self._report_trouble, spec.name, ring=ring, masks=masks, trigger=self.switches.trigger
        )
        self._closing = self._capturing = False
        self._number = 0
        self._frame_rate = FrameRate(spec.schedule.fps)
        self._gate: MotionGate | None = None
        self._size = (0, 0)
        self._thread = threading.Thread(target=self._run, name=f"capture:{spec.name}", daemon=True)

    @property
    def spec(self) -> PipelineSpec:
        """What it does now, or as soon as it has the models for it."""
        return self.producers[-1].spec

    @property
    def slots(self) -> list[ModelSlot]:
        """The slots that it uses."""
        return [slot for executor in self.producers for slot in executor.slots]

    @property
    def state(self) -> str:
        """`waiting` (for a model), `opening`, `running`, `stalled`, `source_lost`, `ended` or `failed`."""
        if self.done.is_set():
            return "failed" if self.error else "ended"
        return self._capture.state if self.executor.models_loaded else "waiting"

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
        return self._dropped_before + self.executor.dropped

    def start(self) -> None:
        """Begin to capture as soon as every model is there."""
        self._thread.start()

    def close(self) -> None:
        """Stop capturing, let frames on their way finish, and end what goes on in the rules."""
        self._closing = True
        self._capture.close()
        self.executor.close()
        with self._ready:
            self._ready.notify_all()
        self._thread.join()

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Whether `model` can do what the stages on `slot` ask.

        Raises:
            PipelineError: it is no detector, or lacks a label.
        """
        for executor in self.producers:
            executor.check_model(slot, model)

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call."""
        gauges = self._meter.drain(window_s, time.monotonic(), self.dropped)
        gauges.state = self.state
        loaded = first_loaded(self.executor.nodes)
        if loaded is not None:
            gauges.model = loaded.model.manifest.id
            gauges.model_digest = loaded.running.digest
            gauges.placement = loaded.running.placement
        return gauges

    def totals(self) -> Totals:
        """What was done since the start."""
        return self._meter.totals(self.dropped, self._capture.losses_total)

    @property
    def producers(self) -> list[GraphExecutor]:
        """What lanes have to serve: the flow at work, and the one that is to follow."""
        following = self._next_executor
        return [self.executor] if following is None else [self.executor, following]

    # Another graph over the same source.

    def executor_for(self, spec: PipelineSpec, slots: dict[str, ModelSlot]) -> GraphExecutor | None:
        """The flow of another spec, where that is about the same source and evidence; None where the pipeline has to be made
        anew.

        Raises:
            PipelineError: the specification cannot work.
        """
        own = self.spec
        if self.done.is_set() or (spec.source, spec.masks, spec.evidence) != (own.source, own.masks, own.evidence):
            return None
        return self._make_executor(spec, slots)

    def switch_to(self, executor: GraphExecutor) -> None:
        """Go on in `flow` from the next frame on."""
        with self._ready:
            self._next_executor = executor
            self._ready.notify_all()

    def _make_executor(self, spec: PipelineSpec, slots: dict[str, ModelSlot]) -> GraphExecutor:
        return GraphExecutor(
            spec, compile_graph(spec), slots, self._ready, self._meter, self._on_frame_done, self._on_inference_failure
        )

    def _switch_if_ready(self) -> None:
        """To the next graph, if there is one and its models are there."""
        executor = self._next_executor
        if executor is None or (self._capturing and not executor.models_loaded):
            return
        self.executor.drain()
        previous = self.executor.state
        if previous is not None and same_tracks(self.executor.spec, executor.spec):
            self._start_state(executor, previous)
        else:
            self._size = (0, 0)
        self._finish_state()
        self._dropped_before += self.executor.dropped
        self.executor, self._next_executor = executor, None
        self._digest = config_digest(executor.spec)
        self._number = 0
        self._frame_rate = FrameRate(executor.spec.schedule.fps)

    # Events and troubles.

    def _on_frame_done(self, job: FrameJob) -> None:
        frame, meter, began_s = job.frame, self._meter, time.monotonic()
        state = self.executor.state
        if state is not None:
            self._publish(state.apply_rules(job), frame.media_s, frame)
            self._publish_updates(state, frame)
            self._store_scene(state)
        done_s = time.monotonic()
        age_ms = (done_s - frame.captured_at_s) * 1000
        meter.stage("rules", (done_s - began_s) * 1000)
        meter.stage("total", age_ms)
        meter.processed(job.scores, age_ms)

    def _publish(self, events: list[Event], media_s: float, frame: Frame | None = None) -> None:
        loaded = first_loaded(self.executor.nodes) if events else None
        for event in events:
            if loaded is not None:
                event.model, event.model_digest = loaded.model.manifest.id, loaded.running.digest
            if not self._fast:
                moment_s = event.end_s if event.end_s is not None else event.start_s
                event.at = round(self._clock.wall() - (media_s - moment_s if moment_s is not None else 0.0), 3)
            event.config_digest = self._digest
            picture = b""
            if event.phase is EventPhase.NEW:
                self._lifecycle.on_new(event, media_s)
            else:
                picture = self._lifecycle.on_end(event)
            if self._recorder is not None:
                self._recorder.on_event(event, frame, picture)
            self._listener.on_event(event)
            if self._observers is not None:
                self._observers.on_event(event, picture)

    def _publish_updates(self, state: FrameGraphState, frame: Frame) -> None:
        """Publish updates of open events; they stay on the device."""
        for event, picture in self._lifecycle.on_frame(frame, state.sightings):
            if self._recorder is not None:
                self._recorder.on_event(event, None, picture)
            if self._observers is not None:
                self._observers.on_event(event, picture)
        if self._observers is not None:
            self._observers.on_frame(self.spec.name, frame, state.answers())

    def _report_trouble(self, text: str, over: bool) -> None:
        self._listener.on_trouble(self.spec.name, text, over)
        if self._observers is not None:
            self._observers.on_trouble(self.spec.name, text, over)

    def _on_inference_failure(self, error: EdgefleetError | None) -> None:
        self._report_trouble("inference works again" if error is None else f"inference fails: {error}", error is None)

    # What the capture thread does.

    def _run(self) -> None:
        try:
            self._wait_for_models()
            for number, frame in enumerate(self._capture.frames()):
                self._switch_if_ready()
                if not self.switches["detect"]:
                    self._skip_analysis(frame)
                elif number % self.executor.graph.every == 0 and self._frame_rate.due(frame.media_s, self._rate(frame)):
                    self._submit(frame)
        except EdgefleetError as error:
            self.error = error
            if not self._fast:
                self._report_trouble(str(error), False)
        finally:
            self._finish_state()
            if self._masked is not None:
                self._masked.close()
            if self._recorder is not None:
                self._recorder.close()
            self.done.set()

    def _wait_for_models(self) -> None:
        with self._ready:
            while not self._closing and not self.executor.models_loaded:
                self._ready.wait()
                self._switch_if_ready()
        self._capturing = True
        for slot in self.executor.slots:
            if slot.loaded is not None:
                self.executor.check_model(slot, slot.loaded.model)

    def _rate(self, frame: Frame) -> float:
        return self.executor.state.rate(frame.media_s) if self.executor.state is not None else 0.0

    def _submit(self, frame: Frame) -> None:
        if (frame.width, frame.height) != self._size:
            self._restart_at_size(frame)
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
        if self._passes_motion_gate(job):
            self.executor.submit(job)
            return
        if self._observers is not None:
            self._observers.on_frame(self.spec.name, frame, None)
        self.executor.finish_answered()

    def _skip_analysis(self, frame: Frame) -> None:
        """Count and show a frame while detection is off; open events end."""
        if self.executor.state is not None:
            self._finish_state()
            self._size = (0, 0)
        self._capture.take_gated()
        self._meter.captured(time.monotonic())
        self._dropped_before["off"] += 1
        if self._recorder is not None:
            self._recorder.advance(frame.media_s)
        if self._observers is not None:
            self._observers.on_frame(self.spec.name, frame, None)

    def _restart_at_size(self, frame: Frame) -> None:
        self._finish_state()
        self._size = (frame.width, frame.height)
        self._start_state(self.executor)

    def _start_state(self, executor: GraphExecutor, previous: FrameGraphState | None = None) -> None:
        """before: the step of the flow that this one follows, where both follow the same things."""
        fps = self._capture.info.fps
        prefix = f"{random.getrandbits(40):010x}-"
        stationary = self._memory.load(executor.spec.name, self._size) if self._memory is not None and previous is None else {}
        executor.state = FrameGraphState(executor.spec, executor.graph, *self._size, fps, prefix, stationary, previous)
        rate = fps / executor.graph.every
        self._meter.expect(0.0 if self._fast else min(rate, executor.spec.schedule.fps or rate))
        if previous is None or executor.graph.moves != self.executor.graph.moves:
            self._gate = MotionGate(executor.graph.moves, *self._size) if executor.graph.moves is not None else None

    def _passes_motion_gate(self, job: FrameJob) -> bool:
        """Let the motion stage look, if there is one; False where that was all."""
        gate, state = self._gate, self.executor.state
        if gate is None or state is None:
            return True
        began_s = time.monotonic()
        opens = gate.opens(job.frame, forced=self.switches.trigger.active or not self.switches["motion"])
        self._meter.stage("motion", (time.monotonic() - began_s) * 1000)
        if not opens:
            self._meter.quiet()
            return False
        job.moving = state.moving(gate.boxes)
        job.quiet += gate.take_quiet()
        if not self.executor.nodes:
            job.scores = job.moving.scores.tolist()
        return True

    def _finish_state(self) -> None:
        """Wait for the frames on their way, then end what goes on in the rules: the source ended or changed its size."""
        self.executor.drain()
        state = self.executor.state
        if state is None:
            return
        state.quiet(self._gate.take_quiet() if self._gate is not None else ())
        self._store_scene(state, always=True)
        events, media_s = state.finish()
        self._publish(events, media_s)
        self.executor.state = None

    def _store_scene(self, state: FrameGraphState, *, always: bool = False) -> None:
        if self._memory is None or not (self._memory.due(self.spec.name, state.stationary_changes()) or always):
            return
        try:
            self._memory.save(self.spec.name, self._size, state.stationary_objects(), state.stationary_changes())
        except EdgefleetError as error:
            self._report_trouble(f"stationary objects are not stored: {error}", False)
