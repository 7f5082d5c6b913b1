"""The cache of compiled engines stays within its limit."""

from __future__ import annotations

import os
from pathlib import Path

from edgefleet_agent.pipeline.model.compile_cache import open_cache


def test_the_oldest_entries_are_removed_first(tmp_path: Path) -> None:
    folder = open_cache(tmp_path / "cache")
    for age, name in enumerate(("new.blob", "engines/a.engine", "old.blob")):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(400))
        os.utime(path, (1_000_000 - age * 100, 1_000_000 - age * 100))
    open_cache(folder, 1200)
    assert sorted(entry.name for entry in folder.iterdir()) == ["engines", "new.blob", "old.blob"]
    open_cache(folder, 1000)
    assert sorted(entry.name for entry in folder.iterdir()) == ["engines", "new.blob"]
    open_cache(folder, 0)
    assert list(folder.iterdir()) == []
