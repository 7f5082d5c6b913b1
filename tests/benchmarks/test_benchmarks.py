"""Benchmarks that cost nothing to check: their modules, and the rendered scenes of trackers."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from benchmarks.__main__ import BENCHMARKS
from benchmarks.pipeline.tracking.__main__ import main
from benchmarks.pipeline.tracking.scenes import MOTIONS, SCENES, SHAKES, Scene, moments
from benchmarks.pipeline.tracking.scores import interval


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_is_the_module_that_the_command_starts(name: str) -> None:
    assert importlib.util.find_spec(f"benchmarks.{name}") is not None


def test_a_scene_is_the_same_for_the_same_seed_only() -> None:
    scene = Scene("short", 10, 6, seconds=2, pillars=1, shake="sway", jitter=0.3)
    once, again, other = (list(moments(scene, seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(one.boxes, two.boxes) for one, two in zip(once, again, strict=True))
    assert [one.boxes.shape for one in once] != [one.boxes.shape for one in other]
    assert sum(len(one.ids) for one in once) > 20
    assert all(len(one.ids) == len(set(one.ids.tolist())) == len(one.truth) for one in once)


def test_every_kind_of_motion_and_shake_is_measured() -> None:
    assert {scene.motion for scene in SCENES} == set(MOTIONS)
    assert {scene.shake for scene in SCENES} == set(SHAKES)


def test_the_interval_of_a_mean_holds_it() -> None:
    low, high = interval([1.0, 2.0, 3.0, 4.0])
    assert 1.0 <= low < 2.5 < high <= 4.0


@pytest.mark.skipif(importlib.util.find_spec("trackers") is not None, reason="the peers are installed here")
def test_missing_peers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["tracking"])
    with pytest.raises(SystemExit, match="pip install trackers trackeval"):
        main()
