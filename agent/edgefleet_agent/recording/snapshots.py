"""Takes snapshots that the supervisor requests. Each waits for a frame in its own thread and delays no other request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from edgefleet_agent.core.clock import Clock
from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.core.errors import EdgefleetError, UnavailableError
from edgefleet_contract.worker_process import PictureTaken, TakePicture

AT_ONCE_MAX = 4
FRAME_S_MAX = 10.0
"""Longest wait of a snapshot for a frame: a lost camera gives none."""


class SnapshotMaker(Protocol):
    """Provides frames of pipelines as pictures."""

    def picture(self, pipeline: str, *, overlays: bool, wait_s: float) -> tuple[bytes, int, int]:
        """The next frame as a JPEG, its width and height.

        Raises:
            UnavailableError: no frame came within `wait_s`, or there is no such pipeline.
        """


class SnapshotRequests:
    """Executes requests from one thread; `answer` is called from many."""

    def __init__(self, photographer: SnapshotMaker | None, clock: Clock, answer: Callable[[PictureTaken], None]) -> None:
        self._photographer = photographer
        self._clock = clock
        self._answer = answer
        self._free = threading.BoundedSemaphore(AT_ONCE_MAX)

    def take(self, request: TakePicture) -> None:
        """Start a request, or refuse it; returns at once."""
        if not self._free.acquire(blocking=False):
            detail = f"{AT_ONCE_MAX} snapshots are already being taken; try again in a moment"
            self._answer(PictureTaken(request=request.request, ok=False, detail=detail))
            return
        threading.Thread(target=self._work, args=(request,), name=f"picture:{request.pipeline}", daemon=True).start()

    def _work(self, request: TakePicture) -> None:
        try:
            answer = self._take_picture(request)
        except EdgefleetError as error:
            answer = PictureTaken(request=request.request, ok=False, detail=str(error)[:1000])
        finally:
            self._free.release()
        self._answer(answer)

    def _take_picture(self, request: TakePicture) -> PictureTaken:
        if self._photographer is None:
            raise UnavailableError("this worker takes no snapshots")
        jpeg, width, height = self._photographer.picture(request.pipeline, overlays=request.overlays, wait_s=FRAME_S_MAX)
        taken_at = self._clock.wall()
        path = Path(request.file)
        make_folder(path.parent)
        write_atomic(path, jpeg)
        return PictureTaken(request=request.request, ok=True, width=width, height=height, taken_at=taken_at)
