"""Reads package folders that a person names on the command line."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, read_manifest
from edgefleet_server.core.errors import InputError


def manifest_of(folder: Path) -> Manifest:
    """The manifest of a package folder.

    Raises:
        InputError: it is not a package. ManifestError: the manifest is invalid.
    """
    file = folder / MANIFEST_FILE
    if not file.is_file():
        raise InputError(
            f"{folder} has no {MANIFEST_FILE}; specify the folder of one version, for example firmware_models/NAME/VERSION"
        )
    return read_manifest(file.read_text(encoding="utf-8"), str(file))


def complete_manifest_of(folder: Path) -> Manifest:
    """The manifest of a package folder that has all its files.

    Raises:
        InputError: it is not a package, or a file of it is missing. ManifestError: the manifest is invalid.
    """
    manifest = manifest_of(folder)
    absent = next((path for path in manifest.paths() if not (folder / path).is_file()), None)
    if absent is not None:
        raise InputError(f"{folder / MANIFEST_FILE}: {absent!r} does not exist; add the file or correct the manifest")
    return manifest
