"""UltraFace: boxes decoded inside the model or not, and as many classes as the file has."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.heads.ultraface import SIDES, STRIDES, UltraFaceHead
from tests.agent.vision.heads.contexts import HEIGHT, WIDTH, context, spec

ANCHORS = sum(-(-WIDTH // stride) * -(-HEIGHT // stride) * len(sides) for stride, sides in zip(STRIDES, SIDES, strict=True))


@pytest.mark.parametrize("decoded", [True, False])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_every_class_but_the_background_is_found(decoded: bool, classes: int) -> None:
    scores = np.zeros((1, ANCHORS, classes), np.float32)
    boxes = np.zeros((1, ANCHORS, 4), np.float32)
    scores[..., 0] = 1.0
    expected = {}
    # Far apart on the finest level, so that none of them covers another one.
    for number, row in zip(range(1, classes), (0, 9, 18, 51), strict=False):
        scores[0, row, number] = 1.0 - number / 10
        boxes[0, row] = (0.1 * number, 0.0, 0.1 * number + 0.05, 0.5) if decoded else 0.0
        expected[number] = round(1.0 - number / 10, 3)
    head = UltraFaceHead(context(spec("scores", scores.shape), spec("boxes", boxes.shape), decoded=decoded))
    found = head.decode({"scores": scores, "boxes": boxes}, 0.5)
    assert dict(zip(found.class_ids.tolist(), found.scores.round(3).tolist(), strict=True)) == pytest.approx(expected)
    if decoded:
        left = [0.1 * number * WIDTH for number in found.class_ids.tolist()]
        assert np.allclose(found.boxes[:, 0], left)
        assert np.allclose(found.boxes[:, 2:], [[x + 0.05 * WIDTH, 0.5 * HEIGHT] for x in left])
