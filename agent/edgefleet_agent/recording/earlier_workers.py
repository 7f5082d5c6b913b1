"""Events that earlier workers have left: those that are in their journals alone, and those that they have not ended.

A worker that ends in order ends its events. One that crashed or was killed leaves them open, and the next worker ends them, once
each, with the time up to which they are known to have lasted. A worker may still end while the next one starts, after the death
of their supervisor, so each holds a lock on the folder: as long as an earlier one has it, its events are not touched.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.recording.event_journal import read_found
from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event, EventPhase

END_REASON = "worker_ended"


class EarlierWorkers:
    """Those of the evidence folder `folder`. on_end: gets the end of each event that they have left open, before it is stored."""

    def __init__(self, folder: Path, on_end: Callable[[Event], None]) -> None:
        self._folder = folder
        self.on_end = on_end
        self._trying = threading.Lock()
        self._lock = -1
        self._locked = False

    def found(self) -> list[Event]:
        """The events of all journals that may not be stored."""
        return [found.event for found in read_found(self._folder)]

    def over(self) -> bool:
        """Whether all have ended; from then on this process has the lock, until it ends. From any thread."""
        with self._trying:
            self._locked = self._locked or self._try()
            return self._locked

    def _try(self) -> bool:
        try:
            if self._lock < 0:
                make_folder(self._folder)
                self._lock = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except (OSError, StoreError):  # no folder, or a file system without locks
            return True
        return True

    def close(self) -> None:
        """Release the lock."""
        if self._lock >= 0:
            os.close(self._lock)
        self._lock, self._locked = -1, False


def ended(event: Event, began_at: float, known_at: float) -> Event:
    """The end of an event that was left open. began_at: wall time of its start. known_at: wall time at which it still went on."""
    lasted_s = max(0.0, known_at - began_at)
    if event.start_s is None:
        lasted_s = 0.0
    over = replace(event, phase=EventPhase.END, data={**event.data, "end_reason": END_REASON})
    over.data.pop("so_far_s", None)
    if event.start_s is not None:
        over.end_s = round(event.start_s + lasted_s, 4)
    if event.at:
        over.at = round(began_at + lasted_s, 3)
    if "from" in event.data:  # of a series, or of several sources
        to = datetime.fromtimestamp(began_at + lasted_s, timezone.utc)
        over.data["to"] = to.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return over
