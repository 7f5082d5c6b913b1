"""ONNX Runtime on devices that test machines do not have: requested providers, and verification of the reported ones.

A stand-in for the library answers in a child (see `stand_ins/onnxruntime`); the real wheels are in `tests/long`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, LoadOptions, Placement
from edgefleet_agent.backends.onnx_runtime.session import OnnxRuntimeSession
from edgefleet_agent.core import plugins
from edgefleet_contract.core.errors import ModelError
from tests.agent.backends.test_contract import EGYPTIAN_CAT, MODELS, cat
from tests.agent.serving.onnx_file import one_node
from tests.conftest import ROOT

CUDA, TENSORRT, CPU = "CUDAExecutionProvider", "TensorrtExecutionProvider", "CPUExecutionProvider"
NVIDIA = [TENSORRT, CUDA]
LOAD = """
import json, os, sys
from pathlib import Path
import numpy as np
import onnxruntime
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.onnx_runtime.backend import OnnxRuntimeBackend
from edgefleet_contract.core.errors import EdgefleetError
answers = []
for case in json.loads(sys.argv[1]):
    os.environ["ORT_STAND_IN"] = json.dumps(case.pop("machine"))
    onnxruntime.sessions.clear(), onnxruntime.events.clear()
    cache = case.pop("cache_dir", None)
    answer = {}
    try:
        load = LoadOptions(cache_dir=Path(cache) if cache else None, **case)
        session = OnnxRuntimeBackend().load((Path(sys.argv[2]),), load)
        answer["outputs"] = [session.infer({"x": np.full((1, 4), value, np.float32)})["y"].ravel().tolist() for value in (1, 3)]
        where = session.placement
        answer.update(device=where.device, fell_back=where.fell_back, detail=where.detail)
    except EdgefleetError as error:
        answer["error"] = f"{type(error).__name__}: {error}"
    answers.append({**answer, "sessions": list(onnxruntime.sessions), "events": list(onnxruntime.events)})
answers.append(OnnxRuntimeBackend().devices())
json.dump(answers, sys.stdout)
"""
Load = Callable[..., list[Any]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a model once for each case in a child where the stand-in is ONNX Runtime; the answers, and the devices at the end."""

    def run(*cases: dict[str, Any], weights: bytes = b"weights", temporary: Path | None = None) -> list[Any]:
        model = tmp_path / "model.onnx"
        model.write_bytes(weights)
        path = os.pathsep.join([str(Path(__file__).parent / "stand_ins"), str(ROOT)])
        command = [sys.executable, "-c", LOAD, json.dumps(cases), str(model)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONPATH": path} | ({"TMPDIR": str(temporary)} if temporary else {}),
        )
        assert done.returncode == 0, done.stderr
        answers: list[Any] = json.loads(done.stdout)
        return answers

    return run


def test_a_device_that_works_is_where_the_model_runs(load: Load) -> None:
    machine = {"built": NVIDIA}
    cuda, second, part, devices = load(
        {"machine": machine, "device": "cuda", "strict": True},
        {"machine": machine, "device": "cuda:1", "strict": True, "options": {"precision": "tf32"}},
        {"machine": {**machine, "operators": {CUDA: 8, CPU: 2}}, "device": "cuda", "strict": True},
    )
    assert devices == ["tensorrt", "cuda", "cpu"]
    assert (cuda["device"], cuda["fell_back"], cuda["detail"]) == ("cuda", False, "")
    (opened,) = cuda["sessions"]
    assert (opened["providers"], opened["fallback"]) == ([CUDA, CPU], 0)
    assert opened["options"][0] == {
        "device_id": "0",
        "arena_extend_strategy": "kSameAsRequested",
        "cudnn_conv_algo_search": "HEURISTIC",
        "use_tf32": "0",
    }
    assert cuda["events"][0] == "preload"
    assert second["device"] == "cuda:1"
    assert (second["sessions"][0]["options"][0]["device_id"], second["sessions"][0]["options"][0]["use_tf32"]) == ("1", "1")
    assert (part["device"], part["detail"]) == ("cuda", "2 of 10 operators run on cpu")


FULL = (
    "/onnxruntime_src/onnxruntime/core/providers/cuda/cuda_call.cc:154 std::conditional_t<THRW, void, Status> onnxruntime::Call("
    "ERRTYPE, const char*, SUCCTYPE, int) [with ERRTYPE = cudaError; bool THRW = true] CUDA failure 2: out of memory ; GPU=0 ; "
    "hostname=line-3 ; file=/onnxruntime_src/cuda_execution_provider.cc ; line=285 ; expr=cudaSetDevice(info_.device_id);"
)
SILENT = [
    ({"built": []}, "built without CUDAExecutionProvider: pip install 'edgefleet-agent[cuda]'"),
    ({"built": NVIDIA, "absent": [CUDA]}, "CUDAExecutionProvider did not start; check CUDA, cuDNN 9 and the NVIDIA driver"),
    ({"built": NVIDIA, "operators": {CPU: 10}}, "runs no operator of this model"),
    ({"built": NVIDIA, "failing": {CUDA: "no kernel image is available"}}, "cuda does not work: no kernel image is available"),
    (
        {"built": NVIDIA, "failing": {CUDA: FULL}},
        "cuda does not work: CUDA failure 2: out of memory; stop other programs that hold its memory",
    ),
]


