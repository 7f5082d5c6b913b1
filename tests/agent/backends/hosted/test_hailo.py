"""HailoRT's runtime on its stand-in: what a model gives, and what is refused."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from edgefleet_agent.backends.base import Array, LoadOptions
from edgefleet_agent.backends.hailo.backend import HailoBackend
from edgefleet_agent.backends.hosted.host_process import HostProcess
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_agent.vision.heads.yolo import YoloHead
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_server.registry.importers.package_lint import lint
from tests.agent.backends.hosted.conftest import HEF, STAND_INS, Hosted, write_hef
from tests.agent.vision.heads.soundness import assert_sound
from tests.agent.vision.pictures import frame_of
from tests.conftest import ROOT

NAME = "net/input_layer1"
FOUND = [0.5, 0.25, 0.75, 1.0, 0.625]


def test_a_model_on_the_device(hailo: Hosted) -> None:
    assert hailo.backend.installed()
    assert hailo.backend.devices() == ["hailo"]
    with contextlib.closing(hailo.load()) as session:
        assert (session.placement.runtime, session.placement.version, session.placement.device) == ("hailo", "4.20.0", "hailo")
        assert [(spec.name, spec.shape, spec.dtype) for spec in session.inputs] == [(NAME, (1, 4, 4, 3), np.uint8)]
        assert [(spec.name, spec.shape, spec.dtype) for spec in session.outputs] == [("net/conv1", (1, 4, 4, 3), np.float32)]
        picture = np.arange(48, dtype=np.uint8).reshape(1, 4, 4, 3)
        picture.flags.writeable = False
        found = session.infer({NAME: picture})["net/conv1"]
        # As a device stores it: whole steps of 0.5 from -5 on.
        assert np.array_equal(found, np.round((0.25 * picture.astype(np.float32) - 1) / 0.5) * 0.5)
        for wrong in (picture.astype(np.float32), picture[:, :2].copy()):
            with pytest.raises(ModelError, match="uint8"):
                session.infer({NAME: wrong})
        assert np.array_equal(session.infer({NAME: picture})["net/conv1"], found)


def test_detections_are_rows(hailo: Hosted) -> None:
    boxes = {"name": "nms", "shape": [1, 1, 1], "order": "HAILO_NMS", "classes": 3, "boxes": 7, "found": [[2, 1, *FOUND]]}
    files = write_hef(hailo.folder / "nms", {**HEF, "outputs": [boxes]})
    for unit, side in (("pixels", 4), ("fractions", 1)):
        options = LoadOptions(device="hailo", options={"boxes": unit})
        with contextlib.closing(hailo.backend.load(files, options)) as session:
            assert session.outputs[0].shape == (1, 300, 6)
            found = session.infer({NAME: np.full((1, 4, 4, 3), 255, np.uint8)})["nms"]
            assert found[0, 0].tolist() == pytest.approx([0.2 * side, 0.1 * side, 0.4 * side, 0.3 * side, 1.0, 0])
            assert found[0, 1].tolist() == pytest.approx([0.25 * side, 0.5 * side, side, 0.75 * side, 0.625, 2])
            assert not found[0, 2:].any()
    with pytest.raises(ModelError, match="option boxes = 'rows': must be one of pixels, fractions"):
        hailo.backend.load(files, LoadOptions(device="hailo", options={"boxes": "rows"}))
    other = write_hef(hailo.folder / "nms", {**HEF, "outputs": [{**boxes, "order": "HAILO_NMS_BY_SCORE"}]})
    with pytest.raises(ModelError, match="order HAILO_NMS_BY_SCORE, which is not supported"):
        hailo.backend.load(other, LoadOptions(device="hailo"))


def test_models_share_the_device_which_no_other_process_gets(hailo: Hosted) -> None:
    with contextlib.closing(hailo.load("one")), contextlib.closing(hailo.load("two")) as two:
        assert two.infer({NAME: np.zeros((1, 4, 4, 3), np.uint8)})["net/conv1"].min() == -1.0
        files = [str(path) for path in write_hef(hailo.folder / "three")]
        with contextlib.closing(HostProcess(HailoBackend.hosted)) as other:
            request = {"op": "load", "files": files, "device": "hailo", "options": {}}
            with pytest.raises(MissingError, match=r"74 .HAILO_OUT_OF_PHYSICAL_DEVICES..: check hailortcli scan"):
                other.ask(request, (), 30.0)


def test_without_a_device(hailo: Hosted) -> None:
    (hailo.folder / "device").unlink()
    assert hailo.backend.devices() == []
    with pytest.raises(MissingError, match="no device for HailoRT"):
        hailo.load()


def test_files_that_it_refuses_are_one_line(hailo: Hosted) -> None:
    whole = write_hef(hailo.folder / "whole")[0].read_bytes()
    path = hailo.folder / "bad.hef"
    for content in (b"", b"\0" * 64, whole[:30], b"\xff" * 4096):
        path.write_bytes(content)
        with pytest.raises(ModelError, match=r"bad.hef: HailoRT cannot load it \(Invalid HEF") as raised:
            hailo.backend.load((path,), LoadOptions(device="hailo"))
        assert "\n" not in str(raised.value)
    with pytest.raises(ModelError, match="has no device 'cpu'; it has hailo"):
        hailo.backend.load((path,), LoadOptions())
    with pytest.raises(ModelError, match="unknown option 'python'"):
        hailo.backend.load((path,), LoadOptions(device="hailo", options={"python": "/bin/evil"}))


def test_a_missing_library_is_reported_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEFLEET_HAILO_PYTHON", str(tmp_path / "gone"))
    assert not HailoBackend().installed()
    with pytest.raises(MissingError, match="apt install hailo-all && python3 -m venv --system-site-packages"):
        HailoBackend().load(write_hef(tmp_path / "model"), LoadOptions(device="hailo"))


@pytest.fixture(scope="module")
def adapter() -> Iterator[ModuleType]:
    """The adapter, with the stand-in for its library."""
    spec = importlib.util.spec_from_file_location("hailo_adapter_of_a_test", Path(HailoBackend.hosted.adapter))
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(STAND_INS / "hailo"))
    try:
        spec.loader.exec_module(made)
        yield made
    finally:
        sys.path.remove(str(STAND_INS / "hailo"))
        del sys.modules["hailo_platform"]


@settings(max_examples=100, deadline=None)
@given(
    found=st.tuples(st.integers(0, 91), st.integers(0, 120)).flatmap(
        lambda sides: arrays(np.float32, (1, sides[0], 5, sides[1]), elements=st.floats(width=32), fill=st.just(np.float32(0)))
    )
)
def test_any_boxes_become_rows_that_the_head_reads(adapter: ModuleType, found: Array) -> None:
    with np.errstate(all="ignore"):
        rows = adapter.box_rows(found, (640, 320))
    assert (rows.shape, rows.dtype) == ((1, 300, 6), np.float32)
    spec = TensorSpec("nms", rows.shape, rows.dtype)
    head = YoloHead(HeadContext({"nms": spec}, {}, {}, 640, 320, ()))
    boxes = head.decode({"nms": rows}, 0.25)
    assert_sound(boxes, 0.25, (640, 320))
    expected = sorted((float(min(score, 1)) for score in found[0, :, 4].reshape(-1) if score >= 0.25), reverse=True)[:300]
    corners = found[0].transpose(0, 2, 1).reshape(-1, 5)
    if np.isfinite(corners).all() and (corners[:, 0] <= corners[:, 2]).all() and (corners[:, 1] <= corners[:, 3]).all():
        assert boxes.scores.tolist() == pytest.approx(expected)


def test_a_package_of_a_detector_that_suppresses_on_the_device(
    hailo: Hosted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest of docs/hailo.md."""
    document = (ROOT / "docs/hailo.md").read_text(encoding="utf-8")
    manifest = document.partition("```toml\nname = ")[2].partition("```")[0]
    folder = tmp_path / "yolov8s"
    folder.mkdir()
    (folder / "model.toml").write_text(f"name = {manifest}", encoding="utf-8")
    labels = [f"label {number}" for number in range(80)]
    (folder / "labels.txt").write_text("\n".join(labels), encoding="utf-8")
    output = {"name": "yolov8s/yolov8_nms_postprocess", "shape": [1, 1, 1], "order": "HAILO_NMS", "classes": 80, "boxes": 100}
    write_hef(
        folder / "yolov8s",
        {
            "inputs": [{"name": "yolov8s/input_layer1", "shape": [640, 640, 3]}],
            "outputs": [{**output, "found": [[2, 1, *FOUND], [79, 0, 0.0, 0.0, 1.0, 1.0, 0.1]]}],
            "scale": 1.0,
            "offset": 0.0,
        },
    )
    assert [each for each in lint(folder)[1] if each.level == "error"] == []
    model = LoadedModel.open(folder, runtimes=["hailo"], profile="hailo-8", strict=True)
    with contextlib.closing(model):
        picture = frame_of(np.full((320, 640, 3), 255, np.uint8), "rgb")
        found = model.infer(picture, 0.5).result
    assert isinstance(found, Detections)
    assert [model.labels[each] for each in found.class_ids] == ["label 0", "label 2"]
    # The picture fills the middle half of the square, from row 160 to row 480.
    assert found.boxes[1].tolist() == pytest.approx([0.25 * 640, 0.5 * 640 - 160, 640, 0.75 * 640 - 160], abs=1)
