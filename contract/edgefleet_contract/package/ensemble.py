"""An ensemble: models joined by the names of their tensors, written as a `model.toml` of its own kind.

    [[ensemble.step]]
    model = "gate"
    input_map = { INPUT = "image" }        # tensor of the model = tensor of the ensemble, as in Triton
    output_map = { SCORE = "score" }

    [[ensemble.step]]
    model = "detector"
    version = "1.2.0"                      # leave out: the newest
    input_map = { INPUT = "image" }
    output_map = { BOXES = "boxes" }
    when = { tensor = "score", at_least = 0.5 }

A tensor that no step produces is an input; one that no step consumes is an output, unless `outputs` names them.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire

STEPS_MAX = 64
TENSORS_MAX = 256

TensorName = Annotated[str, Meta(min_length=1, max_length=128)]
Map = Annotated[dict[TensorName, TensorName], Meta(min_length=1, max_length=TENSORS_MAX)]


class Condition(Wire):
    """True if any element of `tensor` is at least `at_least`, or below `below`; if both are set, one element must meet both."""

    tensor: TensorName
    at_least: float | None = None
    below: float | None = None


class EnsembleStep(Wire):
    """One model. The maps go from its tensors to those of the ensemble. when: the step is skipped if the condition is false."""

    model: Annotated[str, Meta(min_length=1, max_length=64)]
    input_map: Map
    output_map: Map
    version: Annotated[str, Meta(max_length=64)] = ""
    when: Condition | None = None


class EnsembleSpec(Wire):
    """The steps; their order follows from the data, not from the file. outputs: empty for every tensor that no step consumes."""

    step: Annotated[list[EnsembleStep], Meta(min_length=1, max_length=STEPS_MAX)]
    outputs: Annotated[list[TensorName], Meta(max_length=TENSORS_MAX)] = msgspec.field(default_factory=list)


class EnsembleManifest(Wire):
    """`model.toml` of an ensemble. max_batch_size: 0 for the least of all steps."""

    ensemble: EnsembleSpec
    name: str = ""
    version: str = ""
    description: str = ""
    max_batch_size: Annotated[int, Meta(ge=0, le=1024)] = 0


def read_ensemble(text: str, where: str) -> EnsembleManifest | None:
    """An ensemble's `model.toml`; None for one that describes a package.

    Raises:
        ManifestError: names the file and the fault.
    """
    if "ensemble" not in toml.parse(text, where, ManifestError):
        return None
    manifest = toml.read(text, EnsembleManifest, where, ManifestError)
    steps = manifest.ensemble.step
    conditions = [step.when for step in steps if step.when is not None]
    for part in (manifest, manifest.ensemble, *steps, *conditions):
        if part.unknown_fields:
            raise ManifestError(f"{where}: there is no {next(iter(part.unknown_fields))!r} in an ensemble; remove it")
    for condition in conditions:
        if condition.at_least is None and condition.below is None:
            raise ManifestError(f"{where}: a condition on {condition.tensor!r} needs at_least or below")
    return manifest
