"""Plug-in execution providers of ONNX Runtime: libraries found on disk, registered once, and verified as every other device.

What a library offers, the stand-in for ONNX Runtime answers; damaged libraries are loaded by the real one, and a real plug-in
computes in `tests/long/test_plug_in_providers.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.backends.onnx_runtime.fault_texts import library_fault
from edgefleet_agent.backends.onnx_runtime.plug_ins import plug_in_libraries
from edgefleet_agent.cli.measure.doctor import examine
from edgefleet_agent.core.ep_libraries import VARIABLE, set_libraries
from edgefleet_agent.service.profile_choice import compiles
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.profile import Profile, variant_choices
from tests.agent.backends.test_onnx_devices import CPU, LOAD
from tests.agent.serving.onnx_file import one_node
from tests.conftest import ROOT

WEBGPU, QNN = "WebGpuExecutionProvider", "QNNExecutionProvider"
LIBRARIES = {
    "libwebgpu.so": {"provider": WEBGPU, "devices": ["virtual", "CPU", "GPU"]},
    "libqnn.so": {"provider": QNN, "devices": ["GPU", "NPU", "NPU"]},
    "libnone.so": {"provider": "NoneExecutionProvider", "devices": ["virtual"]},
    "libold.so": {"error": 'ORT runtime version "1.31.1" is below the minimum required version "1.40"'},
}
MACHINE = {"built": [], "plug_ins": LIBRARIES}
ANSWERS = "from pathlib import Path\n\n\ndef get_library_path():\n    return str(Path(__file__).parent / 'lib{name}.so')\n"
Load = Callable[..., list[Any]]


def wheel(site: Path, distribution: str, version: str, module: str = "", code: str = "", *, listed: bool = True) -> Path:
    """Install a wheel as an installer leaves it: its metadata, and a module with a library that ends up in `site`."""
    metadata = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    if module:
        if listed:
            (metadata / "top_level.txt").write_text(f"{module}\n")
        else:
            (metadata / "RECORD").write_text(f"{module}/__init__.py,sha256=x,1\n{module}/lib/__init__.py,,\n")
        (site / module).mkdir()
        (site / module / "__init__.py").write_text(code)
    return site / module


def toy(site: Path, distribution: str, module: str, name: str, *, listed: bool = True) -> None:
    folder = wheel(site, distribution, "1.2.3", module, ANSWERS.format(name=name), listed=listed)
    (folder / f"lib{name}.so").write_bytes(b"library")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    toy(folder, "onnxruntime-ep-webgpu", "onnxruntime_ep_webgpu", "webgpu")
    toy(folder, "onnxruntime-qnn", "onnxruntime_qnn", "qnn", listed=False)
    return folder


@pytest.fixture
def load(tmp_path: Path, site: Path) -> Load:
    """Load a model once for each case in one child; the answers, and the devices at the end."""

    def run(*cases: dict[str, Any], machine: dict[str, Any] | None = None, **environment: str) -> list[Any]:
        model = tmp_path / "model.onnx"
        model.write_bytes(b"weights")
        path = os.pathsep.join([str(Path(__file__).parent / "stand_ins"), str(ROOT), str(site), os.environ.get("PYTHONPATH", "")])
        full = [{"machine": machine or MACHINE, "strict": True, **case} for case in cases]
        command = [sys.executable, "-c", LOAD, json.dumps(full), str(model)]
        own = {**os.environ, "PYTHONPATH": path, "ORT_STAND_IN": json.dumps(MACHINE), **environment}
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=own)
        assert done.returncode == 0, done.stderr
        answers: list[Any] = json.loads(done.stdout)
        return answers

    return run


def test_wheels_are_found_by_their_metadata_without_an_import(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(site, "onnxruntime-ep-nv-tensorrt-rtx", "0.5.0")  # only requires the next one
    wheel(site, "onnxruntime-ep-nv-tensorrt-rtx-cu13", "0.5.0", "onnxruntime_ep_nv_tensorrt_rtx", "raise SystemExit('imported')")
    wheel(site, "onnxruntime-ep-gone", "1.0")  # its module was removed
    wheel(site, "onnxruntime-extensions", "0.15.2", "onnxruntime_extensions_of_a_test", "")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv(VARIABLE, "chip=/opt/chip.so")
    found = plug_in_libraries()
    assert {name: library.origin for name, library in found.items()} == {
        "chip": "/opt/chip.so",
        "nv-tensorrt-rtx": "onnxruntime-ep-nv-tensorrt-rtx-cu13 0.5.0",
        "qnn": "onnxruntime-qnn 1.2.3",
        "webgpu": "onnxruntime-ep-webgpu 1.2.3",
    }
    assert not {"onnxruntime_qnn", "onnxruntime_ep_webgpu"} & set(sys.modules)


def test_a_device_is_the_one_of_its_name_and_the_library_is_registered_once(load: Load) -> None:
    best, second, gpu, part, devices = load(
        {"device": "ep:qnn", "options": {"ep": {"htp_performance_mode": "burst"}}},
        {"device": "ep:qnn:npu:1"},
        {"device": "ep:webgpu:gpu"},
        {"machine": {**MACHINE, "operators": {QNN: 365, CPU: 2}}, "device": "ep:qnn:npu"},
    )
    assert (best["device"], best["fell_back"], best["detail"]) == ("ep:qnn", False, "")
    (opened,) = best["sessions"]
    assert (opened["providers"], opened["options"], opened["fallback"]) == ([QNN], [{"htp_performance_mode": "burst"}], 0)
    assert opened["entries"]["session.record_ep_graph_assignment_info"] == "1"
    assert second["device"] == "ep:qnn:npu:1"
    assert gpu["sessions"][0]["providers"] == [WEBGPU]
    assert part["detail"] == "2 of 367 operators run on cpu"
    registrations = [event for answer in (best, second, gpu, part) for event in answer["events"] if event.startswith("register")]
    assert registrations == ["register edgefleet.qnn", "register edgefleet.webgpu"]
    # A virtual device only compiles.
    assert devices == ["ep:qnn:npu", "ep:qnn:npu:1", "ep:qnn:gpu", "ep:webgpu:gpu", "ep:webgpu:cpu", "cpu"]


NOT_THERE = [
    (
        {"device": "ep:qnn:cpu"},
        "onnxruntime-qnn 1.2.3 does not offer this device on this machine; it offers ep:qnn:npu, ep:qnn:npu:1",
    ),
    (
        {"device": "ep:openvino:gpu"},
        "no plug-in execution provider 'openvino' is installed: pip install onnxruntime-ep-openvino;",
    ),
    (
        {"device": "ep:other"},
        "known are nv-tensorrt-rtx, openvino, qnn, webgpu; installed are qnn (onnxruntime-qnn 1.2.3), webgpu",
    ),
    (
        {"machine": {**MACHINE, "operators": {CPU: 5}}, "device": "ep:qnn"},
        "ep:qnn runs no operator of this model; check the driver",
    ),
    ({"machine": {**MACHINE, "absent": [QNN]}, "device": "ep:qnn"}, "QNNExecutionProvider did not start"),
    (
        {"machine": {**MACHINE, "operators": {QNN: 8, CPU: 2}}, "device": "ep:qnn", "options": {"whole": True}},
        "part of the model would run on the CPU",
    ),
    (
        {"machine": {**MACHINE, "failing": {QNN: "no DSP"}}, "device": "ep:qnn"},
        "ep:qnn does not work: no DSP; check the driver of qnn",
    ),
]


def test_a_device_that_is_not_there_is_refused_or_gives_way_to_the_cpu_with_the_reason(load: Load) -> None:
    cases = [{**case, "strict": strict} for case, _ in NOT_THERE for strict in (True, False)]
    answers = load(*cases)[:-1]
    for (_, expected), strict, loose in zip(NOT_THERE, answers[::2], answers[1::2], strict=True):
        assert strict["error"].startswith("MissingError: ")
        assert expected in strict["error"]
        assert (loose["device"], loose["fell_back"]) == ("cpu", True)
        assert expected in loose["detail"]


OPTIONS = [
    ({"ep": {f"k{number}": "1" for number in range(33)}}, "option ep has 33 keys; at most 32 are allowed"),
    ({"ep": {"k" * 129: "1"}}, "is no key"),
    ({"ep": {"mode": "x" * 257}}, "mode must be a text of at most 256 characters"),
    ({"ep": {"mode": 3}}, "mode must be a text"),
    ({"ep": {"backend_path": "/tmp/other.so"}}, "backend_path must be a text of at most 256 characters, without paths"),
    ({"ep": {"dawnProcTable": "140737353859072"}}, "without paths and addresses"),
    ({"ep": {"dawnProcTable": "0x7fff"}}, "without paths and addresses"),
    ({"ep": "mode"}, "option ep = 'mode' must be of type dict"),
    ({"precision": "f16"}, "option precision is not for plug-in execution providers"),
    ({"cuda_graph": True}, "cuda_graph is for cuda and tensorrt, not for ep"),
]


def test_options_have_limits_and_name_no_code(load: Load) -> None:
    *answers, others, wrong, number, _ = load(
        *({"device": "ep:qnn", "options": options} for options, _ in OPTIONS),
        {"machine": {"built": ["ROCMExecutionProvider"]}, "device": "rocm", "options": {"ep": {"mode": "1"}}},
        {"device": "ep:qnn:dsp"},
        {"device": "ep:qnn:npu:x"},
    )
    for (_, expected), answer in zip(OPTIONS, answers, strict=True):
        assert answer["error"].startswith("ModelError: ")
        assert expected in answer["error"]
        assert not answer["sessions"]
    assert others["error"] == "ModelError: option ep is for plug-in execution providers (ep:NAME), not for rocm"
    for answer in (wrong, number):
        assert (
            "it has tensorrt, cuda, migraphx, rocm, openvino:cpu|gpu|npu, cpu, ep:NAME[:npu|gpu|cpu[:NUMBER]]" in answer["error"]
        )


def test_libraries_with_a_fault_are_not_listed_and_say_what_is_wrong(load: Load, site: Path, tmp_path: Path) -> None:
    toy(site, "onnxruntime-ep-none", "onnxruntime_ep_none", "none")
    toy(site, "onnxruntime-ep-old", "onnxruntime_ep_old", "old")
    wheel(site, "onnxruntime-ep-broken", "1.2.3", "onnxruntime_ep_broken", "raise SystemExit('no licence')")
    wheel(site, "onnxruntime-ep-torn", "1.2.3", "onnxruntime_ep_torn", ANSWERS.format(name="torn"))
    # As a library whose constructor aborts.
    wheel(site, "onnxruntime-ep-abort", "1.2.3", "onnxruntime_ep_abort", "import os\nos.abort()")
    names = ("none", "old", "broken", "torn", "gone")
    own = f"gone={tmp_path}/gone.so"
    *answers, devices = load(*({"device": f"ep:{name}"} for name in names), EDGEFLEET_EP_LIBRARIES=own)
    none, old, broken, torn, absent = (answer["error"] for answer in answers)
    assert none == "MissingError: onnxruntime-ep-none 1.2.3 offers no device on this machine; check the driver of the device"
    assert "onnxruntime-ep-old 1.2.3 cannot be loaded by ONNX Runtime 1.31.1 (ORT runtime version" in old
    assert "does not say where its library is (no licence); install it again" in broken
    assert "the library of onnxruntime-ep-torn 1.2.3 is missing: " in torn
    assert f"the library of {tmp_path}/gone.so is missing" in absent
    assert [device for device in devices if "webgpu" not in device and "qnn" not in device] == ["cpu"]
    assert "ep:qnn:npu" in devices


def test_damaged_libraries_in_the_real_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text.so").write_text("no library")
    libraries = {"text": str(tmp_path / "text.so")}
    if shutil.which("cc") is not None:
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-o", str(tmp_path / "other.so"), "-"]
        subprocess.run(command, input=b"int nothing;\n", check=True, timeout=60)
        libraries["other"] = str(tmp_path / "other.so")
    monkeypatch.setenv(VARIABLE, "")
    set_libraries(libraries)
    model = tmp_path / "model.onnx"
    model.write_bytes(one_node("Abs", "FP32", {"x": [1, 4]}, {"y": [1, 4]}))
    backend = find_backend("onnx_runtime")
    assert backend.devices()[-1] == "cpu"
    assert not [device for device in backend.devices() if device.startswith(("ep:text", "ep:other"))]
    assert {f"ep:{name}" for name in libraries} <= set(backend.also_tested())
    reasons = {"text": "file too short", "other": "undefined symbol: CreateEpFactories"}
    for name in libraries:
        for _ in range(2):  # a fault does no harm to the next load
            with pytest.raises(MissingError, match=reasons[name]) as caught:
                backend.load((model,), LoadOptions(device=f"ep:{name}", strict=True))
        assert len(str(caught.value).splitlines()) == 1
    fallen = backend.load((model,), LoadOptions(device="ep:text"))
    assert (fallen.placement.device, fallen.placement.fell_back) == ("cpu", True)
    assert "file too short" in fallen.placement.detail
    with pytest.raises(ModelError, match="has no device 'ep:'"):
        backend.load((model,), LoadOptions(device="ep:"))


@pytest.mark.parametrize("value", ["chip", "chip=relative.so", "Chip=/a.so", ":".join(f"c{each}=/a.so" for each in range(17))])
def test_a_wrong_variable_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(MissingError, match=f"{VARIABLE}: .* is not NAME=/PATH/OF/LIBRARY.so, of at most 16; correct it"):
        plug_in_libraries()


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of this machine, which names a library that cannot be loaded; no process has set the libraries yet."""
    (tmp_path / "text.so").write_text("no library")
    (tmp_path / "agent.toml").write_text('device = "c"\n[ep_libraries]\nchip = "text.so"\n')
    monkeypatch.setenv(VARIABLE, "")  # restored after the test, which sets it
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("EDGEFLEET_AGENT_CONFIG", str(tmp_path / "agent.toml"))
    return tmp_path / "agent.toml"


