"""HailoRT's runtime on its stand-in: what a model gives, and what is refused."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.hailo.backend import HailoBackend
from edgefleet_agent.backends.hosted.host_process import HostProcess
from edgefleet_contract.core.errors import MissingError, ModelError
from tests.agent.backends.hosted.conftest import HEF, Hosted, write_hef

NAME = "net/input_layer1"


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


def test_detections_have_a_fixed_shape(hailo: Hosted) -> None:
    boxes = {"name": "nms", "shape": [1, 1, 1], "order": "HAILO_NMS", "classes": 3, "boxes": 7}
    files = write_hef(hailo.folder / "nms", {**HEF, "outputs": [boxes]})
    with contextlib.closing(hailo.backend.load(files, LoadOptions(device="hailo"))) as session:
        assert session.outputs[0].shape == (1, 3, 5, 7)
        found = session.infer({NAME: np.full((1, 4, 4, 3), 255, np.uint8)})["nms"]
        assert found[0, 0, :, 0].tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 1.0])
        assert not found[0, 1:].any()
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
