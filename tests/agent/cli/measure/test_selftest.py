"""`edgefleet-agent selftest` as started by the supervisor."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import TensorProto, helper

from edgefleet_agent.__main__ import main
from edgefleet_agent.cli.measure.selftest import budgets_of
from edgefleet_agent.model_store.golden_check import GoldenVerdict
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.package.manifest import MANIFEST_FILE, Budgets
from edgefleet_contract.package.profile import Profile
from tests.packages import MakePackage


def verdict(capsys: pytest.CaptureFixture[str], folder: Path, *more: str) -> tuple[int, dict[str, Any]]:
    code = main(["selftest", str(folder), "--json", *more])
    parsed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, parsed


def verdict_of_a_child(folder: Path) -> tuple[int, GoldenVerdict]:
    """Runs the self-test as the supervisor does, in a new process, so that its memory figure is that of the model alone."""
    command = [sys.executable, "-m", "edgefleet_agent", "selftest", str(folder), "--json"]
    done = subprocess.run(command, capture_output=True, timeout=120, cwd=Path(__file__).resolve().parents[4])
    return done.returncode, decode(done.stdout, GoldenVerdict)


def test_more_memory_than_its_budget(package: MakePackage) -> None:
    path = package("mobilenet_v2", copy=True) / MANIFEST_FILE
    text = path.read_text(encoding="utf-8")
    assert "memory_bytes = 800000000" in text
    path.write_text(text.replace("memory_bytes = 800000000", "memory_bytes = 1"), encoding="utf-8")
    code, verdict_found = verdict_of_a_child(path.parent)
    assert (code, verdict_found.reason.value) == (5, "over_memory")


@pytest.mark.parametrize(("own", "profile", "expected"), [(0, 0, 0), (5, 0, 5), (0, 7, 7), (5, 7, 5), (9, 7, 7), (9, None, 9)])
def test_the_smaller_budget_counts(own: int, profile: int | None, expected: int) -> None:
    device = None if profile is None else Profile(name="board", title="Board", accelerators=[], memory_bytes=profile)
    assert budgets_of(Budgets(latency_ms=3.0, memory_bytes=own), device) == Budgets(latency_ms=3.0, memory_bytes=expected)


def test_a_good_package_in_a_process_of_its_own(package: MakePackage) -> None:
    code, verdict_found = verdict_of_a_child(package("person_detection_retail_0013"))
    assert code == 0
    assert (verdict_found.ok, verdict_found.reason.value, verdict_found.detail) == (True, "none", "")
    assert (verdict_found.runtime, verdict_found.device, verdict_found.variant) == ("open_vino", "cpu", "openvino-f16")
    assert verdict_found.latency_ms > 0
    assert verdict_found.memory_bytes > 10_000_000


def test_the_badly_calibrated_update_is_refused(package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    code, verdict_found = verdict(capsys, package("person_detection_retail_0013", "1.1.0"))
    assert (code, verdict_found["ok"], verdict_found["reason"]) == (5, False, "golden_mismatch")
    count = re.search(r"expected 2 objects, found (\d+)", verdict_found["detail"])
    assert count is not None
    assert int(count[1]) > 20, "76 with VNNI, 61 with AMX: how many depends on how the processor adds int8 products"
    assert set(verdict_found) == {"ok", "reason", "detail", "latency_ms", "memory_bytes", "runtime", "device", "variant"}


@pytest.mark.parametrize("variant", ["cpu-int8", "onnx-int8", "openvino-int8"])
def test_every_variant_of_a_package(package: MakePackage, capsys: pytest.CaptureFixture[str], variant: str) -> None:
    code, verdict_found = verdict(capsys, package("mobilenet_v2"), "--variant", variant)
    assert (code, verdict_found["reason"], verdict_found["variant"]) == (0, "none", variant)


@pytest.mark.parametrize(
    ("before", "after", "more", "reason"),
    [
        ("latency_ms = 2000.0", "latency_ms = 0.001", [], "over_latency"),
        ('family = "classification"', 'family = "yolox"', [], "manifest_invalid"),
        ('expect = "golden/parrot.json"', 'expect = "model.toml"', [], "manifest_invalid"),
        ('input = "golden/parrot.jpg"', 'input = "model.toml"', [], "manifest_invalid"),
        ('input = "golden/parrot.jpg"', 'input = "golden/none.jpg"', [], "manifest_invalid"),
        ('files = ["mobilenet_v2.tflite"]', 'files = ["mobilenet_v2.onnx"]', [], "model_refused"),
        ('name = "input"', 'name = "input"', ["--runtimes", "abacus"], "incompatible"),
    ],
)
def test_what_is_wrong_has_a_reason(
    package: MakePackage, capsys: pytest.CaptureFixture[str], before: str, after: str, more: list[str], reason: str
) -> None:
    path = package("mobilenet_v2", copy=True) / MANIFEST_FILE
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    code, verdict_found = verdict(capsys, path.parent, *more)
    assert (code, verdict_found["reason"]) == (5, reason)
    assert verdict_found["detail"]
    assert "\n" not in verdict_found["detail"]


def test_a_truncated_model_is_refused(package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    folder = package("mobilenet_v2", copy=True)
    model = folder / "mobilenet_v2.tflite"
    model.write_bytes(model.read_bytes()[:2_000_000])
    assert verdict(capsys, folder)[1]["reason"] == "model_refused"
    model.unlink()
    assert verdict(capsys, folder)[1]["reason"] == "model_refused"


def test_for_people(package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest", str(package("mobilenet_v2"))]) == 0
    assert capsys.readouterr().out.startswith("passed: cpu-int8 on lite_rt, cpu: ")


def test_what_is_compiled_in_the_test_is_not_compiled_again(package: MakePackage, tmp_path: Path) -> None:
    """OpenVINO compiles for every device, the CPU included. The measured process is one that loads what was compiled."""
    folder, cache = package("yolox_nano"), tmp_path / "engines"
    command = [sys.executable, "-m", "edgefleet_agent", "selftest", str(folder), "--json"]
    command += ["--runtimes", "open_vino", "--cache", str(cache)]
    starts, blobs = [], []
    for _ in range(2):
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=120,
            cwd=Path(__file__).resolve().parents[4],
            env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},  # every process prints its imports
        )
        assert done.returncode == 0, done.stderr[-2000:]
        (line,) = done.stdout.splitlines()
        assert json.loads(line)["ok"] is True
        starts.append(done.stderr.count("| site\n"))
        blobs.append({path: path.stat().st_mtime_ns for path in cache.rglob("*.blob")})
    assert starts == [2, 1]
    assert len(blobs[0]) == 1
    assert blobs[0] == blobs[1]


NOT_A_NUMBER = """
name = "broken"
version = "1.0.0"
task = "classification"
labels = ["a", "b", "c"]

[head]
family = "classification"

[[inputs]]
shape = [1, 3, 8, 8]
dtype = "float32"
layout = "nchw"

[[variants]]
name = "onnx-f32"
format = "onnx"
files = ["model.onnx"]
runtimes = ["onnx_runtime", "open_vino"]
"""


@pytest.mark.parametrize("runtime", ["onnx_runtime", "open_vino"])
def test_a_model_that_computes_no_numbers_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], runtime: str) -> None:
    nodes = [
        helper.make_node("GlobalAveragePool", ["picture"], ["mean"]),
        helper.make_node("Sub", ["mean", "mean"], ["zero"]),
        helper.make_node("Div", ["zero", "zero"], ["scores"]),
    ]
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 8, 8])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 3, 1, 1])
    graph = helper.make_graph(nodes, "broken", [picture], [scores])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, tmp_path / "model.onnx")
    (tmp_path / MANIFEST_FILE).write_text(NOT_A_NUMBER, encoding="utf-8")
    code, found = verdict(capsys, tmp_path, "--runtimes", runtime)
    assert (code, found["reason"]) == (5, "model_refused")
    assert found["detail"] == "output scores is not a number (NaN); export the model again as f32"
