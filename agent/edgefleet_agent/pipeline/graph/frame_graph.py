"""Executes a graph on the frames of one pipeline, from submission to the rules.

Model threads take frames at the nodes of their slot and move them on. Frames keep their order: a frame skips a node only if the
node need not run on it and holds no earlier frame. There are two paces. `realtime`: the newest frame replaces a waiting one, and
the model thread takes each frame through all its steps at once. `fast`: no frame is dropped; while the runtime computes one
frame, the capture thread prepares the next and applies the rules to the last, so that the runtime waits for neither.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial

from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_priority import FrameClaim
from edgefleet_agent.pipeline.graph.frame_queues import FrameQueues
from edgefleet_agent.pipeline.graph.frame_step import FrameGraphState
from edgefleet_agent.pipeline.graph.node_executor import NodeExecutor
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_contract.core.errors import EdgefleetError, ModelError, UnavailableError
from edgefleet_contract.pipeline.graph import Graph
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, Node
from edgefleet_contract.pipeline.spec import PipelineSpec


class GraphExecutor:
    """One graph over one source. on_done: called with each frame after its last node, one at a time and in order. on_failure:
    called with the error of a frame, and with None once a frame succeeds again. `ready` is the runner's condition.
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
            stage.name: (spec.at("stages", index, "model"), spec.at("stages", index, "labels"))
            for index, stage in enumerate(spec.stages)
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
        self._queues = FrameQueues(ready, len(self.nodes), keep_all=self._fast)
        self._answered: deque[FrameJob] = deque()  # `fast` only; bounded because the capture thread also submits
        self._failing = False
        self._uncertainty = 0.0

    @property
    def slots(self) -> list[ModelSlot]:
        """The slots of its nodes, in order; one may occur twice."""
        return [each.slot for each in self.nodes]

    @property
    def models_loaded(self) -> bool:
        """Whether every model is loaded."""
        return all(each.slot.loaded is not None for each in self.nodes)

    @property
    def dropped(self) -> Counter[str]:
        """Frames lost since the start, by cause: `busy` (this pipeline's own frame was being computed), `shared` (the model was
        with other pipelines), `late` (past its deadline), `error`, `closed`."""
        return self._queues.dropped + self.errors

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Check that `model` fits the stages on `slot`.

        Raises:
            PipelineError: the model has another task, or lacks a label.
        """
        for each in self.nodes:
            if each.slot is slot:
                each.check(model)

    # Called by the capture thread.

    def submit(self, job: FrameJob) -> None:
        """Submit a frame. In `fast` this waits for room and publishes the events of earlier frames."""
        if not self.nodes:
            self._run_last_segment(job)
            self._on_done(job)
            return
        if self._fast:
            self._prepare_early(job)
        job.submitted_at_s = time.monotonic()
        self._queues.submit(job)
        self.finish_answered()

    def finish_answered(self) -> None:
        """Publish the events of computed frames, `fast` only."""
        while self._answered:
            job = self._answered.popleft()
            self._run_last_segment(job)
            self._on_done(job)

    def drain(self) -> None:
        """Wait for the frames in flight."""
        self._queues.drain()
        self.finish_answered()

    def close(self) -> None:
        """Accept no more frames."""
        self._queues.close()

    def _prepare_early(self, job: FrameJob) -> None:
        """Prepare the inputs of nodes that certainly run, while the runtime computes."""
        for each in self.nodes:
            if self.state is not None and not _depends(each) and self.state.is_due(each.node, job):
                self._meter.stage("pre", job.prepare(each.number, each.slot))

    # Called by model threads; `claim` and `take` with `ready` held.

    def claim(self, number: int, now_s: float) -> FrameClaim | None:
        """The claim of the next frame at a node; None if no frame may be taken now."""
        job = self._queues.head(number)
        if job is None:
            return None
        if number:
            return FrameClaim.of_started(job.frame.captured_at_s)
        schedule = self.spec.schedule
        if not self._fast and schedule.deadline_ms and (now_s - job.frame.captured_at_s) * 1000 > schedule.deadline_ms:
            self._queues.drop_head(job, "late")
            return None
        idle_s = self._queues.idle_s(now_s)
        return FrameClaim(job.frame.captured_at_s, idle_s, schedule.priority, schedule.min_fps, self._uncertainty)

    def take(self, number: int, now_s: float) -> FrameJob | None:
        """Take that frame."""
        return self._queues.take(number, now_s)

    def answer(self, number: int, job: FrameJob) -> None:
        """Execute a node on the frame, and the steps up to the next node that runs on it; after the last node, the rules."""
        state, executor = self.state, self.nodes[number]
        try:
            assert state is not None, "frames come with a state"
            if not number:
                self._meter.stage("wait", (time.monotonic() - job.submitted_at_s) * 1000)
                state.run_between(self._between_nodes[0], job)
            if state.is_due(executor.node, job):
                executor.execute(job, state, self._meter)
            else:
                state.mark_skipped(executor.node, job)
            self._advance(number + 1, job, state)
        except (ModelError, UnavailableError) as error:
            self.errors["error"] += 1
            if not self._failing:
                self._failing = True
                self._on_failure(error)
            self._queues.finish(job)
        finally:
            self._queues.release_node(number)

    def _advance(self, number: int, job: FrameJob, state: FrameGraphState) -> None:
        while number < len(self.nodes):
            state.run_between(self._between_nodes[number], job)
            node = self.nodes[number].node
            with self._ready:
                if self._queues.enqueue_unless_passing(number, job, partial(state.is_due, node, job)):
                    return
            state.mark_skipped(node, job)
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
        self._queues.finish(job)

    def _run_last_segment(self, job: FrameJob) -> None:
        if self.state is not None:
            self.state.run_between(self._between_nodes[-1], job)


def _segments(graph: Graph) -> list[Sequence[Node]]:
    """The nodes without a model before each model node, and after the last one."""
    segments: list[list[Node]] = [[]]
    for node in graph.nodes:
        if isinstance(node, (DetectNode, CropsNode)):
            segments.append([])
        else:
            segments[-1].append(node)
    return list(segments)


def _depends(executor: NodeExecutor) -> bool:
    """Whether the node needs the results of earlier nodes."""
    return isinstance(executor.node, CropsNode) or executor.node.when is not None