@pytest.mark.parametrize(
    ("machine", "expected"), SILENT, ids=["not built", "not started", "computes nothing", "raises", "memory is full"]
)
def test_the_silent_fallbacks_are_refused_or_reported(load: Load, machine: dict[str, Any], expected: str) -> None:
    strict, loose, _ = load(
        {"machine": machine, "device": "cuda", "strict": True},
        {"machine": machine, "device": "cuda"},
    )
    assert strict["error"].startswith("MissingError: ")
    assert expected in strict["error"]
    assert (loose["device"], loose["fell_back"]) == ("cpu", True)
    assert expected in loose["detail"]
    assert loose["sessions"][-1]["providers"] == [CPU]


@pytest.mark.parametrize(
    ("old", "operators", "options", "expected"),
    [
        ("yes", {CUDA: 10}, {}, ""),
        ("yes", {CUDA: 8, CPU: 2}, {}, "2 of 10 kernels run on cpu"),
        ("yes", {CPU: 10}, {}, "MissingError: cuda runs no operator of this model; check CUDA, cuDNN 9 and the NVIDIA driver"),
        ("yes", {CUDA: 10}, {"whole": True}, ""),
        ("yes", {CUDA: 10}, {"cuda_graph": True}, ""),
        ("refuses", {CUDA: 8, CPU: 2}, {}, "which of its operators the device computes is not known"),
        ("nothing", {CUDA: 8, CPU: 2}, {}, "which of its operators the device computes is not known"),
    ],
)
def test_placement_by_a_library_before_1_24_is_read_from_the_profile_of_a_run(
    load: Load, tmp_path: Path, old: str, operators: dict[str, int], options: dict[str, Any], expected: str
) -> None:
    """JetPack's wheels are such: the profile is removed, and a run that the library's own check makes needless is not made."""
    machine = {"built": NVIDIA, "operators": operators, "old": old}
    (tmp_path / "temporary").mkdir()
    answer, _ = load({"machine": machine, "device": "cuda", "strict": True, "options": options}, temporary=tmp_path / "temporary")
    assert answer.get("error", answer.get("detail")) == expected
    assert not list((tmp_path / "temporary").iterdir())
    assert answer["events"].count("run") == (0 if "error" in answer else 2) + (not options)


def test_whole_refuses_a_part_on_the_cpu(load: Load) -> None:
    machine = {"built": NVIDIA, "operators": {CUDA: 8, CPU: 2}}
    refused, _ = load({"machine": machine, "device": "cuda", "strict": True, "options": {"whole": True}})
    assert "part of the model would run on the CPU" in refused["error"]
    assert refused["sessions"][0]["providers"] == [CUDA]
    assert refused["sessions"][0]["entries"]["session.disable_cpu_ep_fallback"] == "1"


def test_engines_and_timings_are_cached_by_version_device_and_model(load: Load, tmp_path: Path) -> None:
    case = {"machine": {"built": NVIDIA}, "device": "tensorrt", "strict": True, "cache_dir": str(tmp_path / "cache")}
    int8, half, _ = load(
        {**case, "options": {"precision": "int8", "workspace_mb": 64}}, {**case, "options": {"precision": "f16"}}
    )
    assert int8["device"] == "tensorrt"
    (opened,) = int8["sessions"]
    assert opened["providers"] == [TENSORRT, CUDA, CPU]
    options = opened["options"][0]
    assert (options["trt_fp16_enable"], options["trt_int8_enable"], options["trt_max_workspace_size"]) == ("1", "1", "67108864")
    engines, timings = Path(options["trt_engine_cache_path"]), Path(options["trt_timing_cache_path"])
    assert engines.is_dir()
    assert engines.name.startswith("tensorrt-1.31.1")
    assert engines != timings
    other = half["sessions"][0]["options"][0]
    assert other["trt_engine_cache_path"] != str(engines)
    assert other["trt_timing_cache_path"] == str(timings)
    changed, _ = load(case, weights=b"other weights")
    assert changed["sessions"][0]["options"][0]["trt_engine_cache_path"] not in (str(engines), other["trt_engine_cache_path"])


def test_a_deep_learning_accelerator_computes_half_floats_and_integers(load: Load, tmp_path: Path) -> None:
    case = {"machine": {"built": NVIDIA}, "device": "tensorrt", "strict": True, "cache_dir": str(tmp_path / "cache")}
    dla, gpu, floats, cuda, _ = load(
        {**case, "options": {"precision": "f16", "dla_core": 1}},
        {**case, "options": {"precision": "f16"}},
        {**case, "options": {"dla_core": 0}},
        {**case, "device": "cuda", "options": {"dla_core": 0}},
    )
    options, plain = (answer["sessions"][0]["options"][0] for answer in (dla, gpu))
    assert (options["trt_dla_enable"], options["trt_dla_core"]) == ("1", "1")
    assert "trt_dla_enable" not in plain
    assert options["trt_engine_cache_path"] != plain["trt_engine_cache_path"]
    assert floats["error"] == "ModelError: option dla_core needs the option precision: f16 or int8; a DLA does not compute in f32"
    assert cuda["error"] == "ModelError: option dla_core is for tensorrt, not for cuda"


