"""Predicts whether Coral's compiler accepts a TFLite file, and how much of it. The compiler has not changed since 2021 and is
not run here: the rules come from its documentation and from reports of its users. It maps one sequence of operators to the Edge
TPU and leaves the rest to the CPU.

Operators: coral.ai, "TensorFlow models on the Edge TPU". Versions: the first ones of TensorFlow Lite that know int8 (its operator
versions are listed in tensorflow/lite/tools/versioning), which the compiled twins of Coral's own models confirm as far as they go
(RESIZE_BILINEAR 3 in MoveNet's). A newer version may be refused with "Operation version not supported".
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from edgefleet_server.registry.importers.formats.tflite_operators import Operator, read_operators

VERSIONS_MAX = {
    "ADD": 2, "AVERAGE_POOL_2D": 2, "CONCATENATION": 2, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 3, "EXPAND_DIMS": 1,
    "FULLY_CONNECTED": 4, "L2_NORMALIZATION": 2, "LOGISTIC": 2, "LSTM": 4, "UNIDIRECTIONAL_SEQUENCE_LSTM": 3, "MAXIMUM": 2,
    "MAX_POOL_2D": 2, "MEAN": 2, "MINIMUM": 2, "MUL": 2, "PACK": 2, "PAD": 2, "PRELU": 1, "QUANTIZE": 2, "REDUCE_MAX": 2,
    "REDUCE_MIN": 2, "RELU": 2, "RELU6": 2, "RELU_N1_TO_1": 2, "RESHAPE": 1, "RESIZE_BILINEAR": 3, "RESIZE_NEAREST_NEIGHBOR": 2,
    "RSQRT": 2, "SLICE": 2, "SOFTMAX": 2, "SPACE_TO_DEPTH": 2, "SPLIT": 3, "SQUEEZE": 1, "STRIDED_SLICE": 2, "SUB": 2, "SUM": 2,
    "SQUARED_DIFFERENCE": 2, "TANH": 2, "TRANSPOSE": 2, "TRANSPOSE_CONV": 3,
}  # fmt: skip
COMPILED = "edgetpu-custom-op"

Finding = tuple[Literal["error", "warning"], str]


def edge_tpu_findings(file: Path) -> list[Finding]:
    """Findings about a TFLite file. error: the compiler refuses the file, or leaves all of it to the CPU; warning: a part stays
    on the CPU.

    Raises:
        ManifestError: it is not a complete TFLite file.
    """
    operators = read_operators(file)
    if any(each.name == COMPILED for each in operators):
        return []
    findings: list[Finding] = []
    opened = [each.name for each in operators if each.open_sides]
    if opened:
        text = f"{len(opened)} operators have sizes that are only known when they run, first {opened[0]}"
        findings.append(("error", f"Edge TPU: {text}; export it with fixed shapes"))
    reasons = [_left(each, place, len(operators)) for place, each in enumerate(operators)]
    first = next((place for place, why in enumerate(reasons) if not why), None)
    if first is None:
        return [
            *findings,
            ("error", f"Edge TPU: nothing of it can run there: {reasons[0] if reasons else 'it has no operators'}"),
        ]
    end = next((place for place, why in enumerate(reasons) if why and place > first), None)
    if first:
        findings.append(("warning", f"Edge TPU: {reasons[0]}; the first {first} operators stay on the CPU"))
    if end is not None:
        findings.append(("warning", f"Edge TPU: {reasons[end]}; the last {len(operators) - end} operators stay on the CPU"))
    if any(each.name == "FULLY_CONNECTED" and each.per_channel for each in operators):
        findings.append(
            ("warning", "Edge TPU: FULLY_CONNECTED has scales by channel, which its compiler may refuse; use one for all")
        )
    return findings


def _left(each: Operator, place: int, count: int) -> str:
    """The reason why an operator stays on the CPU; "" if it does not."""
    where = f"operator {place + 1} of {count}, {each.name},"
    if each.name not in VERSIONS_MAX:
        return f"{where} does not exist there"
    if each.is_float:
        return f"{where} works with floats; quantize all of it, inputs and outputs too"
    if not each.is_8_bit:
        return f"{where} works with numbers of 32 bits; the Edge TPU has those of 8 bits only"
    if each.version > VERSIONS_MAX[each.name]:
        return f"{where} has version {each.version}, and {VERSIONS_MAX[each.name]} is the newest that is known to be taken"
    return ""
