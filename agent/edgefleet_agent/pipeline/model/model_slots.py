"""Slots hold loaded models, which can be swapped while frames are computed.

A slot holds one loaded model. Each frame takes a *lease* on the model when it is prepared, so that the model it was prepared for
also computes it; a swap takes effect with the next frame. The candidate is loaded and warmed up beside the incumbent, which is
closed after its last frame: no frame is lost, and none waits for a load.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.output_tensors import NotANumberError
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import ModelError, UnavailableError
from edgefleet_contract.wire.messages import Running

SWITCH_S_MAX = 5.0
"""Longest wait of a swap for the first frame of the candidate, and then for the last one of the incumbent."""
_WARM_RUNS = 2
_GRAY = 128


@dataclass(frozen=True, slots=True)
class Swap:
    """Result of a swap. gap_ms: from the incumbent's last answer to the candidate's first, 0 without frames."""

    running: Running
    load_ms: float
    gap_ms: float = 0.0


class LoadedSlot:
    """A loaded model in a slot, with its counters and leases. errors_total: frames lost to the runtime or the head;
    failed_runs_total: those lost to the runtime, run_error: the text of the last one."""

    def __init__(self, model: LoadedModel, running: Running) -> None:
        self.model = model
        self.running = running
        self.frames_total = 0
        self.errors_total = 0
        self.failed_runs_total = 0
        self.run_error = ""
        self.last_answer_s = 0.0
        self.first_answer_s = 0.0
        self.answered = threading.Event()
        self._lock = threading.Lock()
        self._leases = 0
        self._idle = threading.Event()
        self._idle.set()

    def lease(self) -> LoadedSlot:
        """Take a lease for one frame."""
        with self._lock:
            self._leases += 1
            self._idle.clear()
        return self

    def release(self) -> None:
        """Release a lease of an answered or dropped frame."""
        with self._lock:
            self._leases -= 1
            if not self._leases:
                self._idle.set()

    def note_answer(self, now_s: float) -> None:
        """Count an answered frame. Called by the slot's model threads only."""
        with self._lock:  # a slot may have several threads
            self.frames_total += 1
            self.last_answer_s = now_s
        if not self.answered.is_set():
            self.first_answer_s = now_s
            self.answered.set()

    def note_error(self, error: ModelError, *, of_run: bool) -> None:
        """Count a frame lost to an error. of_run: of the runtime; otherwise of the head."""
        with self._lock:
            self.errors_total += 1
            if of_run:
                self.failed_runs_total += 1
                self.run_error = str(error)

    def retire(self) -> None:
        """Close the model after its last lease. A model that hangs stays open until the process ends."""
        if self._idle.wait(SWITCH_S_MAX):
            self.model.close()


class Tap(Protocol):
    """Receives the answers of a slot's model."""

    def offer(self, frame: Frame, result: Result, incumbent: LoadedModel, floor: float, invoke_ms: float) -> None:
        """Take over an answered frame. Called by the model thread between two frames: must return quickly."""
        ...


class ModelSlot:
    """A slot for a model, named `slot:NAME` or `package:DIR` as in pipelines."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tap: Tap | None = None
        self._lock = threading.Lock()
        self._loaded: LoadedSlot | None = None
        self._frames_before = 0
        self._errors_before = 0

    @property
    def loaded(self) -> LoadedSlot | None:
        """The current model; None if the slot is empty."""
        return self._loaded

    @property
    def frames_total(self) -> int:
        """Frames answered by all models of this slot so far."""
        loaded = self._loaded
        return self._frames_before + (loaded.frames_total if loaded else 0)

    @property
    def errors_total(self) -> int:
        """Frames lost to errors of all models of this slot so far."""
        loaded = self._loaded
        return self._errors_before + (loaded.errors_total if loaded else 0)

    def lease(self) -> LoadedSlot:
        """A lease on the current model for one frame.

        Raises:
            UnavailableError: the slot is empty.
        """
        with self._lock:
            if self._loaded is None:
                raise UnavailableError(f"{self.name} is empty; activate a package in it")
            return self._loaded.lease()

    def swap(
        self,
        load: Callable[[], LoadedModel],
        running: Callable[[LoadedModel], Running],
        switched: Callable[[LoadedModel], None] | None = None,
    ) -> Swap:
        """Load a model, warm it up, put it in, call `switched`, and close the incumbent. One caller at a time.

        Raises:
            EdgefleetError: `load` or a first run failed; the incumbent continues.
        """
        began_s = time.monotonic()
        model = load()
        try:
            with as_runtime_fault(model.manifest.id):
                _warm_up(model)
        except BaseException:
            model.close()
            raise
        candidate = LoadedSlot(model, running(model))
        load_ms = (time.monotonic() - began_s) * 1000
        with self._lock:
            incumbent, self._loaded = self._loaded, candidate
        if switched is not None:
            switched(model)
        gap_ms = 0.0
        if incumbent is not None:
            # Wait for the first answer of the candidate only if frames arrive.
            if time.monotonic() - incumbent.last_answer_s < SWITCH_S_MAX and candidate.answered.wait(SWITCH_S_MAX):
                gap_ms = (candidate.first_answer_s - incumbent.last_answer_s) * 1000
            self._frames_before += incumbent.frames_total
            self._errors_before += incumbent.errors_total
            incumbent.retire()
        return Swap(candidate.running, round(load_ms, 3), round(max(0.0, gap_ms), 3))

    def close(self) -> None:
        """Empty the slot."""
        with self._lock:
            loaded, self._loaded = self._loaded, None
        if loaded is not None:
            loaded.retire()


def _warm_up(model: LoadedModel) -> None:
    """Run the model a few times: the first runs of a runtime allocate and compile, which would delay frames."""
    height, width = 64, 64
    luma, chroma = (np.full(shape, _GRAY, np.uint8) for shape in ((height, width), (height // 2, width // 2)))
    frame = Frame(0, 0.0, time.monotonic(), width, height, "i420", (luma, chroma, chroma))
    try:
        for _ in range(_WARM_RUNS):
            model.infer(frame, 1.0)
    except NotANumberError:
        # Frames fail in the same way: then the model moves to another device (see `pipeline.scheduling.device_failback`).
        if model.placement.device == "cpu":
            raise
