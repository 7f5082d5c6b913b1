"""The threads that compute for one slot.

A lane serves every pipeline that uses its slot, in the order of `camera.frame_priority`. Lanes and capture threads meet
at one condition; nothing polls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from edgefleet_agent.pipeline.camera.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.camera.frame_job import FrameJob
from edgefleet_agent.pipeline.camera.frame_priority import FrameClaim, choose
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundWork
from edgefleet_agent.pipeline.scheduling.idle_time import IdleTime


class FrameProducer(Protocol):
    """Whoever has pictures for a slot's model; see `edgefleet_agent.pipeline.camera.frame_graph`."""

    @property
    def slots(self) -> list[ModelSlot]: ...

    def claim(self, number: int, now_s: float) -> FrameClaim | None: ...

    def take(self, number: int, now_s: float) -> FrameJob | None: ...

    def answer(self, number: int, job: FrameJob) -> None: ...


class ModelThread:
    """The threads that compute for one slot: one, or as many as its model may be asked by at a time (several Edge TPUs, streams
    of OpenVINO). A flow is with one of them at a time, so that its frames keep their order; calls of the local API are the
    first's.
    """

    def __init__(self, slot: ModelSlot, ready: threading.Condition, slack: IdleTime, others_busy: Callable[[], bool]) -> None:
        """`others_busy`: whether another lane computes; asked with `ready` held."""
        self.slot = slot
        self._others_busy = others_busy
        self._ready = ready
        self._slack = slack
        self._ports: list[tuple[FrameProducer, int]] = []
        self._guest: BackgroundWork | None = None
        self._closing = False
        self._width = 1
        self._with: set[FrameProducer | None] = set()
        self._busy_since_s: dict[int, float] = {}
        self._threads: list[threading.Thread] = []
        self._widen(1)

    @property
    def busy(self) -> bool:
        """Whether it computes."""
        return bool(self._busy_since_s)

    def busy_s(self) -> float:
        """How long the frame has been at it that is the longest, 0 when there is none."""
        since_s = list(self._busy_since_s.values())
        return time.monotonic() - min(since_s) if since_s else 0.0

    def fit(self, model: LoadedModel) -> None:
        """The slot has this model from now on."""
        self._widen(model.session.parallel)

    def narrow(self) -> None:
        """Go on with one thread, which suits every model: the slot is about to get another one."""
        with self._ready:
            self._width = 1
            while any(self._busy_since_s):
                self._ready.wait()

    def _widen(self, width: int) -> None:
        with self._ready:
            self._width = width
            for number in range(len(self._threads), width):
                name = f"model:{self.slot.name}" + (f":{number}" if number else "")
                self._threads.append(threading.Thread(target=self._serve, args=(number,), name=name, daemon=True))
                self._threads[-1].start()
            self._ready.notify_all()

    def connect(self, flows: Sequence[FrameProducer]) -> None:
        """Serve these from now on."""
        ports = [(flow, place) for flow in flows for place, slot in enumerate(flow.slots) if slot is self.slot]
        with self._ready:
            self._ports = ports
            self._ready.notify_all()

    def host(self, guest: BackgroundWork | None) -> None:
        """Let the guest compute whenever no frame waits."""
        with self._ready:
            self._guest = guest
            self._ready.notify_all()

    def wake(self) -> None:
        """Something that is not a frame may be ready."""
        with self._ready:
            self._ready.notify_all()

    def close(self) -> None:
        """End after the current frame."""
        with self._ready:
            self._closing = True
            self._ready.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve(self, number: int) -> None:
        while (chosen := self._next(number)) is not None:
            if isinstance(chosen, tuple):
                flow, place, job = chosen
                if isinstance(flow, GraphExecutor):
                    with self._ready:
                        self._slack.frame(flow, job.frame.captured_at_s)
                flow.answer(place, job)
            else:
                self._serve_guest(chosen)
            with self._ready:
                self._with.discard(chosen[0] if isinstance(chosen, tuple) else None)
                del self._busy_since_s[number]
                self._ready.notify_all()

    def _serve_guest(self, guest: BackgroundWork) -> None:
        occupant = self.slot.lease()
        began_s = time.monotonic()
        try:
            guest.serve(occupant.model.session)
        finally:
            occupant.release()
            with self._ready:
                self._slack.guest(self.slot, time.monotonic() - began_s)

    def _next(self, number: int) -> tuple[FrameProducer, int, FrameJob] | BackgroundWork | None:
        """The frame that needs the model most among those that wait, a guest where none does; None when closing."""
        with self._ready:
            while not self._closing:
                now_s = time.monotonic()
                ports = [port for port in self._ports if port[0] not in self._with] if number < self._width else []
                claims = [(claim, port) for port in ports if (claim := port[0].claim(port[1], now_s)) is not None]
                chosen = choose(claims)
                if chosen is not None and (taken := chosen[0].take(chosen[1], now_s)) is not None:
                    self._with.add(chosen[0])
                    self._busy_since_s[number] = now_s
                    return chosen[0], chosen[1], taken
                wait_s = self._guest.ready_in_s() if self._guest is not None and not number else None
                if self._guest is not None and wait_s is not None and wait_s <= 0:
                    patient = self._guest.patient
                    wait_s = self._slack.wait_s(self.slot, time.monotonic(), patient=patient)
                    if patient and self._others_busy():
                        wait_s = None  # whoever is busy says so when it is over
                    elif wait_s <= 0:
                        self._busy_since_s[number] = now_s
                        return self._guest
                self._ready.wait(wait_s)
        return None
