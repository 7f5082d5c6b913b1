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
    """Condition on a tensor: true if any element of it meets all limits that are set."""

    tensor: TensorName
    """Tensor of the ensemble."""
    at_least: float | None = None
    """Least value."""
    below: float | None = None
    """Limit that the value must be below."""


class EnsembleStep(Wire):
    """One model. It is skipped if its condition is false."""

    model: Annotated[str, Meta(min_length=1, max_length=64)]
    """Name of the model."""
    input_map: Map
    """Input of the model to tensor of the ensemble."""
    output_map: Map
    """Output of the model to tensor of the ensemble."""
    version: Annotated[str, Meta(max_length=64)] = ""
    """Version of the model. Empty: the newest."""
    when: Condition | None = None


class EnsembleSpec(Wire):
    """The steps; their order follows from the data, not from the file."""

    step: Annotated[list[EnsembleStep], Meta(min_length=1, max_length=STEPS_MAX)]
    outputs: Annotated[list[TensorName], Meta(max_length=TENSORS_MAX)] = msgspec.field(default_factory=list)
    """Tensors that are outputs. Empty: every tensor that no step consumes."""


class EnsembleManifest(Wire):
    """The whole file `model.toml` of an ensemble."""

    ensemble: EnsembleSpec
    name: str = ""
    """Name for people; requests use the name of the folder."""
    version: str = ""
    """Version for people; requests use the number of the folder."""
    description: str = ""
    """Description for people."""
    max_batch_size: Annotated[int, Meta(ge=0, le=1024)] = 0
    """Largest batch. 0: the least of all steps."""


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
