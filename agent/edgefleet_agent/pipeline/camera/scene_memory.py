"""Stationary objects of each camera, stored on disk over restarts (see `vision.tracking.stationary`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_agent.vision.tracking.stationary import STANDING_MAX, StationaryObject
from edgefleet_contract.encoding.codec import Wire

FILE_BYTES_MAX = 256 * 1024
WRITE_S = 5.0
"""Shortest interval between two writes of one pipeline."""


class _StoredObject(Wire):
    """One object; the box in fractions of the picture, whose size may differ in the next run."""

    label: str
    box: tuple[float, float, float, float]
    missed_s: float = 0.0


class _StoredScene(Wire):
    """One pipeline's file."""

    stages: dict[str, list[_StoredObject]] = msgspec.field(default_factory=dict)


class SceneMemory:
    """`folder/<pipeline>.json`. faults: where a failing disk is reported. Safe from several threads."""

    def __init__(self, folder: Path, faults: DiskFaults | None = None) -> None:
        self._folder = folder
        self._faults = faults or DiskFaults()
        self._files: dict[str, StateFile[_StoredScene]] = {}
        self._lock = threading.Lock()
        self._written: dict[str, tuple[int, float]] = {}

    def load(self, pipeline: str, size: tuple[int, int]) -> dict[str, list[StationaryObject]]:
        """Stored objects by track stage, in pixels of a picture of `size`. Empty if there is no file or it cannot be read."""
        with self._lock:
            stored = self._file(pipeline).read() or _StoredScene()
        width, height = size
        return {
            stage: [
                StationaryObject(item.label, (x1 * width, y1 * height, x2 * width, y2 * height), item.missed_s)
                for item in items[:STANDING_MAX]
                for x1, y1, x2, y2 in [item.box]
            ]
            for stage, items in stored.stages.items()
        }

    def due(self, pipeline: str, changes: int) -> bool:
        """Whether to write: something has changed, and the last write was at least `WRITE_S` ago."""
        before, at_s = self._written.get(pipeline, (0, 0.0))
        with self._lock:
            self._file(pipeline).turn()
        return changes != before and time.monotonic() - at_s >= WRITE_S

    def save(
        self, pipeline: str, size: tuple[int, int], standing: Mapping[str, Sequence[StationaryObject]], changes: int = 0
    ) -> None:
        """Write the objects of one pipeline. What the disk refuses is tried again by `due`."""
        if not standing:
            return
        width, height = size
        stages = {
            stage: [
                _StoredObject(
                    label=item.label, box=(x1 / width, y1 / height, x2 / width, y2 / height), missed_s=round(item.missed_s, 1)
                )
                for item in items
                for x1, y1, x2, y2 in [item.box]
            ]
            for stage, items in standing.items()
        }
        with self._lock:
            self._written[pipeline] = (changes, time.monotonic())
            self._file(pipeline).write(_StoredScene(stages=stages))

    def _file(self, pipeline: str) -> StateFile[_StoredScene]:
        name = f"{self._folder.name}/{pipeline}.json"
        path = self._folder / f"{pipeline}.json"
        follows = Consequences("a parked car may be reported again", "after a restart a parked car may be reported again")
        new = StateFile(path, _StoredScene, self._faults, follows, FILE_BYTES_MAX, name=name)
        return self._files.setdefault(pipeline, new)
