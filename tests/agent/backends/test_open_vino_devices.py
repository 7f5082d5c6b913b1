"""OpenVINO on several devices, with several requests, and with preprocessing in the graph."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Backend, LoadOptions
from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_agent.vision.image.preprocess import Preprocessor
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.package.manifest import InputSpec
from tests.agent.serving.onnx_file import one_node
from tests.agent.vision.pictures import frame_of, scene


@pytest.fixture
def backend() -> Backend:
    made: Backend = plugins.load("backends", "open_vino")()
    return made


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A model of y = |x| for [1, 3, 8, 8]."""
    path = tmp_path / "tiny.onnx"
    path.write_bytes(one_node("Abs", "FP32", {"x": [1, 3, 8, 8]}, {"y": [1, 3, 8, 8]}))
    return path


@pytest.mark.parametrize("device", ["cpu", "auto:cpu"])
def test_names_are_those_of_the_file_where_the_runtime_adds_others(backend: Backend, tmp_path: Path, device: str) -> None:
    """The chosen branch of an `If` replaces it, and its output has both names then, as in a model that finds speech."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")

    def branch(op: str, result: str) -> Any:
        value = onnx.helper.make_tensor_value_info(result, onnx.TensorProto.FLOAT, [1, 4])
        return onnx.helper.make_graph([onnx.helper.make_node(op, ["x"], [result])], op, [], [value])

    branches = {"then_branch": branch("Abs", "inner"), "else_branch": branch("Relu", "other")}
    condition = onnx.numpy_helper.from_array(np.array(True))
    constant = onnx.helper.make_node("Constant", [], ["condition"], value=condition)
    choice = onnx.helper.make_node("If", ["condition"], ["outcome"], **branches)
    tensors = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 4]) for name in ("x", "outcome")]
    graph = onnx.helper.make_graph([constant, choice], "choice", tensors[:1], tensors[1:])
    opset = onnx.helper.make_opsetid("", 17)
    (tmp_path / "choice.onnx").write_bytes(onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString())
    session = backend.load((tmp_path / "choice.onnx",), LoadOptions(device=device))
    assert session.infer({"x": np.full((1, 4), -2, np.float32)})["outcome"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("device", ["auto", "auto:cpu", "multi:cpu", "hetero:cpu"])
def test_joined_devices_that_are_there(backend: Backend, tiny: Path, device: str) -> None:
    session = backend.load((tiny,), LoadOptions(device=device, strict=True))
    assert (session.placement.device, session.placement.fell_back) == ("cpu", False)
    (found,) = session.infer({"x": np.full((1, 3, 8, 8), -2, np.float32)}).values()
    assert np.all(found == 2)


@pytest.mark.parametrize("device", ["auto:npu,cpu", "multi:npu,cpu", "hetero:npu,cpu", "auto:npu", "npu", "gpu", "myriad"])
def test_a_joined_device_that_is_missing_is_refused_or_reported(backend: Backend, tiny: Path, device: str) -> None:
    with pytest.raises(MissingError) as raised:
        backend.load((tiny,), LoadOptions(device=device, strict=True))
    assert "\n" not in str(raised.value)
    placement = backend.load((tiny,), LoadOptions(device=device)).placement
    assert (placement.device, placement.fell_back) == ("cpu", True)
    assert placement.detail


def test_auto_computes_in_the_precision_of_the_model(backend: Backend, data: Path) -> None:
    """By default `auto` would compute in bf16 on a CPU that has it, although the CPU's own setting forbids it."""
    path = data / "models/onnx/yolox_nano/yolox_nano.onnx"
    picture: Array = np.random.default_rng(1).uniform(0, 255, (1, 3, 416, 416)).astype(np.float32)
    answers = [
        np.array(backend.load((path,), LoadOptions(device=device, threads=1)).infer({"images": picture})["output"])
        for device in ("cpu", "auto")
    ]
    assert np.allclose(*answers, atol=1e-2)


