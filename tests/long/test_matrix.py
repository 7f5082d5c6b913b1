"""Every cell of runtimes x ways in x data types x batches, printed as a table."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.agent.backends.faulty.installation import install
from tests.agent.serving.matrix.cells import WAYS, Cell, every_cell, impossible
from tests.agent.serving.matrix.models import SHAPES, SUFFIXES
from tests.agent.serving.matrix.site import MatrixSite

pytestmark = [
    pytest.mark.long(minutes=15),
    pytest.mark.timeout(3600),
    pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not installed"),
]


def test_every_cell_answers_as_the_bare_runtime(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)
    outcomes: dict[Cell, str] = {}
    for runtime in SUFFIXES:  # one after the other: all models at once take gigabytes
        cells = [cell for cell in every_cell() if cell.runtime == runtime and not impossible(cell)]
        site = MatrixSite(cells, tmp_path / runtime, data)
        try:
            assert site.faults == []
            outcomes |= {cell: site.outcome(cell) for cell in cells}
        finally:
            site.close()
    with capsys.disabled():
        print(table(outcomes))
    assert {cell: outcome for cell, outcome in outcomes.items() if outcome} == {}


def table(outcomes: dict[Cell, str]) -> str:
    """Answered cells of those that exist, by way and by runtime and batch; then why the others cannot exist."""
    columns = [(runtime, batch) for runtime in SUFFIXES for batch in SHAPES]
    lines = ["", f"{'':22}" + "".join(f"{runtime[:8]:>9}" for runtime, _ in columns)]
    lines.append(f"{'data types answered':22}" + "".join(f"{batch:>9}" for _, batch in columns))
    for way in WAYS:
        row = f"{way:22}"
        for runtime, batch in columns:
            found = [each for cell, each in outcomes.items() if (cell.runtime, cell.way, cell.batch) == (runtime, way, batch)]
            text = f"{sum(not each for each in found)} of {len(found)}" if found else "-"
            row += f"{text:>9}"
        lines.append(row)
    reasons = Counter(filter(None, map(impossible, every_cell())))
    lines += [f"{count:5} cells cannot exist: {reason}" for reason, count in reasons.most_common()]
    return "\n".join([*lines, f"{len(outcomes)} cells, {sum(not each for each in outcomes.values())} as the bare runtime"])
