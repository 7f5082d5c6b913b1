"""CUDA and TensorRT on a real NVIDIA GPU: what the stand-ins of the quick tests show has to be what the hardware does.

Needs a GPU with its driver and `onnxruntime-gpu` in place of `onnxruntime`; TensorRT, the plug-in of TensorRT RTX and an FFmpeg
with decoders of NVIDIA where they are installed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
import psutil
import pytest

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.backends.onnx_runtime.plug_ins import plug_in_libraries
from edgefleet_agent.machine.profiles import find_profile
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.models.model_loader import open_served
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.sources.live.decoder_options import DecoderChoice
from edgefleet_contract.core.errors import MissingError, ModelError
from tests.agent.backends.test_contract import EGYPTIAN_CAT, cat
from tests.agent.sources.test_decoder_programs import decodes_the_same
from tests.conftest import ROOT
from tests.packages import MakePackage

MODELS = (
    "mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx",
    "nanodet_320/nanodet.onnx",
    "osnet_x0_25_msmt17/osnet_x0_25_msmt17.onnx",
    "ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.onnx",
    "ultraface_rfb_320/version-RFB-320.onnx",
    "ultraface_rfb_320/version-RFB-320_without_postprocessing.onnx",
    "yolox_nano/yolox_nano.onnx",
)
CLASSIFIER = MODELS[0]
FLOAT, DETECTOR = MODELS[2], MODELS[-1]
QUANTIZED = 0.15
TOLERANCE = {"f32": 2e-3, "tf32": 3e-2, "f16": 5e-2}
"""Of the largest value of an output."""


def missing() -> str:
    """Reason why these tests cannot run here; empty if they can."""
    if not list(Path("/dev").glob("nvidia[0-9]*")):
        return "this machine has no NVIDIA GPU"
    if "cuda" not in find_backend("onnx_runtime").devices():
        return "this ONNX Runtime is built without CUDA: pip install 'edgefleet-agent[cuda]' in place of [onnx]"
    return ""


pytestmark = [pytest.mark.long, pytest.mark.alone, pytest.mark.skipif(bool(missing()), reason=missing() or "there is one")]


def tensorrt_missing() -> str:
    try:
        ctypes.CDLL("libnvinfer.so.10")
    except OSError as cause:
        return str(cause)
    return ""


RTX = "ep:nv-tensorrt-rtx"
needs_rtx = pytest.mark.skipif(
    "nv-tensorrt-rtx" not in plug_in_libraries() or f"{RTX}:gpu" not in find_backend("onnx_runtime").devices(),
    reason="no onnxruntime-ep-nv-tensorrt-rtx, or no device of it: a card of capability 8.6, 8.9, 12.0 or later",
)


def decoder_missing() -> str:
    if not shutil.which("ffmpeg"):
        return "no program ffmpeg"
    decoders = subprocess.run(["ffmpeg", "-hide_banner", "-decoders"], capture_output=True, text=True, check=False).stdout
    return "" if "h264_cuvid" in decoders else "this ffmpeg is built without NVIDIA's decoders"


needs_decoder = pytest.mark.skipif(bool(decoder_missing()), reason=decoder_missing() or "there is one")
needs_tensorrt = pytest.mark.skipif(bool(tensorrt_missing()), reason=f"no TensorRT: {tensorrt_missing()}")


@pytest.fixture
def load(data: Path) -> Callable[..., Session]:
    def opened(name: str, **options: Any) -> Session:
        return find_backend("onnx_runtime").load((data / "models/onnx" / name,), LoadOptions(**options))

    return opened


def noise(session: Session, seed: int = 7) -> dict[str, Array]:
    """Values of a picture for each input; open sizes are 1."""
    dice = np.random.default_rng(seed)
    inputs = {}
    for spec in session.inputs:
        shape = tuple(max(side, 1) for side in spec.shape)
        inputs[spec.name] = dice.integers(0, 256, shape).astype(spec.dtype)
        if spec.dtype.kind == "f":
            inputs[spec.name] /= np.asarray(255, spec.dtype)
    return inputs


def pictured(session: Session, data: Path) -> dict[str, Array]:
    """A picture for the input of a quantized model: of noise, its classes are as good as equal, and their order is chance."""
    (spec,) = session.inputs
    rgb = np.ascontiguousarray(cv2.imread(str(data / "media/images/cat_720p.jpg"))[:, :, ::-1])
    return {spec.name: cv2.resize(rgb, spec.shape[2:0:-1], interpolation=cv2.INTER_AREA)[None].astype(spec.dtype)}


def boxes_of(session: Session, inputs: dict[str, Array]) -> Array:
    """The boxes (fractions) of an SSD with a score of at least 0.6, in the order of their left sides."""
    outputs = list(session.infer(inputs).values())
    boxes = next(each for each in outputs if each.shape[-1] == 4).reshape(-1, 4)
    scores = next(each for each in outputs if each.ndim == 2 and 0 < each.max() <= 1).reshape(-1)
    certain = np.array(boxes[scores >= 0.6])
    return certain[np.argsort(certain[:, 1])]


def difference(session: Session, reference: Session, inputs: dict[str, Array]) -> float:
    """Largest difference of an output, as a part of the output's largest value."""
    expected = {name: array.copy() for name, array in reference.infer(inputs).items()}
    found = session.infer(inputs)
    return max(
        float(np.abs(found[name].astype(np.float64) - array.astype(np.float64)).max() / max(1e-9, float(np.abs(array).max())))
        for name, array in expected.items()
        if array.size and found[name].shape == array.shape
    )