def test_requests_run_side_by_side_and_keep_their_answers(backend: Backend, tiny: Path) -> None:
    session = backend.load((tiny,), LoadOptions(threads=2, options={"streams": 2}))
    assert session.parallel == 2
    rows = [{"x": np.full((1, 3, 8, 8), -value, np.float32)} for value in range(7)]
    assert [float(found["y"].max()) for found in session.infer_all(iter(rows))] == list(range(7))
    mixed: list[bool] = []

    def work(value: int) -> None:
        mixed.extend(not np.all(session.infer(rows[value])["y"] == value) for _ in range(200))

    threads = [threading.Thread(target=work, args=(value,)) for value in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(mixed) == 400
    assert not any(mixed)


def test_two_callers_of_many_do_not_wait_for_each_other(backend: Backend, tiny: Path) -> None:
    session = backend.load((tiny,), LoadOptions(threads=2, options={"streams": 2}))
    rows = [{"x": np.full((1, 3, 8, 8), -value, np.float32)} for value in range(50)]
    wrong: list[bool] = []

    def work() -> None:
        wrong.extend([float(found["y"].max()) for found in session.infer_all(rows)] != list(range(50)) for _ in range(5))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == [False] * 10


def test_leaving_early_gives_the_requests_back(backend: Backend, tiny: Path) -> None:
    session = backend.load((tiny,), LoadOptions(threads=2, options={"streams": 2}))
    rows = [{"x": np.full((1, 3, 8, 8), -value, np.float32)} for value in range(7)]
    for _ in range(30):  # a request cancelled in time reports it to `wait`, any other is completed
        answers = session.infer_all(rows)
        assert float(next(answers)["y"].max()) == 0
        answers.close()
    assert [float(found["y"].max()) for found in session.infer_all(rows)] == list(range(7))


@pytest.mark.parametrize("streams", [0, 17])
def test_streams_have_a_limit(backend: Backend, tiny: Path, streams: int) -> None:
    with pytest.raises(ModelError, match="streams must be 1 to 16"):
        backend.load((tiny,), LoadOptions(options={"streams": streams}))


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
def test_folded_preprocessing_gives_the_same_values(backend: Backend, tmp_path: Path, layout: str) -> None:
    shape = [1, 3, 8, 8] if layout == "nchw" else [1, 8, 8, 3]
    path = tmp_path / "model.onnx"
    path.write_bytes(one_node("Abs", "FP32", {"x": shape}, {"y": shape}))
    spec = InputSpec(
        name="x", shape=shape, dtype="float32", layout=layout, mean=[10.0, 20.0, 30.0], std=[2.0, 4.0, 8.0], fit="letterbox"
    )
    frame = frame_of(scene(16, 12), "bgr")
    plain = backend.load((path,), LoadOptions(picture=spec))
    folded = backend.load((path,), LoadOptions(picture=spec, options={"fold": True}))
    assert (plain.folded, folded.folded) == (False, True)
    assert folded.inputs == (TensorSpec("x", (1, 8, 8, 3), np.dtype(np.uint8)),)
    floats, pixels = (
        Preprocessor(spec, plain.inputs[0]),
        Preprocessor(InputSpec(name="x", shape=[1, 8, 8, 3], fit="letterbox"), folded.inputs[0]),
    )
    answers = []
    for preprocessor, session in ((floats, plain), (pixels, folded)):
        workspace = preprocessor.workspace()
        preprocessor.run(frame, workspace)
        answers.append(np.array(session.infer({"x": workspace.tensor})["y"]))
    assert np.allclose(*answers, atol=1e-4)
    assert answers[0].max() > 0


def test_there_is_nothing_to_fold_in_8_bits(backend: Backend, data: Path) -> None:
    path = data / "models/tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite"
    options = LoadOptions(picture=InputSpec(shape=[1, 224, 224, 3]), options={"fold": True})
    assert backend.load((path,), options).folded is False
