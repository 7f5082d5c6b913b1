"""Whether a runtime can run a model file, by its facts."""

from __future__ import annotations

from collections.abc import Mapping

from edgefleet_contract.package.formats import ModelFile
from edgefleet_server.core.errors import ManifestError

RUNNABLE_CUSTOM = ("custom:edgetpu-custom-op", "custom:TFLite_Detection_PostProcess")
"""Custom operators that a runtime, or its delegate, has."""

WEIGHT_TYPES = ("float32", "float16", "int8", "uint8")
"""Types of weights; whole numbers of more bits are shapes, indexes and biases."""


def weights_of(counts: Mapping[str, int]) -> str:
    """The type of most weights, from the count of stored numbers by type; empty without weights."""
    known = {kind: counts.get(kind, 0) for kind in WEIGHT_TYPES}
    most = max(known, key=lambda kind: known[kind])
    return most if known[most] else ""


def strange_operators(model: ModelFile) -> list[str]:
    """The reasons why a runtime will refuse custom operators of the file, one text each."""
    strange = [each.removeprefix("custom:") for each in sorted(model.operators) if each.startswith("custom:")]
    return [_strange(name) for name in strange if f"custom:{name}" not in RUNNABLE_CUSTOM]


def check_runnable(model: ModelFile) -> None:
    """Check that a runtime can run the file.

    Raises:
        ManifestError: every runtime will refuse it.
    """
    faults = [*model.faults, *strange_operators(model)]
    if faults:
        raise ManifestError(f"{model.path}: {faults[0]}")


def _strange(name: str) -> str:
    if name.startswith("Flex"):
        return f"operator {name!r} needs TensorFlow itself (the Flex delegate); convert the model without SELECT_TF_OPS"
    return f"custom operator {name!r} is in no runtime; convert the model without it"
