"""Frames of one pipeline on their way through its graph, from the hand-over to the rules.

Lanes (threads of models) take frames at the places of their slot and move them on. Frames keep their order: one that has nothing
to do at a place passes by only when no earlier one is there. Two paces. `realtime`: the newest frame wins, and the lane's thread
does everything for the frame it takes, at once. `fast`: nothing is dropped; while the runtime computes one frame, the capture
thread prepares the next and lets the rules speak about the last, so that the runtime waits for neither.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence

from edgefleet_agent.pipeline.camera.frame_job import FrameJob
from edgefleet_agent.pipeline.camera.frame_priority import FrameClaim
from edgefleet_agent.pipeline.camera.frame_step import FrameGraphState
from edgefleet_agent.pipeline.camera.handoff import LatestFrame
from edgefleet_agent.pipeline.camera.node_executor import NodeExecutor
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_contract.core.errors import EdgefleetError, ModelError, UnavailableError
from edgefleet_contract.pipeline.graph import Graph
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, Node
from edgefleet_contract.pipeline.spec import PipelineSpec

IN_FLIGHT_MAX = 2
"""Frames of one pipeline between its hand-over and its events: more only wait for each other."""


class GraphExecutor:
    """One graph over one source. conclude: called with each frame whose every node is done, one at a time and in order; failed:
    with what went wrong with a frame, None once one went through again. `ready` is the runner's one condition.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        graph: Graph,
        slots: dict[str, ModelSlot],
        ready: threading.Condition,
        meter: PipelineMeter,
        on_done: Callable[[FrameJob], None],
        on_failure: Callable[[EdgefleetError | None], None],
    ) -> None:
        self.spec = spec
        self.graph = graph
        toml_paths = {
            stage.name: (spec.at("stages", place, "model"), spec.at("stages", place, "labels"))
            for place, stage in enumerate(spec.stages)
        }
        self.nodes = tuple(
            NodeExecutor(number, node, slots.setdefault(node.model, ModelSlot(node.model)), spec.name, *toml_paths[node.name])
            for number, node in enumerate(graph.modelled)
        )
        self.state: FrameGraphState | None = None
        self.errors: Counter[str] = Counter()
        self._fast = spec.source.pace == "fast"
        self._ready = ready
        self._meter = meter
        self._on_done = on_done
        self._on_failure = on_failure
        self._between_nodes = _segments(graph)
        self._entry: LatestFrame[FrameJob] = LatestFrame(ready, keep_all=self._fast, cause=self._drop_cause)
        self._waiting: list[deque[FrameJob]] = [deque() for _ in self.nodes]  # bounded by IN_FLIGHT_MAX
        self._busy = [False] * len(self.nodes)
        self._in_flight = 0
        self._answered: deque[FrameJob] = deque()  # waits for its rules, `fast` only; bounded because this thread feeds the lane
        self._failing = False
        self._taken_at_s = time.monotonic()
        self._uncertainty = 0.0

    @property
    def slots(self) -> list[ModelSlot]:
        """The slots of its places, in order; one may occur twice."""
        return [place.slot for place in self.nodes]

    @property
    def models_loaded(self) -> bool:
        """Whether every model is there."""
        return all(place.slot.loaded is not None for place in self.nodes)

    @property
    def dropped(self) -> Counter[str]:
        """Frames lost since the start, by cause: `busy` (this pipeline's own frame was being computed), `shared` (the model was
        with other pipelines), `late` (past its deadline), `error`, `closed`."""
        return self._entry.dropped + self.errors

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Whether `model` can do what the stages on `slot` ask.

        Raises:
            PipelineError: it does something else, or lacks a label.
        """
        for place in self.nodes:
            if place.slot is slot:
                place.check(model)

    # What the capture thread does.

    def submit(self, job: FrameJob) -> None:
        """Submit a frame. In `fast` this waits for room and publishes the events of earlier frames."""
        if not self.nodes:
            self._run_last_segment(job)
            self._on_done(job)
            return
        if self._fast:
            self._prepare_early(job)
        job.submitted_at_s = time.monotonic()
        if not self._entry.put(job):
            job.release()
        self.finish_answered()

    def finish_answered(self) -> None:
        """Tell the events of frames that came back, `fast` only."""
        while self._answered:
            job = self._answered.popleft()
            self._run_last_segment(job)
            self._on_done(job)

    def drain(self) -> None:
        """Wait for the frames on their way."""
        with self._ready:
            while self._in_flight or self._entry.peek() is not None:
                self._ready.wait()
        self.finish_answered()

    def close(self) -> None:
        """Take no more frames."""
        left = self._entry.close()
        if left is not None:
            left.release()

    def _prepare_early(self, job: FrameJob) -> None:
        """Prepare the inputs of nodes that certainly run, beside the runtime."""
        for place in self.nodes:
            if self.state is not None and not _depends(place) and self.state.is_due(place.node, job):
                self._meter.stage("pre", job.prepare(place.number, place.slot))

    # What lanes do; `claim` and `take` are called with `ready` held.

    def claim(self, number: int, now_s: float) -> FrameClaim | None:
        """What waits at the place, and how much it needs the model; None where nothing may be taken now."""
        if number:
            waiting = self._waiting[number]
            return FrameClaim.of_started(waiting[0].frame.captured_at_s) if waiting else None
        job = self._entry.peek() if self._in_flight < IN_FLIGHT_MAX else None
        if job is None:
            return None
        schedule = self.spec.schedule
        if not self._fast and schedule.deadline_ms and (now_s - job.frame.captured_at_s) * 1000 > schedule.deadline_ms:
            self._entry.drop("late")
            job.release()
            return None
        return FrameClaim(
            job.frame.captured_at_s, now_s - self._taken_at_s, schedule.priority, schedule.min_fps, self._uncertainty
        )

    def take(self, number: int, now_s: float) -> FrameJob | None:
        """Take that frame."""
        if number:
            job: FrameJob | None = self._waiting[number].popleft()
        else:
            job = self._entry.take()
            self._in_flight += job is not None
            self._taken_at_s = now_s
        self._busy[number] = job is not None
        return job

    def answer(self, number: int, job: FrameJob) -> None:
        """Do what the place has to do for the frame, and what follows until the next place that has; after the last one, let the
        rules speak."""
        state, place = self.state, self.nodes[number]
        try:
            assert state is not None, "frames come with a step"
            if not number:
                self._meter.stage("wait", (time.monotonic() - job.submitted_at_s) * 1000)
                state.run_between(self._between_nodes[0], job)
            if state.is_due(place.node, job):
                place.execute(job, state, self._meter)
            else:
                state.mark_skipped(place.node, job)
            self._advance(number + 1, job, state)
        except (ModelError, UnavailableError) as error:
            self.errors["error"] += 1
            if not self._failing:
                self._failing = True
                self._on_failure(error)
            self._finish(job)
        finally:
            with self._ready:
                self._busy[number] = False
                self._ready.notify_all()

    def _advance(self, number: int, job: FrameJob, state: FrameGraphState) -> None:
        while number < len(self.nodes):
            state.run_between(self._between_nodes[number], job)
            place = self.nodes[number]
            with self._ready:
                if self._waiting[number] or self._busy[number] or state.is_due(place.node, job):
                    self._waiting[number].append(job)
                    self._ready.notify_all()
                    return
            state.mark_skipped(place.node, job)
            number += 1
        if self._failing:
            self._failing = False
            self._on_failure(None)
        if self._fast:
            self._answered.append(job)
        else:
            self._run_last_segment(job)
            self._on_done(job)
        self._uncertainty = state.uncertainty()
        self._finish(job)

    def _run_last_segment(self, job: FrameJob) -> None:
        if self.state is not None:
            self.state.run_between(self._between_nodes[-1], job)

    def _finish(self, job: FrameJob) -> None:
        job.release()
        with self._ready:
            self._in_flight -= 1
            self._ready.notify_all()

    def _drop_cause(self) -> str:
        """Why a frame gives way to a newer one."""
        return "busy" if self._in_flight else "shared"


def _segments(graph: Graph) -> list[Sequence[Node]]:
    """The nodes without a model that stand before each place, and after the last."""
    segments: list[list[Node]] = [[]]
    for node in graph.nodes:
        if isinstance(node, (DetectNode, CropsNode)):
            segments.append([])
        else:
            segments[-1].append(node)
    return list(segments)


def _depends(place: NodeExecutor) -> bool:
    """Whether what the place does follows from what was found before."""
    return isinstance(place.node, CropsNode) or place.node.when is not None
