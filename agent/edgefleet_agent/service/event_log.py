"""The file of events on the device, one JSON line each."""

from __future__ import annotations

import logging
from pathlib import Path

from edgefleet_agent.sinks.jsonl import JsonLinesSink
from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event

log = logging.getLogger(__name__)


class EventLog:
    """Writes events as JSON lines to a file on the device, if `path` is set. A failure is logged once and loses lines of this
    file only.

    `fault`: the reason for which the file could not be opened; no event is written to it until the next start. Empty if it is
    open.
    """

    def __init__(self, path: str) -> None:
        self._sink: JsonLinesSink | None = None
        self._failing = False
        self.fault = ""
        try:
            if path:
                make_folder(Path(path).parent)
                self._sink = JsonLinesSink(Path(path))
        except StoreError as error:
            self.fault = f"{error}; events are not written to it until the next start"
            log.error("%s", self.fault)

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._sink is not None:
            self._sink.close()

    def write(self, event: Event) -> None:
        """Append one line."""
        if self._sink is None:
            return
        try:
            self._sink.write(event)
        except StoreError as error:
            if not self._failing:
                log.error("%s", error)
            self._failing = True
        else:
            self._failing = False
