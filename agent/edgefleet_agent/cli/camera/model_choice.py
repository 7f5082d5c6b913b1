"""A loaded detector from one argument: a model file, a package folder, or the name of a fetched model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edgefleet_agent.cli.support.argument_types import check_no_file_options
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.service.profile_choice import device_runtimes, file_device, own_profile
from edgefleet_contract.core.errors import InputError, ModelError
from edgefleet_contract.package.manifest import MANIFEST_FILE

FETCHED = Path("firmware_models")
"""Folder into which `edgefleet model fetch` and `import` write packages."""
_CATALOGUE_NAME = re.compile(r"^[a-z0-9][a-z0-9_-]{0,63}$")


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A model and how it is loaded. model: file, package folder or name. labels, head, params: of a file only. device: empty for
    the accelerator of this machine's profile."""

    model: str
    labels: Path | None = None
    head: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    device: str = ""


def open_detector(request: ModelRequest) -> LoadedModel:
    """Load the detector.

    Raises:
        InputError: no such model, no detector, or labels that do not fit; the text says what to do. MissingError: its runtime is
        not installed.
    """
    path = Path(request.model)
    folder = package_folder(request.model) if path.is_dir() or not path.exists() or path.name == MANIFEST_FILE else None
    if folder is None:
        model = LoadedModel.from_file(
            path, request.head, request.labels, device=request.device or file_device(path), params=dict(request.params)
        )
    else:
        check_no_file_options(folder, request.labels, request.head, request.params)
        profile = own_profile("").name
        model = LoadedModel.open(folder, runtimes=device_runtimes(profile), profile=profile, device=request.device)
    try:
        _check(model, request)
    except InputError:
        model.close()
        raise
    return model


def package_folder(text: str) -> Path:
    """The package that `text` names: its folder, its model.toml, the newest version in a folder of versions, or the name of a
    fetched model.

    Raises:
        InputError: there is none; the text says what to do.
    """
    path = Path(text)
    if path.name == MANIFEST_FILE:
        return path.parent
    if path.is_dir():
        return _newest(path) or _refuse(f"{path}: no {MANIFEST_FILE} in this folder; give a package folder or a model file")
    if path.exists():
        raise InputError(f"{path}: not a folder; give a package folder, with {MANIFEST_FILE}")
    if not _CATALOGUE_NAME.match(text):
        raise InputError(f"{path}: no such file or folder; give a model file, a package folder, or the name of a fetched model")
    return _newest(FETCHED / text) or _refuse(
        f"{text}: no such file or folder, and no package in {FETCHED / text}; `edgefleet model fetch {text}` downloads it, "
        "if the catalogue has it"
    )


def check_classes(classes: list[str], model: LoadedModel) -> None:
    """Check that the model has these labels.

    Raises:
        InputError: it lacks one; the text gives some that it has.
    """
    missing = next((name for name in classes if name not in model.labels), None)
    if missing is None:
        return
    if not model.labels:
        raise InputError(f"--classes {missing}: the model has no labels; give them with --labels FILE, one a line")
    some = ", ".join(model.labels[:12]) + (", ..." if len(model.labels) > 12 else "")
    raise InputError(f"--classes {missing}: the model has no such label; it has {some}")


def _check(model: LoadedModel, request: ModelRequest) -> None:
    if model.manifest.task != "detection":
        raise ModelError(f"{request.model}: does {model.manifest.task}, which is no detection; `edgefleet-agent infer` runs it")
    if model.label_fault:
        raise InputError(f"{request.model}: {model.label_fault}")


def _newest(folder: Path) -> Path | None:
    """`folder` if it is a package, otherwise the newest version in it."""
    if (folder / MANIFEST_FILE).is_file():
        return folder
    versions = [path.parent for path in folder.glob(f"*/{MANIFEST_FILE}")]
    return max(versions, key=_version, default=None)


def _version(folder: Path) -> tuple[list[int], bool, str]:
    """Sorts versions by their numbers, and a release after its own candidates."""
    numbers, _, rest = folder.name.partition("-")
    return [int(part) for part in re.findall(r"\d+", numbers)], not rest, rest


def _refuse(text: str) -> Path:
    raise InputError(text)
