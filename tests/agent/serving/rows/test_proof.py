"""Requests are joined only where the operators of the file prove that no row changes another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from edgefleet_agent.serving.rows.proof import judge

Shape = list[int | str | None]
CHANCE = np.random.default_rng(3)


def weight(*shape: int) -> Any:
    return (CHANCE.normal(size=shape) / 4).astype(np.float32)


def model(
    nodes: list[Any],
    inputs: dict[str, Shape],
    outputs: dict[str, Shape],
    constants: dict[str, Any],
    opset: int = 17,
    types: dict[str, int] | None = None,
) -> Any:
    """A checked model; tensors are FP32 unless `types` says otherwise."""

    def info(name: str, shape: Shape) -> Any:
        return helper.make_tensor_value_info(name, (types or {}).get(name, TensorProto.FLOAT), shape)

    graph = helper.make_graph(
        nodes,
        "graph",
        [info(*each) for each in inputs.items()],
        [info(*each) for each in outputs.items()],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)])
    made.ir_version = 8
    return made


def op(kind: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(kind, names, outputs.split(), **attributes)


def one(kind: str, extra: str = "", constants: dict[str, Any] | None = None, opset: int = 17, **attributes: Any) -> Any:
    """One operator on [n, 3, 4]."""
    return model(
        [op(kind, f"x {extra}", "y", **attributes)], {"x": ["n", 3, 4]}, {"y": ["n", None, None]}, constants or {}, opset
    )


def clipped(limit: float) -> Any:
    """Divides by the largest number of the whole tensor, where that is larger than `limit`."""
    nodes = [op("ReduceMax", "x", "largest", keepdims=0), op("Max", "largest limit", "divisor"), op("Div", "x divisor", "y")]
    return model(nodes, {"x": ["n", 4]}, {"y": ["n", 4]}, {"limit": np.float32(limit)})


def attention() -> Any:
    """Text in the form of PyTorch's exports: shapes are computed of the shape of the input."""
    nodes = [
        op("Gather", "table ids", "h"),
        op("Shape", "h", "shape"),
        op("Gather", "shape zero", "n", axis=0),
        op("Gather", "shape one", "s", axis=0),
        op("Unsqueeze", "n axis0", "n1"),
        op("Unsqueeze", "s axis0", "s1"),
        op("Concat", "n1 s1 two four", "split", axis=0),
        op("Concat", "n1 s1 eight", "joined", axis=0),
    ]
    for name in "qkv":
        nodes += [
            op("MatMul", f"h w{name}", f"{name}0"),
            op("Reshape", f"{name}0 split", f"{name}1"),
            op("Transpose", f"{name}1", f"{name}2", perm=[0, 2, 3, 1] if name == "k" else [0, 2, 1, 3]),
        ]
    nodes += [
        op("MatMul", "q2 k2", "score"),
        op("Unsqueeze", "mask axes12", "mask1"),
        op("Cast", "mask1", "mask2", to=TensorProto.FLOAT),
        op("Sub", "onef mask2", "mask3"),
        op("Mul", "mask3 low", "mask4"),
        op("Add", "score mask4", "masked"),
        op("Softmax", "masked", "share", axis=-1),
        op("MatMul", "share v2", "seen"),
        op("Transpose", "seen", "seen1", perm=[0, 2, 1, 3]),
        op("Reshape", "seen1 joined", "seen2"),
        op("Add", "seen2 h", "sum"),
        op("LayerNormalization", "sum gain bias", "normal", axis=-1),
        op("Gather", "normal zero", "first", axis=1),
        op("Gemm", "first wo bo", "logits", transB=1),
    ]
    constants = {
        "table": weight(30, 8), "zero": np.int64(0), "one": np.int64(1), "axis0": np.array([0]), "two": np.array([2]),
        "four": np.array([4]), "eight": np.array([8]), "axes12": np.array([1, 2]), "onef": np.float32(1), "low": np.float32(-1e4),
        "gain": weight(8), "bias": weight(8), "wo": weight(3, 8), "bo": weight(3), **{f"w{name}": weight(8, 8) for name in "qkv"},
    }  # fmt: skip
    types = {"ids": TensorProto.INT64, "mask": TensorProto.INT64}
    return model(nodes, {"ids": ["batch", "s"], "mask": ["batch", "s"]}, {"logits": ["batch", 3]}, constants, types=types)


