"""Tries a new graph before it replaces the old one: synthetic frames run through its real models, trackers and rules.

An empty picture would test detectors only. Therefore each detection yields a box in the middle, so that crops, tracks and rules
run as well. Their events are discarded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from edgefleet_agent.pipeline.graph.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_step import FrameGraphState
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import EdgefleetError, PipelineError
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode
from edgefleet_contract.pipeline.spec import PipelineSpec

FRAMES = 3
"""Enough frames for a track to be confirmed."""
FPS = 10.0
WAIT_S = 20.0
"""Time-out of one frame: enough for a slow board with a big model and seven other cameras."""
WIDTH, HEIGHT = 640, 360
GRAY = 128


class _DryRunState(FrameGraphState):
    """A state in which every detection finds a box of a required label in the middle of the picture."""

    def is_due(self, node: DetectNode | CropsNode, job: FrameJob) -> bool:
        """Always true for detectors, independent of their conditions."""
        return isinstance(node, DetectNode) or super().is_due(node, job)

    def add_result(self, node: DetectNode, job: FrameJob, result: Result, labels: tuple[str, ...]) -> None:
        """Add the model's result, then replace its boxes by the one in the middle."""
        super().add_result(node, job, result, labels)
        label = min(node.labels) if node.labels else class_name(labels, 0)
        box = np.array([[WIDTH * 0.35, HEIGHT * 0.25, WIDTH * 0.65, HEIGHT * 0.95]], np.float32)
        number = np.array([self.number(label)], np.int32)
        job.found[node.name] = Detections(box, np.ones(1, np.float32), number)


def dry_run(
    spec: PipelineSpec, slots: dict[str, ModelSlot], ready: threading.Condition, connect: Callable[[GraphExecutor | None], None]
) -> None:
    """Try the graph of `spec` on the models in the slots. connect: lets model threads serve one more executor; None ends that.

    Raises:
        PipelineError: a model did not answer, or its answer does not fit the graph; the text names it and the reason.
    """
    done = threading.Event()
    errors: list[EdgefleetError] = []

    def on_done(_job: FrameJob) -> None:
        done.set()

    def on_failure(error: EdgefleetError | None) -> None:
        if error is not None:
            errors.append(error)
            done.set()

    live = replace(spec, source=replace(spec.source, pace="realtime"), schedule=replace(spec.schedule, deadline_ms=0.0))
    executor = GraphExecutor(live, compile_graph(live), slots, ready, PipelineMeter(), on_done, on_failure)
    if any(slot.loaded is None for slot in executor.slots):
        return
    state = executor.state = _DryRunState(live, executor.graph, WIDTH, HEIGHT, FPS)
    connect(executor)
    try:
        for number in range(FRAMES):
            done.clear()
            job = FrameJob(_frame(number), number * executor.graph.every)
            if executor.graph.motion is not None:
                job.moving = state.moving(Detections.empty())
            executor.submit(job)
            if not done.wait(WAIT_S):
                raise PipelineError(
                    f"{spec.at('stages')}: dry run of the new graph gave no result within {WAIT_S:g} s; keeping the old graph"
                )
            if errors:
                raise PipelineError(f"{spec.at('stages')}: dry run of the new graph failed: {errors[0]}")
        executor.drain()
        state.finish()
    finally:
        executor.close()
        connect(None)


def _frame(number: int) -> Frame:
    luma = np.full((HEIGHT, WIDTH), GRAY, np.uint8)
    chroma = np.full((HEIGHT // 2, WIDTH // 2), GRAY, np.uint8)
    return Frame(number, number / FPS, time.monotonic(), WIDTH, HEIGHT, "i420", (luma, chroma, chroma))
