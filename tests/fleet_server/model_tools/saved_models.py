"""A TensorFlow SavedModel without TensorFlow: picture [?, 8, 8, 3] -> mean over the picture -> 5 classes, softmax."""

from __future__ import annotations

from pathlib import Path

import numpy as np

FLOAT, INT32 = 1, 3


def write_saved_model(folder: Path) -> Path:
    """`folder` with saved_model.pb, one signature `serving_default`, no variables."""
    weights = np.random.default_rng(2).normal(0, 0.1, (3, 5)).astype(np.float32)
    nodes = [
        node("picture", "Placeholder", [], dtype=number(6, FLOAT), shape=field(7, shape_of((-1, 8, 8, 3)))),
        constant("axes", np.array([1, 2], np.int32), INT32),
        constant("weights", weights, FLOAT),
        node("mean", "Mean", ["picture", "axes"], T=number(6, FLOAT), Tidx=number(6, INT32), keep_dims=number(5, 0)),
        node("logits", "MatMul", ["mean", "weights"], T=number(6, FLOAT), transpose_a=number(5, 0), transpose_b=number(5, 0)),
        node("scores", "Softmax", ["logits"], T=number(6, FLOAT)),
    ]
    graph = b"".join(field(1, each) for each in nodes) + field(4, number(1, 1882))
    ends = [(1, "picture", "picture:0", (-1, 8, 8, 3)), (2, "scores", "scores:0", (-1, 5))]
    signature = b"".join(
        field(side, pair(key, text(1, tensor) + number(2, FLOAT) + field(3, shape_of(shape))))
        for side, key, tensor, shape in ends
    )
    meta = field(1, text(4, "serve")) + field(2, graph) + field(5, pair("serving_default", signature + text(3, "predict")))
    folder.mkdir(parents=True)
    (folder / "saved_model.pb").write_bytes(number(1, 1) + field(2, meta))
    return folder


def node(name: str, operator: str, inputs: list[str], **attributes: bytes) -> bytes:
    """NodeDef."""
    head = text(1, name) + text(2, operator) + b"".join(text(3, each) for each in inputs)
    return head + b"".join(field(5, pair(key, value)) for key, value in attributes.items())


def constant(name: str, values: np.ndarray, kind: int) -> bytes:
    """A node with a tensor."""
    tensor = number(1, kind) + field(2, shape_of(values.shape)) + field(4, values.tobytes())
    return node(name, "Const", [], dtype=number(6, kind), value=field(8, tensor))


def shape_of(sides: tuple[int, ...]) -> bytes:
    """TensorShapeProto."""
    return b"".join(field(2, number(1, side)) for side in sides)


def pair(key: str, value: bytes) -> bytes:
    """An entry of a map."""
    return text(1, key) + field(2, value)


def text(place: int, value: str) -> bytes:
    """A string field."""
    return field(place, value.encode())


def field(place: int, value: bytes) -> bytes:
    """A field of bytes."""
    return varint(place << 3 | 2) + varint(len(value)) + value


def number(place: int, value: int) -> bytes:
    """A field of a whole number."""
    return varint(place << 3) + varint(value & (1 << 64) - 1)


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
