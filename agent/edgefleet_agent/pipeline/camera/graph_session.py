"""The graph of a running camera pipeline: its executor, its state for one frame size, and its replacement during operation.

To replace the graph, the capture thread waits for the frames in flight and submits the next one to the new executor. With the
same track stages, tracks and unchanged rules continue; all other open events end. The source stays open.
"""

from __future__ import annotations

import itertools
import logging
import random
import threading
import time
from collections import Counter

from edgefleet_agent.pipeline.camera.event_publisher import EventPublisher
from edgefleet_agent.pipeline.camera.frame_rate import FrameRate
from edgefleet_agent.pipeline.camera.motion_gate import MotionGate
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.graph.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_step import FrameGraphState
from edgefleet_agent.pipeline.graph.graph_diff import same_tracks
from edgefleet_agent.pipeline.graph.node_executor import first_loaded
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.pipeline.model.model_slots import LoadedSlot, ModelSlot
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.spec import PipelineSpec, config_digest

log = logging.getLogger(__name__)


class GraphSession:
    """One pipeline. Used by the capture thread; `executors`, `dropped`, `loaded`, `make_executor` and `replace` by any. `ready`:
    the runner's condition. memory: stores stationary objects over restarts.

    Raises:
        PipelineError: the specification is wrong; the text gives the reason.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        slots: dict[str, ModelSlot],
        ready: threading.Condition,
        meter: PipelineMeter,
        publisher: EventPublisher,
        memory: SceneMemory | None,
    ) -> None:
        self._ready = ready
        self._meter = meter
        self._publisher = publisher
        self._memory = memory
        self._name = spec.name
        self._live = spec.source.pace != "fast"
        self._dropped_before: Counter[str] = Counter()
        self.executor = self.make_executor(spec, slots)
        self._next_executor: GraphExecutor | None = None
        self._frame_rate = FrameRate(spec.schedule.fps)
        self._number = 0
        self._damaged = 0.0
        self._gate: MotionGate | None = None
        self._size = (0, 0)
        self._track_ids = itertools.count(1)
        self._overflow_logged = False

    # Called by any thread.

    @property
    def executors(self) -> list[GraphExecutor]:
        """The current executor and, if the graph is about to be replaced, the next one."""
        following = self._next_executor
        return [self.executor] if following is None else [self.executor, following]

    @property
    def dropped(self) -> Counter[str]:
        """Frames lost since the start, by cause."""
        return self._dropped_before + self.executor.dropped

    @property
    def loaded(self) -> LoadedSlot | None:
        """The model that events name; None without model nodes, or while the slot is empty."""
        return first_loaded(self.executor.nodes)

    def make_executor(self, spec: PipelineSpec, slots: dict[str, ModelSlot]) -> GraphExecutor:
        """An executor of another version of the pipeline, for `replace`.

        Raises:
            PipelineError: the specification is wrong.
        """
        graph, publisher = compile_graph(spec), self._publisher
        return GraphExecutor(spec, graph, slots, self._ready, self._meter, self._on_frame_done, publisher.report_inference)

    def replace(self, executor: GraphExecutor) -> None:
        """Submit frames to `executor` from the next one on."""
        with self._ready:
            self._next_executor = executor
            self._ready.notify_all()

    # Called by the capture thread.

    def switch_if_ready(self, fps: float, *, capturing: bool = True) -> None:
        """Switch to the next graph, if there is one and, while capturing, its models are loaded. fps: of the source."""
        executor = self._next_executor
        if executor is None or (capturing and not executor.models_loaded):
            return
        self.executor.drain()
        previous = self.executor.state
        if previous is not None and same_tracks(self.executor.spec, executor.spec):
            self._start_state(executor, fps, previous)
        else:
            self._size = (0, 0)
        self.finish()
        self._dropped_before += self.executor.dropped
        self.executor, self._next_executor = executor, None
        self._publisher.digest = config_digest(executor.spec)
        self._number = 0
        self._frame_rate = FrameRate(executor.spec.schedule.fps)

    def is_due(self, number: int, media_s: float) -> bool:
        """Whether to analyze the frame with this number and time."""
        state = self.executor.state
        rate = state.rate(media_s) if state is not None else 0.0
        return number % self.executor.graph.every == 0 and self._frame_rate.due(media_s, rate)

    def fit_size(self, frame: Frame, fps: float) -> None:
        """Start a new state if the frame size has changed."""
        if (frame.width, frame.height) != self._size:
            self.finish()
            self._size = (frame.width, frame.height)
            self._start_state(self.executor, fps)

    def submit(self, frame: Frame, gated: list[float], *, forced: bool) -> None:
        """Submit a frame to the executor unless the motion gate stops it. gated: times of pictures that the source skipped.
        forced: let the frame pass the motion gate.
        """
        job = FrameJob(frame, self._number, quiet=gated)
        self._number += 1
        if self._passes_motion_gate(job, forced=forced):
            self.executor.submit(job)
            return
        self._publisher.show(frame, None)
        self.executor.finish_answered()

    def skip(self) -> None:
        """Count a frame while detection is off; open events end."""
        if self.executor.state is not None:
            self.finish("off")
            self._size = (0, 0)
        self._dropped_before["off"] += 1

    def due_of(self, lost: int, fps: float) -> int:
        """Returns how many of the pictures that a source lost would have been analyzed. fps: of the source."""
        if not lost:
            return 0
        self._damaged += lost * (self._due_fps(self.executor, fps) / fps if fps else 1.0)
        due = int(self._damaged + 1e-6)
        self._damaged -= due
        return due

    def count_damaged(self, count: int) -> None:
        """Count due frames that could not be decoded."""
        if count:
            self._dropped_before["damaged"] += count

    def finish(self, reason: str = "") -> None:
        """Wait for the frames in flight, then end open events: the source has ended or its size has changed. reason: the
        `end_reason` of events that end because their objects are not seen any more; empty: another graph follows.
        """
        self._end_events(reason, 0.0)
        self.executor.state = None

    def interrupt(self, reason: str, blind_s: float) -> None:
        """End open events, `blind_s` seconds after the last frame; tracks and totals continue with the next one."""
        self._end_events(reason, blind_s)

    def _end_events(self, reason: str, blind_s: float) -> None:
        self.executor.drain()
        state = self.executor.state
        if state is None:
            return
        state.quiet(self._gate.take_quiet() if self._gate is not None else ())
        self._store_scene(state, always=True)
        events, media_s = state.finish()
        for event in events if reason else ():
            event.data["end_reason"] = reason
        self._publisher.publish(events, media_s + blind_s, self.loaded)

    def _start_state(self, executor: GraphExecutor, fps: float, previous: FrameGraphState | None = None) -> None:
        """Start the state of a new executor. previous: the state to continue, if both graphs have the same track stages."""
        prefix = f"{random.getrandbits(40):010x}-"
        stationary = self._memory.load(self._name, self._size) if self._memory is not None and previous is None else {}
        ids = self._track_ids
        executor.state = FrameGraphState(executor.spec, executor.graph, *self._size, fps, prefix, stationary, previous, ids)
        self._meter.expect(self._due_fps(executor, fps) if self._live else 0.0)
        if previous is None or executor.graph.motion != self.executor.graph.motion:
            self._gate = MotionGate(executor.graph.motion, *self._size) if executor.graph.motion is not None else None

    @staticmethod
    def _due_fps(executor: GraphExecutor, fps: float) -> float:
        rate = fps / executor.graph.every
        return min(rate, executor.spec.schedule.fps or rate)

    def _passes_motion_gate(self, job: FrameJob, *, forced: bool) -> bool:
        gate, state = self._gate, self.executor.state
        if gate is None or state is None:
            return True
        began_s = time.monotonic()
        opens = gate.opens(job.frame, forced=forced)
        self._publisher.report_motion(gate.moves, job.frame.media_s)
        self._meter.stage("motion", (time.monotonic() - began_s) * 1000)
        if not opens:
            self._meter.quiet()
            return False
        job.moving = state.moving(gate.boxes)
        job.left_out += gate.left_out
        job.quiet += gate.take_quiet()
        if not self.executor.nodes:
            job.scores = job.moving.scores.tolist()
        return True

    # Called by the thread that finishes frames.

    def _on_frame_done(self, job: FrameJob) -> None:
        frame, meter, began_s = job.frame, self._meter, time.monotonic()
        state = self.executor.state
        if state is not None:
            self._publisher.publish(state.apply_rules(job), frame.media_s, self.loaded, frame)
            self._publisher.publish_updates(frame, state.sightings)
            self._publisher.show(frame, state.answers)
            self._store_scene(state)
            self._count_left_out(job)
        done_s = time.monotonic()
        age_ms = (done_s - frame.captured_at_s) * 1000
        meter.stage("rules", (done_s - began_s) * 1000)
        meter.stage("total", age_ms)
        meter.processed(job.scores, age_ms, job.labels)

    def _count_left_out(self, job: FrameJob) -> None:
        """Count the boxes that were left out; the first time, the log says so."""
        if not job.left_out:
            return
        self._meter.boxes_shed(job.left_out)
        if not self._overflow_logged:
            self._overflow_logged = True
            limits = "`max_objects` of a track stage, or the limit of a motion stage or an ensemble"
            log.warning("%s: %d boxes of a frame are above %s; boxes_shed counts them", self._name, job.left_out, limits)

    def _store_scene(self, state: FrameGraphState, *, always: bool = False) -> None:
        if self._memory is None or not (self._memory.due(self._name, state.stationary_changes()) or always):
            return
        self._memory.save(self._name, self._size, state.stationary_objects(), state.stationary_changes())
