"""Which model runs where, and how it is changed while frames flow.

A slot holds one loaded model. Whoever prepares a frame takes the model of that moment with it (a *lease*), so a frame is always
computed by the model that it was prepared for; a swap only changes what the next frame takes. The candidate is loaded and
warmed up beside the incumbent, which is closed when its last frame has been answered: nothing is lost, and nothing waits for a
load.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import EdgefleetError, UnavailableError
from edgefleet_contract.wire.messages import Running

SWITCH_S_MAX = 5.0
"""How long a swap waits for the first frame of the candidate, and then for the last one of the incumbent."""
_WARM_RUNS = 2
_GRAY = 128


@dataclass(frozen=True, slots=True)
class Swap:
    """How a swap went. gap_ms: from the incumbent's last answer to the candidate's first, 0 where no frames came."""

    running: Running
    load_ms: float
    gap_ms: float = 0.0


class LoadedSlot:
    """A loaded model in a slot, and how many frames hold it."""

    def __init__(self, model: LoadedModel, running: Running) -> None:
        self.model = model
        self.running = running
        self.frames_total = 0
        self.errors_total = 0
        self.last_answer_s = 0.0
        self.first_answer_s = 0.0
        self.answered = threading.Event()
        self._lock = threading.Lock()
        self._leases = 0
        self._idle = threading.Event()
        self._idle.set()

    def lease(self) -> LoadedSlot:
        """Hold the model for one frame."""
        with self._lock:
            self._leases += 1
            self._idle.clear()
        return self

    def release(self) -> None:
        """The frame is answered, or dropped."""
        with self._lock:
            self._leases -= 1
            if not self._leases:
                self._idle.set()

    def note_answer(self, now_s: float) -> None:
        """The model answered a frame. Called by the threads of its lane only."""
        with self._lock:  # a lane may have several threads
            self.frames_total += 1
            self.last_answer_s = now_s
        if not self.answered.is_set():
            self.first_answer_s = now_s
            self.answered.set()

    def retire(self) -> None:
        """Close the model once nothing holds it. A model that never comes back (a hung device) is left to the process's end."""
        if self._idle.wait(SWITCH_S_MAX):
            self.model.close()


class Tap(Protocol):
    """Whoever is shown what a slot's model answered."""

    def offer(self, frame: Frame, result: Result, incumbent: LoadedModel, floor: float, invoke_ms: float) -> None:
        """A frame was answered. Called by the lane between two frames: nothing may take long here."""
        ...


class ModelSlot:
    """One place for a model, named `slot:NAME` or `package:DIR` as pipelines name it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tap: Tap | None = None
        self._lock = threading.Lock()
        self._occupant: LoadedSlot | None = None
        self._frames_before = 0
        self._errors_before = 0

    @property
    def occupant(self) -> LoadedSlot | None:
        """What is in the slot now."""
        return self._occupant

    @property
    def frames_total(self) -> int:
        """Frames answered by all occupants."""
        occupant = self._occupant
        return self._frames_before + (occupant.frames_total if occupant else 0)

    @property
    def errors_total(self) -> int:
        """Frames lost to errors of all occupants."""
        occupant = self._occupant
        return self._errors_before + (occupant.errors_total if occupant else 0)

    def lease(self) -> LoadedSlot:
        """The model of this moment, for one frame.

        Raises:
            UnavailableError: the slot is empty.
        """
        with self._lock:
            if self._occupant is None:
                raise UnavailableError(f"{self.name} is empty; a package has to be activated in it")
            return self._occupant.lease()

    def swap(
        self,
        load: Callable[[], LoadedModel],
        running: Callable[[LoadedModel], Running],
        switched: Callable[[LoadedModel], None] | None = None,
    ) -> Swap:
        """Load, warm up, switch, call `switched`, and close the incumbent. One caller at a time.

        Raises:
            EdgefleetError: whatever `load` or the first runs raise; the incumbent goes on then.
        """
        began_s = time.monotonic()
        model = load()
        try:
            _warm_up(model)
        except EdgefleetError:
            model.close()
            raise
        candidate = LoadedSlot(model, running(model))
        load_ms = (time.monotonic() - began_s) * 1000
        with self._lock:
            incumbent, self._occupant = self._occupant, candidate
        if switched is not None:
            switched(model)
        gap_ms = 0.0
        if incumbent is not None:
            # Where frames flow, one is on its way; without any there is nothing to wait for.
            if time.monotonic() - incumbent.last_answer_s < SWITCH_S_MAX and candidate.answered.wait(SWITCH_S_MAX):
                gap_ms = (candidate.first_answer_s - incumbent.last_answer_s) * 1000
            self._frames_before += incumbent.frames_total
            self._errors_before += incumbent.errors_total
            incumbent.retire()
        return Swap(candidate.running, round(load_ms, 3), round(max(0.0, gap_ms), 3))

    def close(self) -> None:
        """Empty the slot."""
        with self._lock:
            occupant, self._occupant = self._occupant, None
        if occupant is not None:
            occupant.retire()


def _warm_up(model: LoadedModel) -> None:
    """The first runs of a runtime allocate and compile; no frame shall wait for that."""
    height, width = 64, 64
    luma, chroma = (np.full(shape, _GRAY, np.uint8) for shape in ((height, width), (height // 2, width // 2)))
    frame = Frame(0, 0.0, time.monotonic(), width, height, "i420", (luma, chroma, chroma))
    for _ in range(_WARM_RUNS):
        model.infer(frame, 1.0)
