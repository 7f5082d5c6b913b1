"""Writes the winner to `model.toml`: one [[tuned]] for each profile; the rest of the text is unchanged."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.manifest import MANIFEST_FILE, Tuning, read_manifest
from edgefleet_server.registry.importers.manifest_text import with_table

HEADING = "[[tuned]]"


def write_winner(folder: Path, tuning: Tuning) -> None:
    """Replace the entry of the profile in the manifest.

    Raises:
        ManifestError: the manifest would not be valid. StoreError: the disk refuses.
    """
    path = folder / MANIFEST_FILE
    text = with_tuning(path.read_text(encoding="utf-8"), tuning)
    read_manifest(text, str(path))
    write_atomic(path, text.encode())


def with_tuning(text: str, tuning: Tuning) -> str:
    """The text of a manifest with this tuning, and without any other of the same profile."""
    return with_table(text, HEADING, to_plain(tuning), "profile")