def pictures() -> Any:
    """A residual network with a head as detectors have: resized, joined, reshaped, transposed."""
    nodes = [
        op("Conv", "x w1", "a", pads=[1, 1, 1, 1]),
        op("BatchNormalization", "a gain bias mean var", "b"),
        op("Relu", "b", "c"),
        op("MaxPool", "c", "d", kernel_shape=[2, 2], strides=[2, 2]),
        op("Resize", "d - scales", "e", mode="nearest"),
        op("Concat", "c e", "f", axis=1),
        op("Sigmoid", "f", "g"),
        op("Mul", "f g", "h"),
        op("GlobalAveragePool", "h", "i"),
        op("Mul", "h i", "j"),
        op("Reshape", "j flat", "k"),
        op("Transpose", "k", "l", perm=[0, 2, 1]),
        op("Split", "l", "m n", axis=2, num_outputs=2),
        op("Softmax", "m", "y", axis=-1),
        op("Flatten", "i", "o"),
        op("Gemm", "o w2", "z"),
    ]
    constants = {
        "w1": weight(4, 3, 3, 3), "gain": weight(4), "bias": weight(4), "mean": weight(4), "var": np.abs(weight(4)),
        "scales": np.array([1, 1, 2, 2], np.float32), "flat": np.array([0, 8, -1]), "w2": weight(8, 5),
    }  # fmt: skip
    return model(nodes, {"x": ["n", 3, 8, 8]}, {"y": ["n", 64, 4], "z": ["n", 5]}, constants, 18)


def quantized() -> Any:
    """Weights and activations with fixed scales."""
    nodes = [
        op("QuantizeLinear", "x s z", "a"),
        op("DequantizeLinear", "a s z", "b"),
        op("DequantizeLinear", "w s z", "w1"),
        op("Transpose", "w1", "w2", perm=[1, 0]),
        op("MatMul", "b w2", "c"),
        op("Add", "c bias", "y"),
    ]
    constants = {"s": np.float32(0.05), "z": np.uint8(128), "w": np.arange(12, dtype=np.uint8).reshape(3, 4) + 100}
    return model(nodes, {"x": ["n", 4]}, {"y": ["n", 3]}, {**constants, "bias": weight(3)})


def batch_first_lstm() -> Any:
    nodes = [
        op("Transpose", "x", "t", perm=[1, 0, 2]),
        op("LSTM", "t w r", "s", hidden_size=4),
        op("Squeeze", "s axis", "u"),
        op("Transpose", "u", "y", perm=[1, 0, 2]),
    ]
    constants = {"w": weight(1, 16, 3), "r": weight(1, 16, 4), "axis": np.array([1])}
    return model(nodes, {"x": ["n", 5, 3]}, {"y": ["n", 5, 4]}, constants)


def lstm() -> Any:
    nodes = [op("LSTM", "x w r", "s", hidden_size=4), op("Squeeze", "s axis", "y")]
    constants = {"w": weight(1, 16, 3), "r": weight(1, 16, 4), "axis": np.array([1])}
    return model(nodes, {"x": ["seq", "batch", 3]}, {"y": ["seq", "batch", 4]}, constants)


def branch() -> Any:
    """Branches by the sum of all rows."""
    then = helper.make_graph([op("Neg", "x", "t")], "then", [], [helper.make_tensor_value_info("t", TensorProto.FLOAT, ["n", 4])])
    other = helper.make_graph(
        [op("Identity", "x", "e")], "else", [], [helper.make_tensor_value_info("e", TensorProto.FLOAT, ["n", 4])]
    )
    nodes = [
        op("Size", "x", "count"),
        op("Greater", "count four", "many"),
        op("If", "many", "y", then_branch=then, else_branch=other),
    ]
    return model(nodes, {"x": ["n", 4]}, {"y": ["n", 4]}, {"four": np.int64(4)})


