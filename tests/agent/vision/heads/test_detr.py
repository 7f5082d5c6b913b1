"""Transformer detectors: the shapes of published exports, and every type and form of outputs against a plain decoding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_agent.vision.heads.detr import DetrHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.soundness import assert_sound
from tests.agent.vision.heads.yolo_reference import HEIGHT, WIDTH, Stored, Tensor, store

QUERIES, CLASSES = 60, 5
UNIT = np.array([WIDTH, HEIGHT, WIDTH, HEIGHT])


def build(stored: Mapping[str, Stored], names: Mapping[str, str] | None = None, **params: Any) -> DetrHead:
    specs = {
        name: TensorSpec(name, each.tensor.shape, each.tensor.dtype, each.scale, each.zero_point) for name, each in stored.items()
    }
    return DetrHead(HeadContext(specs, names or {}, params, WIDTH, HEIGHT))


def found(stored: Mapping[str, Stored], min_score: float, **params: Any) -> Detections:
    result = build(stored, **params).decode({name: each.tensor for name, each in stored.items()}, min_score)
    assert_sound(result, min_score, (WIDTH, HEIGHT))
    return result


def queries(seed: int, columns: int) -> tuple[Tensor, Tensor]:
    """Boxes in 0..1 (centre, width, height) and logits of -4 to 4."""
    random = np.random.default_rng(seed)
    boxes = np.concatenate([random.uniform(0.3, 0.7, (QUERIES, 2)), random.uniform(0.1, 0.5, (QUERIES, 2))], axis=1)
    return boxes[None], random.uniform(-4, 4, (1, QUERIES, columns))


def shares(logits: Tensor, activation: str) -> Tensor:
    """Scores of logits; without the last column after a softmax."""
    if activation == "sigmoid":
        return 1 / (1 + np.exp(-logits))
    if activation == "softmax":
        raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray((raised / raised.sum(axis=-1, keepdims=True))[..., :-1])
    return logits


def assert_as_known(result: Detections, boxes: Tensor, scores: Tensor, min_score: float) -> None:
    """The result is every query and class of at least `min_score`; boxes (queries, 4) are corners in pixels."""
    pairs = [(query, number) for query, number in np.ndindex(*scores.shape) if scores[query, number] >= min_score - 1e-7]
    pairs.sort(key=lambda pair: -np.float32(scores[pair]))
    pairs = pairs[:300]
    assert np.allclose(result.scores, [min(scores[pair], 1) for pair in pairs], atol=1e-4)
    places = {(number, *np.rint(boxes[query]).astype(int).tolist()) for query, number in pairs}
    assert {(int(n), *np.rint(box).astype(int).tolist()) for n, box in zip(result.class_ids, result.boxes, strict=True)} == places


def corners(boxes: Tensor) -> Tensor:
    return np.concatenate([boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2], axis=-1)


@pytest.mark.parametrize("min_score", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("activation", ["sigmoid", "softmax", "none"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "uint8"])
@pytest.mark.parametrize("joined", [True, False])
def test_queries_of_every_type_and_activation(dtype: str, activation: str, joined: bool, min_score: float) -> None:
    boxes, logits = queries(1, CLASSES + (activation == "softmax"))
    if activation == "none":
        logits = (logits + 4) / 8
    if joined:
        one = store(np.concatenate([boxes, logits], axis=2), dtype, 8.2 / 255, 0)
        stored = {"out": one}
        real_boxes, real_logits = one.real()[0, :, :4], one.real()[0, :, 4:]
    else:
        stored = {"boxes": store(boxes, dtype), "logits": store(logits, dtype, 8.2 / 255, 0)}
        real_boxes, real_logits = stored["boxes"].real()[0], stored["logits"].real()[0]
    result = found(stored, min_score, activation=activation)
    assert_as_known(result, corners(real_boxes) * UNIT, shares(real_logits, activation), min_score)


@pytest.mark.parametrize("batch", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("order", [("labels", "boxes", "scores"), ("boxes", "scores", "labels"), ("scores", "labels", "boxes")])
@pytest.mark.parametrize("kind", ["int64", "float32"])
def test_outputs_after_post_processing(kind: str, order: tuple[str, ...], normalized: bool, batch: bool) -> None:
    """RT-DETR and D-FINE with their post-processing: labels, corners in pixels, scores."""
    random = np.random.default_rng(4)
    boxes = corners(queries(2, 1)[0][0]) * (1 if normalized else UNIT)
    scores, labels = random.random(QUERIES), random.integers(0, 80, QUERIES)
    arrays = {"labels": labels.astype(kind), "boxes": boxes.astype(np.float32), "scores": scores.astype(np.float32)}
    stored = {name: Stored(arrays[name][None] if batch else arrays[name]) for name in order}
    result = found(stored, 0.5, **({"normalized": True} if normalized else {}))
    best = [row for row in np.argsort(-scores) if scores[row] >= 0.5]
    assert result.class_ids.tolist() == labels[best].tolist()
    assert np.allclose(result.scores, scores[best])
    assert np.allclose(result.boxes, boxes[best] * (UNIT if normalized else 1), atol=1e-3)
    renamed = {f"out{index}": stored[name] for index, name in enumerate(order)}
    if kind == "int64":
        again = found(renamed, 0.5, **({"normalized": True} if normalized else {}))
        assert again.class_ids.tolist() == result.class_ids.tolist()
    else:
        with pytest.raises(ManifestError, match="do not show which one is the labels"):
            build(renamed)


def test_a_score_that_equals_the_minimum_is_found() -> None:
    boxes, _ = queries(3, 1)
    scores = np.zeros((1, QUERIES, 3), np.float32)
    scores[0, 7, 1] = 0.5
    assert len(found({"out": Stored(np.concatenate([boxes, scores], axis=2).astype(np.float32))}, 0.5)) == 1
    assert len(found({"out": Stored(np.concatenate([boxes, scores], axis=2).astype(np.float32))}, 0.5001)) == 0


def test_nothing_found_by_a_model_that_leaves_the_number_open() -> None:
    """A detector of torchvision: as many rows as there are objects."""
    kinds = {"boxes": ((-1, 4), "float32"), "labels": ((-1,), "int64"), "scores": ((-1,), "float32")}
    specs = {name: TensorSpec(name, shape, np.dtype(dtype)) for name, (shape, dtype) in kinds.items()}
    head = DetrHead(HeadContext(specs, {}, {}, WIDTH, HEIGHT))
    for count in (0, 3):
        arrays = {name: np.ones((count, *shape[1:]), dtype) for name, (shape, dtype) in kinds.items()}
        assert len(head.decode(arrays, 0.5)) == count
    arrays["scores"] = np.ones(2, np.float32)
    with pytest.raises(ManifestError, match=r"'labels' has shape \[3\]|'scores' has shape \[2\]"):
        head.decode(arrays, 0.5)


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
def test_rows_of_paddle_detection(counted: bool, normalized: bool) -> None:
    """Rows of class, score and corners; those of class -1 fill the table."""
    rows = np.array([[3, 0.5, 1, 2, 30, 40], [5, 0.75, 10, 5, 20, 25], [3, 0.2, 1, 1, 2, 2], [-1, -1, 0, 0, 0, 0]], np.float32)
    expected = rows[[1, 0], 2:]
    rows[:, 2:] /= UNIT if normalized else 1
    stored = {"nms": Stored(rows)} | ({"number": Stored(np.array([4], np.int32))} if counted else {})
    result = found(stored, 0.3, **({"normalized": True} if normalized else {}))
    assert np.allclose(result.boxes, expected, atol=1e-3)
    assert (result.class_ids.tolist(), result.scores.tolist()) == ([5, 3], [0.75, 0.5])
    assert not len(found({"nms": Stored(rows[3:].repeat(2, axis=0))}, 0.3))
    with pytest.raises(ManifestError, match="unknown param 'activation'"):
        build(stored, activation="sigmoid")


@pytest.mark.parametrize(
    ("family", "shapes", "by_picture"),
    [
        ("detr", [(-1, 30, 4), (-1, 30, 5)], True),
        ("detr", [(-1, 6), (-1,)], False),
        ("detection_output", [(-1, 1, 20, 7)], True),
        ("detection_output", [(-1, 7)], False),
        ("ssd", [(-1, 10, 4), (-1, 10), (-1, 10), (-1,)], True),
        ("ssd", [(-1, 4), (-1,), (-1,)], False),
    ],
)
def test_rows_of_several_pictures_are_not_divided(family: str, shapes: list[tuple[int, ...]], by_picture: bool) -> None:
    specs = {f"out{number}": TensorSpec(f"out{number}", shape, np.dtype(np.float32)) for number, shape in enumerate(shapes)}
    head = plugins.load("heads", family, ManifestError)(HeadContext(specs, {}, {}, WIDTH, HEIGHT))
    assert head.by_picture is by_picture
