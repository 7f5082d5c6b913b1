"""Every real model is imported with the input that it had in 0.2.0, and gets the same tensor, bit for bit."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_agent.vision.image.preprocess import Preprocessor
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_server.registry.importers.import_model import ImportRequest, import_model
from edgefleet_server.registry.importers.read_model import read_model_file
from tests.agent.vision.pictures import frame_of, scene
from tests.conftest import data_folder

GOLDEN = Path(__file__).with_name("golden_inputs.json")
"""File to its manifest's inputs and head, and the CRC-32 of the tensor of `scene`, recorded with the commit before mean and std
were written for quantized inputs. No picture is resized: the numbers do not depend on the version of OpenCV."""
FAMILY = {"tflite/ultraface_rfb_320/version-RFB-320_without_postprocessing.tflite": "ultraface"}
"""Heads of files with open shapes, which are not recognized."""


def model_files(data: Path) -> list[str]:
    """All readable model files, by their path under `models`."""
    models = data / "models"
    found = [path for path in models.rglob("*") if path.suffix in (".tflite", ".onnx", ".xml") and "invalid" not in path.parts]
    return sorted(str(path.relative_to(models)) for path in found)


def imported(data: Path, file: str, into: Path) -> dict[str, Any]:
    """The facts of one file that are compared."""
    source = data / "models" / file
    (made,) = import_model(source, into, ImportRequest(name="model", family=FAMILY.get(file, "")))
    spec = next(each for each in made.manifest.inputs if each.kind == "image")
    tensors = {tensor.name: tensor for tensor in read_model_file(source).inputs}
    tensor = tensors[spec.name]
    known = TensorSpec(tensor.name, tensor.shape, np.dtype(tensor.dtype), tensor.scale, tensor.zero_point)
    preprocessor = Preprocessor(spec, known)
    workspace = preprocessor.workspace()
    preprocessor.run(frame_of(scene(preprocessor.width, preprocessor.height), "rgb"), workspace)
    return {
        "inputs": [to_plain(each) for each in made.manifest.inputs],
        "head": to_plain(made.manifest.head),
        "tensor": zlib.crc32(workspace.tensor.tobytes()),
    }


@pytest.mark.parametrize("file", model_files(folder) if (folder := data_folder()) is not None else [])
def test_inputs_of_real_models_stay_as_they_were(data: Path, tmp_path: Path, file: str) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert file in golden
    assert imported(data, file, tmp_path) == golden[file]


def test_every_recorded_model_is_compared(data: Path) -> None:
    assert model_files(data) == sorted(json.loads(GOLDEN.read_text(encoding="utf-8")))
