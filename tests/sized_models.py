"""Model files that compute their boxes from a second input, as exports of detectors with their post-processing do.

Their pictures are 64 x 32 pixels. Each has one object, of the class 10 times the brightness (0 to 1) and of a score equal to it,
whose box is the lower right part of the middle: `BOX`, in shares of width and height.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.helper
from onnx import TensorProto, helper, numpy_helper

WIDTH, HEIGHT = 64, 32
BOX = np.array([0.25, 0.5, 0.5, 1.0], np.float32)
_FLOATS = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}


def write_listed(path: Path, dtype: str = "float32", rows: str | int = "n", size: tuple[int, int] = (WIDTH, HEIGHT)) -> Path:
    """Writes a file like those of RT-DETR, D-FINE and DEIM: labels, boxes and scores; the second input is the width and the
    height. rows: the first side
    of all tensors. size: of the picture."""
    sizes = "orig_target_sizes"
    nodes = [
        helper.make_node("Cast", [sizes], ["size"], to=TensorProto.FLOAT),
        helper.make_node("Concat", ["size", "size"], ["corners"], axis=1),
        helper.make_node("Unsqueeze", ["corners", "one"], ["unit"]),
        helper.make_node("Mul", ["unit", "box"], ["boxes"]),
        helper.make_node("Identity", ["brightness"], ["scores"]),
        helper.make_node("Mul", ["brightness", "ten"], ["class"]),
        helper.make_node("Round", ["class"], ["whole"]),
        helper.make_node("Cast", ["whole"], ["labels"], to=TensorProto.INT64),
    ]
    given = [_value(sizes, TensorProto.INT64, [rows, 2])]
    made = [
        _value("labels", TensorProto.INT64, [rows, 1]),
        _value("boxes", TensorProto.FLOAT, [rows, 1, 4]),
        _value("scores", TensorProto.FLOAT, [rows, 1]),
    ]
    return _write(path, dtype, rows, "images", given, nodes, made, size)


def write_table(path: Path, dtype: str = "float32", rows: str | int = "n") -> Path:
    """Writes a file like those of PaddleDetection: rows of class, score and box in pixels of the picture before it was
    scaled, each twice, and
    their number for each picture; further inputs are height and width, and the scales of both."""
    nodes = [
        helper.make_node("Gather", ["im_shape", "order"], ["size"], axis=1),
        helper.make_node("Gather", ["scale_factor", "order"], ["scale"], axis=1),
        helper.make_node("Div", ["size", "scale"], ["unit16"]),
        helper.make_node("Cast", ["unit16"], ["unit"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["unit", "box"], ["boxes"]),
        helper.make_node("Mul", ["brightness", "ten"], ["class"]),
        helper.make_node("Concat", ["class", "brightness", "boxes"], ["once"], axis=1),
        helper.make_node("Concat", ["once", "once"], ["nms"], axis=0),
        helper.make_node("Mul", ["brightness", "zero"], ["none"]),
        helper.make_node("Squeeze", ["none", "one"], ["counted"]),
        helper.make_node("Cast", ["counted"], ["count"], to=TensorProto.INT32),
    ]
    given = [_value(name, _FLOATS[dtype], [rows, 2]) for name in ("im_shape", "scale_factor")]
    made = [_value("nms", TensorProto.FLOAT, ["found", 6]), _value("count", TensorProto.INT32, [rows])]
    return _write(path, dtype, rows, "image", given, nodes, made)


def write_scalar(path: Path) -> Path:
    """Writes the file of `write_listed` with a number without sides as second input: the width and the height are that, and
    half of it."""
    nodes = [
        helper.make_node("Cast", ["side"], ["size"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["size", "halves"], ["unit"]),
        helper.make_node("Mul", ["unit", "box"], ["boxes"]),
        helper.make_node("Identity", ["brightness"], ["scores"]),
        helper.make_node("Cast", ["brightness"], ["labels"], to=TensorProto.INT64),
    ]
    made = [
        _value("labels", TensorProto.INT64, [1, 1]),
        _value("boxes", TensorProto.FLOAT, [1, 1, 4]),
        _value("scores", TensorProto.FLOAT, [1, 1]),
    ]
    return _write(path, "float32", 1, "images", [_value("side", TensorProto.INT64, [])], nodes, made)


def _write(
    path: Path,
    dtype: str,
    rows: str | int,
    picture: str,
    given: list[onnx.ValueInfoProto],
    nodes: list[onnx.NodeProto],
    made: list[onnx.ValueInfoProto],
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Path:
    bright = [
        helper.make_node("Cast", [picture], ["pixels"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["pixels"], ["mean"], axes=[2, 3], keepdims=0),
        helper.make_node("ReduceMean", ["mean"], ["brightness"], axes=[1], keepdims=1),
    ]
    used = {name for node in nodes for name in node.input}
    constants = {
        "one": np.array([1], np.int64),
        "order": np.array([1, 0, 1, 0], np.int64),
        "halves": np.array([[[1, 0.5, 1, 0.5]]], np.float32),
        "ten": np.float32(10),
        "zero": np.float32(0),
        "box": BOX.reshape((1, 4) if path.stem.startswith("table") else (1, 1, 4)),
    }
    stored = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items() if name in used]
    inputs = [_value(picture, _FLOATS[dtype], [rows, 3, size[1], size[0]]), *given]
    graph = helper.make_graph([*bright, *nodes], "sized", inputs, made, stored)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))
    return path


def _value(name: str, kind: int, shape: list[str | int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)