@pytest.mark.parametrize("apart", [False, True], ids=["in the worker", "apart"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_computes_on_the_gpu_what_it_computes_on_the_cpu(
    load: Callable[..., Session], data: Path, name: str, apart: bool
) -> None:
    session = load(name, device="cuda", strict=True, apart=apart)
    assert (session.placement.device, session.placement.fell_back) == ("cuda", False)
    print(name, session.placement.detail)
    reference = load(name)
    if "ssd" in name:
        found, expected = (boxes_of(each, pictured(reference, data)) for each in (session, reference))
        assert len(found) == len(expected) > 0
        assert np.abs(found - expected).max() <= 0.05
    elif "quant" in name:
        assert difference(session, reference, pictured(reference, data)) <= QUANTIZED
    else:
        assert difference(session, reference, noise(reference)) <= TOLERANCE["f32"]
    session.close()


def test_the_cat_is_a_cat(load: Callable[..., Session], data: Path) -> None:
    session = load(CLASSIFIER, device="cuda", strict=True)
    (scores,) = session.infer({"input": cat(data)}).values()
    assert int(scores.argmax()) == EGYPTIAN_CAT


@pytest.mark.parametrize("precision", ["f32", "tf32"])
@pytest.mark.parametrize("recorded", [False, True], ids=["plain", "cuda graph"])
def test_precisions_and_recorded_runs(load: Callable[..., Session], precision: str, recorded: bool) -> None:
    options = {"precision": precision, "cuda_graph": recorded}
    reference = load(FLOAT)
    session = load(FLOAT, device="cuda", strict=True, options=options)
    assert max(difference(session, reference, noise(reference, seed)) for seed in range(20)) <= TOLERANCE[precision]


def test_a_run_that_cannot_be_recorded_is_the_option_s_fault(load: Callable[..., Session]) -> None:
    with pytest.raises(ModelError, match="option cuda_graph: a part of the model would run on the CPU; remove the option"):
        load(CLASSIFIER, device="cuda", strict=True, options={"cuda_graph": True})


def test_a_limit_of_memory_holds(load: Callable[..., Session]) -> None:
    reference = load(DETECTOR)
    session = load(DETECTOR, device="cuda", strict=True, options={"memory_mb": 2000})
    assert difference(session, reference, noise(reference)) <= TOLERANCE["f32"]
    with pytest.raises((MissingError, ModelError), match="memory") as raised:  # at load, or at the first run
        load(DETECTOR, device="cuda", strict=True, options={"memory_mb": 1}).infer(noise(reference))
    assert "\n" not in str(raised.value)
    session.close()


def test_a_lost_process_of_the_gpu_costs_one_frame(load: Callable[..., Session]) -> None:
    session = load(FLOAT, device="cuda", strict=True, apart=True)
    inputs = noise(session)
    before = {name: array.copy() for name, array in session.infer(inputs).items()}
    (child,) = [each for each in psutil.Process().children() if "edgefleet_agent" in " ".join(each.cmdline())]
    child.kill()
    with pytest.raises(ModelError):
        session.infer(inputs)
    deadline_s = time.monotonic() + 30.0
    while True:
        try:
            after = session.infer(inputs)
            break
        except ModelError:
            assert time.monotonic() < deadline_s
            time.sleep(0.1)
    assert all(np.array_equal(after[name], array) for name, array in before.items())
    session.close()


def test_a_model_with_a_part_on_the_cpu_is_reported_and_is_refused_as_a_whole(load: Callable[..., Session]) -> None:
    for name in MODELS:
        detail = load(name, device="cuda", strict=True).placement.detail
        if detail:
            assert "operators run on cpu" in detail
            with pytest.raises(MissingError, match="part of the model would run on the CPU"):
                load(name, device="cuda", strict=True, options={"whole": True})
        else:
            load(name, device="cuda", strict=True, options={"whole": True})


@pytest.mark.parametrize("options", [{}, {"cuda_graph": True}], ids=["plain", "cuda graph"])
def test_the_placement_in_a_library_that_lists_no_operators_is_read_from_a_run(
    load: Callable[..., Session], monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    """Wheels for JetPack are older than ONNX Runtime 1.24, which is the first that lists them."""
    names = [name for name in MODELS if not options or "quant" not in name]
    listed = {name: load(name, device="cuda", strict=True, options=options).placement for name in names}
    way = "get_provider_graph_assignment_info"
    monkeypatch.delattr(next(each for each in onnxruntime.InferenceSession.__mro__ if way in vars(each)), way)
    for name, expected in listed.items():
        session = load(name, device="cuda", strict=True, options=options)
        print(name, session.placement.detail or "whole")
        assert (session.placement.device, session.placement.fell_back) == ("cuda", False)
        assert bool(session.placement.detail) == bool(expected.detail)
        assert "not known" not in session.placement.detail
        if "quant" not in name:
            reference = load(name)
            assert difference(session, reference, noise(reference)) <= TOLERANCE["f32"]
        session.close()


TAKE_ALL_BUT = """
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
context, free, total, pointer = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_uint64()
assert not cuda.cuInit(0)
assert not cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
assert not cuda.cuCtxSetCurrent(context)
assert not cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total))
assert not cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(free.value - int(sys.argv[1])))
print("taken", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def full_gpu() -> Iterator[None]:
    """Leaves 64 MiB of the memory of the GPU, which is less than a context of CUDA takes."""
    words = [sys.executable, "-c", TAKE_ALL_BUT, str(64 * 1024 * 1024)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as taker:
        assert taker.stdout is not None
        assert taker.stdout.readline().strip() == "taken"
        yield
        taker.kill()


@pytest.mark.usefixtures("full_gpu")
def test_a_gpu_whose_memory_others_hold_gives_way_to_the_cpu(package: MakePackage, data: Path) -> None:
    words = ("infer", "--package", str(package("yolox_nano")), str(data / "media/images/cat_720p.jpg"))
    done = agent(*words, "--json")
    print(done.stdout[:2000], done.stderr[:2000])
    assert done.returncode == 0, done.stderr
    assert '"device": "cpu"' in done.stdout
    assert "memory" in done.stdout + done.stderr
    strict = agent(*words, "--strict")
    assert strict.returncode != 0
    assert "memory" in strict.stderr
    assert "Traceback" not in strict.stderr
    doctor = agent("doctor", "--json")
    assert "memory" in doctor.stdout


def test_a_gpu_that_is_not_there_is_named(load: Callable[..., Session]) -> None:
    with pytest.raises(MissingError, match="cuda:7"):
        load(CLASSIFIER, device="cuda:7", strict=True)
    placement = load(CLASSIFIER, device="cuda:7").placement
    assert (placement.device, placement.fell_back) == ("cpu", True)
    assert placement.detail


def test_a_damaged_file_is_the_file_s_fault(load: Callable[..., Session], data: Path, tmp_path: Path) -> None:
    whole = (data / "models/onnx" / CLASSIFIER).read_bytes()
    (tmp_path / "cut.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"cut\.onnx"):
        find_backend("onnx_runtime").load((tmp_path / "cut.onnx",), LoadOptions(device="cuda", strict=True))


@pytest.mark.skipif(not tensorrt_missing(), reason="TensorRT is installed")
def test_without_tensorrt_its_library_is_named(load: Callable[..., Session]) -> None:
    with pytest.raises(MissingError, match=r"tensorrt does not work: libnvinfer\.so\.\d+ is missing"):
        load(CLASSIFIER, device="tensorrt", strict=True)
    placement = load(CLASSIFIER, device="tensorrt").placement
    assert (placement.device, placement.fell_back) == ("cpu", True)


@needs_tensorrt
@pytest.mark.parametrize("name", MODELS)
def test_engines_are_built_once(load: Callable[..., Session], data: Path, tmp_path: Path, name: str) -> None:
    reference = load(name)
    for _ in range(2):
        session = load(name, device="tensorrt", strict=True, cache_dir=tmp_path)
        assert (session.placement.device, session.placement.fell_back) == ("tensorrt", False)
        inputs = pictured(reference, data) if "quant" in name else noise(reference)
        assert difference(session, reference, inputs) <= (QUANTIZED if "quant" in name else TOLERANCE["f32"])
        session.close()
        engines = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.engine")}
    assert engines
    assert engines == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.engine")}


def agent(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "edgefleet_agent", *words],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )


def test_the_doctor_finds_the_gpu() -> None:
    done = agent("doctor", "--json")
    checks = {check["what"]: check for check in json.loads(done.stdout)["checks"]}
    print(json.dumps(checks, indent=1))
    assert "onnx_runtime on cuda" in checks
    assert "inference on cuda" in checks["onnx_runtime on cuda"]["detail"]


def test_infer_and_bench_take_the_gpu_of_themselves(package: MakePackage, data: Path) -> None:
    folder = str(package("yolox_nano"))
    picture = str(data / "media/images/cat_720p.jpg")
    for words in (("infer", "--package", folder, picture), ("bench", folder, "--seconds", "2")):
        done = agent(*words, "--json")
        assert done.returncode == 0, done.stderr
        print(done.stdout[:2000])
        assert '"device": "cuda"' in done.stdout
        hidden = agent(*words, "--json", CUDA_VISIBLE_DEVICES="")
        assert hidden.returncode == 0, hidden.stderr
        assert "cuda does not work" in hidden.stdout + hidden.stderr
        assert agent(*words, "--strict", CUDA_VISIBLE_DEVICES="").returncode != 0


def test_a_package_passes_its_own_test_on_the_gpu(package: MakePackage) -> None:
    done = agent("selftest", str(package("yolox_nano")), "--json")
    print(done.stdout[:2000])
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["device"] == "cuda"


def test_a_model_file_is_served_and_inferred_on_the_gpu(data: Path) -> None:
    model = data / "models/onnx" / DETECTOR
    accelerators = find_profile("nvidia-gpu").accelerators
    target = LoadTarget(("onnx_runtime",), "nvidia-gpu", accelerators=tuple(accelerators))
    served = open_served(model, "m", "1", target, ServingConfig())
    (group,) = served.config_to_json()["instance_group"]
    assert (group["kind"], group["device"]) == ("KIND_GPU", "cuda")
    served.engine.close()
    done = agent("infer", "--model", str(model), "--json", str(data / "media/images/cat_720p.jpg"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["device"] == "cuda"


@needs_rtx
@pytest.mark.parametrize("apart", [False, True], ids=["in the worker", "apart"])
@pytest.mark.parametrize("name", MODELS)
def test_tensorrt_rtx_computes_every_model_as_the_cpu_does(
    load: Callable[..., Session], data: Path, tmp_path: Path, name: str, apart: bool
) -> None:
    session = load(name, device=RTX, strict=True, apart=apart, cache_dir=tmp_path)
    assert (session.placement.device, session.placement.fell_back) == (RTX, False)
    print(name, session.placement.detail or "whole")
    reference = load(name)
    if "ssd" in name:
        found, expected = (boxes_of(each, pictured(reference, data)) for each in (session, reference))
        assert len(found) == len(expected) > 0
        assert np.abs(found - expected).max() <= 0.05
    else:
        inputs = pictured(reference, data) if "quant" in name else noise(reference)
        assert difference(session, reference, inputs) <= (QUANTIZED if "quant" in name else TOLERANCE["f32"])
    session.close()


@needs_decoder
@pytest.mark.parametrize("clip", ["traffic_frames.mp4", "one-by-one-person-detection.mp4"])
def test_the_video_decoder_of_the_gpu(data: Path, clip: str) -> None:
    decodes_the_same(DecoderChoice("ffmpeg", hwaccel="cuda"), str(data / "media/videos" / clip))


def test_a_triton_repository_with_two_instances_on_the_gpu(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "models/detector/1"
    folder.mkdir(parents=True)
    shutil.copyfile(data / "models/onnx" / DETECTOR, folder / "model.onnx")
    groups = "instance_group [ { count: 2 kind: KIND_GPU gpus: [0] } ]"
    (folder.parent / "config.pbtxt").write_text(f'platform: "onnxruntime_onnx" {groups}')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [sys.executable, "-m", "edgefleet_agent", "serve", str(tmp_path / "models"), "--http", address]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        while "curl" not in server.stdout.readline():
            assert server.poll() is None
        with urllib.request.urlopen(f"http://{address}/v2/models/detector/config", timeout=10.0) as answer:
            (group,) = json.load(answer)["instance_group"]
        done = agent("perf", "detector", "--url", address, "--concurrency", "1,8", "--seconds", "3", "--json")
        server.terminate()
    assert (group["kind"], group["count"], group["gpus"]) == ("KIND_GPU", 2, [0])
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
