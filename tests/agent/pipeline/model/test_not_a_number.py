"""NaN in the outputs of a run is a failed run, wherever a model runs: no result is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.backends.base import Array
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.model.series_model import SeriesModel
from edgefleet_agent.pipeline.scheduling.device_failback import FAILED_MIN, DeviceFailback
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.picture_models import PictureModel
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.protocol.errors import Code, FaultError
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.output_tensors import NotANumberError, check_numbers
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.wire.messages import Running
from tests.agent.fakes.autoencoders import principal
from tests.agent.pipeline.camera.test_cascade import COLOUR, FOLLOW, MOVES, VISITS, RecordingListener
from tests.agent.pipeline.camera.test_live_change import camera, until
from tests.agent.pipeline.model.test_model_faults import Moody, moody
from tests.agent.pipeline.model.test_reconstruction import CHANNELS, POINTS, SERIES
from tests.agent.pipeline.scenes import mean_colour
from tests.agent.serving.onnx_file import chain

TEXT = "output mean is not a number (NaN); export the model again as f32"
FRAME = Frame(0, 0.0, 0.0, 16, 16, "gray", (np.full((16, 16), 100, np.uint8),))
RUNNING = Running(package="mean-colour", version="1.0.0", digest="a" * 64)


class Sick(Moody):
    """A session that computes NaN while `broken`."""

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        made = self._real.infer(inputs)
        return {name: array * np.float32(np.nan) for name, array in made.items()} if self.broken else made


def sick(folder: Path, parallel: int = 1, device: str = "cpu") -> LoadedModel:
    model, session = moody(folder, parallel)
    broken = Sick(session._real, parallel)
    broken.broken = True
    broken.placement = replace(broken.placement, device=device)
    return LoadedModel(model.manifest, model.variant, broken, model.labels)


def broken_package(folder: Path) -> Path:
    """A package whose file computes the difference of two infinite numbers."""
    mean_colour(folder)
    steps = [
        ("GlobalAveragePool", ["image"], "means"),
        ("Mul", ["means", "large"], "once"),
        ("Mul", ["once", "large"], "infinite"),
        ("Sub", ["infinite", "infinite"], "mean"),
    ]
    shape = ("n", 3, 1, 1)
    made = chain(steps, {"large": np.full((1,), 1e38, np.float32)}, {"image": ("n", 3, 16, 16)}, {"mean": shape})
    (folder / "mean.onnx").write_bytes(made)
    return folder


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("sign", [1, -1])
def test_one_value_of_many_is_found(dtype: type[np.floating[Any]], sign: int) -> None:
    array = np.linspace(-6e4, 6e4, 999, dtype=dtype).reshape(1, 333, 3)
    check_numbers({"y": array, "empty": np.empty((0, 4), dtype), "count": np.zeros(3, np.int32)})
    array[0, 7, 1], array[0, 8, 1] = np.inf, -np.inf
    check_numbers({"y": array})
    array[0, 300, 2] = np.copysign(dtype(np.nan), dtype(sign))
    with pytest.raises(NotANumberError, match=r"^output y is not a number \(NaN\)"):
        check_numbers({"x": array[:, :9], "y": array})
    with pytest.raises(NotANumberError):
        check_numbers({"y": array[..., 2]})  # not contiguous


@pytest.mark.parametrize("parallel", [1, 2], ids=["a batch", "side by side"])
def test_every_way_to_run_a_model_fails(tmp_path: Path, parallel: int) -> None:
    model = sick(tmp_path / "colour", parallel)
    for count in (1, 3):
        with pytest.raises(ModelError, match="output mean is not a number"):
            model.infer_many([FRAME] * count, 0.5)
    with pytest.raises(ModelError, match="output mean is not a number"):
        model.infer(FRAME, 0.5)


def test_windows_of_a_sensor(tmp_path: Path) -> None:
    normal = np.random.default_rng(0).normal(size=(9, POINTS, CHANNELS))
    (tmp_path / "model.onnx").write_bytes(principal(normal, 1))
    zeros, ones = [0.0] * CHANNELS, [1.0] * CHANNELS
    (tmp_path / "model.toml").write_text(SERIES.format(threshold=1.0, mean=zeros, std=ones))
    model = SeriesModel.open(tmp_path, ["onnx_runtime"])
    with pytest.raises(ModelError, match="is not a number"):
        model.judge(np.full((POINTS, CHANNELS), np.nan))


@pytest.mark.parametrize("arguments", [["infer", "--package", "PACKAGE", "PICTURE"], ["bench", "PACKAGE", "--seconds", "0.01"]])
def test_commands_say_so_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    package = broken_package(tmp_path / "colour")
    cv2.imwrite(str(tmp_path / "picture.png"), np.full((16, 16, 3), 100, np.uint8))
    names = {"PACKAGE": str(package), "PICTURE": str(tmp_path / "picture.png")}
    assert main([names.get(each, each) for each in arguments]) == ModelError.exit_code
    assert capsys.readouterr() == ("", f"edgefleet-agent: {TEXT}\n")


def test_picture_calls_are_refused_as_a_fault_of_the_model(tmp_path: Path) -> None:
    catalogue = ModelRegistry()
    repository = FolderRepository([mean_colour(tmp_path / "colour")], catalogue, LoadTarget(("onnx_runtime",), "generic-cpu"))
    try:
        assert repository.load_all() == []
        served = catalogue.find("mean-colour", "")
        assert served.package is not None
        picture = PictureModel(*served.package, served.signature)
        _, geometry = picture.prepare(FRAME)
        with pytest.raises(FaultError, match=r"model 'mean-colour@1\.0\.0': output mean is not a number") as caught:
            picture.answer({"mean": np.full((1, 3, 1, 1), np.nan, np.float32)}, geometry, 0.5, 5)
        assert caught.value.code is Code.INTERNAL
    finally:
        catalogue.close()


def test_a_model_on_the_cpu_does_not_replace_another(tmp_path: Path) -> None:
    slot = ModelSlot("slot:colour")
    with pytest.raises(NotANumberError):
        slot.swap(lambda: sick(tmp_path / "colour"), lambda _: RUNNING)
    assert slot.loaded is None


def test_a_device_that_computes_none_counts_as_failing(tmp_path: Path) -> None:
    listener = RecordingListener()
    runner = Runner(listener)
    failback = DeviceFailback(lambda *_: True, frozenset)
    try:
        runner.load("slot:colour", lambda: sick(tmp_path / "colour", device="gpu"), lambda _: RUNNING)
        runner.set_pipelines([camera("hall", MOVES + FOLLOW + COLOUR, VISITS)])
        slot = runner.slots()["slot:colour"]
        assert failback.due({slot.name: slot}, 0.0) == []
        loaded = slot.loaded
        assert loaded is not None
        until(lambda: loaded.failed_runs_total >= FAILED_MIN)
        assert failback.due({slot.name: slot}, 1.0) == [slot.name]
        assert list(failback.avoided(slot.name, 1.0).values()) == [f"gpu failed 3 runs in a row: {TEXT}"]
        until(lambda: bool(listener.faults))
    finally:
        runner.close()
    assert listener.faults[0] == f"inference fails: {TEXT}"
