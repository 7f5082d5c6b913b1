"""A model whose runs may take any time never runs on the thread that reads requests."""

from __future__ import annotations

import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import openvino
import pytest
from onnx import TensorProto, helper

from edgefleet_agent.serving.rows.constant_work import has_constant_work
from tests.agent.serving.rows.test_proof import model, one, op
from tests.agent.serving.test_isolation import Serving

BODY = helper.make_graph(
    [op("Identity", "going", "goes_on"), op("Cast", "turn", "number", to=TensorProto.FLOAT), op("Add", "held number", "sum")],
    "body",
    [
        helper.make_tensor_value_info("turn", TensorProto.INT64, []),
        helper.make_tensor_value_info("going", TensorProto.BOOL, []),
        helper.make_tensor_value_info("held", TensorProto.FLOAT, [1]),
    ],
    [
        helper.make_tensor_value_info("goes_on", TensorProto.BOOL, []),
        helper.make_tensor_value_info("sum", TensorProto.FLOAT, [1]),
    ],
)


def branch(kind: str) -> Any:
    return helper.make_graph([op(kind, "x", "z")], kind, [], [helper.make_tensor_value_info("z", TensorProto.FLOAT, [1])])


LOOP = model(
    [op("Loop", "turns going x", "y", body=BODY)],
    {"turns": [], "going": [], "x": [1]},
    {"y": [1]},
    {},
    types={"turns": TensorProto.INT64, "going": TensorProto.BOOL},
)
BRANCH = model(
    [op("If", "going", "y", **{f"{name}_branch": branch(kind) for name, kind in (("then", "Neg"), ("else", "Abs"))})],
    {"going": [], "x": [1]},
    {"y": [1]},
    {},
    types={"going": TensorProto.BOOL},
)
TILE = model([op("Tile", "x times", "y")], {"x": ["n"], "times": [1]}, {"y": ["m"]}, {}, types={"times": TensorProto.INT64})
FIXED_TILE = model([op("Tile", "x times", "y")], {"x": ["n"]}, {"y": ["m"]}, {"times": np.array([3])})


@pytest.mark.parametrize(
    ("made", "constant"),
    [
        (one("Relu"), True),
        (one("Identity"), True),
        (FIXED_TILE, True),
        (TILE, False),
        (LOOP, False),
        (one("Unknown", domain="of.a.vendor"), False),
    ],
    ids=["relu", "identity", "tile by a constant", "tile by an input", "loop", "operator of a vendor"],
)
def test_operators_of_onnx_files(made: Any, constant: bool, tmp_path: Path) -> None:
    onnx.save(made, tmp_path / "model.onnx")
    assert has_constant_work(tmp_path / "model.onnx") is constant


@pytest.mark.parametrize(
    ("name", "constant"),
    [
        ("mobilenet_v2_1.0_224_quant.tflite", True),
        ("movenet_single_pose_lightning_ptq.tflite", False),
        ("ssd_mobilenet_v1_coco_quant.tflite", False),
    ],
)
def test_operators_of_tflite_files(name: str, constant: bool, data: Path) -> None:
    (file,) = list((data / "models").rglob(name))[:1]
    assert has_constant_work(file) is constant


@pytest.mark.parametrize(
    ("made", "constant"), [(one("Relu"), True), (BRANCH, False), (TILE, False)], ids=["relu", "branch", "tile"]
)
def test_operators_of_openvino_files(made: Any, constant: bool, tmp_path: Path) -> None:
    onnx.save(made, tmp_path / "model.onnx")
    openvino.save_model(openvino.convert_model(tmp_path / "model.onnx"), tmp_path / "model.xml", compress_to_fp16=False)
    assert has_constant_work(tmp_path / "model.xml") is constant


@pytest.mark.parametrize("name", ["model.onnx", "model.xml", "model.tflite", "model.other"])
@pytest.mark.parametrize("content", [b"", b"\x00", b"TFL3" * 8, b"<net", bytes(range(256))])
def test_what_cannot_be_read_is_not_constant(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    assert not has_constant_work(tmp_path / name) or (name, content) == ("model.onnx", b"")


@pytest.mark.system
def test_a_call_of_any_length_does_not_delay_others(tmp_path: Path) -> None:
    folder = tmp_path / "models/loop/1"
    folder.mkdir(parents=True)
    onnx.save(LOOP, folder / "model.onnx")
    serving = Serving(str(tmp_path / "models"))
    ended: list[int] = []

    def call(turns: int) -> None:
        inputs = [("turns", [], "INT64", turns), ("going", [], "BOOL", True), ("x", [1], "FP32", 0.0)]
        sent = [{"name": name, "shape": shape, "datatype": kind, "data": [value]} for name, shape, kind, value in inputs]
        ended.append(serving.post("loop", *sent)[0])

    try:
        for _ in range(3):
            call(1)
        long = threading.Thread(target=call, args=(3_000_000,))
        long.start()
        time.sleep(0.5)
        for _ in range(20):
            with urllib.request.urlopen(f"http://{serving.address}/v2/health/live", timeout=60) as answer:
                assert answer.status == 200
        assert len(ended) == 3, "health is answered before the call ends"
        long.join()
        assert ended == [200] * 4
    finally:
        serving.close()
