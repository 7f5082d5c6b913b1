"""Whether a runtime can run a model file, by its facts."""

from __future__ import annotations

from edgefleet_contract.package.formats import ModelFile
from edgefleet_server.core.errors import ManifestError

RUNNABLE_CUSTOM = ("custom:edgetpu-custom-op", "custom:TFLite_Detection_PostProcess")
"""Custom operators that a runtime, or its delegate, has."""


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
