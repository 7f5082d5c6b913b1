"""Frames of every layout to tensors of every type, and boxes back to the frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.frame import Frame, PixelLayout
from edgefleet_agent.vision.heads.base import Array, TensorSpec
from edgefleet_agent.vision.image.preprocess import Geometry, Preprocessor, fit_geometry, picture_input
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec
from tests.agent.vision.pictures import Picture, frame_of, pillow_bilinear, scene

LAYOUTS: list[PixelLayout] = ["i420", "rgb", "bgr", "gray"]


def spec_of(width: int, height: int, **fields: Any) -> InputSpec:
    channels = 1 if fields.get("color") == "gray" else 3
    shape = [1, height, width, channels] if fields.get("layout", "nhwc") == "nhwc" else [1, channels, height, width]
    return InputSpec(shape=shape, **fields)


def tensor_of(spec: InputSpec) -> TensorSpec:
    return TensorSpec("input", tuple(spec.shape), np.dtype(spec.dtype))


def run(spec: InputSpec, frame: Frame) -> tuple[Array, Geometry]:
    preprocessor = Preprocessor(spec, tensor_of(spec))
    workspace = preprocessor.workspace()
    geometry = preprocessor.run(frame, workspace)
    return workspace.tensor, geometry


def reference(rgb: Picture, spec: InputSpec, width: int, height: int) -> Array:
    """The tensor by its definition, (height, width, channels) in float64, for a stretched picture."""
    small = pillow_bilinear(rgb, width, height)
    if spec.color == "bgr":
        return small[:, :, ::-1]
    return small @ np.array([[0.299], [0.587], [0.114]]) if spec.color == "gray" else small


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("color", ["rgb", "bgr", "gray"])
@pytest.mark.parametrize(("width", "height"), [(96, 64), (97, 63), (224, 224)])
def test_every_layout_to_every_colour(layout: PixelLayout, color: Any, width: int, height: int) -> None:
    rgb = scene(320, 180)
    if layout == "gray":
        rgb = np.repeat(frame_of(rgb, "gray").planes[0][:, :, None], 3, axis=2)
    spec = spec_of(width, height, color=color)
    tensor, _ = run(spec, frame_of(rgb, layout, stride=7))
    away = np.abs(tensor[0] - reference(rgb, spec, width, height))
    assert away.mean() <= 1.5
    assert away.max() <= (8 if layout == "i420" else 4)  # video has one colour for four pixels


@pytest.mark.parametrize("color", ["rgb", "gray"])
def test_full_range_video_comes_out_in_the_same_colours(color: Any) -> None:
    rgb = scene(320, 180)
    spec = spec_of(64, 48, color=color)
    limited, _ = run(spec, frame_of(rgb, "i420"))
    full, _ = run(spec, frame_of(rgb, "i420", full_range=True))
    assert np.abs(limited.astype(int) - full).max() <= 4


@pytest.mark.parametrize(("width", "height"), [(319, 179), (321, 181), (1, 1), (33, 17)])
def test_odd_frames(width: int, height: int) -> None:
    rgb = scene(width, height)
    spec = spec_of(64, 48)
    tensor, _ = run(spec, frame_of(rgb, "i420", stride=3))
    assert np.abs(tensor[0] - reference(rgb, spec, 64, 48)).max() <= 12


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float32", "float16"])
@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
@pytest.mark.parametrize("color", ["rgb", "gray"])
def test_types_and_orders_hold_the_same_numbers(dtype: Any, layout: Any, color: Any) -> None:
    frame = frame_of(scene(200, 120), "bgr")
    plain, _ = run(spec_of(50, 40, color=color), frame)
    tensor, _ = run(spec_of(50, 40, dtype=dtype, layout=layout, color=color), frame)
    assert tensor.dtype == np.dtype(dtype)
    pixels = tensor if layout == "nhwc" else tensor.transpose(0, 2, 3, 1)
    offset = 128 if dtype == "int8" else 0
    assert np.array_equal(pixels.astype(np.float32) + offset, plain.astype(np.float32))


@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
@pytest.mark.parametrize(("mean", "std"), [([127.5], [127.5]), ([123.7, 116.3, 103.5], [58.4, 57.1, 57.4]), ([], [255.0])])
def test_mean_and_std(layout: Any, mean: list[float], std: list[float]) -> None:
    frame = frame_of(scene(200, 120), "rgb")
    plain, _ = run(spec_of(50, 40), frame)
    tensor, _ = run(spec_of(50, 40, dtype="float32", layout=layout, mean=mean, std=std), frame)
    pixels = tensor if layout == "nhwc" else tensor.transpose(0, 2, 3, 1)
    assert np.allclose(pixels, (plain - np.array(mean or [0.0])) / np.array(std), atol=1e-4)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "float32"])
@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
@pytest.mark.parametrize(("fit", "rows"), [("letterbox", slice(22, 78)), ("letterbox_top_left", slice(0, 56))])
def test_letterbox_pads_and_stays_padded(dtype: Any, layout: Any, fit: Any, rows: slice) -> None:
    spec = spec_of(100, 100, fit=fit, pad=114, dtype=dtype, layout=layout)
    preprocessor = Preprocessor(spec, tensor_of(spec))
    workspace = preprocessor.workspace()
    for _ in range(3):
        preprocessor.run(frame_of(scene(160, 90), "i420"), workspace)
    tensor = workspace.tensor if layout == "nhwc" else workspace.tensor.transpose(0, 2, 3, 1)
    pixels = tensor[0].astype(int) + (128 if dtype == "int8" else 0)
    outside = np.ones(100, np.bool_)
    outside[rows] = False
    assert np.all(pixels[outside] == 114)
    assert np.abs(pixels[rows] - pillow_bilinear(scene(160, 90), 100, 56)).max() <= 4


def test_a_workspace_follows_frames_of_changing_size() -> None:
    spec = spec_of(64, 64, fit="letterbox")
    preprocessor = Preprocessor(spec, tensor_of(spec))
    workspace = preprocessor.workspace()
    for size in ((160, 90), (90, 160), (160, 90)):
        preprocessor.run(frame_of(scene(*size), "i420"), workspace)
        fresh, _ = run(spec, frame_of(scene(*size), "i420"))
        assert np.array_equal(workspace.tensor, fresh)


def test_nothing_is_allocated_for_the_tensor_and_the_callers_array_is_filled() -> None:
    spec = spec_of(64, 48)
    preprocessor = Preprocessor(spec, tensor_of(spec))
    batch = np.zeros((4, 48, 64, 3), np.uint8)
    workspace = preprocessor.workspace(batch[2:3])
    preprocessor.run(frame_of(scene(160, 90), "i420"), workspace)
    assert batch[2].any()
    assert not batch[[0, 1, 3]].any()
    with pytest.raises(ValueError, match=r"expected \(1, 48, 64, 3\)"):
        preprocessor.workspace(batch)


@given(
    fit=st.sampled_from(["stretch", "letterbox", "letterbox_top_left"]),
    frame=st.tuples(st.integers(1, 4000), st.integers(1, 4000)),
    model=st.tuples(st.integers(1, 1280), st.integers(1, 1280)),
)
def test_the_picture_lies_within_the_input_and_its_box_comes_back_as_the_frame(
    fit: str, frame: tuple[int, int], model: tuple[int, int]
) -> None:
    geometry, (rows, columns) = fit_geometry(fit, frame, model)
    assert 0 <= rows.start < rows.stop <= model[1]
    assert 0 <= columns.start < columns.stop <= model[0]
    box = np.array([[columns.start, rows.start, columns.stop, rows.stop]], np.float32)
    assert np.allclose(geometry.to_frame(box), [[0, 0, *frame]], rtol=1e-4, atol=0.01)
    beyond = np.array([[-50, -50, model[0] + 50, model[1] + 50]], np.float32)
    assert np.array_equal(geometry.to_frame(beyond), [[0, 0, *frame]])


@pytest.mark.parametrize(
    ("spec", "tensor", "expected"),
    [
        (InputSpec(shape=[1, 3, 8, 8]), (1, 8, 8, 3), "the model has"),
        (InputSpec(shape=[1, 8, 8, 3], dtype="int8"), (1, 8, 8, 3), "the model has uint8"),
        (InputSpec(shape=[1, 8, 8, 3], color="gray"), (1, 8, 8, 3), "in gray"),
        (InputSpec(shape=[1, 8, 8, 3], layout="nchw"), (1, 8, 8, 3), "nchw"),
        (InputSpec(shape=[4, 8, 8, 3]), (4, 8, 8, 3), "4 pictures in every run"),
        (InputSpec(shape=[1, 8, 8, 3], kind="tensor"), (1, 8, 8, 3), "tensor"),
        (InputSpec(shape=[1, 64], kind="image"), (1, 64), "the model has"),
        (InputSpec(shape=[1, 8, 8, 3], std=[2.0]), (1, 8, 8, 3), "specify scale and zero_point"),
        (InputSpec(shape=[1, 8, 8, 3], std=[2.0], scale=1.0, zero_point=256), (1, 8, 8, 3), "are not of uint8"),
        (InputSpec(shape=[1, 9000, 8, 3]), (1, 9000, 8, 3), "limit"),
        (InputSpec(), (1, -1, -1, 3), "not one nhwc image"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(spec: InputSpec, tensor: tuple[int, ...], expected: str) -> None:
    with pytest.raises(ManifestError, match=expected):
        Preprocessor(spec, TensorSpec("input", tensor, np.dtype(np.uint8)))


@pytest.mark.parametrize(("mean", "std"), [([1.0, 2.0], []), ([], [0.0]), ([float("nan")], []), ([], [1.0, -1.0, 1.0])])
def test_impossible_scaling_is_refused(mean: list[float], std: list[float]) -> None:
    spec = spec_of(8, 8, dtype="float32", mean=mean, std=std)
    with pytest.raises(ManifestError, match="mean"):
        Preprocessor(spec, tensor_of(spec))


def test_open_dimensions_come_from_the_manifest() -> None:
    tensor = TensorSpec("input", (-1, -1, -1, 3), np.dtype(np.uint8))
    assert Preprocessor(InputSpec(shape=[-1, 32, 48, 3]), tensor).shape == (1, 32, 48, 3)


def test_planes_that_do_not_fit_the_frame_are_refused() -> None:
    spec = spec_of(8, 8)
    preprocessor = Preprocessor(spec, tensor_of(spec))
    plane = np.zeros((10, 10, 3), np.uint8)
    with pytest.raises(ValueError, match="expected"):
        preprocessor.run(Frame(0, 0.0, 0.0, 20, 10, "rgb", (plane,)), preprocessor.workspace())


@pytest.mark.parametrize(
    ("shape", "dtype", "layout", "color"),
    [
        ((1, 224, 224, 3), np.uint8, "nhwc", "bgr"),
        ((1, 3, 416, 416), np.float32, "nchw", "bgr"),
        ((1, 96, 96, 1), np.int8, "nhwc", "gray"),
    ],
)
def test_a_bare_tensor_determines_its_input(shape: tuple[int, ...], dtype: type, layout: str, color: str) -> None:
    spec = picture_input(InputSpec(color="bgr", resize="linear"), TensorSpec("x", shape, np.dtype(dtype)))
    assert (spec.layout, spec.color, spec.dtype, spec.resize) == (layout, color, np.dtype(dtype).name, "linear")
    assert Preprocessor(spec, TensorSpec("x", shape, np.dtype(dtype))).shape == shape


@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
@pytest.mark.parametrize("fit", ["stretch", "letterbox"])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32"])
@pytest.mark.parametrize("mean", [[127.0], [123.675, 116.28, 103.53]])
def test_a_quantized_input_is_its_definition_also_in_the_border(layout: Any, fit: Any, dtype: Any, mean: list[float]) -> None:
    """Every frame anew: the canvas keeps its border."""
    scale, zero_point, std = 0.0117, -3 if dtype == "int8" else 123, [58.395]
    plain = spec_of(64, 64, fit=fit)
    spec = spec_of(64, 64, fit=fit, dtype=dtype, layout=layout, mean=mean, std=std, scale=scale, zero_point=zero_point)
    preprocessor = Preprocessor(spec, tensor_of(spec))
    workspace = preprocessor.workspace()
    limits = np.iinfo(dtype)
    for size in ((160, 90), (90, 160), (64, 64)):
        frame = frame_of(scene(*size), "bgr")
        preprocessor.run(frame, workspace)
        pixels = run(plain, frame)[0].astype(np.float64)
        stored = np.clip(np.rint((pixels - np.array(mean)) / np.array(std) / scale) + zero_point, limits.min, limits.max)
        tensor = workspace.tensor if layout == "nhwc" else workspace.tensor.transpose(0, 2, 3, 1)
        assert np.array_equal(tensor, stored)


@pytest.mark.parametrize("layout", ["nhwc", "nchw"])
@pytest.mark.parametrize("color", ["rgb", "gray"])
def test_a_row_of_a_batch_of_quantized_inputs_is_filled(layout: Any, color: Any) -> None:
    spec = spec_of(16, 12, dtype="int8", layout=layout, color=color, mean=[100.0], std=[50.0], scale=0.02, zero_point=3)
    preprocessor = Preprocessor(spec, tensor_of(spec))
    frame = frame_of(scene(160, 90), "rgb")
    alone, _ = run(spec, frame)
    batch = np.full((3, *alone.shape[1:]), 77, np.int8)
    preprocessor.run(frame, preprocessor.workspace(batch[1:2]))
    assert np.array_equal(batch[1:2], alone)
    assert np.all(batch[[0, 2]] == 77)


def test_the_quantization_of_the_file_precedes_that_of_the_manifest() -> None:
    spec = spec_of(8, 8, mean=[127.5], std=[127.5], scale=0.5, zero_point=1)
    tensor = TensorSpec("input", (1, 8, 8, 3), np.dtype(np.uint8), 0.01157, 123)
    assert Preprocessor(spec, tensor).tensor.scale == 0.01157
    silent = TensorSpec("input", (1, 8, 8, 3), np.dtype(np.uint8))
    assert (Preprocessor(spec, silent).tensor.scale, Preprocessor(spec, silent).tensor.zero_point) == (0.5, 1)


@pytest.mark.parametrize(
    ("family", "dtype", "scale", "zero_point", "mean"),
    [
        ("nanodet", np.int8, 0.0186, -15, [103.53, 116.28, 123.675]),
        ("classification", np.uint8, 0.01157, 123, [127.5]),
        ("classification", np.uint8, 1 / 128, 128, []),
        ("nanodet", np.int8, 0.0, 0, []),
    ],
)
def test_a_bare_quantized_tensor_determines_its_scaling(
    family: str, dtype: type, scale: float, zero_point: int, mean: list[float]
) -> None:
    """By the rule of the importer; without a known quantization the pixel is fed."""
    tensor = TensorSpec("x", (1, 3, 16, 16), np.dtype(dtype), scale, zero_point)
    spec = picture_input(FAMILIES[family].input, tensor)
    assert spec.mean == mean
    Preprocessor(spec, tensor).workspace()


def test_a_tensor_that_is_no_picture_is_refused() -> None:
    with pytest.raises(ManifestError, match="is not an image"):
        picture_input(InputSpec(), TensorSpec("x", (1, 1024), np.dtype(np.float32)))
