"""Triton ensembles become the `model.toml` that the inference API joins models by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.model.loaded_model import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_contract.package.ensemble import read_ensemble
from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, Refused, import_model
from edgefleet_server.registry.importers.triton_ensemble import Joined

FACES = """
name: "Faces"
platform: "onnxruntime_onnx"
input [ { name: "input" data_type: TYPE_FP32 dims: [ 1, 3, 240, 320 ] } ]
output [ { name: "scores" data_type: TYPE_FP32 dims: [ 1, 4420, 2 ] },
  { name: "boxes" data_type: TYPE_FP32 dims: [ 1, 4420, 4 ] } ]
"""
TWICE = """
name: "twice"
platform: "ensemble"
max_batch_size: 0
input [ { name: "PICTURE" data_type: TYPE_FP32 dims: [ 1, 3, 240, 320 ] } ]
output [ { name: "SCORES" data_type: TYPE_FP32 dims: [ 1, 4420, 2 ] },
  { name: "AGAIN" data_type: TYPE_FP32 dims: [ 1, 4420, 4 ] } ]
ensemble_scheduling {
  step [
    {
      model_name: "Faces"
      model_version: -1
      input_map { key: "input" value: "PICTURE" }
      output_map { key: "scores" value: "SCORES" }
      output_map { key: "boxes" value: "BOXES" }
    },
    {
      model_name: "Faces"
      model_version: 2
      input_map { key: "input" value: "PICTURE" }
      output_map { key: "boxes" value: "AGAIN" }
    }
  ]
}
"""
PYTHON = 'name: "prepare"\nbackend: "python"\n'


def repository(data: Path, root: Path, twice: str = TWICE) -> Path:
    (root / "Faces/2").mkdir(parents=True)
    (root / "Faces/2/model.onnx").symlink_to(data / "models/onnx/ultraface_rfb_320/version-RFB-320.onnx")
    (root / "Faces/config.pbtxt").write_text(FACES, encoding="utf-8")
    for name, text in (("twice", twice), ("prepare", PYTHON)):
        (root / name / "1").mkdir(parents=True)
        (root / name / "config.pbtxt").write_text(text, encoding="utf-8")
    return root


def test_a_repository_with_an_ensemble_is_served(data: Path, tmp_path: Path) -> None:
    made = import_model(repository(data, tmp_path / "triton"), tmp_path / "out", ImportRequest())
    (faces,) = [each for each in made if isinstance(each, Imported)]
    (twice,) = [each for each in made if isinstance(each, Joined)]
    (prepare,) = [each for each in made if isinstance(each, Refused)]
    assert (faces.manifest.id, twice.id, twice.steps, twice.notes) == ("faces@2.0.0", "twice@1.0.0", ("faces", "faces"), ())
    assert "python cannot be taken over" in prepare.text
    text = (tmp_path / "out/twice/1.0.0/model.toml").read_text(encoding="utf-8")
    manifest = read_ensemble(text, "model.toml")
    assert manifest is not None
    assert manifest.ensemble.outputs == ["SCORES", "AGAIN"]
    assert [step.version for step in manifest.ensemble.step] == ["", "2.0.0"]
    pytest.importorskip("onnxruntime", reason="needs the extra onnx")
    catalogue = ModelRegistry()
    shelf = FolderRepository([tmp_path / "out"], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert shelf.load_all() == []
    rows = {(row["name"], row["state"]) for row in shelf.index(ready=False)}
    assert rows >= {("faces", "READY"), ("twice", "READY")}
    for name in ("twice", "faces"):
        shelf.unload(name)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (
            'value: "PICTURE" }\n      output_map { key: "boxes" value: "AGAIN"',
            'value: "NO" }\n output_map { key: "b" value: "AGAIN"',
            "takes 'NO'",
        ),
        ('name: "AGAIN"', 'name: "NEVER"', "no step makes the output 'NEVER'"),
        ('model_name: "Faces"', 'model_nam: "Faces"', "a step without model_name"),
        ("model_version: 2", 'model_version: "x"', "model_version of 'Faces' is no number"),
        ('input_map { key: "input"', 'input_ma { key: "input"', "has no input_map"),
        ("ensemble_scheduling", "ensemble_schedulin", "an ensemble without steps"),
    ],
)
def test_an_ensemble_that_does_not_fit_itself(data: Path, tmp_path: Path, before: str, after: str, reason: str) -> None:
    assert before in TWICE
    root = repository(data, tmp_path / "triton", TWICE.replace(before, after, 1))
    with pytest.raises(InputError, match=reason):
        import_model(root / "twice", tmp_path / "out", ImportRequest())
    assert not (tmp_path / "out").exists()


def test_a_refused_model_is_reported_and_the_others_stay(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = repository(data, tmp_path / "triton", TWICE.replace('model_name: "Faces"', 'model_name: "elsewhere"', 1))
    assert main(["model", "import", str(root), "--into", str(tmp_path / "out")]) == 2
    output = capsys.readouterr()
    assert "refused: " in output.err
    assert "check: needs elsewhere beside it" in output.out
    assert main(["model", "import", str(root), "--into", str(tmp_path / "other"), "--json"]) == 2
    assert [sorted(row) for row in json.loads(capsys.readouterr().out)] == [
        ["folder", "id", "notes"],
        ["refused", "source"],
        ["folder", "id", "notes", "steps"],
    ]
