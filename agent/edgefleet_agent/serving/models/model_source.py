"""The files and the runtime of one version of a model: a package, a bare model file, or the file that `config.pbtxt` names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edgefleet_agent.core import plugins
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.rate_limiter import RateLimiter
from edgefleet_agent.serving.engine.response_cache import ResponseCache
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError, ManifestError, MissingError, ModelError
from edgefleet_contract.model_kinds import known_formats
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, Variant, read_manifest
from edgefleet_contract.package.profile import Accelerator, choose_variant

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""Valid names of models, versions and uploaded files."""
TEXT_BYTES_MAX = 1024 * 1024

_TRITON_RUNTIMES = {
    "onnxruntime": "onnx_runtime",
    "onnxruntime_onnx": "onnx_runtime",
    "openvino": "open_vino",
    "openvino_ir": "open_vino",
    "litert": "lite_rt",
    "litert_tflite": "lite_rt",
    "tflite": "lite_rt",
    "armnn_tflite": "lite_rt",
    "tensorflowlite": "lite_rt",
}
"""Triton's `platform` or `backend` -> runtime."""


def bare_runtimes() -> dict[str, str]:
    """Suffix of a bare model file -> runtime, for the usual suffix of every format that is known here."""
    return {each.suffixes[0]: each.runtimes[0] for each in known_formats().values()}


