"""Every cell of the disk matrix, printed as a table (`-s`)."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.disk_matrix import Cell, every_cell, failure, sizes, table

pytestmark = [pytest.mark.alone, pytest.mark.long(minutes=30), pytest.mark.timeout(5400)]


def outcome(cell: Cell) -> str:
    """The reason why the device does not get through a cell; empty if it does."""
    folder = Path(tempfile.mkdtemp(prefix="edgefleet-disk-"))
    try:
        return failure(cell, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_the_device_gets_through_every_cell(tmp_path: Path) -> None:
    cells = list(every_cell(sizes(tmp_path / "sizes")))
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        broken = [text for text in pool.imap_unordered(outcome, cells, chunksize=8) if text]
    print(f"\n{table(cells)}\n{len(cells)} cells, {len(broken)} broken")
    assert broken == []
