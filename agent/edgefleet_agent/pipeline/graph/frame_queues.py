"""The frames of one pipeline between submission and the last node: one queue per model node, in order."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable

from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.handoff import LatestFrame

IN_FLIGHT_MAX = 2
"""Limit of frames of one pipeline between submission and events: more frames would only wait for each other."""


class FrameQueues:
    """Queues of `count` nodes; the first one is a mailbox of submitted frames. Call `head`, `drop_head`, `take` and
    `enqueue_unless_passing` with `ready` held.

    keep_all: `submit` waits for room instead of replacing a waiting frame.
    """

    def __init__(self, ready: threading.Condition, count: int, *, keep_all: bool) -> None:
        self._ready = ready
        self._submitted: LatestFrame[FrameJob] = LatestFrame(ready, keep_all=keep_all, cause=self._drop_cause)
        self._waiting: list[deque[FrameJob]] = [deque() for _ in range(count)]  # bounded by IN_FLIGHT_MAX
        self._busy = [False] * count
        self._in_flight = 0
        self._taken_at_s = time.monotonic()

    @property
    def dropped(self) -> Counter[str]:
        """Frames dropped before the first node, by cause."""
        return self._submitted.dropped

    def submit(self, job: FrameJob) -> None:
        """Queue a frame at the first node."""
        if not self._submitted.put(job):
            job.release()

    def head(self, number: int) -> FrameJob | None:
        """The next frame of a node; None if there is none or too many frames are in flight."""
        if number:
            waiting = self._waiting[number]
            return waiting[0] if waiting else None
        return self._submitted.peek() if self._in_flight < IN_FLIGHT_MAX else None

    def drop_head(self, job: FrameJob, cause: str) -> None:
        """Drop the next frame of the first node."""
        self._submitted.drop(cause)
        job.release()

    def idle_s(self, now_s: float) -> float:
        """Seconds since the last frame was taken at the first node."""
        return now_s - self._taken_at_s

    def take(self, number: int, now_s: float) -> FrameJob | None:
        """Take the next frame of a node, which is busy until `release_node`."""
        if number:
            job: FrameJob | None = self._waiting[number].popleft()
        else:
            job = self._submitted.take()
            self._in_flight += job is not None
            self._taken_at_s = now_s
        self._busy[number] = job is not None
        return job

    def enqueue_unless_passing(self, number: int, job: FrameJob, is_due: Callable[[], bool]) -> bool:
        """Queue a frame at a node if the node has to run on it or an earlier frame is still there; False if it may pass."""
        if not (self._waiting[number] or self._busy[number] or is_due()):
            return False
        self._waiting[number].append(job)
        self._ready.notify_all()
        return True

    def release_node(self, number: int) -> None:
        """Mark a node as free: it has computed its frame."""
        with self._ready:
            self._busy[number] = False
            self._ready.notify_all()

    def finish(self, job: FrameJob) -> None:
        """Count out a frame that has left the graph."""
        job.release()
        with self._ready:
            self._in_flight -= 1
            self._ready.notify_all()

    def drain(self) -> None:
        """Wait until no frame is submitted or in flight."""
        with self._ready:
            while self._in_flight or self._submitted.peek() is not None:
                self._ready.wait()

    def close(self) -> None:
        """Accept no more frames."""
        left = self._submitted.close()
        if left is not None:
            left.release()

    def _drop_cause(self) -> str:
        """Drop reason if a newer frame replaces a waiting one."""
        return "busy" if self._in_flight else "shared"