@dataclass(frozen=True, slots=True)
class LoadTarget:
    """The device that models are loaded for. runtimes: the installed ones, best first. profile: its name, empty for any, and its
    accelerators, best first.
    limiter, cache: shared by all models. frugal: memory is limited, so no session is opened for lone requests. isolated: models
    that run in processes of their own unless their configuration says otherwise. batches: model -> `max_batch_size`, unless its
    configuration has one."""

    runtimes: tuple[str, ...]
    profile: str = ""
    threads: int = 0
    limiter: RateLimiter = field(default_factory=RateLimiter)
    cache: ResponseCache = field(default_factory=ResponseCache)
    frugal: bool = False
    isolated: frozenset[str] = frozenset()
    batches: Mapping[str, int] = field(default_factory=dict)
    accelerators: tuple[Accelerator, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Files of one version, with their runtime and its options. labels_of: of single outputs, instead of `labels`."""

    files: tuple[Path, ...]
    runtime: str
    options: dict[str, Any]
    labels: tuple[str, ...] = ()
    package: tuple[Manifest, Variant] | None = None
    labels_of: Mapping[str, tuple[str, ...]] | None = None

    @property
    def variant(self) -> Variant | None:
        """The variant of the package; None for a bare file."""
        return self.package[1] if self.package is not None else None


def configured_runtime(config: ServingConfig) -> str:
    """The runtime that a configuration names; empty if it names none.

    Raises:
        InputError: no runtime here does what `platform` or `backend` names.
    """
    if config.runtime:
        return config.runtime
    for field_name, given in (("backend", config.backend), ("platform", config.platform)):
        if not given or given == "ensemble":
            continue
        runtime = _TRITON_RUNTIMES.get(given) or (given if given in plugins.names("backends") else "")
        if not runtime:
            known = "onnxruntime, openvino and litert"
            raise InputError(f"{field_name}: '{given}' is not available; models of {known} are served")
        return runtime
    return ""


def model_folder(version: Path) -> Path:
    """The folder of the model of a version: around it, or that of a single model file."""
    return version.parent


def find_source(version: Path, device: LoadTarget, config: ServingConfig) -> Source:
    """Choose the files and the runtime of a version: a folder, or a single model file.

    Raises:
        InputError: the configuration names a runtime or a file that there is not. ManifestError: `model.toml` is not valid.
        ModelError: the folder holds no package and no model file. MissingError: no installed runtime fits.
    """
    runtime = configured_runtime(config)
    labels_of = configured_labels(model_folder(version), config)
    if (version / MANIFEST_FILE).is_file() and not config.default_model_filename:
        found = _package_source(version, read_package(version), device, runtime)
        if labels_of is None:
            return found
        return Source(found.files, found.runtime, found.options, (), found.package, labels_of)
    file = version if version.is_file() else _model_file(version, runtime, config)
    labels = _read_labels(file.parent / "labels.txt") if labels_of is None else ()
    return Source((file,), runtime or bare_runtimes()[file.suffix], {}, labels, labels_of=labels_of)


def _model_file(folder: Path, runtime: str, config: ServingConfig) -> Path:
    bare = bare_runtimes()
    if config.default_model_filename:
        name = config.default_model_filename
        if Path(name).name != name or Path(name).suffix not in bare:
            known = ", ".join(bare)
            raise InputError(f"default_model_filename: '{name}' must be the name of a {known} file in the version's folder")
        if not (folder / name).exists():
            raise InputError(f"default_model_filename: {folder} contains no '{name}'")
        return _inside(folder / name)
    files = sorted(path for path in folder.iterdir() if path.suffix in bare) if folder.is_dir() else []
    usual = [path for path in files if runtime and path.stem == "model" and bare[path.suffix] == runtime]
    chosen = usual or files
    if len(chosen) != 1:
        raise ModelError(f"{folder}: contains {len(files)} model files; must contain one, or a package with a {MANIFEST_FILE}")
    return _inside(chosen[0])


def _inside(path: Path) -> Path:
    """The model file of a folder `model.onnx`, which holds its external data, too; any other path as it is."""
    return path / path.name if path.is_dir() else path


def read_package(folder: Path) -> Manifest:
    """Read the manifest of the package in `folder`.

    Raises:
        ManifestError: the manifest is missing or not valid.
    """
    text = read_if_there(folder / MANIFEST_FILE, TEXT_BYTES_MAX)
    if text is None:
        raise ManifestError(f"{folder / MANIFEST_FILE}: no such file, or larger than {TEXT_BYTES_MAX} bytes")
    return read_manifest(text.decode(errors="replace"), str(folder / MANIFEST_FILE))


def _package_source(folder: Path, manifest: Manifest, device: LoadTarget, runtime: str) -> Source:
    runtimes = [runtime] if runtime else list(device.runtimes)
    chosen = choose_variant(manifest, device.profile, runtimes)
    if chosen is None:
        known = "; ".join(f"{each.name}: {', '.join(each.runtimes)}" for each in manifest.variants)
        raise MissingError(f"{manifest.id} has no variant for the runtimes {', '.join(runtimes) or 'none'}; it has {known}")
    variant, runtime = chosen
    options = variant.options.get(runtime, {})
    if not isinstance(options, dict):
        raise ManifestError(f"{manifest.id}: options.{runtime} of variant {variant.name!r} must be a table")
    labels = tuple(manifest.labels)
    if not labels and manifest.labels_file:
        labels = _read_labels(folder / manifest.labels_file)
    return Source(tuple(folder / path for path in variant.files), runtime, dict(options), labels, (manifest, variant))


def configured_labels(model: Path, config: ServingConfig) -> dict[str, tuple[str, ...]] | None:
    """The labels of the outputs with a `label_filename` in the folder of a model; None if there is none.

    Raises:
        InputError: a file is missing, or outside the folder.
    """
    found: dict[str, tuple[str, ...]] = {}
    for index, output in enumerate(config.output):
        if not output.label_filename:
            continue
        path = Path(output.label_filename)
        if path.is_absolute() or ".." in path.parts:
            raise InputError(f"output[{index}].label_filename: '{path}' must be a path inside the model's folder")
        if not (model / path).is_file():
            raise InputError(f"output[{index}].label_filename: {model} contains no '{path}'")
        found[output.name] = _read_labels(model / path)
    return found or None


def _read_labels(path: Path) -> tuple[str, ...]:
    """Read one label a line; empty if the file is missing or empty."""
    text = (read_if_there(path, TEXT_BYTES_MAX) or b"").decode(errors="replace")
    return tuple(line.strip() for line in text.rstrip("\n").split("\n")) if text.strip() else ()
