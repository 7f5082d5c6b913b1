"""YOLOX rows against the formulas of the paper."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.heads.yolox import YoloxHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec

CELLS = 8 * 4 + 4 * 2 + 2 * 1
"""Of a 64 x 32 input with strides 8, 16, 32."""


def rows() -> np.typing.NDArray[np.float32]:
    return np.zeros((1, CELLS, 7), np.float32)


def test_a_cell_of_each_grid() -> None:
    tensor = rows()
    tensor[0, 9] = [0.5, 0.25, np.log(2), np.log(1), 0.8, 0.9, 0.0]  # stride 8: row 1, column 1
    tensor[0, 32 + 5] = [0, 0, np.log(0.5), np.log(0.5), 0.9, 0.0, 0.9]  # stride 16: row 1, column 1
    found = YoloxHead(context(spec("o", tensor.shape))).decode({"o": tensor}, 0.5)
    assert np.allclose(found.boxes, [[12, 12, 20, 20], [4, 6, 20, 14]], atol=1e-4)
    assert found.class_ids.tolist() == [1, 0]
    assert np.allclose(found.scores, [0.81, 0.72])


def test_one_cell_may_be_two_classes_and_neighbours_are_one_box() -> None:
    tensor = rows()
    tensor[0, 9] = [0.5, 0.5, 1, 1, 1.0, 0.9, 0.8]
    tensor[0, 10] = [-0.5, 0.5, 1, 1, 1.0, 0.7, 0.0]
    found = YoloxHead(context(spec("o", tensor.shape))).decode({"o": tensor}, 0.5)
    assert found.class_ids.tolist() == [0, 1]
    assert len(YoloxHead(context(spec("o", tensor.shape), iou=1.0)).decode({"o": tensor}, 0.5)) == 3


def test_quantized_rows_give_the_same_boxes() -> None:
    rng = np.random.default_rng(5)
    scale, zero_point = 0.02, -20
    stored = rng.integers(-128, 128, (1, CELLS, 7), np.int8)
    real = ((stored.astype(np.float32) - zero_point) * scale).astype(np.float32)
    quantized = YoloxHead(context(spec("o", stored.shape, np.int8, scale, zero_point))).decode({"o": stored}, 0.41)
    plain = YoloxHead(context(spec("o", real.shape))).decode({"o": real}, 0.41)
    assert len(plain) > 0
    assert np.allclose(quantized.boxes, plain.boxes, atol=1e-3)
    assert np.allclose(quantized.scores, plain.scores, atol=1e-5)


def test_a_single_stride() -> None:
    tensor = np.zeros((1, 32, 6), np.float32)
    tensor[0, 0] = [0.5, 0.5, 0, 0, 1, 1]
    found = YoloxHead(context(spec("o", tensor.shape), strides=[8])).decode({"o": tensor}, 0.5)
    assert np.allclose(found.boxes, [[0, 0, 8, 8]])


@pytest.mark.parametrize(
    ("shape", "params", "expected"),
    [
        ((1, CELLS + 1, 7), {}, f"expected \\[1, {CELLS}, 5 \\+ classes\\]"),
        ((1, CELLS, 5), {}, "expected"),
        ((CELLS, 7), {}, "expected"),
        ((1, CELLS, 7), {"strides": []}, "strides"),
        ((1, CELLS, 7), {"strides": [0]}, "strides"),
        ((1, CELLS, 7), {"strides": "8"}, "strides"),
        ((1, CELLS, 7), {"iou": 2}, "iou"),
        ((1, CELLS, 7), {"iou": True}, "iou"),
        ((1, CELLS, 7), {"nms": 2}, "unknown param 'nms'; known are iou, strides"),
    ],
)
def test_what_does_not_fit_is_refused(shape: tuple[int, ...], params: dict[str, object], expected: str) -> None:
    with pytest.raises(ManifestError, match=expected):
        YoloxHead(context(spec("o", shape), **params))
