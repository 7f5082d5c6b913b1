"""Writes package folders atomically."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from edgefleet_contract.core.atomic_files import move_folder
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, read_manifest
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.registry.importers.manifest_text import manifest_text


def package_folder(into: Path, manifest: Manifest) -> Path:
    """Folder of the package under `into`.

    Raises:
        InputError: the folder exists.
    """
    folder = into / manifest.name / manifest.version
    if folder.exists():
        raise InputError(f"{folder} already exists; specify another --version, or delete it")
    return folder


def stage(folder: Path, manifest: Manifest, files: Mapping[str, Path], notes: tuple[str, ...] = ()) -> Path:
    """Write the package to a staging folder beside `folder`; `settle` renames it. files: path in the package → current path.

    Raises:
        StoreError: the disk refuses. ManifestError: the manifest is not valid.
    """
    text = manifest_text(manifest, notes)
    read_manifest(text, str(folder / MANIFEST_FILE))
    staged = folder.with_name(f".{folder.name}.new")
    try:
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir(parents=True)
        for name, path in files.items():
            (staged / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, staged / name)
        (staged / MANIFEST_FILE).write_text(text, encoding="utf-8")
    except OSError as cause:
        discard(staged)
        raise StoreError(f"{folder}: cannot be written: {cause.strerror}; choose another folder with --into") from cause
    return staged


def settle(staged: Path, folder: Path) -> None:
    """Move a staged package to its folder.

    Raises:
        StoreError: the disk refuses.
    """
    try:
        move_folder(staged, folder)
    except StoreError as cause:
        discard(staged)
        raise StoreError(f"{folder}: cannot be written: {fault_text(cause)}; choose another folder with --into") from cause


def discard(staged: Path) -> None:
    """Delete a staged package, and the folder of the model if that is empty then."""
    shutil.rmtree(staged, ignore_errors=True)
    if staged.parent.is_dir() and not any(staged.parent.iterdir()):
        staged.parent.rmdir()
