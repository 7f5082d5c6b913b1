"""A node of a graph that has a model, and the slot that it takes the model from: what a lane does for one frame."""

from __future__ import annotations

import time
from dataclasses import dataclass

from edgefleet_agent.pipeline.camera.frame_job import FrameJob
from edgefleet_agent.pipeline.camera.frame_step import FrameGraphState
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import LoadedSlot, ModelSlot
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.crop import Corner, crop, crop_to_frame
from edgefleet_contract.core.errors import ModelError, PipelineError
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, check_labels


@dataclass(frozen=True, slots=True)
class NodeExecutor:
    """The node at `number` among those with a model. pipeline: its name, which streams of stateful models are called by. at,
    at_labels: where its model and labels are written, for errors."""

    number: int
    node: DetectNode | CropsNode
    slot: ModelSlot
    pipeline: str
    at: str = ""
    at_labels: str = ""

    def check(self, model: LoadedModel) -> None:
        """Whether `model` can do what the node asks.

        Raises:
            PipelineError: it does something else, or lacks a label.
        """
        node, does = self.node, model.manifest.task
        wanted = self._task()
        # An autoencoder answers as a detector does, or with two classes where its package says so.
        if wanted and does not in (wanted, "anomaly"):
            raise PipelineError(f"{self.at}: stage {node.name!r}: {model.manifest.id} does {does}, not {wanted}")
        if isinstance(node, CropsNode) and model.remembers and not (node.followed and node.source == node.root):
            text = (
                f"{model.manifest.id} remembers; let stage {node.name!r} read a track stage, or nobody knows whose crops they are"
            )
            raise PipelineError(f"{self.at}: {text}")
        if does in ("detection", "classification", "anomaly"):
            check_labels(node, model.labels, model.manifest.id, self.at_labels)

    def _task(self) -> str:
        node = self.node
        if isinstance(node, DetectNode):
            return "classification" if node.whole else "detection"
        return "embedding" if node.appearance else "detection" if node.read else ""

    def look(self, job: FrameJob, step: FrameGraphState, meter: PipelineMeter) -> None:
        """Let the model look at what the node wants of the frame.

        Raises:
            ModelError: the runtime failed. UnavailableError: the slot is empty.
        """
        if isinstance(self.node, DetectNode):
            self._look_at_all(self.node, job, step, meter)
        else:
            self._look_at_crops(self.node, job, step, meter)

    def _look_at_all(self, node: DetectNode, job: FrameJob, step: FrameGraphState, meter: PipelineMeter) -> None:
        if self.number not in job.prepared:
            meter.stage("pre", job.prepare(self.number, self.slot))
        occupant, prepared = job.leases[self.number], job.prepared[self.number]
        began_s = time.monotonic()
        try:
            outputs = occupant.model.invoke(prepared, f"{self.pipeline}/{node.name}")
            invoked_s = time.monotonic()
            result = occupant.model.decode(outputs, prepared, node.floor)
        except ModelError:
            occupant.errors_total += 1
            raise
        if not isinstance(result, Classes if node.whole else Detections):
            wanted = "classes; a classify stage needs a classifier" if node.whole else "boxes; a detect stage needs a detector"
            raise ModelError(f"{occupant.model.manifest.id} answered without {wanted}")
        occupant.note_answer(invoked_s)
        step.saw(node, job, result, occupant.model.labels)
        meter.stage("invoke", (invoked_s - began_s) * 1000)
        meter.stage("post", (time.monotonic() - invoked_s) * 1000)
        if self.slot.tap is not None:
            self.slot.tap.offer(job.frame, result, occupant.model, node.floor, (invoked_s - began_s) * 1000)

    def _look_at_crops(self, node: CropsNode, job: FrameJob, step: FrameGraphState, meter: PipelineMeter) -> None:
        began_s = time.monotonic()
        boxes, rows = step.boxes_of(node, job), step.rows(node, job)
        chosen: dict[int, tuple[Frame, Corner]] = {}
        for row in rows:
            if len(chosen) >= node.most:
                break
            part = crop(job.frame, boxes.boxes[row].tolist(), node.margin, node.min_side)
            if part is not None:
                chosen[row] = part
        meter.crops(len(chosen), max(0, len(rows) - node.most))
        if not chosen:
            return
        occupant = job.lease(self.number, self.slot)
        numbers = boxes.track_ids.tolist()
        streams = [f"{self.pipeline}/{node.name}/{numbers[row]}" for row in chosen]
        try:
            results = occupant.model.infer_many([frame for frame, _ in chosen.values()], node.min_score, streams)
        except ModelError:
            occupant.errors_total += 1
            raise
        occupant.note_answer(time.monotonic())
        found = {row: crop_to_frame(result, corner) for (row, (_, corner)), result in zip(chosen.items(), results, strict=True)}
        step.took(node, job, found, occupant.model.labels)
        meter.stage("crops", (time.monotonic() - began_s) * 1000)


def occupant_of(places: tuple[NodeExecutor, ...]) -> LoadedSlot | None:
    """What the first of them runs now: the model that events name."""
    return places[0].slot.occupant if places else None
