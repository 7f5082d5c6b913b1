"""A part of the disk matrix: every file with every fault, at a few places. All cells: `tests/long/test_disk_matrix.py`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.disk_matrix import Cell, every_cell, failure, sizes

BYTES = 16
"""Cells with a changed byte, of all."""


@pytest.mark.timeout(300)
def test_the_device_gets_through(tmp_path: Path) -> None:
    cells = list(every_cell(sizes(tmp_path / "sizes")))
    changed = [cell for cell in cells if cell.fault == "byte changed"]
    torn: dict[str, Cell] = {cell.file: cell for cell in cells if cell.fault == "torn"}
    missing = {cell.file: cell for cell in random.Random(7).sample(cells, len(cells)) if cell.fault == "missing"}
    whole = [cell for cell in cells if cell.file == "*"]
    chosen = [*whole, *missing.values(), *torn.values(), *random.Random(7).sample(changed, BYTES)]
    found = [failure(cell, tmp_path / str(number)) for number, cell in enumerate(chosen)]
    assert [text for text in found if text] == []
