"""Anomaly detection by autoencoders: scratches on a picture, and a pump whose valve is closed."""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.series_model import SeriesModel
from edgefleet_agent.pipeline.sensor.sensor_step import SensorGraphState, compile_sensing
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_contract.core.errors import ManifestError, ModelError, PipelineError
from edgefleet_contract.pipeline.spec import read_pipeline
from edgefleet_contract.wire.messages import EventPhase
from tests.agent.fakes.autoencoders import blur, principal
from tests.agent.vision.pictures import frame_of, scene

SIDE, POINTS, CHANNELS = 64, 20, 8
PICTURE = """
name = "scratches"
version = "1.0.0"
task = "anomaly"
labels = ["anomaly"]
head = { family = "reconstruction", params = { threshold = 0.05, cell = 8, scale = 0.00392156862745098 } }
[[inputs]]
shape = [1, 64, 64, 3]
[[variants]]
name = "cpu"
format = "tflite"
precision = "int8"
files = ["model.tflite"]
runtimes = ["lite_rt", "open_vino"]
"""
SERIES = """
name = "pump"
version = "1.0.0"
task = "anomaly"
head = {{ family = "reconstruction", params = {{ threshold = {threshold} }} }}
[[inputs]]
kind = "tensor"
shape = [1, 20, 8]
dtype = "float32"
mean = {mean}
std = {std}
[[variants]]
name = "cpu"
format = "onnx"
files = ["model.onnx"]
runtimes = ["onnx_runtime"]
"""
PIPELINE = """
name = "pump"
[source]
kind = "csv"
uri = "/pump.csv"
[[stages]]
name = "cut"
kind = "window"
options = {{ period_s = 1.0, length_s = 20.0, step_s = 5.0 }}
[[stages]]
name = "judge"
kind = "score"
options = {{ method = "reconstruction", model = "{model}" }}
[[rules]]
name = "odd"
kind = "anomaly"
min_s = 10
gap_s = 30
"""


@pytest.mark.parametrize("runtime", ["lite_rt", "open_vino"])
def test_a_scratch_on_a_smooth_picture(tmp_path: Path, runtime: str) -> None:
    (tmp_path / "model.toml").write_text(PICTURE, encoding="utf-8")
    (tmp_path / "model.tflite").write_bytes(blur(SIDE, 8))
    model = LoadedModel.open(tmp_path, runtimes=[runtime])
    smooth = scene(2 * SIDE, 2 * SIDE)
    scratched = smooth.copy()
    cv2.line(scratched, (70, 20), (110, 44), (255, 255, 255), 3)
    assert model_outputs(model.infer(frame_of(smooth, "rgb"), 0.5).result, model.label, 5) == []
    (found,) = model_outputs(model.infer(frame_of(scratched, "rgb"), 0.5).result, model.label, 5)
    assert (found.label, found.class_id) == ("anomaly", 0)
    assert found.box is not None
    x1, y1, x2, y2 = found.box
    assert x1 <= 70 <= 110 <= x2
    assert y1 <= 20 <= 44 <= y2
    assert (x2 - x1) * (y2 - y1) < 0.25 * (2 * SIDE) ** 2
    model.close()


