"""Open sizes of a picture input have the size that the manifest gives, whatever names the file has for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.package.manifest import InputSpec
from tests.agent.serving.onnx_file import Shape, one_node

pytestmark = pytest.mark.parametrize("runtime", ["onnx_runtime", "open_vino"])


def load(runtime: str, path: Path, rows: int, columns: int) -> Session:
    picture = InputSpec(name="image", shape=[1, 3, rows, columns], dtype="float32", layout="nchw")
    return find_backend(runtime).load((path,), LoadOptions(picture=picture, threads=1))


@pytest.mark.parametrize("size", [(48, 192), (64, 64)])
@pytest.mark.parametrize(
    "sides", [("n", "rows", "columns"), ("n", "side", "side"), ("n", "?", "?"), ("?", "?", "?"), (1, "side", "side")]
)
def test_names_of_sides(runtime: str, tmp_path: Path, sides: tuple[str | int, ...], size: tuple[int, int]) -> None:
    batch, rows, columns = sides
    shape: Shape = (batch, 3, rows, columns)
    (tmp_path / "m.onnx").write_bytes(one_node("Relu", "FP32", {"image": shape}, {"out": shape}))
    session = load(runtime, tmp_path / "m.onnx", *size)
    fixed = (1 if batch == 1 else -1, 3, *size)
    assert session.inputs[0].shape == fixed
    assert session.outputs[0].shape == fixed
    values = np.random.default_rng(0).normal(size=(1, 3, *size)).astype(np.float32)
    assert np.array_equal(session.infer({"image": values})["out"], np.maximum(values, 0))
    with pytest.raises(ModelError, match="input 'image' is float32"):
        session.infer({"image": values[..., 1:].copy()})
    session.close()
