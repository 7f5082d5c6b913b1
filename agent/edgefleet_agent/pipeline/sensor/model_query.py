"""Runs single pictures of a sensor pipeline on a slot's model. The model thread schedules them like frames of cameras."""

from __future__ import annotations

import threading
import time

from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_priority import FrameClaim
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import EdgefleetError, ModelError, UnavailableError

WAIT_S = 20.0
"""Time-out of an answer: longer than any model takes."""


class ModelQuery:
    """Queries of one slot. `infer` is called by one thread, the rest by the model thread. `ready`: the runner's condition."""

    def __init__(self, slot: ModelSlot, ready: threading.Condition) -> None:
        self.slots = [slot]
        self._ready = ready
        self._job: FrameJob | None = None
        self._answer: tuple[Result, LoadedModel] | EdgefleetError | None = None
        self._requested_s = 0.0

    def infer(self, frame: Frame) -> tuple[Result, LoadedModel]:
        """Run the current model on a picture.

        Raises:
            ModelError: the runtime failed. UnavailableError: the slot is empty, or no answer came in time.
        """
        with self._ready:
            self._answer, self._job, self._requested_s = None, FrameJob(frame), time.monotonic()
            self._ready.notify_all()
            answer = self._ready.wait_for(lambda: self._answer, WAIT_S)
            self._job = None
        if answer is None:
            raise UnavailableError(f"{self.slots[0].name} did not respond within {WAIT_S:g} s; check the load of the model")
        if isinstance(answer, EdgefleetError):
            raise answer
        return answer

    def claim(self, number: int, now_s: float) -> FrameClaim | None:
        """See `GraphExecutor.claim`."""
        del number
        return FrameClaim(self._requested_s, now_s - self._requested_s) if self._job is not None else None

    def take(self, number: int, now_s: float) -> FrameJob | None:
        """See `GraphExecutor.take`."""
        del number, now_s
        job, self._job = self._job, None
        return job

    def answer(self, number: int, job: FrameJob) -> None:
        """See `GraphExecutor.answer`."""
        answer: tuple[Result, LoadedModel] | EdgefleetError
        try:
            loaded = job.lease(number, self.slots[0])
            answer = loaded.model.infer(job.frame, 0.0).result, loaded.model
            loaded.note_answer(time.monotonic())
        except (ModelError, UnavailableError) as error:
            answer = error
        job.release()
        with self._ready:
            self._answer = answer
            self._ready.notify_all()
