"""`edgefleet-agent bench`: figures of one setting, or one line with the reason for their absence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.__main__ import main
from tests.conftest import ROOT

INSPECTOR = ROOT / "firmware_models/conveyor_inspector/1.1.0"
QUICK = ["--seconds", "0.05", "--threads", "1", "--json"]


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any], str]:
    code = main(["bench", *arguments])
    output = capsys.readouterr()
    return code, json.loads(output.out) if code == 0 else {}, output.err


def open_batch(folder: Path) -> Path:
    """A package whose model takes any number of pictures at once."""
    onnx = pytest.importorskip("onnx", reason="needs the extra quantize: onnx")
    pytest.importorskip("onnxruntime", reason="needs the extra onnx")
    ports = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 3, 8, 8]) for name in ("image", "out")]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["image"], ["out"])], "g", ports[:1], ports[1:])
    onnx.save(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8), str(folder / "m.onnx")
    )
    (folder / "model.toml").write_text(
        """name = "any"
version = "1.0.0"
task = "classification"
head = { family = "classification" }
inputs = [{ name = "image", shape = [-1, 3, 8, 8], dtype = "float32", layout = "nchw" }]
variants = [{ name = "f32", format = "onnx", files = ["m.onnx"], runtimes = ["onnx_runtime"] }]
""",
        encoding="utf-8",
    )
    return folder


def test_several_instances_of_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(open_batch(tmp_path)), "--batch", "4", "--instances", "2", *QUICK]
    code, found, _ = measured(capsys, *arguments)
    assert code == 0
    assert (found["variant"], found["runtime"], found["batch"], found["instances"]) == ("f32", "onnx_runtime", 4, 2)
    assert found["runs"] >= 2
    assert found["per_s"] > 0
    assert 0 < found["latency_ms"]["p50"] <= found["latency_ms"]["p95"] <= found["latency_ms"]["p99"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--batch", "4"], "export the model with a dynamic batch"),
        (["--variant", "int4"], "has no variant 'int4'"),
        (["--backend", "lite_rt", "--variant", "int8-onnx"], "with lite_rt; it has int8-onnx: onnx_runtime, open_vino"),
        (["--instances", "0"], "--streams, --instances and --batch must be at least 1"),
    ],
)
def test_what_cannot_be_measured_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str) -> None:
    code, _, output = measured(capsys, str(INSPECTOR), *QUICK, *arguments)
    assert code in (2, 3)
    assert output.count("\n") == 1
    assert problem in output
