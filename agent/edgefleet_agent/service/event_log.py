"""The file of events on the device, one JSON line each."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_agent.sinks.jsonl import JsonLinesFile
from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event

STORE = "events_jsonl"
RETRY_S = 5.0


class EventLog:
    """Writes events as JSON lines to a file on the device, if `path` is set. While the disk refuses it, its lines are lost, which
    `faults` reports; it is opened again with the next event `RETRY_S` later."""

    def __init__(self, path: str, faults: DiskFaults, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = Path(path) if path else None
        self._faults = faults
        self._clock = clock
        self._sink: JsonLinesFile | None = None
        self._try_at_s = 0.0
        self._open()

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._sink is not None:
            self._sink.close()

    def write(self, event: Event) -> None:
        """Append one line."""
        if self._sink is None:
            self._open()
        if self._sink is None or self._path is None:
            return
        try:
            self._sink.write(event)
        except StoreError as error:
            self._failed(self._path, error)
        else:
            self._faults.clear(STORE)

    def _open(self) -> None:
        if self._path is None or self._clock() < self._try_at_s:
            return
        self._try_at_s = self._clock() + RETRY_S
        try:
            make_folder(self._path.parent)
            self._sink = JsonLinesFile(self._path)
        except StoreError as error:
            self._failed(self._path, error)

    def _failed(self, path: Path, error: StoreError) -> None:
        self._faults.set(STORE, state_of(error, path.parent), f"{error}; its lines are lost", path.parent)
