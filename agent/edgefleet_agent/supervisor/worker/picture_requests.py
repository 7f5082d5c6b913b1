"""Pictures requested from the worker, each answered once."""

from __future__ import annotations

from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_contract import worker_process as wire

PICTURES_MAX = 64


class PictureRequests:
    """Requests by number; the oldest are forgotten beyond `PICTURES_MAX`."""

    def __init__(self, port: WorkerPort) -> None:
        self._port = port
        self._answers: dict[int, wire.PictureTaken | None] = {}

    def send(self, request: int, pipeline: str, file: str, *, overlays: bool) -> None:
        """Request a picture; `answer` to the number gives the result."""
        sent = self._port.send(wire.TakePicture(request=request, pipeline=pipeline, file=file, overlays=overlays))
        self._answers[request] = None if sent else _unanswered(request)
        while len(self._answers) > PICTURES_MAX:
            del self._answers[next(iter(self._answers))]

    def answer(self, request: int) -> wire.PictureTaken | None:
        """The answer, returned once; None while there is none."""
        answer = self._answers.get(request, _unanswered(request))
        if answer is not None:
            self._answers.pop(request, None)
        return answer

    def on_taken(self, taken: wire.PictureTaken) -> None:
        """Keep the answer to a request; others are ignored."""
        if taken.request in self._answers:
            self._answers[taken.request] = taken

    def forget(self) -> None:
        """The process is another one, or none: it answers no open request."""
        self._answers = {request: answer or _unanswered(request) for request, answer in self._answers.items()}


def _unanswered(request: int) -> wire.PictureTaken:
    return wire.PictureTaken(request=request, ok=False, detail="the worker is not running; try again in a moment")
