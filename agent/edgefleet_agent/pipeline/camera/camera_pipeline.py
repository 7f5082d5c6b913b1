"""A camera pipeline: a thread captures frames and submits them to the graph, whose events are published.

It has three parts: `capture` reads the source, `graph_session` runs the graph, `event_publisher` reports.
"""

from __future__ import annotations

import threading
import time
from collections import Counter

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.pipeline.camera.event_publisher import EventPublisher
from edgefleet_agent.pipeline.camera.graph_session import GraphSession
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.graph.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.metrics import TEXT_CHARS_MAX, PipelineMeter, Totals, source_reasons
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.observers import Observers, PipelineObserver
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.sources.reconnect_state import ReconnectState
from edgefleet_agent.sources.redact import redact
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.privacy_mask import PrivacyMasks
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import PipelineGauges


class CameraPipeline:
    """One pipeline from its source to its events. Made and closed by the runner; `ready` is the runner's condition. memory:
    stores stationary objects over restarts. switches: functions that people can switch off.

    Raises:
        PipelineError: the specification is wrong; the text gives the reason.
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
        self._clock = clock
        self._live = spec.source.pace != "fast"
        self._ready = ready
        self._meter = PipelineMeter()
        self._publisher = EventPublisher(spec, listener, observers, clock)
        self._session = GraphSession(spec, slots, ready, self._meter, self._publisher, memory)
        self._publisher.start_recording(spec, evidence, self.switches)
        self._capture = Capture(
            spec.source,
            self._publisher.report_source,
            spec.name,
            ring=self._publisher.packet_ring,
            masks=PrivacyMasks(spec.masks) if spec.masks else None,
            trigger=self.switches.trigger,
            on_blind=self._end_events,
        )
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"capture:{spec.name}", daemon=True)

    @property
    def spec(self) -> PipelineSpec:
        """The current specification, or the next one while its models are loaded."""
        return self.producers[-1].spec

    @property
    def slots(self) -> list[ModelSlot]:
        """The slots it uses."""
        return [slot for executor in self.producers for slot in executor.slots]

    @property
    def live_ring(self) -> PacketRing | None:
        """The packets for live video; None for a recording, and where there can be no viewers."""
        return self._publisher.live_ring

    @property
    def state(self) -> str:
        """State: `waiting` (for a model), `opening`, `running`, `off` (switched off by a user), `stalled`, `source_lost`, `ended`
        or `failed`."""
        if self.done.is_set():
            return "failed" if self.error else "ended"
        if not self._session.executor.models_loaded:
            return "waiting"
        state = self._capture.state
        return "off" if state == ReconnectState.RUNNING.value and not self.switches["detect"] else state

    @property
    def reason(self) -> str:
        """The reason for which the source gives no frames now; empty while it does."""
        return redact(str(self.error)) if self.error is not None else self._capture.reason

    @property
    def frames_expected(self) -> int:
        """Frames that the source announced, 0 if unknown."""
        return self._capture.info.frames

    @property
    def frames_total(self) -> int:
        """Frames that went through all stages, or were stopped by a motion stage."""
        return self._meter.frames_total + self._meter.quiet_total

    @property
    def quiet_total(self) -> int:
        """Frames that were stopped by a motion stage."""
        return self._meter.quiet_total

    @property
    def dropped(self) -> Counter[str]:
        """Frames lost since the start, by cause."""
        return self._session.dropped

    @property
    def producers(self) -> list[GraphExecutor]:
        """Frame producers for the model threads."""
        return self._session.executors

    def start(self) -> None:
        """Start to capture as soon as every model is loaded."""
        self._thread.start()

    def close(self) -> None:
        """Stop capturing, wait for the frames in flight, and end open events."""
        self._closing = True
        self._capture.close()
        self._session.executor.close()
        with self._ready:
            self._ready.notify_all()
        self._thread.join()

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Check that `model` fits the stages on `slot`.

        Raises:
            PipelineError: the model has another task, or lacks a label.
        """
        for executor in self.producers:
            executor.check_model(slot, model)

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call. The coverage of a source that has ended is that of all of it."""
        ended = self.done.is_set() and self.error is None
        if ended:
            self._meter.end()
        gauges = self._meter.drain(window_s, time.monotonic(), self.dropped)
        if ended:
            gauges.coverage = self._meter.coverage_total(self.dropped)
        gauges.state, gauges.reason = self.state, self.reason[:TEXT_CHARS_MAX]
        gauges.reasons = source_reasons(self._capture.faults, self._clock.wall() - time.monotonic())
        loaded = self._session.loaded
        if loaded is not None:
            gauges.model = loaded.model.manifest.id
            gauges.model_digest = loaded.running.digest
            gauges.placement = loaded.running.placement
        return gauges

    def totals(self) -> Totals:
        """Totals since the start."""
        return self._meter.totals(self.dropped, self._capture.losses_total)

    def executor_for(self, spec: PipelineSpec, slots: dict[str, ModelSlot]) -> GraphExecutor | None:
        """An executor of another specification over the same source and evidence; None if the pipeline has to be made again.

        Raises:
            PipelineError: the specification is wrong.
        """
        own = self.spec
        if self.done.is_set() or (spec.source, spec.masks, spec.evidence) != (own.source, own.masks, own.evidence):
            return None
        return self._session.make_executor(spec, slots)

    def switch_to(self, executor: GraphExecutor) -> None:
        """Submit frames to `executor` from the next one on."""
        self._session.replace(executor)

    # The capture thread.

    def _run(self) -> None:
        try:
            self._wait_for_models()
            for number, frame in enumerate(self._capture.frames()):
                self._session.switch_if_ready(self._capture.info.fps)
                if not self.switches["detect"]:
                    self._skip_analysis(frame)
                elif self._session.is_due(number, frame.media_s):
                    self._analyze(frame)
        except EdgefleetError as error:
            self.error = error
            if self._live:
                self._publisher.report_source(str(error), False)
        finally:
            self._session.count_damaged(self._session.due_of(self._capture.take_lost(), self._capture.info.fps))
            self._session.finish(("stopped" if self._closing else "ended") if self._live else "")
            self._publisher.close()
            self.done.set()

    def _wait_for_models(self) -> None:
        with self._ready:
            while not self._closing and not self._session.executor.models_loaded:
                self._ready.wait()
                self._session.switch_if_ready(self._capture.info.fps, capturing=False)
        executor = self._session.executor
        for slot in executor.slots:
            if slot.loaded is not None:
                executor.check_model(slot, slot.loaded.model)

    def _end_events(self, blind_s: float) -> None:
        """End open events: no frame has come for `blind_s` seconds, and nothing is known of their objects."""
        self._session.interrupt("source_lost", blind_s)

    def _analyze(self, frame: Frame) -> None:
        fps = self._capture.info.fps
        self._session.fit_size(frame, fps)
        gated = self._capture.take_gated()
        if gated:
            self._meter.gated(len(gated), time.monotonic())
        damaged = self._meter.captured(time.monotonic(), self._session.due_of(self._capture.take_lost(), fps))
        self._session.count_damaged(damaged)
        self._session.submit(frame, gated, forced=self.switches.trigger.active or not self.switches["motion"])
        self._publisher.record_frame(frame, fps)

    def _skip_analysis(self, frame: Frame) -> None:
        """Count and show a frame while detection is off."""
        self._session.skip()
        self._capture.take_gated()
        self._capture.take_lost()
        self._meter.captured(time.monotonic())
        self._publisher.record_frame(frame, self._capture.info.fps)
        self._publisher.show(frame, None)