def dynamically_quantized() -> Any:
    nodes = [
        op("DynamicQuantizeLinear", "x", "q s z"),
        op("MatMulInteger", "q w z", "i"),
        op("Cast", "i", "f", to=TensorProto.FLOAT),
        op("Mul", "f s", "y"),
    ]
    return model(nodes, {"x": ["n", 4]}, {"y": ["n", 4]}, {"w": np.eye(4, dtype=np.uint8)})


def swapped() -> Any:
    """Blocks of two elements, put in another order over the batch: [n, 2, 2] -> [2n, 2] -> [2, n, 2]."""
    nodes = [op("Reshape", "x flat", "a"), op("Reshape", "a back", "b"), op("Transpose", "b", "y", perm=[1, 0, 2])]
    constants = {"flat": np.array([-1, 2]), "back": np.array([2, -1, 2])}
    return model(nodes, {"x": ["n", 2, 2]}, {"y": ["n", 2, 2]}, constants)


INDEPENDENT = {
    "attention": attention(),
    "pictures": pictures(),
    "quantized": quantized(),
    "batch first": batch_first_lstm(),
    "softmax of the last axis": one("Softmax", axis=-1),
    "mean of another axis": one("ReduceMean", axes=[1]),
    "sum that keeps no axis": model(
        [op("ReduceSum", "x axes", "y", keepdims=0)], {"x": ["n", 3, 4]}, {"y": ["n", 4]}, {"axes": np.array([1])}
    ),
    "running sum of another axis": one("CumSum", "axis", {"axis": np.array(1)}),
    "constant added": one("Add", "c", {"c": weight(3, 4)}),
    "slice of another axis": one("Slice", "a b c", {"a": np.array([1]), "b": np.array([3]), "c": np.array([1])}),
    "padded": one("Pad", "p", {"p": np.array([0, 1, 0, 0, 1, 0])}),
}
DEPENDENT = {
    "divided by the largest of all": clipped(100),
    "sequence first": lstm(),
    "branch by the number of rows": branch(),
    "dynamic quantization": dynamically_quantized(),
    "softmax of the first axis": one("Softmax", axis=0),
    "softmax of the first axis, of old": one("Softmax", opset=11, axis=0),
    "softmax of all axes, of old": model([op("Softmax", "x", "y", axis=0)], {"x": ["n", 4]}, {"y": ["n", 4]}, {}, 11),
    "mean of the first axis": one("ReduceMean", axes=[0]),
    "mean of a negative axis": one("ReduceMean", axes=[-3]),
    "mean of all": one("ReduceMean"),
    "running sum": one("CumSum", "axis", {"axis": np.array(0)}),
    "running sum of a negative axis": one("CumSum", "axis", {"axis": np.array(-3)}),
    "reversed": one("Slice", "a b c a", {"a": np.array([-1]), "b": np.array([-(2**62)]), "c": np.array([0])}),
    "first row for all": model(
        [op("Gather", "x zero", "first", axis=0), op("Mul", "x first", "y")],
        {"x": ["n", 4]}, {"y": ["n", 4]}, {"zero": np.array([0])},
    ),
    "largest place": one("Hardmax", axis=0),
    "transposed": one("Transpose", perm=[1, 0, 2]),
    "own product": model(
        [op("Transpose", "x", "t"), op("MatMul", "x t", "y")], {"x": ["n", 4]}, {"y": ["n", "m"]}, {}
    ),
    "constant for each row": one("Add", "c", {"c": weight(4, 3, 4)}),
    "normalised as one": one("LayerNormalization", "s", {"s": weight(3, 4)}, axis=0),
    "rows in another order": swapped(),
    "different names": model([op("Gather", "x i", "y")], {"x": ["n", 4], "i": ["k"]}, {"y": ["k", 4]}, {}, types={"i": 7}),
    "alone with different names": model(
        [op("Neg", "a", "p"), op("Neg", "b", "q")], {"a": ["n", 2], "b": ["m", 2]}, {"p": ["n", 2], "q": ["m", 2]}, {}
    ),
    "unknown operator": one("ReverseSequence", "l", {"l": np.array([3, 3, 3, 3])}, time_axis=1, batch_axis=2),
}  # fmt: skip


