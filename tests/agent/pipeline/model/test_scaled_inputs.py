"""The input of a model in every runtime, format, type, layout, color and scaling, against its definition in floats."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.frame import Frame
from tests.cover import cover
from tests.quantized_files import write_echo

RUNNERS = [
    ("lite_rt", "tflite", ".tflite"),
    ("onnx_runtime", "onnx", ".onnx"),
    ("open_vino", "onnx", ".onnx"),
    ("open_vino", "tflite", ".tflite"),
    ("open_vino", "openvino_ir", ".xml"),
]
TYPES = ["uint8", "int8", "float16", "float32"]
LAYOUTS = ["nhwc", "nchw"]
COLORS = ["rgb", "bgr", "gray"]
IMAGENET = ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])
SCALINGS: dict[str, tuple[list[float], list[float]]] = {
    "pixels": ([], []),
    "one number": ([127.0], [128.0]),
    "std alone": ([], [255.0]),
    "each channel": IMAGENET,
}
CELLS = list(itertools.product(TYPES, LAYOUTS, COLORS, SCALINGS))
HEIGHT, WIDTH = 6, 10
SCALE = 0.01157
ZERO_POINTS = {"uint8": 123, "int8": -5}


def pixels(color: str) -> Any:
    """Random pixels (rows, columns, channels) in the order of the color, with 0 and 255 in each channel."""
    made = np.random.default_rng(7).integers(0, 256, (HEIGHT, WIDTH, 1 if color == "gray" else 3), np.uint8)
    made[0, 0], made[0, 1] = 0, 255
    return made


def frame(color: str) -> Frame:
    plane = pixels(color)
    layout: Any = {"gray": "gray", "rgb": "rgb", "bgr": "rgb"}[color]
    plane = plane[:, :, 0] if color == "gray" else plane if color == "rgb" else plane[:, :, ::-1]
    return Frame(0, 0.0, 0.0, WIDTH, HEIGHT, layout, (np.ascontiguousarray(plane),))


def package(folder: Path, runner: tuple[str, str, str], dtype: str, layout: str, color: str, scaling: str) -> Path:
    """A package around an echo of its input."""
    runtime, kind, suffix = runner
    folder.mkdir()
    channels = 1 if color == "gray" else 3
    shape = [1, HEIGHT, WIDTH, channels] if layout == "nhwc" else [1, channels, HEIGHT, WIDTH]
    zero_point = ZERO_POINTS.get(dtype, 0)
    file = write_echo(folder / f"m{suffix}", dtype, shape, SCALE, zero_point)
    files = [file.name, "m.bin"] if suffix == ".xml" else [file.name]
    mean, std = (values[:1] if color == "gray" else values for values in SCALINGS[scaling])
    stored = f"scale = {SCALE}\nzero_point = {zero_point}\n" if dtype in ZERO_POINTS and runtime != "lite_rt" else ""
    (folder / "model.toml").write_text(
        f"""name = "echo"
version = "1.0.0"
task = "anomaly"
head = {{ family = "reconstruction", params = {{ threshold = 1.0, cell = 0, layout = "{layout}" }} }}
[[inputs]]
name = "picture"
shape = {shape}
dtype = "{dtype}"
layout = "{layout}"
color = "{color}"
mean = {mean}
std = {std}
{stored}[[variants]]
name = "v"
format = "{kind}"
files = {files}
runtimes = ["{runtime}"]
""",
        encoding="utf-8",
    )
    return folder


def expected(dtype: str, color: str, scaling: str) -> tuple[Any, Any]:
    """The stored values and their real values by the definition: (rows, columns, channels) in float64."""
    mean, std = SCALINGS[scaling]
    values = pixels(color).astype(np.float64)
    mean, std = (values[:1] if color == "gray" else values for values in (mean or [0.0], std or [1.0]))
    real = (values - np.array(mean)) / np.array(std)
    if dtype not in ZERO_POINTS:
        return real, real
    limits, zero_point = np.iinfo(dtype), ZERO_POINTS[dtype]
    stored = values - (128 if dtype == "int8" else 0)
    if scaling != "pixels":
        stored = np.clip(np.rint(real / np.float64(np.float32(SCALE))) + zero_point, limits.min, limits.max)
    return stored, (stored - zero_point) * np.float32(SCALE)


@pytest.mark.parametrize(
    "cells", [pytest.param(cover(CELLS), id="pairs"), pytest.param(CELLS, id="all", marks=pytest.mark.long(minutes=2))]
)
@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: f"{runner[0]}-{runner[1]}")
def test_every_input_equals_its_definition(
    tmp_path: Path, runner: tuple[str, str, str], cells: list[tuple[str, str, str, str]]
) -> None:
    for number, (dtype, layout, color, scaling) in enumerate(cells):
        cell = f"{dtype} {layout} {color} {scaling}"
        model = LoadedModel.open(
            package(tmp_path / str(number), runner, dtype, layout, color, scaling), runtimes=[runner[0]], threads=1
        )
        try:
            prepared = model.prepare(frame(color))
            (stored,) = prepared.inputs.values()
            (real,) = model.invoke(prepared).values()
            stored, real = (each if layout == "nhwc" else each.transpose(0, 2, 3, 1) for each in (stored, real))
            want, meant = expected(dtype, color, scaling)
            assert stored.dtype == np.dtype(dtype), cell
            tolerance = {"float16": 2e-2 if scaling == "each channel" else 4e-3, "float32": 1e-5}.get(dtype, 0.0)
            assert np.abs(stored[0].astype(np.float64) - want).max() <= tolerance, cell
            assert np.allclose(real[0], meant, rtol=1e-5, atol=tolerance + 1e-5), cell
            # The head knows the real values of the input, too: an echo has no error.
            assert model.decode(model.invoke(prepared), prepared, 0.0).scores[1] <= 1e-3, cell  # type: ignore[union-attr]
        finally:
            model.close()
