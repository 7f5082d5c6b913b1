"""Models whose packages name no classes, or only some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.pipeline.graph.track_state import CLASSES_MAX, LabelTable
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.nodes import check_model_labels
from tests.agent.pipeline.camera.test_cascade import COLOUR, FOLLOW, MOVES, VISITS, played, spec, two_pass
from tests.agent.pipeline.scenes import BLUE, RED, film, mean_colour

WHOLE = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\nmin_score = 0.6\n'
AROUND = '[[stages]]\nname = "follow"\nkind = "track"\nfrom = "scene"\n'


@pytest.fixture
def blue(tmp_path: Path) -> Path:
    """A blue video: class 2 of `mean_colour`."""
    return film(tmp_path / "blue.mp4", 2.0, lambda _: ((BLUE, 0, 0, 320, 240),))


def named(folder: Path, labels: str) -> Path:
    """`mean_colour` with this line in place of its labels."""
    manifest = mean_colour(folder) / "model.toml"
    manifest.write_text(manifest.read_text().replace("labels = ['red', 'green', 'blue']", labels))
    return folder


@pytest.mark.parametrize("labels", ["", 'labels_file = "labels.txt"'])
def test_a_model_without_labels_detects(tmp_path: Path, blue: Path, labels: str) -> None:
    """An empty label file counts as no labels."""
    package = named(tmp_path / "colour", labels)
    (package / "labels.txt").write_text("\n")
    (event,), _ = played(spec(blue, WHOLE, AROUND, VISITS), {"colour": package})
    assert event.label == "class 2"
    stage = WHOLE + 'labels = ["class 2"]\n'
    (event,), _ = played(spec(blue, stage, AROUND, VISITS + 'labels = ["class 2"]\n'), {"colour": package})
    assert event.label == "class 2"
    other = WHOLE + 'labels = ["class 1"]\n'
    assert played(spec(blue, other, AROUND, VISITS), {"colour": package})[0] == []


def test_nameless_classes_of_a_model_with_some_names_stay_out(tmp_path: Path, blue: Path) -> None:
    package = named(tmp_path / "colour", 'labels = ["red", "green"]')
    found, _ = played(spec(blue, WHOLE, AROUND, VISITS), {"colour": package})
    assert found == []
    red = film(tmp_path / "red.mp4", 2.0, lambda _: ((RED, 0, 0, 320, 240),))
    (event,), _ = played(spec(red, WHOLE, AROUND, VISITS), {"colour": package})
    assert event.label == "red"


def test_crops_and_ensembles_of_models_without_labels(tmp_path: Path, blue: Path) -> None:
    package = named(tmp_path / "colour", "")
    video = film(tmp_path / "two.mp4", 4.0, two_pass)
    crops = COLOUR + 'labels = ["class 0"]\nfrom = "follow"\n'
    found, _ = played(spec(video, MOVES, FOLLOW, crops, VISITS), {"colour": package})
    names = [event.data.get("attributes", {}).get("colour", {}).get("label", "") for event in found]
    assert sorted(names) == ["", "class 0"]
    both = '[[stages]]\nname = "both"\nkind = "ensemble"\nof = ["scene", "again"]\nmin_score = 0.3\noptions = {method = "mean"}\n'
    again = WHOLE.replace('"scene"', '"again"')
    (event,), _ = played(spec(blue, WHOLE, again, both, AROUND.replace('"scene"', '"both"'), VISITS), {"colour": package})
    assert event.label == "class 2"


def test_every_answer_calls_a_nameless_class_alike(tmp_path: Path) -> None:
    model = LoadedModel.open(named(tmp_path / "colour", ""), runtimes=["onnx_runtime"])
    try:
        assert model.label(7) == "class 7"
    finally:
        model.close()
    with pytest.raises(PipelineError, match="no label 'person'; it has none"):
        check_model_labels("find", ["person"], (), "m@1.0.0", "pipeline")
    with pytest.raises(PipelineError, match="no label 'class 85'"):
        check_model_labels("find", ["class 85"], ("person",), "m@1.0.0", "pipeline")


def test_numbers_that_no_model_has_are_no_classes() -> None:
    table = LabelTable()
    assert len(table.translation((), frozenset(), 2**31)) == CLASSES_MAX + 1
