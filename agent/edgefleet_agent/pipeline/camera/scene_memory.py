"""Stationary objects of each camera, stored on disk over restarts (see `vision.tracking.stationary`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from edgefleet_agent.vision.tracking.stationary import STANDING_MAX, StationaryObject
from edgefleet_contract.core.atomic_files import make_folder, read_if_there, write_atomic
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.codec import Wire, decode, encode

FILE_BYTES_MAX = 256 * 1024
WRITE_S = 5.0
"""Changes are written no more often than that."""


class _Thing(Wire):
    """One thing; the box in fractions of the picture, which may come back in another size."""

    label: str
    box: tuple[float, float, float, float]
    missed_s: float = 0.0


class _StoredScene(Wire):
    """One pipeline's file."""

    stages: dict[str, list[_Thing]] = msgspec.field(default_factory=dict)


class SceneMemory:
    """`folder/<pipeline>.json`. Safe from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._written: dict[str, tuple[int, float]] = {}

    def standing(self, pipeline: str, size: tuple[int, int]) -> dict[str, list[StationaryObject]]:
        """What stood there, by track stage, in pixels of a picture of `size`. A file that cannot be read is one that is not
        there: the worst that follows is that a parked car is told once more."""
        try:
            data = read_if_there(self._folder / f"{pipeline}.json", FILE_BYTES_MAX)
            kept = decode(data, _StoredScene) if data is not None else _StoredScene()
        except EdgefleetError:
            return {}
        across, down = size
        return {
            stage: [
                StationaryObject(thing.label, (x1 * across, y1 * down, x2 * across, y2 * down), thing.missed_s)
                for thing in things[:STANDING_MAX]
                for x1, y1, x2, y2 in [thing.box]
            ]
            for stage, things in kept.stages.items()
        }

    def due(self, pipeline: str, changes: int) -> bool:
        """Whether something is to be written: it has changed, and the last time was long enough ago."""
        before, at_s = self._written.get(pipeline, (0, 0.0))
        return changes != before and time.monotonic() - at_s >= WRITE_S

    def keep(
        self, pipeline: str, size: tuple[int, int], standing: Mapping[str, Sequence[StationaryObject]], changes: int = 0
    ) -> None:
        """Write it down.

        Raises:
            StoreError: the disk cannot keep it.
        """
        if not standing:
            return
        across, down = size
        stages = {
            stage: [
                _Thing(label=one.label, box=(x1 / across, y1 / down, x2 / across, y2 / down), missed_s=round(one.missed_s, 1))
                for one in things
                for x1, y1, x2, y2 in [one.box]
            ]
            for stage, things in standing.items()
        }
        with self._lock:
            self._written[pipeline] = (changes, time.monotonic())
            make_folder(self._folder)
            write_atomic(self._folder / f"{pipeline}.json", encode(_StoredScene(stages=stages)))
