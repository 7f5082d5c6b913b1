"""Model families: the task of each, and the default preprocessing for models without a manifest.

A plug-in adds a family with an entry point in the group `edgefleet.families`, whose object is a `Family`; its head on the device
has the same name in the group `edgefleet.heads`. The functions of `edgefleet_contract.model_kinds` find both kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from edgefleet_contract.package.manifest import InputSpec

Task = Literal["detection", "classification", "segmentation", "pose", "embedding", "text", "anomaly", "regression"]


@dataclass(frozen=True)
class Family:
    """A model family. `task`: of a package with this head. `input`: default preprocessing; shape, type and order come from the
    model file."""

    task: Task
    input: InputSpec


_YOLO = InputSpec(color="rgb", fit="letterbox", pad=114, resize="linear", std=[255.0])

FAMILIES: dict[str, Family] = {
    "classification": Family("classification", InputSpec(color="rgb", fit="stretch", resize="area")),
    "ctc": Family("text", InputSpec(color="rgb", fit="stretch", resize="linear", mean=[127.5], std=[127.5])),
    "dbnet": Family(
        "detection",
        InputSpec(
            color="bgr", fit="letterbox", pad=0, resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]
        ),
    ),
    "detection_output": Family("detection", InputSpec(color="bgr", fit="stretch", resize="linear")),
    "detr": Family("detection", InputSpec(color="rgb", fit="stretch", resize="linear", std=[255.0])),
    "efficientdet": Family(
        "detection",
        InputSpec(
            color="rgb",
            fit="letterbox_top_left",
            pad=0,
            resize="linear",
            mean=[123.675, 116.28, 103.53],
            std=[58.395, 57.12, 57.375],
        ),
    ),
    "embedding": Family(
        "embedding",
        InputSpec(color="rgb", fit="stretch", resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]),
    ),
    "fcos": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area")),
    "heatmap": Family(
        "pose",
        InputSpec(
            color="rgb", fit="letterbox", pad=0, resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]
        ),
    ),
    "landmarks": Family("pose", InputSpec(color="bgr", fit="stretch", resize="linear")),
    "movenet": Family("pose", InputSpec(color="rgb", fit="stretch", resize="area")),
    "nanodet": Family(
        "detection",
        InputSpec(
            color="bgr", fit="letterbox", pad=0, resize="area", mean=[103.53, 116.28, 123.675], std=[57.375, 57.12, 58.395]
        ),
    ),
    "reconstruction": Family("anomaly", InputSpec(color="rgb", fit="stretch", resize="area")),
    "regression": Family("regression", InputSpec(color="bgr", fit="stretch", resize="linear")),
    "segmentation": Family("segmentation", InputSpec(color="rgb", fit="stretch", resize="area")),
    "ssd": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area")),
    "ssd_anchors": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area")),
    "ultraface": Family("detection", InputSpec(color="rgb", fit="stretch", resize="linear", mean=[127.0], std=[128.0])),
    "yolo": Family("detection", _YOLO),
    "yolo_obb": Family("detection", _YOLO),
    "yolo_pose": Family("detection", _YOLO),
    "yolo_segmentation": Family("detection", _YOLO),
    "yolox": Family("detection", InputSpec(color="bgr", fit="letterbox_top_left", pad=114, resize="linear")),
}
"""The heads that are part of the agent."""
