"""Every cell of the disk matrix, printed as a table (`-s`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.disk_matrix import every_cell, failure, sizes, table

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]


def test_the_device_gets_through_every_cell(tmp_path: Path) -> None:
    cells = list(every_cell(sizes(tmp_path / "sizes")))
    broken = []
    for cell in cells:
        broken += [text] if (text := failure(cell, tmp_path / "cell")) else []
        shutil.rmtree(tmp_path / "cell", ignore_errors=True)
    print(f"\n{table(cells)}\n{len(cells)} cells, {len(broken)} broken")
    assert broken == []
