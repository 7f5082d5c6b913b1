"""Stationary objects are remembered over a restart of the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.vision.tracking.stationary import StationaryObject
from edgefleet_contract.wire.messages import Event
from tests.agent.pipeline.camera.test_cascade import FOLLOW, MOVES, VISITS, WAIT_S, RecordingListener, spec
from tests.agent.pipeline.scenes import RED, Patch, film


def test_places_come_back_in_any_size(tmp_path: Path) -> None:
    memory = SceneMemory(tmp_path / "stationary")
    assert memory.load("hall", (640, 480)) == {}
    memory.save("hall", (640, 480), {"follow": [StationaryObject("car", (64, 48, 128, 96), 12.0)]})
    assert SceneMemory(tmp_path / "stationary").load("hall", (320, 240)) == {
        "follow": [StationaryObject("car", (32, 24, 64, 48), 12.0)]
    }
    assert [path.name for path in (tmp_path / "stationary").iterdir()] == ["hall.json"]


@pytest.mark.parametrize("text", ["", "{", '{"stages": 3}', '{"stages": {"a": [{"label": "x", "box": [1]}]}}'])
def test_a_damaged_file_is_no_memory(tmp_path: Path, text: str) -> None:
    (tmp_path / "hall.json").write_text(text)
    assert SceneMemory(tmp_path).load("hall", (640, 480)) == {}


def parks(at_s: float) -> Sequence[Patch]:
    """An object that comes from the left and stays."""
    return () if at_s < 0.6 else ((RED, min(200.0, 100 * (at_s - 0.6)), 90, 60, 50),)


def visits(video: Path, folder: Path) -> list[Event]:
    listener = RecordingListener()
    runner = Runner(listener, memory=SceneMemory(folder))
    runner.set_pipelines([spec(video, MOVES, FOLLOW + "options = {stationary_s = 2.0}\n", VISITS)])
    assert runner.runs["scene"].done.wait(WAIT_S)
    runner.close()
    return listener.events


def test_a_parked_car_is_not_reported_again_by_the_next_run(tmp_path: Path) -> None:
    """In the second run the same place is covered from the first motion on: a known object stands there."""
    video = film(tmp_path / "parks.mp4", 6.0, parks)
    assert len(visits(video, tmp_path / "stationary")) == 2

    def uncovered(at_s: float) -> Sequence[Patch]:
        """The light is switched on over a parked car: it appears at its old position."""
        return () if at_s < 0.6 else ((RED, 200, 90, 60, 50),)

    again = film(tmp_path / "again.mp4", 4.0, uncovered)
    assert visits(again, tmp_path / "stationary") == []
    assert len(visits(again, tmp_path / "elsewhere")) == 2
