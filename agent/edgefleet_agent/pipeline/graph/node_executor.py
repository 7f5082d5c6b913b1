"""Executes one model node of a graph on one frame, with the model of the node's slot. Called by the slot's model thread."""

from __future__ import annotations

import time
from dataclasses import dataclass

from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_step import FrameGraphState
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import LoadedSlot, ModelSlot
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.crop import CropPlace, crop, crop_to_frame, turned_crop
from edgefleet_contract.core.errors import ModelError, PipelineError
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, check_labels


@dataclass(frozen=True, slots=True)
class NodeExecutor:
    """The model node with index `number`. pipeline: its name, part of the stream names of stateful models. at, at_labels:
    positions of its model and labels in the pipeline file, for error texts."""

    number: int
    node: DetectNode | CropsNode
    slot: ModelSlot
    pipeline: str
    at: str = ""
    at_labels: str = ""

    def check(self, model: LoadedModel) -> None:
        """Check that `model` fits the node.

        Raises:
            PipelineError: the model has another task, or lacks a label.
        """
        node, task = self.node, model.manifest.task
        expected = self._required_task()
        # The result of an autoencoder is boxes, or two classes if the package sets that.
        if expected and task not in (expected, "anomaly"):
            raise PipelineError(f"{self.at}: stage {node.name!r}: {model.manifest.id} does {task}, not {expected}")
        if isinstance(node, CropsNode) and model.stateful and not (node.followed and node.source == node.root):
            text = f"{model.manifest.id} is stateful; let stage {node.name!r} read a track stage, so that crops belong to tracks"
            raise PipelineError(f"{self.at}: {text}")
        if task in ("detection", "classification", "anomaly"):
            check_labels(node, model.labels, model.manifest.id, self.at_labels)

    def _required_task(self) -> str:
        node = self.node
        if isinstance(node, DetectNode):
            return "classification" if node.whole else "detection"
        return "embedding" if node.appearance else "detection" if node.read else ""

    def execute(self, job: FrameJob, state: FrameGraphState, meter: PipelineMeter) -> None:
        """Run the model on the frame or on its crops.

        Raises:
            ModelError: the runtime failed. UnavailableError: the slot is empty.
        """
        if isinstance(self.node, DetectNode):
            self._execute_on_frame(self.node, job, state, meter)
        else:
            self._execute_on_crops(self.node, job, state, meter)

    def _execute_on_frame(self, node: DetectNode, job: FrameJob, state: FrameGraphState, meter: PipelineMeter) -> None:
        if self.number not in job.prepared:
            meter.stage("pre", job.prepare(self.number, self.slot))
        loaded, prepared = job.leases[self.number], job.prepared[self.number]
        began_s, invoked_s = time.monotonic(), 0.0
        try:
            outputs = loaded.model.invoke(prepared, f"{self.pipeline}/{node.name}")
            invoked_s = time.monotonic()
            result = loaded.model.decode(outputs, prepared, node.floor)
        except ModelError as error:
            loaded.note_error(error, of_run=not invoked_s)
            raise
        if not isinstance(result, Classes if node.whole else Detections):
            expected = "classes; a classify stage needs a classifier" if node.whole else "boxes; a detect stage needs a detector"
            raise ModelError(f"{loaded.model.manifest.id} returned no {expected}")
        loaded.note_answer(invoked_s)
        state.add_result(node, job, result, loaded.model.labels)
        meter.stage("invoke", (invoked_s - began_s) * 1000)
        meter.stage("post", (time.monotonic() - invoked_s) * 1000)
        if self.slot.tap is not None:
            self.slot.tap.offer(job.frame, result, loaded.model, node.floor, (invoked_s - began_s) * 1000)

    def _execute_on_crops(self, node: CropsNode, job: FrameJob, state: FrameGraphState, meter: PipelineMeter) -> None:
        began_s = time.monotonic()
        boxes, rows = state.boxes_of(node, job), state.rows(node, job)
        if not rows:
            return
        loaded = job.lease(self.number, self.slot)
        reads = loaded.model.manifest.task == "text"
        chosen: dict[int, tuple[Frame, CropPlace]] = {}
        for row in rows:
            if len(chosen) >= node.most:
                break
            part = _cut(job.frame, boxes, row, node, lying=reads)
            if part is not None:
                chosen[row] = part
        meter.crops(len(chosen), max(0, len(rows) - node.most))
        if not chosen:
            return
        track_ids = boxes.track_ids.tolist()
        streams = [f"{self.pipeline}/{node.name}/{track_ids[row]}" for row in chosen]
        try:
            results = loaded.model.infer_many([frame for frame, _ in chosen.values()], node.min_score, streams)
        except ModelError as error:
            loaded.note_error(error, of_run=True)
            raise
        loaded.note_answer(time.monotonic())
        found = {row: crop_to_frame(result, place) for (row, (_, place)), result in zip(chosen.items(), results, strict=True)}
        state.add_crop_results(node, job, found, loaded.model.labels)
        meter.stage("crops", (time.monotonic() - began_s) * 1000)


def _cut(frame: Frame, boxes: Detections, row: int, node: CropsNode, *, lying: bool) -> tuple[Frame, CropPlace] | None:
    """The crop of one box; that of a rotated rectangle is turned upright."""
    corners = boxes.parts.corners if boxes.parts is not None else ()
    turned = turned_crop(frame, corners[row], node.margin, node.min_side, lying=lying) if len(corners) else None
    return turned or crop(frame, boxes.boxes[row].tolist(), node.margin, node.min_side)


def first_loaded(nodes: tuple[NodeExecutor, ...]) -> LoadedSlot | None:
    """The loaded model of the first node, which events name; None if there is none."""
    return nodes[0].slot.loaded if nodes else None
