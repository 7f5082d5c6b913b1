"""Every cell of every story, power cuts included."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import main

pytestmark = [pytest.mark.alone, pytest.mark.long(minutes=30), pytest.mark.timeout(3600)]


def test_no_cell_breaks_a_law(tmp_path: Path) -> None:
    main(tmp_path / "crash-matrix.md")
    assert "no law broken" in (tmp_path / "crash-matrix.md").read_text()
