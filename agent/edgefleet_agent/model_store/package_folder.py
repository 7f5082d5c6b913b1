"""A package as a folder of its author: `model.toml` beside the files that it names."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, read_manifest


def manifest_of(source: Path) -> Manifest:
    """The manifest of a folder that has every file it names.

    Raises:
        ManifestError: it has not.
    """
    where = source / MANIFEST_FILE
    try:
        manifest = read_manifest(where.read_text(encoding="utf-8"), str(where))
    except (OSError, UnicodeDecodeError) as error:
        raise ManifestError(f"no package at {source}: {fault_text(error)}; specify a folder with {MANIFEST_FILE}") from error
    absent = [path for path in manifest.paths() if not (source / path).is_file()]
    if absent:
        raise ManifestError(f"{where} names {absent[0]!r}, which does not exist; add the file or remove the entry")
    return manifest
