"""Model families: the task of each, and the default preprocessing for models without a manifest.

A plug-in adds a family with an entry point in the group `edgefleet.families`, whose object is a `Family`; its head on the device
has the same name in the group `edgefleet.heads`. The functions of `edgefleet_contract.model_kinds` find both kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from edgefleet_contract.package.manifest import InputSpec

Task = Literal["detection", "classification", "segmentation", "pose", "embedding", "text", "anomaly", "regression"]


@dataclass(frozen=True)
class Family:
    """A model family. `task`: of a package with this head. `input`: default preprocessing; shape, type and order come from the
    model file. `params`: names of the head's parameters; None: they depend on the model."""

    task: Task
    input: InputSpec
    params: tuple[str, ...] | None = None

    def unknown_param(self, names: Iterable[str]) -> str:
        """The fault of the first of `names` that is no parameter of the head; empty if all are."""
        unknown = sorted(set(names) - set(self.params)) if self.params is not None else []
        return f"unknown param {unknown[0]!r}; known are {', '.join(self.params or ()) or 'none'}" if unknown else ""


_YOLO_PARAMS = ("strides", "objectness", "normalized", "iou")
_YOLO = InputSpec(color="rgb", fit="letterbox", pad=114, resize="linear", std=[255.0])

FAMILIES: dict[str, Family] = {
    "classification": Family(
        "classification", InputSpec(color="rgb", fit="stretch", resize="area"), ("softmax", "scale", "zero_point", "background")
    ),
    "ctc": Family(
        "text", InputSpec(color="rgb", fit="stretch", resize="linear", mean=[127.5], std=[127.5]), ("blank", "softmax")
    ),
    "dbnet": Family(
        "detection",
        InputSpec(
            color="bgr", fit="letterbox", pad=0, resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]
        ),
        ("threshold", "unclip"),
    ),
    "detection_output": Family("detection", InputSpec(color="bgr", fit="stretch", resize="linear"), ()),
    "detr": Family(
        "detection",
        InputSpec(color="rgb", fit="stretch", resize="linear", std=[255.0]),
        ("corners", "normalized", "boxes_max", "activation"),
    ),
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
        ("strides", "scale", "octaves", "ratios", "activation", "iou"),
    ),
    "embedding": Family(
        "embedding",
        InputSpec(color="rgb", fit="stretch", resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]),
        (),
    ),
    "fcos": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area"), ("iou",)),
    "heatmap": Family(
        "pose",
        InputSpec(
            color="rgb", fit="letterbox", pad=0, resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]
        ),
        ("sigmoid", "object"),
    ),
    "landmarks": Family("pose", InputSpec(color="bgr", fit="stretch", resize="linear"), ("object",)),
    "movenet": Family("pose", InputSpec(color="rgb", fit="stretch", resize="area"), ()),
    "nanodet": Family(
        "detection",
        InputSpec(
            color="bgr", fit="letterbox", pad=0, resize="area", mean=[103.53, 116.28, 123.675], std=[57.375, 57.12, 58.395]
        ),
        ("strides", "bins", "middle", "iou"),
    ),
    "reconstruction": Family(
        "anomaly", InputSpec(color="rgb", fit="stretch", resize="area"), ("threshold", "cell", "layout", "scale")
    ),
    "regression": Family("regression", InputSpec(color="bgr", fit="stretch", resize="linear")),
    "segmentation": Family("segmentation", InputSpec(color="rgb", fit="stretch", resize="area"), ("layout",)),
    "ssd": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area"), ("class_offset",)),
    "ssd_anchors": Family(
        "detection",
        InputSpec(color="rgb", fit="stretch", resize="area"),
        ("strides", "scales", "ratios", "reduced", "variances", "activation", "background", "rows_first", "iou"),
    ),
    "ultraface": Family(
        "detection", InputSpec(color="rgb", fit="stretch", resize="linear", mean=[127.0], std=[128.0]), ("decoded", "iou")
    ),
    "yolo": Family("detection", _YOLO, _YOLO_PARAMS),
    "yolo_obb": Family("detection", _YOLO, _YOLO_PARAMS),
    "yolo_pose": Family("detection", _YOLO, (*_YOLO_PARAMS, "points", "visibility")),
    "yolo_segmentation": Family("detection", _YOLO, (*_YOLO_PARAMS, "boxes_max")),
    "yolox": Family("detection", InputSpec(color="bgr", fit="letterbox_top_left", pad=114, resize="linear"), ("iou", "strides")),
}
"""The heads that are part of the agent."""
