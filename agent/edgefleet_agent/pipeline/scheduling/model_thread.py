"""The threads that run the model of one slot.

They serve every pipeline that uses the slot, in the order of `camera.frame_priority`. Model threads and capture threads wait on
one condition; nothing polls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from edgefleet_agent.pipeline.graph.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_priority import FrameClaim, choose
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundWork
from edgefleet_agent.pipeline.scheduling.idle_time import IdleTime


class FrameProducer(Protocol):
    """Provides frames for a slot's model; see `edgefleet_agent.pipeline.graph.frame_graph`."""

    @property
    def slots(self) -> list[ModelSlot]: ...

    def claim(self, number: int, now_s: float) -> FrameClaim | None: ...

    def take(self, number: int, now_s: float) -> FrameJob | None: ...

    def answer(self, number: int, job: FrameJob) -> None: ...


class ModelThread:
    """The threads of one slot: one, or as many as its session runs in parallel (several Edge TPUs, streams of OpenVINO). A
    producer is served by one of them at a time, so that its frames keep their order; the first one runs background work.
    """

    def __init__(self, slot: ModelSlot, ready: threading.Condition, idle_time: IdleTime, others_busy: Callable[[], bool]) -> None:
        """Creates the first thread's state. `others_busy`: whether another slot's threads compute; called with `ready` held."""
        self.slot = slot
        self._others_busy = others_busy
        self._ready = ready
        self._idle_time = idle_time
        self._inputs: list[tuple[FrameProducer, int]] = []
        self._background: BackgroundWork | None = None
        self._closing = False
        self._width = 1
        self._in_use: set[FrameProducer | None] = set()
        self._busy_since_s: dict[int, float] = {}
        self._threads: list[threading.Thread] = []
        self._set_width(1)

    @property
    def busy(self) -> bool:
        """Whether one of the threads computes."""
        return bool(self._busy_since_s)

    def busy_s(self) -> float:
        """Seconds since the oldest frame in progress was taken, 0 without one."""
        since_s = list(self._busy_since_s.values())
        return time.monotonic() - min(since_s) if since_s else 0.0

    def set_model(self, model: LoadedModel) -> None:
        """Use as many threads as the slot's new model runs in parallel."""
        self._set_width(model.session.parallel)

    def use_one_thread(self) -> None:
        """Reduce to one thread, which suits every model, before the slot gets another one."""
        with self._ready:
            self._width = 1
            while any(self._busy_since_s):
                self._ready.wait()

    def _set_width(self, width: int) -> None:
        with self._ready:
            self._width = width
            for number in range(len(self._threads), width):
                name = f"model:{self.slot.name}" + (f":{number}" if number else "")
                self._threads.append(threading.Thread(target=self._run, args=(number,), name=name, daemon=True))
                self._threads[-1].start()
            self._ready.notify_all()

    def connect(self, producers: Sequence[FrameProducer]) -> None:
        """Serve these producers from now on."""
        inputs = [(producer, node) for producer in producers for node, slot in enumerate(producer.slots) if slot is self.slot]
        with self._ready:
            self._inputs = inputs
            self._ready.notify_all()

    def set_background(self, work: BackgroundWork | None) -> None:
        """Run this background work whenever no frame waits; None ends it."""
        with self._ready:
            self._background = work
            self._ready.notify_all()

    def wake(self) -> None:
        """Check for background work again."""
        with self._ready:
            self._ready.notify_all()

    def close(self) -> None:
        """Stop the threads after their current frames."""
        with self._ready:
            self._closing = True
            self._ready.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self, number: int) -> None:
        while (chosen := self._next(number)) is not None:
            if isinstance(chosen, tuple):
                producer, node, job = chosen
                if isinstance(producer, GraphExecutor):
                    with self._ready:
                        self._idle_time.frame(producer, job.frame.captured_at_s)
                producer.answer(node, job)
            else:
                self._serve_background(chosen)
            with self._ready:
                self._in_use.discard(chosen[0] if isinstance(chosen, tuple) else None)
                del self._busy_since_s[number]
                self._ready.notify_all()

    def _serve_background(self, work: BackgroundWork) -> None:
        loaded = self.slot.lease()
        began_s = time.monotonic()
        try:
            work.serve(loaded.model.session)
        finally:
            loaded.release()
            with self._ready:
                self._idle_time.add_call(self.slot, time.monotonic() - began_s)

    def _next(self, number: int) -> tuple[FrameProducer, int, FrameJob] | BackgroundWork | None:
        """The waiting frame of the highest priority, or background work if none is or too many went first; None when closing."""
        with self._ready:
            while not self._closing:
                now_s = time.monotonic()
                work, wait_s = self._ready_background(number)
                if work is not None and not work.patient and self._idle_time.starved(self.slot):
                    self._busy_since_s[number] = now_s
                    return work
                inputs = [entry for entry in self._inputs if entry[0] not in self._in_use] if number < self._width else []
                claims = [(claim, entry) for entry in inputs if (claim := entry[0].claim(entry[1], now_s)) is not None]
                chosen = choose(claims)
                if chosen is not None and (taken := chosen[0].take(chosen[1], now_s)) is not None:
                    self._in_use.add(chosen[0])
                    self._busy_since_s[number] = now_s
                    return chosen[0], chosen[1], taken
                if work is not None:
                    wait_s = self._idle_time.wait_s(self.slot, time.monotonic(), patient=work.patient)
                    if work.patient and self._others_busy():
                        wait_s = None  # the busy thread notifies when it is idle
                    elif wait_s <= 0:
                        self._busy_since_s[number] = now_s
                        return work
                self._ready.wait(wait_s)
        return None

    def _ready_background(self, number: int) -> tuple[BackgroundWork | None, float | None]:
        """Background work that is ready for this thread; else seconds until it is, None if there is none."""
        if self._background is None or number:
            return None, None
        wait_s = self._background.ready_in_s()
        return (self._background, None) if wait_s is not None and wait_s <= 0 else (None, wait_s)
