"""Reads the configuration of a model: `config.pbtxt`, or `serving.toml`; and the ensemble that it describes.

`config.pbtxt` wins over `serving.toml` and over what `model.toml` says of an ensemble; each difference is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.serving.config.config_json import config_from_plain
from edgefleet_agent.serving.config.model_config import EnsembleScheduling, ServingConfig
from edgefleet_agent.serving.config.pbtxt import ConfigSource, read_pbtxt
from edgefleet_agent.serving.models.model_source import TEXT_BYTES_MAX, configured_runtime, read_package
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.toml_lines import lines_of
from edgefleet_contract.package.ensemble import EnsembleManifest, EnsembleSpec, EnsembleStep, read_ensemble
from edgefleet_contract.package.manifest import MANIFEST_FILE

PBTXT_FILE = "config.pbtxt"
TOML_FILE = "serving.toml"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The configuration of a model and where it comes from. differences: one line for each file that says something else."""

    config: ServingConfig
    source: ConfigSource
    differences: tuple[str, ...] = field(default=())


def read_settings(model: str, folder: Path, versions: Mapping[str, Path]) -> ModelSettings:
    """Read the configuration in the folder of a model.

    Raises:
        InputError: it is not valid, or cannot be honoured; the text gives file and line.
    """
    text = read_if_there(folder / PBTXT_FILE, TEXT_BYTES_MAX)
    own = read_if_there(folder / TOML_FILE, TEXT_BYTES_MAX)
    where = str(folder / TOML_FILE)
    if text is None:
        if (folder / PBTXT_FILE).is_file():
            raise InputError(f"{folder / PBTXT_FILE}: larger than {TEXT_BYTES_MAX} bytes")
        if own is None:
            return ModelSettings(ServingConfig(), ConfigSource(where))
        decoded = own.decode(errors="replace")
        plain = toml.parse(decoded, where)
        source = ConfigSource(where, _toml_lines(decoded))
        return ModelSettings(_config(plain, source), source)
    plain, source = read_pbtxt(text.decode(errors="replace"), str(folder / PBTXT_FILE))
    config = _config(plain, source)
    if config.name and config.name != model:
        raise InputError(source.locate(f"name: '{config.name}' must be the name of the model's folder, '{model}'"))
    differences = [] if own is None else _toml_differences(plain, toml.parse(own.decode(errors="replace"), where), source, where)
    for version in versions.values():
        differences += _package_differences(config, version, source)
    return ModelSettings(config, source, tuple(differences))


def _config(plain: dict[str, Any], source: ConfigSource) -> ServingConfig:
    try:
        config = config_from_plain(plain)
        configured_runtime(config)
    except InputError as cause:
        raise InputError(source.locate(str(cause))) from cause
    return config


def _toml_lines(text: str) -> dict[str, int]:
    """The lines of a TOML file by the paths of `ConfigSource`: `instance_group[0].count`."""
    found: dict[str, int] = {}
    for path, line in lines_of(text).items():
        words = "".join(f"[{word}]" if word.isdecimal() else f".{word}" for word in path.split("."))
        found[words.removeprefix(".")] = line
    return found


def _toml_differences(plain: dict[str, Any], other: dict[str, Any], source: ConfigSource, where: str) -> list[str]:
    return [
        f"{source.locate(f'{name}: is used')}; {where} says otherwise"
        if name in plain
        else f"{where}: {name}: has no effect beside {source.where}"
        for name in other
        if plain.get(name) != other[name]
    ]


def _package_differences(config: ServingConfig, version: Path, source: ConfigSource) -> list[str]:
    """One line for each difference between `model.toml` and `config.pbtxt`."""
    file = version / MANIFEST_FILE
    if not file.is_file():
        return []
    text = (read_if_there(file, TEXT_BYTES_MAX) or b"").decode(errors="replace")
    ensemble = read_ensemble(text, str(file))
    if ensemble is not None:
        scheduling = config.ensemble_scheduling
        if scheduling is None or not same_steps(scheduling, ensemble):
            return [f"{source.locate('ensemble_scheduling: is used')}; {file} has other steps"]
        return []
    manifest = read_package(version)
    found: list[str] = []
    if config.ensemble_scheduling is not None:
        return [f"{source.locate('ensemble_scheduling: is used')}; {file} describes a package"]
    files = {path for variant in manifest.variants for path in variant.files}
    if config.default_model_filename and config.default_model_filename not in files:
        found.append(f"{source.locate('default_model_filename: is used')}; {file} names {', '.join(sorted(files))}")
    if (manifest.labels or manifest.labels_file) and any(output.label_filename for output in config.output):
        found.append(f"{source.where}: label_filename is used; {file} has other labels")
    if manifest.name != (config.name or version.parent.name):
        found.append(f"{source.where}: the model is named '{config.name or version.parent.name}'; {file} says '{manifest.name}'")
    return found


def ensemble_of(version: Path, config: ServingConfig) -> EnsembleManifest | None:
    """The ensemble of a version: as configured, or as its `model.toml` says; None if it is none.

    Raises:
        ManifestError: `model.toml` is not valid.
    """
    text = read_if_there(version / MANIFEST_FILE, TEXT_BYTES_MAX) if version.is_dir() else None
    manifest = None if text is None else read_ensemble(text.decode(errors="replace"), str(version / MANIFEST_FILE))
    scheduling = config.ensemble_scheduling
    if scheduling is None or (manifest is not None and same_steps(scheduling, manifest)):
        return manifest  # it may have conditions, which Triton has no words for
    steps = [
        EnsembleStep(
            model=step.model_name,
            input_map=step.input_map,
            output_map=step.output_map,
            version=str(step.model_version) if step.model_version > 0 else "",
        )
        for step in scheduling.step
    ]
    spec = EnsembleSpec(step=steps, outputs=[output.name for output in config.output])
    return EnsembleManifest(ensemble=spec, max_batch_size=config.max_batch_size or 0)


def same_steps(scheduling: EnsembleScheduling, manifest: EnsembleManifest) -> bool:
    """Whether both join the same models by the same tensors, in any order."""
    ours = [(step.model, step.input_map, step.output_map) for step in manifest.ensemble.step]
    theirs = [(step.model_name, step.input_map, step.output_map) for step in scheduling.step]
    return len(ours) == len(theirs) and all(step in theirs for step in ours)


def from_json(config: ServingConfig) -> ModelSettings:
    """The settings of a `load` request."""
    return ModelSettings(msgspec.structs.replace(config), ConfigSource("parameter 'config'"))
