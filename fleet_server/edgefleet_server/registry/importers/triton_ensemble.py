"""Imports a Triton ensemble: its steps become a `model.toml` of the kind that the inference API uses for ensembles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.ensemble import EnsembleManifest, EnsembleSpec, EnsembleStep, read_ensemble
from edgefleet_contract.package.manifest import MANIFEST_FILE
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.importers.manifest_text import table_lines
from edgefleet_server.registry.importers.package_folder import StagedPackage

Fields = Mapping[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Joined:
    """A written ensemble. steps: its models in order."""

    folder: Path
    id: str
    steps: tuple[str, ...]
    notes: tuple[str, ...]


def is_ensemble(config: Fields) -> bool:
    """Whether a config.pbtxt describes an ensemble."""
    kind = str((config.get("platform") or config.get("backend") or [""])[0])
    return kind == "ensemble" or "ensemble_scheduling" in config


def import_ensemble(config: Fields, source: Path, into: Path, name: str, version: str, names: Mapping[str, str]) -> Joined:
    """Write `into/name/version/model.toml`. source: the model's folder; names: its models → names of their packages.

    Raises:
        InputError: the steps do not fit each other, or the package exists.
    """
    where = f"{source}/config.pbtxt"
    steps = [step for block in config.get("ensemble_scheduling", []) for step in block.get("step", [])]
    if not steps:
        raise InputError(f"{where}: an ensemble without steps; add ensemble_scheduling")
    made = [_step(step, where, names) for step in steps]
    outputs = [str(each["name"][0]) for each in config.get("output", []) if each.get("name")]
    _check(made, {str(each["name"][0]) for each in config.get("input", []) if each.get("name")}, outputs, where)
    manifest = EnsembleManifest(
        ensemble=EnsembleSpec(step=made, outputs=outputs),
        name=name,
        version=version,
        max_batch_size=int((config.get("max_batch_size") or [0])[0]),
    )
    folder = into / name / version
    text = ensemble_text(manifest)
    read_ensemble(text, str(folder / MANIFEST_FILE))
    with StagedPackage(folder) as staged:
        staged.write(text, {})
        staged.settle()
    missing = sorted({step.model for step in made} - set(names.values()))
    notes = (f"needs {', '.join(missing)} beside it, which this repository does not have",) if missing else ()
    return Joined(folder, f"{name}@{version}", tuple(step.model for step in made), notes)


def ensemble_text(manifest: EnsembleManifest) -> str:
    """`model.toml` of an ensemble."""
    plain: dict[str, Any] = to_plain(manifest)
    spec = plain.pop("ensemble")
    lines = table_lines("", plain)[1:]
    if spec.get("outputs"):
        lines += ["", *table_lines("[ensemble]", {"outputs": spec["outputs"]})]
    for step in spec["step"]:
        lines += ["", *table_lines("[[ensemble.step]]", step)]
    return "\n".join(lines) + "\n"


def _step(step: Fields, where: str, names: Mapping[str, str]) -> EnsembleStep:
    model = str((step.get("model_name") or [""])[0])
    if not model:
        raise InputError(f"{where}: a step without model_name")
    try:
        number = int((step.get("model_version") or [-1])[0])
    except ValueError as cause:
        raise InputError(f"{where}: model_version of {model!r} is no number") from cause
    return EnsembleStep(
        model=names.get(model, model),
        input_map=_map(step, "input_map", model, where),
        output_map=_map(step, "output_map", model, where),
        version=f"{number}.0.0" if number > 0 else "",
    )


def _map(step: Fields, side: str, model: str, where: str) -> dict[str, str]:
    pairs = {str(each["key"][0]): str(each["value"][0]) for each in step.get(side, []) if each.get("key") and each.get("value")}
    if not pairs:
        raise InputError(f"{where}: the step {model!r} has no {side}")
    return pairs


def _check(steps: list[EnsembleStep], inputs: set[str], outputs: list[str], where: str) -> None:
    made = inputs | {name for step in steps for name in step.output_map.values()}
    for step in steps:
        missing = sorted(set(step.input_map.values()) - made)
        if missing:
            raise InputError(f"{where}: the step {step.model!r} takes {missing[0]!r}, which is no input and which no step makes")
    lost = [name for name in outputs if name not in made]
    if lost:
        raise InputError(f"{where}: no step makes the output {lost[0]!r}")
