"""Classifiers: scales, softmax, order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edgefleet_agent.vision.heads.classification import ClassificationHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec


def test_float_scores_are_taken_as_they_are() -> None:
    head = ClassificationHead(context(spec("o", (1, 3))))
    assert head.decode({"o": np.array([[0.2, 0.7, 0.1]], np.float32)}, 0.5).top(2) == [
        (1, pytest.approx(0.7)),
        (0, pytest.approx(0.2)),
    ]


@pytest.mark.parametrize(
    ("dtype", "stored", "tensor", "params", "expected"),
    [
        (np.uint8, [0, 255, 128], (1 / 256, 0), {}, [0, 255 / 256, 0.5]),
        (np.uint8, [0, 255, 128], (0.0, 0), {}, [0, 255 / 256, 0.5]),
        (np.int8, [-128, 127, 0], (0.0, 0), {}, [0, 255 / 256, 0.5]),
        (np.int8, [-128, 127, 0], (1 / 256, -128), {"scale": 9.0}, [0, 255 / 256, 0.5]),
        (np.uint8, [0, 200, 100], (0.0, 0), {"scale": 0.01, "zero_point": 100}, [-1, 1, 0]),
    ],
    ids=["tensor's scale", "no scale, uint8", "no scale, int8", "tensor before params", "params"],
)
def test_quantized_scores(
    dtype: Any, stored: list[int], tensor: tuple[float, int], params: dict[str, Any], expected: list[float]
) -> None:
    head = ClassificationHead(context(spec("o", (1, 3), dtype, *tensor), **params))
    assert np.allclose(head.decode({"o": np.array([stored], dtype)}, 0.0).scores, expected)


def test_softmax_only_if_set_and_safe_for_large_logits() -> None:
    logits = np.array([[1000.0, 999.0, 0.0]], np.float32)
    scores = ClassificationHead(context(spec("o", (1, 3)), softmax=True)).decode({"o": logits}, 0.0).scores
    assert scores.sum() == pytest.approx(1.0)
    assert scores[0] == pytest.approx(1 / (1 + np.exp(-1)))


def test_the_runtime_may_reuse_its_memory() -> None:
    output = np.array([[0.2, 0.8]], np.float32)
    scores = ClassificationHead(context(spec("o", (1, 2)))).decode({"o": output}, 0.0)
    output[:] = 0
    assert scores.top(1) == [(1, pytest.approx(0.8))]


def test_a_map_is_no_classification() -> None:
    assert ClassificationHead(context(spec("o", (1, 1, 1, 10)))) is not None
    with pytest.raises(ManifestError, match=r"expected \[1, classes\]"):
        ClassificationHead(context(spec("o", (1, 8, 8, 10))))