def test_a_quantized_file_is_computed_in_int8_by_tensorrt_in_any_case(load: Load) -> None:
    case = {"machine": {"built": NVIDIA}, "device": "tensorrt", "strict": True, "options": {"precision": "f16"}}
    quantized, _ = load(case, weights=b"...\x12\x0eQuantizeLinear...\x10DequantizeLinear")
    plain, _ = load(case)
    assert quantized["sessions"][0]["options"][0]["trt_int8_enable"] == "1"
    assert "trt_int8_enable" not in plain["sessions"][0]["options"][0]


def test_a_cuda_graph_has_buffers_that_stay(load: Load) -> None:
    options = {"cuda_graph": True}
    machine = {"built": NVIDIA}
    cuda, tensorrt, wrong, _ = load(
        {"machine": machine, "device": "cuda:1", "strict": True, "options": options},
        {"machine": machine, "device": "tensorrt", "strict": True, "options": options},
        {"machine": {"built": ["MIGraphXExecutionProvider"]}, "device": "migraphx", "options": options},
    )
    assert cuda["events"] == ["preload", "allocate cuda:1", "allocate cuda:1", "run", "run"]
    assert cuda["outputs"] == [[2.0] * 4, [6.0] * 4]
    assert cuda["sessions"][0]["options"][0]["enable_cuda_graph"] == "1"
    assert tensorrt["sessions"][0]["options"][0]["trt_cuda_graph_enable"] == "1"
    assert "cuda_graph is for cuda and tensorrt" in wrong["error"]


def test_amd_and_intel_providers(load: Load, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    amd = {"built": ["MIGraphXExecutionProvider", "ROCMExecutionProvider"]}
    intel = {"built": ["OpenVINOExecutionProvider"]}
    migraphx, rocm, npu, myriad, devices = load(
        {"machine": amd, "device": "migraphx", "strict": True, "cache_dir": cache, "options": {"precision": "f16"}},
        {"machine": amd, "device": "rocm:1", "strict": True},
        {"machine": intel, "device": "openvino:npu", "strict": True, "cache_dir": cache},
        {"machine": intel, "device": "openvino:myriad"},
    )
    assert migraphx["sessions"][0]["options"][0] == {"device_id": "0", "migraphx_fp16_enable": "1"}
    assert rocm["device"] == "rocm:1"
    assert npu["device"] == "openvino:npu"
    assert npu["sessions"][0]["options"][0]["device_type"] == "NPU"
    assert "onnx_openvino-1.31.1-NPU" in npu["sessions"][0]["options"][0]["cache_dir"]
    assert "no device 'openvino:myriad'" in myriad["error"]
    assert devices == ["openvino:npu", "openvino:gpu", "cpu"]


def test_a_file_in_the_librarys_own_format(data: Path, tmp_path: Path) -> None:
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.optimized_model_filepath = str(tmp_path / "cat.ort")
    settings.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(data / "models" / MODELS["onnx_runtime"][0]), settings, providers=[CPU])
    session = plugins.load("backends", "onnx_runtime")().load((tmp_path / "cat.ort",), LoadOptions(threads=1))
    (scores,) = session.infer({"input": cat(data)}).values()
    assert int(scores.argmax()) == EGYPTIAN_CAT


def recorded(path: Path) -> OnnxRuntimeSession:
    """The model with fixed buffers, on the CPU."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=[CPU])
    return OnnxRuntimeSession(onnxruntime, session, Placement("onnx_runtime", "", "cpu"), (RuntimeError,), ("cpu", 0))


def test_buffers_that_stay_answer_as_others_do(data: Path) -> None:
    path = data / "models/onnx/yolox_nano/yolox_nano.onnx"
    plain = plugins.load("backends", "onnx_runtime")().load((path,), LoadOptions(threads=1))
    staying = recorded(path)
    for seed in (1, 2):
        picture: Array = np.random.default_rng(seed).uniform(0, 255, (1, 3, 416, 416)).astype(np.float32)
        (reference,) = plain.infer({"images": picture}).values()
        (found,) = staying.infer({"images": picture}).values()
        assert np.allclose(reference, found, atol=1e-3)


def test_open_shapes_cannot_be_recorded(tmp_path: Path) -> None:
    path = tmp_path / "open.onnx"
    path.write_bytes(one_node("Abs", "FP32", {"x": ["n", 4]}, {"y": ["n", 4]}))
    with pytest.raises(ModelError, match="cuda_graph requires fixed shapes; dynamic are x, y"):
        recorded(path)
