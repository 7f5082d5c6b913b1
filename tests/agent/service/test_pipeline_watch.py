"""The watched folder of pipelines: changes are applied, an invalid file leaves its pipeline unchanged."""

from __future__ import annotations

import itertools
import logging
from pathlib import Path

import pytest

from edgefleet_agent.service.pipeline_watch import PipelineWatch
from edgefleet_agent.settings import Pipelines, read_pipelines

TEXT = 'name = "{name}"\n[source]\nkind = "synthetic"\n[[stages]]\nname = "moves"\nkind = "motion"\n'


def write(folder: Path, name: str, more: str = "") -> None:
    """Writes a file like an editor: a new file beside it, then a rename over it."""
    beside = folder / f".{name}.new"
    beside.write_text(TEXT.format(name=name) + more)
    beside.replace(folder / f"{name}.toml")


@pytest.fixture
def taken() -> list[Pipelines]:
    return []


@pytest.fixture
def folder(tmp_path: Path, taken: list[Pipelines]) -> PipelineWatch:
    write(tmp_path, "hall")
    write(tmp_path, "gate")
    return PipelineWatch(str(tmp_path), read_pipelines(str(tmp_path)), taken.append)


def test_a_change_is_taken_once_it_is_settled(folder: PipelineWatch, taken: list[Pipelines], tmp_path: Path) -> None:
    folder.poll(10.0)
    folder.poll(12.0)
    assert taken == []
    write(tmp_path, "gate", "[schedule]\npriority = 3.0\n")
    write(tmp_path, "yard")
    folder.poll(14.0)
    assert taken == []
    folder.poll(16.0)
    assert sorted(taken[0].specs) == ["gate", "hall", "yard"]
    assert taken[0].specs["gate"].schedule.priority == 3.0
    (tmp_path / "yard.toml").unlink()
    for now_s in (18.0, 20.0, 22.0):
        folder.poll(now_s)
    assert [sorted(read.specs) for read in taken[1:]] == [["gate", "hall"]]


def test_the_log_names_the_pipelines_that_changed(
    folder: PipelineWatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    times = itertools.count(2.0, 2.0)

    def logged() -> list[str]:
        caplog.clear()
        folder.poll(next(times))
        folder.poll(next(times))
        return [record.getMessage() for record in caplog.records]

    write(tmp_path, "hall", "[schedule]\npriority = 300.0\n")
    (refused,) = logged()
    assert refused.endswith("pipeline hall keeps running unchanged")
    write(tmp_path, "hall", "[schedule]\npriority = 3.0\n")
    write(tmp_path, "yard")
    assert logged() == ["pipelines reloaded: hall, yard"]
    (tmp_path / "yard.toml").unlink()
    assert logged() == ["pipelines removed: yard"]


def test_a_broken_file_leaves_its_pipeline_as_it_was(folder: PipelineWatch, taken: list[Pipelines], tmp_path: Path) -> None:
    write(tmp_path, "hall", "[schedule]\npriority = 300.0\n")
    write(tmp_path, "gate", "[schedule]\npriority = 3.0\n")
    (tmp_path / "new.toml").write_text("name = ")
    for now_s in (2.0, 4.0):
        folder.poll(now_s)
    (read,) = taken
    assert read.specs["hall"].schedule.priority == 1.0
    assert read.specs["gate"].schedule.priority == 3.0
    assert "must be a number up to 100" in read.errors["hall"]
    assert "new" in read.errors
