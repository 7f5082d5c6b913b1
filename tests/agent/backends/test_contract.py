"""Contract of `edgefleet_agent.backends.base` on a real network, for every runtime."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Backend, LoadOptions, Session
from edgefleet_agent.core import plugins
from edgefleet_contract.core.errors import ManifestError, MissingError, ModelError

MODELS = {
    "lite_rt": ["tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite"],
    "onnx_runtime": ["onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"],
    "open_vino": [f"openvino/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.{end}" for end in ("xml", "bin")],
}
ABSENT = {"lite_rt": "edgetpu:usb:0", "onnx_runtime": "cuda", "open_vino": "npu"}
"""A device of each runtime that test machines do not have."""
EGYPTIAN_CAT = 286


@pytest.fixture(params=sorted(MODELS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def backend(name: str) -> Backend:
    made: Backend = plugins.load("backends", name)()
    return made


@pytest.fixture
def files(data: Path, name: str) -> tuple[Path, ...]:
    return tuple(data / "models" / path for path in MODELS[name])


@pytest.fixture
def session(backend: Backend, files: tuple[Path, ...]) -> Session:
    return backend.load(files, LoadOptions(threads=1))


def cat(data: Path) -> Array:
    picture = cv2.imread(str(data / "media/images/cat_720p.jpg"))[:, :, ::-1]
    return cv2.resize(np.ascontiguousarray(picture), (224, 224), interpolation=cv2.INTER_AREA)[None]


def test_it_reports_its_placement(backend: Backend, name: str) -> None:
    assert backend.name == name
    assert backend.installed()
    assert backend.formats
    assert backend.devices()[-1] == "cpu"


def test_tensors_are_those_of_the_file(session: Session) -> None:
    assert [(spec.name, spec.shape, spec.dtype) for spec in session.inputs] == [("input", (1, 224, 224, 3), np.uint8)]
    assert [(spec.name, spec.shape, spec.dtype) for spec in session.outputs] == [
        ("MobilenetV2/Predictions/Softmax", (1, 1001), np.uint8)
    ]


def test_placement_is_read_back(session: Session, name: str) -> None:
    placement = session.placement
    assert (placement.runtime, placement.device, placement.fell_back) == (name, "cpu", False)
    assert placement.version[0].isdigit()


def test_it_recognises_the_cat(session: Session, data: Path) -> None:
    scores = session.infer({"input": cat(data)})["MobilenetV2/Predictions/Softmax"]
    assert scores.shape == (1, 1001)
    assert int(scores.argmax()) == EGYPTIAN_CAT
    assert abs(int(scores.max()) / 256 - 0.81) < 0.1


def test_all_runtimes_agree(data: Path) -> None:
    answers = {}
    for name, paths in MODELS.items():
        session = plugins.load("backends", name)().load(tuple(data / "models" / path for path in paths), LoadOptions(threads=1))
        (output,) = session.infer({"input": cat(data)}).values()
        answers[name] = output.astype(np.float32)[0] / 256
    assert np.abs(answers["lite_rt"] - answers["onnx_runtime"]).max() <= 0.02
    assert np.abs(answers["lite_rt"] - answers["open_vino"]).max() <= 0.1


def test_inputs_are_not_held_and_a_second_run_answers_the_second_picture(session: Session, data: Path) -> None:
    picture = cat(data)
    first = session.infer({"input": picture})["MobilenetV2/Predictions/Softmax"].copy()
    picture[:] = 0
    again = session.infer({"input": cat(data)})["MobilenetV2/Predictions/Softmax"].copy()
    black = session.infer({"input": picture})["MobilenetV2/Predictions/Softmax"].copy()
    assert np.array_equal(first, again)
    assert not np.array_equal(first, black)


def test_inputs_that_cannot_be_written_to_are_read(session: Session, data: Path) -> None:
    """Tensors of callers are views of the bytes of their messages."""
    picture = np.frombuffer(cat(data).tobytes(), np.uint8).reshape(1, 224, 224, 3)
    assert not picture.flags.writeable
    assert int(session.infer({"input": picture})["MobilenetV2/Predictions/Softmax"].argmax()) == EGYPTIAN_CAT
    found = [answer["MobilenetV2/Predictions/Softmax"].argmax() for answer in session.infer_all([{"input": picture}] * 3)]
    assert found == [EGYPTIAN_CAT] * 3


def test_a_held_output_does_not_stop_the_next_run(session: Session, data: Path) -> None:
    held = session.infer({"input": cat(data)})
    assert session.infer({"input": cat(data)}).keys() == held.keys()


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({}, "inputs are called"),
        ({"picture": np.zeros((1, 224, 224, 3), np.uint8)}, "inputs are called"),
        ({"input": np.zeros((1, 224, 224, 3), np.float32)}, "uint8"),
        ({"input": np.zeros((1, 3, 224, 224), np.uint8)}, r"\[1, 3, 224, 224\]"),
        ({"input": np.zeros((224, 224, 3), np.uint8)}, r"\[224, 224, 3\]"),
        ({"input": np.zeros((1, 224, 224, 6), np.uint8)[:, :, :, ::2]}, "C-contiguous"),
    ],
    ids=["none", "wrong name", "wrong type", "wrong shape", "wrong rank", "not contiguous"],
)
def test_wrong_inputs_are_refused_and_the_session_still_works(
    session: Session, data: Path, inputs: dict[str, Array], expected: str
) -> None:
    with pytest.raises(ModelError, match=expected):
        session.infer(inputs)
    assert int(session.infer({"input": cat(data)})["MobilenetV2/Predictions/Softmax"].argmax()) == EGYPTIAN_CAT


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.7, 0.999])
def test_a_truncated_model_is_refused_in_one_line(
    backend: Backend, files: tuple[Path, ...], tmp_path: Path, share: float
) -> None:
    cut = tuple(tmp_path / path.name for path in files)
    for target, path in zip(cut, files, strict=True):
        target.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(ModelError) as raised:
        backend.load(cut, LoadOptions())
    assert "\n" not in str(raised.value)
    assert files[0].name in str(raised.value)


def test_a_missing_file_is_named(backend: Backend, files: tuple[Path, ...]) -> None:
    missing = files[0].with_name("gone" + files[0].suffix)
    with pytest.raises(ModelError, match="gone"):
        backend.load((missing, *files[1:]), LoadOptions())


def test_strict_refuses_an_absent_device(backend: Backend, files: tuple[Path, ...], name: str) -> None:
    with pytest.raises(MissingError) as raised:
        backend.load(files, LoadOptions(device=ABSENT[name], strict=True))
    assert "\n" not in str(raised.value)


def test_without_strict_the_fall_back_is_reported(backend: Backend, files: tuple[Path, ...], name: str) -> None:
    placement = backend.load(files, LoadOptions(device=ABSENT[name])).placement
    assert (placement.device, placement.fell_back) == ("cpu", True)
    assert placement.detail


def test_an_unknown_device_or_option_is_refused(backend: Backend, files: tuple[Path, ...]) -> None:
    with pytest.raises((ModelError, MissingError)):
        backend.load(files, LoadOptions(device="abacus", strict=True))
    with pytest.raises(ModelError, match="speed"):
        backend.load(files, LoadOptions(options={"speed": "ludicrous"}))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("lite_rt", "model_invoking_error.tflite"),
        ("lite_rt", "person_detect_int8_micro.tflite"),
        ("open_vino", "old_ir/person-detection-retail-0013.xml"),
    ],
)
def test_invalid_models_are_refused_in_one_line(data: Path, name: str, path: str) -> None:
    backend = plugins.load("backends", name)()
    with pytest.raises(ModelError) as raised:
        backend.load((data / "models/invalid" / path,), LoadOptions())
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500


def test_an_ir_that_no_openvino_reads_is_refused_before_others_complain_of_it(
    data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    backend = plugins.load("backends", "open_vino")()
    with pytest.raises(
        ModelError, match="an IR of version 3, which OpenVINO 2022 and later cannot read; convert the model again"
    ):
        backend.load((data / "models/invalid/old_ir/person-detection-retail-0013.xml",), LoadOptions())
    (tmp_path / "page.xml").write_text("<html/>", encoding="utf-8")
    with pytest.raises(ModelError, match="not an OpenVINO IR"):
        backend.load((tmp_path / "page.xml",), LoadOptions())
    assert capfd.readouterr() == ("", "")


def test_a_model_compiled_for_the_edge_tpu_is_refused_on_the_cpu(data: Path) -> None:
    path = data / "models/tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant_edgetpu.tflite"
    with pytest.raises(ModelError, match="device 'edgetpu'"):
        plugins.load("backends", "lite_rt")().load((path,), LoadOptions())


def test_openvino_keeps_its_cache_in_the_folder_given(data: Path, tmp_path: Path) -> None:
    files = tuple(data / "models" / path for path in MODELS["open_vino"])
    plugins.load("backends", "open_vino")().load(files, LoadOptions(cache_dir=tmp_path))
    assert list(tmp_path.glob("open_vino-*-CPU-*/*.blob"))


def test_openvino_reads_the_files_of_the_others(data: Path) -> None:
    backend = plugins.load("backends", "open_vino")()
    for name in ("lite_rt", "onnx_runtime"):
        session = backend.load((data / "models" / MODELS[name][0],), LoadOptions(threads=1))
        (scores,) = session.infer({"input": cat(data)}).values()
        assert int(scores.argmax()) == EGYPTIAN_CAT


def test_an_unknown_runtime_lists_those_that_exist() -> None:
    with pytest.raises(ManifestError, match="hailo, lite_rt, ncs2, onnx_runtime, open_vino, rknn"):
        plugins.load("backends", "tensor_rt", ManifestError)
