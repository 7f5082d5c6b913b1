"""The format `toy`: one JSON object. Needs neither the agent nor the runtime, so that a server can read it.

{"operator": "means", "input": [1, HEIGHT, WIDTH, 3]}      the mean of each channel of a uint8 picture, 0..1
{"operator": "double", "input": [1, 8]}                    float32 numbers plus themselves
"""

from __future__ import annotations

import json
from pathlib import Path

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.formats import Format, ModelFile, Tensor


def tensors(data: bytes) -> tuple[str, Tensor, Tensor]:
    """The operator of a file, its input and its output.

    Raises:
        ValueError: it is not of this format.
    """
    plain = json.loads(data)
    if not isinstance(plain, dict) or not isinstance(plain.get("input"), list):
        raise ValueError("not an object with `input`, a list of numbers")
    shape, operator = tuple(int(side) for side in plain["input"]), plain.get("operator")
    if operator == "means" and len(shape) == 4:
        return operator, Tensor("pixels", shape, "uint8"), Tensor("means", (1, shape[3]), "float32")
    if operator == "double":
        return operator, Tensor("x", shape, "float32"), Tensor("y", shape, "float32")
    raise ValueError(f"operator {operator!r} with input {list(shape)} does not exist")


def read_toy(path: Path, data: bytes) -> ModelFile:
    """The tensors of a file.

    Raises:
        ManifestError: it is not of this format.
    """
    try:
        operator, taken, given = tensors(data)
    except (ValueError, TypeError) as cause:
        raise ManifestError(f"{path}: not a toy model ({cause}); write it again") from cause
    return ModelFile(path, "toy", (taken,), (given,), frozenset({operator}))


TOY = Format(suffixes=(".toy",), runtimes=("toy",), read=read_toy)