def put(folder: Path, made: Any) -> Path:
    onnx.save(made, folder / "model.onnx")
    return folder / "model.onnx"


def rows_for(session: onnxruntime.InferenceSession, count: int) -> dict[str, Any]:
    """Rows of very different sizes."""
    found = {}
    for each in session.get_inputs():
        shape = [count, *(side if isinstance(side, int) else 5 for side in each.shape[1:])]
        if each.type == "tensor(int64)":
            found[each.name] = CHANCE.integers(0, 2, shape)
        else:
            sizes = np.array([1.0, 1e3, 1e-3, 0.0][:count], np.float32).reshape(-1, *[1] * (len(shape) - 1))
            found[each.name] = CHANCE.normal(size=shape).astype(np.float32) * sizes
    return found


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_rows_are_proven_and_are_so(tmp_path: Path, name: str) -> None:
    file = put(tmp_path, INDEPENDENT[name])
    assert judge("onnx_runtime", file).rows == "independent", judge("onnx_runtime", file).why
    session = onnxruntime.InferenceSession(str(file))
    joined = rows_for(session, 4)
    together = session.run(None, joined)
    for row in range(4):
        alone = session.run(None, {key: array[row : row + 1] for key, array in joined.items()})
        for one_output, other in zip(alone, together, strict=True):
            np.testing.assert_allclose(one_output, other[row : row + 1], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", DEPENDENT)
def test_other_rows_are_not_proven(tmp_path: Path, name: str) -> None:
    file = put(tmp_path, DEPENDENT[name])
    verdict = judge("onnx_runtime", file)
    assert verdict.rows != "independent"
    assert verdict.why


def test_the_reason_names_the_operator(tmp_path: Path) -> None:
    assert judge("onnx_runtime", put(tmp_path, clipped(1))).why == "ReduceMax over all axes"
    assert judge("onnx_runtime", put(tmp_path, lstm())).why == "LSTM over the first axis"
    assert "k, n" in judge("onnx_runtime", put(tmp_path, DEPENDENT["different names"])).why


def test_other_files_and_runtimes_are_not_proven(tmp_path: Path) -> None:
    file = put(tmp_path, pictures())
    assert judge("open_vino", file).rows == "unknown"
    assert judge("onnx_runtime", tmp_path / "missing.onnx").rows == "unknown"


def test_a_damaged_file_is_not_proven(tmp_path: Path) -> None:
    """No part of a file makes the reader raise, or run for long."""
    whole = put(tmp_path, attention()).read_bytes()
    chance = np.random.default_rng(5)
    for number in range(300):
        data = bytearray(whole[: chance.integers(1, len(whole))] if number % 2 else whole)
        for place in chance.integers(0, len(data), 8):
            data[place] = chance.integers(0, 256)
        (tmp_path / "damaged.onnx").write_bytes(bytes(data))
        assert judge("onnx_runtime", tmp_path / "damaged.onnx").rows in ("independent", "mixed", "unknown")


@pytest.mark.parametrize("name", ["ultraface_rfb_320/version-RFB-320.onnx", "yolox_nano/yolox_nano.onnx"])
def test_detectors_are_proven(data: Path, name: str) -> None:
    verdict = judge("onnx_runtime", data / "models/onnx" / name)
    assert verdict.rows == "independent", verdict.why