def test_a_picture_as_a_whole_is_usual_or_not(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(PICTURE.replace("cell = 8", "cell = 0"), encoding="utf-8")
    (tmp_path / "model.tflite").write_bytes(blur(SIDE, 8))
    model = LoadedModel.open(tmp_path, runtimes=["lite_rt"])
    (usual, unusual) = model_outputs(model.infer(frame_of(scene(SIDE, SIDE), "rgb"), 0.5).result, model.label, 5)
    assert usual.score > unusual.score
    model.close()


def pump(data: Path) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Readings (seconds, channels) of a pump, and a mask of the times with a closed valve."""
    with (data / "media/sensors/skab/valve1_1.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter=";"))[1:]
    numbers = np.array([[float(value) for value in row[1:]] for row in rows])
    return numbers[:, :CHANNELS], numbers[:, CHANNELS] > 0


def write_pump(data: Path, folder: Path) -> Path:
    """A package trained on the first 400 s, which are normal; its threshold is the 99 % quantile of their errors."""
    readings, _ = pump(data)
    usual = readings[:400]
    mean, std = usual.mean(axis=0), usual.std(axis=0) + 1e-9
    normal = (usual - mean) / std
    windows = np.array([normal[begin : begin + POINTS] for begin in range(len(normal) - POINTS)])
    (folder / "model.onnx").write_bytes(principal(windows, 16))
    manifest = SERIES.format(threshold=1.0, mean=mean.tolist(), std=std.tolist())
    (folder / "model.toml").write_text(manifest, encoding="utf-8")
    model = SeriesModel.open(folder, ["onnx_runtime"])
    errors = [model.judge(usual[begin : begin + POINTS]).score for begin in range(len(usual) - POINTS)]
    model.close()
    threshold = float(np.quantile(errors, 0.99))
    (folder / "model.toml").write_text(manifest.replace("threshold = 1.0", f"threshold = {threshold}"), encoding="utf-8")
    return folder


def test_a_closed_valve_is_unusual(data: Path, tmp_path: Path) -> None:
    model = SeriesModel.open(write_pump(data, tmp_path), ["onnx_runtime"])
    readings, closed = pump(data)
    ends = range(400 + POINTS, len(readings))
    scores = np.array([model.judge(readings[end - POINTS : end]).score for end in ends])
    labels = np.array([closed[end - 1] for end in ends])
    # The chance that a window with the valve closed scores above one without: 0.5 is guessing.
    chance = float(np.mean(scores[labels][:, None] > scores[~labels][None, :]))
    assert chance > 0.88, chance
    model.close()


def test_a_sensor_pipeline_reports_it(data: Path, tmp_path: Path) -> None:
    folder = write_pump(data, tmp_path)
    spec = read_pipeline(PIPELINE.format(model=folder), "pump")
    readings, closed = pump(data)
    model = SeriesModel.open(folder, ["onnx_runtime"])
    channels = [f"c{number}" for number in range(CHANNELS)]
    sensing = SensorGraphState(spec, compile_sensing(spec), channels, judge=model)
    events = [
        event for second, row in enumerate(readings) for event in sensing.take(float(second), tuple(row))
    ] + sensing.finish()
    ended = [event for event in events if event.phase is EventPhase.END]
    longest = max(ended, key=lambda event: (event.end_s or 0) - (event.start_s or 0))
    seconds = np.flatnonzero(closed)
    assert longest.start_s is not None
    assert longest.end_s is not None
    assert abs(longest.start_s - seconds[0]) < 60
    assert longest.data["feature"] in channels
    with pytest.raises(PipelineError, match="20 points of 8 channels"):
        SensorGraphState(spec, compile_sensing(spec), channels[:3], judge=model)
    model.close()


def test_what_is_no_series_model_is_refused(data: Path, tmp_path: Path) -> None:
    write_pump(data, tmp_path)
    path = tmp_path / "model.toml"
    text = path.read_text(encoding="utf-8")
    for before, after, message in (
        ('kind = "tensor"', 'kind = "image"', "one input of kind 'tensor'"),
        ('family = "reconstruction"', 'family = "embedding"', "the head 'reconstruction'"),
        ("mean = [", "mean = [1.0, ", "1 or 8 numbers"),
    ):
        path.write_text(text.replace(before, after), encoding="utf-8")
        with pytest.raises(ManifestError, match=message):
            SeriesModel.open(tmp_path, ["onnx_runtime"])
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="20 x 8 values"):
        SeriesModel.open(tmp_path, ["onnx_runtime"]).judge(np.zeros((3, 8)))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('model = "{model}"', 'model = "here"', "absolute path"),
        (', model = "{model}"', "", "absolute path"),
        ('method = "reconstruction"', 'method = "ewma"', "other methods take none"),
    ],
)
def test_a_model_and_its_method_go_together(before: str, after: str, message: str) -> None:
    text = PIPELINE.replace(before, after).format(model="/pump")
    with pytest.raises(PipelineError, match=message):
        compile_sensing(read_pipeline(text, "pump"))
