"""Requests to the worker whose answers may come out of order, such as pictures, each answered once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_contract import worker_process as wire

WAITING_MAX = 64
NOT_RUNNING = "the worker is not running; try again in a moment"


class NumberedAnswer(Protocol):
    """An answer with the number of its request."""

    request: int


A = TypeVar("A", bound=NumberedAnswer)


class LateAnswers(Generic[A]):
    """Requests by number; the oldest are forgotten beyond `WAITING_MAX`. unanswered: the answer to one that the worker cannot
    answer any more."""

    def __init__(self, port: WorkerPort, unanswered: Callable[[int], A]) -> None:
        self._port = port
        self._unanswered = unanswered
        self._answers: dict[int, A | None] = {}

    def send(self, message: wire.TakePicture | wire.StartVideo) -> None:
        """Send a request; `answer` to its number gives the result."""
        self._answers[message.request] = None if self._port.send(message) else self._unanswered(message.request)
        while len(self._answers) > WAITING_MAX:
            del self._answers[next(iter(self._answers))]

    def answer(self, request: int) -> A | None:
        """The answer, returned once; None while there is none."""
        answer = self._answers.get(request, self._unanswered(request))
        if answer is not None:
            self._answers.pop(request, None)
        return answer

    def on_answer(self, answer: A) -> None:
        """Keep the answer to a request; others are ignored."""
        if answer.request in self._answers:
            self._answers[answer.request] = answer

    def forget(self) -> None:
        """The process is another one, or none: it answers no open request."""
        self._answers = {request: answer or self._unanswered(request) for request, answer in self._answers.items()}
