"""A thread that asks a slot's model now and then, as cameras' frames are looked at: by the lane, one at a time, when it is its
turn."""

from __future__ import annotations

import threading
import time

from agent.errors import EdgefleetError, ModelError, UnavailableError
from agent.pipeline.job import Job
from agent.pipeline.model import LoadedModel
from agent.pipeline.schedule import Claim
from agent.pipeline.slots import Slot
from agent.vision.frame import Frame
from agent.vision.results import Result

WAIT_S = 20.0
"""For an answer: longer than any model takes."""


class Question:
    """One asker of one slot. `ask` is called by one thread; the rest by the lane. `ready` is the runner's one condition."""

    def __init__(self, slot: Slot, ready: threading.Condition) -> None:
        self.slots = [slot]
        self._ready = ready
        self._job: Job | None = None
        self._answer: tuple[Result, LoadedModel] | EdgefleetError | None = None
        self._asked_s = 0.0

    def ask(self, frame: Frame) -> tuple[Result, LoadedModel]:
        """What the model of this moment says of a picture.

        Raises:
            ModelError: the runtime failed. UnavailableError: the slot is empty, or nobody answers.
        """
        with self._ready:
            self._answer, self._job, self._asked_s = None, Job(frame), time.monotonic()
            self._ready.notify_all()
            answer = self._ready.wait_for(lambda: self._answer, WAIT_S)
            self._job = None
        if answer is None:
            raise UnavailableError(f"{self.slots[0].name} did not answer in {WAIT_S:g} s; look at what else it does")
        if isinstance(answer, EdgefleetError):
            raise answer
        return answer

    def claim(self, number: int, now_s: float) -> Claim | None:
        """See `Flow.claim`."""
        del number
        return Claim(self._asked_s, now_s - self._asked_s) if self._job is not None else None

    def take(self, number: int, now_s: float) -> Job | None:
        """See `Flow.take`."""
        del number, now_s
        job, self._job = self._job, None
        return job

    def answer(self, number: int, job: Job) -> None:
        """See `Flow.answer`."""
        answer: tuple[Result, LoadedModel] | EdgefleetError
        try:
            occupant = job.lease(number, self.slots[0])
            answer = occupant.model.infer(job.frame, 0.0).result, occupant.model
            occupant.note_answer(time.monotonic())
        except (ModelError, UnavailableError) as error:
            answer = error
        job.release()
        with self._ready:
            self._answer = answer
            self._ready.notify_all()
