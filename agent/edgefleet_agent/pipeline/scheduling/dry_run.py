"""A new graph is tried before the old one goes: a few made-up frames through its real models, trackers and rules.

A picture without anything in it would try detectors only. Here every look finds something in the middle, so that crops are cut,
tracks begin and rules speak. Nobody hears what they say.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from edgefleet_agent.pipeline.camera.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.camera.frame_job import FrameJob
from edgefleet_agent.pipeline.camera.frame_step import FrameGraphState
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
"""As many as it takes for a track to be believed."""
FPS = 10.0
WAIT_S = 20.0
"""For the answer to one of them: a slow board with a big model and seven other cameras."""
WIDTH, HEIGHT = 640, 360
GRAY = 128


class _Stage(FrameGraphState):
    """A step in which every look finds a box of the label that is asked for, in the middle of the picture."""

    def wanted(self, node: DetectNode | CropsNode, job: FrameJob) -> bool:
        """All are, conditions or not."""
        return isinstance(node, DetectNode) or super().wanted(node, job)

    def saw(self, node: DetectNode, job: FrameJob, result: Result, labels: tuple[str, ...]) -> None:
        """What the model said, and the box."""
        super().saw(node, job, result, labels)
        label = min(node.labels) if node.labels else class_name(labels, 0)
        box = np.array([[WIDTH * 0.35, HEIGHT * 0.25, WIDTH * 0.65, HEIGHT * 0.95]], np.float32)
        number = np.array([self.number(label)], np.int32)
        job.found[node.name] = Detections(box, np.ones(1, np.float32), number)


def rehearse(
    spec: PipelineSpec, slots: dict[str, ModelSlot], ready: threading.Condition, connect: Callable[[GraphExecutor | None], None]
) -> None:
    """Try the graph of `spec` on the models that the slots hold. connect: makes the lanes serve a flow as well, or no more.

    Raises:
        PipelineError: a model did not answer, or not with what the graph needs; the text says which and why.
    """
    done = threading.Event()
    faults: list[EdgefleetError] = []

    def conclude(_job: FrameJob) -> None:
        done.set()

    def failed(error: EdgefleetError | None) -> None:
        if error is not None:
            faults.append(error)
            done.set()

    live = replace(spec, source=replace(spec.source, pace="realtime"), schedule=replace(spec.schedule, deadline_ms=0.0))
    flow = GraphExecutor(live, compile_graph(live), slots, ready, PipelineMeter(), conclude, failed)
    if any(slot.occupant is None for slot in flow.slots):
        return
    step = flow.step = _Stage(live, flow.graph, WIDTH, HEIGHT, FPS)
    connect(flow)
    try:
        for number in range(FRAMES):
            done.clear()
            job = FrameJob(_frame(number), number * flow.graph.every)
            if flow.graph.motion is not None:
                job.moving = step.moving(Detections.empty())
            flow.hand_over(job)
            if not done.wait(WAIT_S):
                raise PipelineError(
                    f"{spec.at('stages')}: the new graph was tried and gave no answer in {WAIT_S:g} s; it is not taken"
                )
            if faults:
                raise PipelineError(f"{spec.at('stages')}: the new graph was tried and failed: {faults[0]}")
        flow.drain()
        step.finish()
    finally:
        flow.close()
        connect(None)


def _frame(number: int) -> Frame:
    luma = np.full((HEIGHT, WIDTH), GRAY, np.uint8)
    chroma = np.full((HEIGHT // 2, WIDTH // 2), GRAY, np.uint8)
    return Frame(number, number / FPS, time.monotonic(), WIDTH, HEIGHT, "i420", (luma, chroma, chroma))
