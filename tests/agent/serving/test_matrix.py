"""Runtimes x ways in x data types x batches: a part that has every pair. All cells: `tests/long/test_matrix.py`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.agent.backends.faulty.installation import install
from tests.agent.serving.matrix.cells import every_cell, impossible
from tests.agent.serving.matrix.site import MatrixSite
from tests.cover import cover, pairs

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not installed"),
]


def test_the_selection_has_every_pair_that_exists() -> None:
    cells = [cell for cell in every_cell() if not impossible(cell)]
    chosen = cover(cells)
    assert {pair for cell in cells for pair in pairs(cell)} == {pair for cell in chosen for pair in pairs(cell)}
    assert len(chosen) < len(cells) / 8


def test_every_pair_answers_as_the_bare_runtime(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)
    chosen = cover([cell for cell in every_cell() if not impossible(cell)])
    site = MatrixSite(chosen, tmp_path, data)
    try:
        assert site.faults == []
        wrong = {cell: site.outcome(cell) for cell in chosen}
    finally:
        site.close()
    assert {cell: outcome for cell, outcome in wrong.items() if outcome} == {}
