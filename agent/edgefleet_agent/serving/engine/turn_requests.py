"""The requests for one model that arrive in one turn of a listener's event loop, joined to batches at its end. Without threads
and clocks."""

from __future__ import annotations

from collections import deque

from edgefleet_agent.serving.engine.dynamic_batcher import QueuedRequest

Scheduled = tuple[QueuedRequest, int, int]
"""A request with its priority and timeout, as `InstancePool.put` takes them."""


class TurnRequests(deque[Scheduled]):
    """The requests of one turn and one event loop, in the order of their arrival. rows_max: of a batch."""

    def __init__(self, rows_max: int) -> None:
        super().__init__()
        self._rows_max = rows_max

    def take(self) -> list[QueuedRequest]:
        """Remove the next requests that can be joined: rows of equal shapes, at most `rows_max`. There must be one."""
        first = self.popleft()[0]
        batch = [first]
        if self:
            rows, shapes = first.rows, first.row_shapes()
            while self:
                following = self[0][0]
                rows += following.rows
                if rows > self._rows_max or (following.shapes is not shapes and following.row_shapes() != shapes):
                    break
                batch.append(following)
                self.popleft()
        return batch

    def discard(self, scheduled: Scheduled) -> bool:
        """Remove a request. False if it was taken before."""
        try:
            self.remove(scheduled)
        except ValueError:
            return False
        return True
