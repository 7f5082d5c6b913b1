"""The requests for one model that arrive in one turn of a listener's event loop, joined to batches at its end. Without threads
and clocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from edgefleet_agent.serving.engine.dynamic_batcher import QueuedRequest

Scheduled = tuple[QueuedRequest, int, int]
"""A request with its priority and timeout, as `InstancePool.put` takes them."""


class TurnRequests:
    """The requests of one turn and one event loop, in the order of their arrival. rows_max: of a batch."""

    def __init__(self, rows_max: int) -> None:
        self._rows_max = rows_max
        self._waiting: deque[Scheduled] = deque()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, scheduled: Scheduled) -> bool:
        """Add a request. Whether it is the first."""
        self._waiting.append(scheduled)
        return len(self._waiting) == 1

    def take(self) -> list[QueuedRequest]:
        """Remove the next requests that can be joined: rows of equal shapes, at most `rows_max`. There must be one."""
        first = self._waiting.popleft()[0]
        batch, rows = [first], first.rows
        while self._waiting:
            following = self._waiting[0][0]
            rows += following.rows
            if rows > self._rows_max or following.row_shapes() != first.row_shapes():
                break
            batch.append(following)
            self._waiting.popleft()
        return batch

    def empty(self) -> Iterator[Scheduled]:
        """Remove and yield all requests."""
        while self._waiting:
            yield self._waiting.popleft()

    def discard(self, scheduled: Scheduled) -> bool:
        """Remove a request. False if it was taken before."""
        try:
            self._waiting.remove(scheduled)
        except ValueError:
            return False
        return True