PACKAGE = ROOT / "firmware_models/conveyor_inspector/1.0.0"
PICTURE = PACKAGE / "golden/1.png"
COMMANDS = {
    "infer": ["infer", "--package", "PACKAGE", str(PICTURE), "--profile", "cpu-x86", "--strict"],
    "bench": ["bench", "PACKAGE", "--seconds", "0.1", "--profile", "cpu-x86", "--strict"],
    "selftest": ["selftest", "PACKAGE", "--profile", "cpu-x86", "--strict"],
    "asked": ["infer", "--package", str(PACKAGE), str(PICTURE), "--device", "ep:chip", "--strict"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_know_the_libraries_of_the_machines_settings(
    command: str, settings: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "package"
    shutil.copytree(PACKAGE, package)
    own = 'runtimes = ["onnx_runtime"]\noptions = { onnx_runtime = { device = "ep:chip" } }'
    text = (package / "model.toml").read_text().replace('runtimes = ["onnx_runtime", "open_vino"]', own)
    (package / "model.toml").write_text(text.replace('name = "int8-tflite"', 'name = "other"\nprofiles = ["none-such"]'))
    assert main([str(package) if each == "PACKAGE" else each for each in COMMANDS[command]]) != 0
    shown = "".join(capfd.readouterr())
    assert "text.so cannot be loaded by ONNX Runtime" in shown
    assert os.environ[VARIABLE] == f"chip={tmp_path}/text.so"  # for children in another folder


def test_the_doctor_tests_a_library_that_offers_nothing(settings: Path) -> None:
    command = [sys.executable, "-m", "edgefleet_agent", "doctor", "--runtime", "onnx_runtime", "--profile", "cpu-x86", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT, check=False)
    checks = {check["what"]: check for check in json.loads(done.stdout)["checks"]}
    assert checks["onnx_runtime on cpu"]["ok"]
    found = checks["onnx_runtime on ep:chip"]
    assert (found["ok"], found["needed"]) == (False, False)
    assert "text.so cannot be loaded by ONNX Runtime" in found["detail"]
    assert "file too short" in found["detail"]


@pytest.mark.parametrize(
    ("content", "logged"), [(None, ""), ("[ep_libraries", "ep_libraries are not known: "), ("device = 1", "device")]
)
def test_settings_that_cannot_be_read_name_no_library(
    content: str | None, logged: str, settings: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.unlink()
    if content is not None:
        settings.write_text(content)
    assert "chip" not in plug_in_libraries()
    assert logged in caplog.text
    assert bool(caplog.text) == (content is not None)
    caplog.clear()
    assert "chip" not in plug_in_libraries()
    assert not caplog.text


def test_the_services_own_settings_precede_those_of_the_machine(settings: Path) -> None:
    set_libraries({})
    assert "chip" not in plug_in_libraries()


def test_a_profile_may_name_such_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    profile = msgspec.convert(
        {
            "name": "board",
            "title": "Board",
            "accelerators": [
                {
                    "runtime": "onnx_runtime",
                    "device": "ep:absent:npu",
                    "precisions": ["int8"],
                    "options": {"ep": {"mode": "burst"}},
                },
                {"runtime": "onnx_runtime"},
            ],
        },
        Profile,
    )
    manifest = read_manifest((ROOT / "firmware_models/conveyor_inspector/1.0.0/model.toml").read_text(), "model.toml")
    first, second, *_ = variant_choices(manifest, profile, ["onnx_runtime"])
    assert (first.runtime, first.device, first.options) == ("onnx_runtime", "ep:absent:npu", {"ep": {"mode": "burst"}})
    assert (second.device, second.options) == ("cpu", {})
    checks = {check.what: check for check in examine(profile, only="onnx_runtime")}
    lacking = checks["onnx_runtime on ep:absent:npu"]
    assert (lacking.ok, lacking.needed) == (False, True)
    assert "no plug-in execution provider 'absent' is installed" in lacking.detail
    assert compiles(profile)


def test_an_error_of_a_plug_in_is_its_innermost_text() -> None:
    wrapped = (
        "[ONNXRuntimeError] : 11 : EP_FAIL : /src/a.cc:393 virtual std::unique_ptr<X> Factory::Create(const Y&) "
        "[ONNXRuntimeError] : 11 : EP_FAIL : /src/b.cc:136 Context::Initialize(const Z&)::<lambda()> status == 1 was false. "
        "Failed to get a WebGPU adapter: No supported adapters"
    )
    assert library_fault(RuntimeError(wrapped)) == "Failed to get a WebGPU adapter: No supported adapters"
    assert library_fault(RuntimeError("/src/b.cc:136 int Context::Open(int) no device\n\n")) == "no device"
    assert library_fault(RuntimeError("no DSP")) == "no DSP"


def test_an_error_of_a_run_is_the_message_of_its_status() -> None:
    text = (
        "[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Conv node. Name:'c' Status Message: "
        "/src/bfc_arena.cc:359 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, Stream*) "
        "Failed to allocate memory for requested buffer of size 5537792"
    )
    assert library_fault(RuntimeError(text)) == "Failed to allocate memory for requested buffer of size 5537792"
    assert library_fault(RuntimeError("(" * 10**6))  # in time that does not grow with the square
