"""Model families: the task of each, and the default preprocessing for models without a manifest.

A plug-in adds a family with an entry point in the group `edgefleet.families`, whose object is a `Family`; its head on the device
has the same name in the group `edgefleet.heads`. The functions of `edgefleet_contract.model_kinds` find both kinds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from edgefleet_contract.package.manifest import InputSpec

Task = Literal["detection", "classification", "segmentation", "pose", "embedding", "text", "anomaly", "regression"]


FLAG, NUMBER, WHOLE, TEXT = "true or false", "a number", "a whole number", "a text"
NUMBERS, WHOLES, TEXTS = "a list of numbers", "a list of whole numbers", "a list of texts"
COUNT = "a whole number or a list of texts"
ParamType = str | tuple[str, ...]
"""Type of a parameter: one of the words above, or the texts that it may be."""


@dataclass(frozen=True)
class Family:
    """A model family. `task`: of a package with this head. `input`: default preprocessing; shape, type and order come from the
    model file. `params`: the head's parameters with their types, or their names alone; None: they depend on the model. `table`:
    the entries of each parameter, where every one is a table."""

    task: Task
    input: InputSpec
    params: Mapping[str, ParamType] | tuple[str, ...] | None = None
    table: Mapping[str, ParamType] | None = None

    def param_fault(self, given: Mapping[str, Any]) -> str:
        """The fault of the first of the parameters `given` that the head does not have, or that is of another type; empty if
        there is none."""
        if self.table is not None:
            for name, value in given.items():
                if not isinstance(value, dict) or not set(value) <= set(self.table):
                    return f"param {name!r} must be a table with keys of {', '.join(self.table)}, got {_short(value)}"
                if fault := type_fault(value, self.table):
                    return f"param {name!r}: {fault}"
        if self.params is None:
            return ""
        if unknown := sorted(set(given) - set(self.params)):
            return f"unknown param {unknown[0]!r}; known are {', '.join(self.params) or 'none'}"
        return "" if isinstance(self.params, tuple) else type_fault(given, self.params)


def type_fault(given: Mapping[str, Any], types: Mapping[str, ParamType]) -> str:
    """The fault of the first of `given` that is not of its type; empty if all are."""
    for name, value in given.items():
        kind = types[name]
        if not _is(value, kind):
            expected = kind if isinstance(kind, str) else f"{', '.join(kind[:-1])} or {kind[-1]}"
            return f"param {name!r} must be {expected}, got {_short(value)}"
    return ""


def _is(value: Any, kind: ParamType) -> bool:
    if isinstance(kind, tuple):
        return value in kind
    if kind == FLAG:
        return isinstance(value, bool)
    if kind == TEXT:
        return isinstance(value, str)
    if kind in _EACH:
        return isinstance(value, list) and all(_is(each, _EACH[kind]) for each in value)
    if kind == COUNT:
        return _is(value, WHOLE) or _is(value, TEXTS)
    if isinstance(value, float):
        return math.isfinite(value) and (kind == NUMBER or value.is_integer())
    return isinstance(value, int) and not isinstance(value, bool)


_EACH = {NUMBERS: NUMBER, WHOLES: WHOLE, TEXTS: TEXT}
_SHOWN_MAX = 80


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN_MAX else f"{shown[:_SHOWN_MAX]}..."


ACTIVATIONS = ("none", "sigmoid", "softmax")
LAYOUTS = ("nhwc", "nchw")
_YOLO_PARAMS: dict[str, ParamType] = {"strides": WHOLES, "objectness": FLAG, "normalized": FLAG, "iou": NUMBER}
_YOLO = InputSpec(color="rgb", fit="letterbox", pad=114, resize="linear", std=[255.0])

FAMILIES: dict[str, Family] = {
    "classification": Family(
        "classification",
        InputSpec(color="rgb", fit="stretch", resize="area"),
        {"softmax": FLAG, "scale": NUMBER, "zero_point": WHOLE, "background": FLAG},
    ),
    "ctc": Family(
        "text",
        InputSpec(color="rgb", fit="stretch", resize="linear", mean=[127.5], std=[127.5]),
        {"blank": WHOLE, "softmax": FLAG},
    ),
    "dbnet": Family(
        "detection",
        InputSpec(
            color="bgr", fit="letterbox", pad=0, resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]
        ),
        {"threshold": NUMBER, "unclip": NUMBER},
    ),
    "detection_output": Family("detection", InputSpec(color="bgr", fit="stretch", resize="linear"), {}),
    "detr": Family(
        "detection",
        InputSpec(color="rgb", fit="stretch", resize="linear", std=[255.0]),
        {"corners": FLAG, "normalized": FLAG, "boxes_max": WHOLE, "activation": ACTIVATIONS},
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
        {"strides": WHOLES, "scale": NUMBER, "octaves": WHOLE, "ratios": NUMBERS, "activation": ACTIVATIONS, "iou": NUMBER},
    ),
    "embedding": Family(
        "embedding",
        InputSpec(color="rgb", fit="stretch", resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]),
        {},
    ),
    "fcos": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area"), {"iou": NUMBER}),
    "heatmap": Family(
        "pose",
        InputSpec(
            color="rgb", fit="letterbox", pad=0, resize="linear", mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375]
        ),
        {"sigmoid": FLAG, "object": TEXT},
    ),
    "landmarks": Family("pose", InputSpec(color="bgr", fit="stretch", resize="linear"), {"object": TEXT}),
    "movenet": Family("pose", InputSpec(color="rgb", fit="stretch", resize="area"), {}),
    "nanodet": Family(
        "detection",
        InputSpec(
            color="bgr", fit="letterbox", pad=0, resize="area", mean=[103.53, 116.28, 123.675], std=[57.375, 57.12, 58.395]
        ),
        {"strides": WHOLES, "bins": WHOLE, "middle": FLAG, "iou": NUMBER},
    ),
    "reconstruction": Family(
        "anomaly",
        InputSpec(color="rgb", fit="stretch", resize="area"),
        {"threshold": NUMBER, "cell": WHOLE, "layout": LAYOUTS, "scale": NUMBER},
    ),
    "regression": Family(
        "regression",
        InputSpec(color="bgr", fit="stretch", resize="linear"),
        table={"scale": NUMBER, "offset": NUMBER, "unit": TEXT, "names": TEXTS, "labels": TEXTS, "softmax": FLAG},
    ),
    "segmentation": Family("segmentation", InputSpec(color="rgb", fit="stretch", resize="area"), {"layout": LAYOUTS}),
    "ssd": Family("detection", InputSpec(color="rgb", fit="stretch", resize="area"), {"class_offset": WHOLE}),
    "ssd_anchors": Family(
        "detection",
        InputSpec(color="rgb", fit="stretch", resize="area"),
        {
            "strides": WHOLES,
            "scales": NUMBERS,
            "ratios": NUMBERS,
            "reduced": FLAG,
            "variances": NUMBERS,
            "activation": ACTIVATIONS,
            "background": FLAG,
            "rows_first": FLAG,
            "iou": NUMBER,
        },
    ),
    "ultraface": Family(
        "detection",
        InputSpec(color="rgb", fit="stretch", resize="linear", mean=[127.0], std=[128.0]),
        {"decoded": FLAG, "iou": NUMBER},
    ),
    "yolo": Family("detection", _YOLO, _YOLO_PARAMS),
    "yolo_obb": Family("detection", _YOLO, _YOLO_PARAMS),
    "yolo_pose": Family("detection", _YOLO, {**_YOLO_PARAMS, "points": COUNT, "visibility": FLAG}),
    "yolo_segmentation": Family("detection", _YOLO, {**_YOLO_PARAMS, "boxes_max": WHOLE}),
    "yolox": Family(
        "detection",
        InputSpec(color="bgr", fit="letterbox_top_left", pad=114, resize="linear"),
        {"iou": NUMBER, "strides": WHOLES},
    ),
}
"""The heads that are part of the agent."""
