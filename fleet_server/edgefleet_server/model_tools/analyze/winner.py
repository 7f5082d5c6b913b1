"""Writes the winner to `model.toml`: one [[tuned]] for each profile; the rest of the text is unchanged."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.manifest import MANIFEST_FILE, Tuning, read_manifest
from edgefleet_server.registry.importers.manifest_text import table_lines

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
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip().startswith("["):
            blocks.append([])
        blocks[-1].append(line)
    updated = [_after(block) if _is_for(block, tuning.profile) else block for block in blocks]
    lines = [line for block in updated for line in block]
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join([*lines, "", *table_lines(HEADING, to_plain(tuning))]) + "\n"


def _after(block: list[str]) -> list[str]:
    """Comments behind the values of a table, which belong to the next one."""
    last = max(index for index, line in enumerate(block) if line.strip() and not line.strip().startswith("#"))
    return [line for line in block[last + 1 :] if line.strip()]


def _is_for(block: list[str], profile: str) -> bool:
    heading = block[0].partition("#")[0].strip() if block else ""
    return heading == HEADING and any(line.replace(" ", "").startswith(f'profile="{profile}"') for line in block)
