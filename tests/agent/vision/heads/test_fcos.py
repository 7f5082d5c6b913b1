"""FCOS cells: centres, distances, quantization, suppression."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.heads.fcos import FcosHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec

OUTPUTS = (spec("s", (1, 4, 8, 2)), spec("b", (1, 4, 8, 4)))


def tensors() -> dict[str, np.typing.NDArray[np.float32]]:
    return {"s": np.zeros((1, 4, 8, 2), np.float32), "b": np.full((1, 4, 8, 4), 4.0, np.float32)}


def test_a_cell_stands_for_its_centre() -> None:
    outputs = tensors()
    outputs["s"][0, 1, 2, 1] = 0.75
    outputs["b"][0, 1, 2] = [1, 2, 3, 4]
    found = FcosHead(context(*OUTPUTS)).decode(outputs, 0.5)
    assert found.boxes.tolist() == [[2.5 * 8 - 1, 1.5 * 8 - 2, 2.5 * 8 + 3, 1.5 * 8 + 4]]
    assert found.class_ids.tolist() == [1]
    assert found.scores.tolist() == [0.75]


def test_neighbours_that_see_one_object_are_one_box_and_classes_stay_apart() -> None:
    outputs = tensors()
    outputs["s"][0, 1, 2], outputs["s"][0, 1, 3, 0] = [0.9, 0.6], 0.8
    outputs["b"][0, 1, 2], outputs["b"][0, 1, 3] = [4, 4, 12, 4], [12, 4, 4, 4]
    found = FcosHead(context(*OUTPUTS)).decode(outputs, 0.5)
    assert found.class_ids.tolist() == [0, 1]
    assert len(FcosHead(context(*OUTPUTS, iou=1.0)).decode(outputs, 0.5)) == 3


def test_quantized_outputs_give_the_same_boxes() -> None:
    rng = np.random.default_rng(7)
    stored = {"s": rng.integers(-128, 128, (1, 4, 8, 2), np.int8), "b": rng.integers(-128, 128, (1, 4, 8, 4), np.int8)}
    real = {
        "s": ((stored["s"].astype(np.float32) + 128) / 256).astype(np.float32),
        "b": ((stored["b"].astype(np.float32) + 128) * 0.1).astype(np.float32),
    }
    quantized = (spec("s", (1, 4, 8, 2), np.int8, 1 / 256, -128), spec("b", (1, 4, 8, 4), np.int8, 0.1, -128))
    ours, plain = FcosHead(context(*quantized)).decode(stored, 0.5), FcosHead(context(*OUTPUTS)).decode(real, 0.5)
    assert len(plain) > 0
    assert np.allclose(ours.boxes, plain.boxes, atol=1e-3)
    assert np.allclose(ours.scores, plain.scores)


def test_an_empty_picture() -> None:
    assert len(FcosHead(context(*OUTPUTS)).decode(tensors(), 0.5)) == 0


@pytest.mark.parametrize("boxes", [(1, 4, 8, 5), (1, 8, 4, 4), (1, 32, 4)])
def test_outputs_that_do_not_fit_are_refused(boxes: tuple[int, ...]) -> None:
    with pytest.raises(ManifestError, match="head fcos"):
        FcosHead(context(OUTPUTS[0], spec("b", boxes)))
