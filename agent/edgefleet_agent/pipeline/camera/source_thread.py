"""Reads a source in its own thread, so that a source that hangs blocks no other thread.

A decoder or a driver can hang in native code, which cannot be interrupted. The capture thread therefore waits here for frames
with a time-out and may abandon the reader: its thread closes the source if it ever returns.
"""

from __future__ import annotations

import threading
from collections import deque

from edgefleet_agent.sources.base import Source, SourceInfo, faults_as_losses
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import EdgefleetError

WAITING_MAX = 2
"""Limit of frames between the two threads; the source waits above it, and no frame is lost."""


class SourceThread:
    """One opening of `source`. Public methods are called from one thread, `abandon` from any."""

    def __init__(self, source: Source, name: str = "") -> None:
        self._source = source
        self._name = name
        self._changed = threading.Condition()
        self._frames: deque[Frame] = deque()
        self._abandoned = False
        self._over = False
        self._error: EdgefleetError | None = None
        self.info: SourceInfo | None = None
        self._thread = threading.Thread(target=self._read, name=f"source:{name}", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread still runs: an abandoned reader holds its decoder until then."""
        return self._thread.is_alive()

    @property
    def over(self) -> bool:
        """Whether the source has ended and every frame was taken."""
        with self._changed:
            return self._over and not self._frames

    def next(self, wait_s: float) -> Frame | None:
        """The next frame; None if none came within `wait_s`. Returns None at once if the source has just opened, ended or was
        abandoned.

        Raises:
            EdgefleetError: the source failed; raised after its last frame.
        """
        with self._changed:
            opened = self.info is not None
            self._changed.wait_for(
                lambda: self._frames or self._over or self._abandoned or (self.info is not None) is not opened, wait_s
            )
            if self._frames:
                frame = self._frames.popleft()
                self._changed.notify_all()
                return frame
            if self._error is not None:
                raise self._error
            return None

    def abandon(self) -> None:
        """Stop the source without waiting for it."""
        self._source.stop()
        with self._changed:
            self._abandoned = True
            self._frames.clear()
            self._changed.notify_all()

    def _read(self) -> None:
        try:
            with faults_as_losses(self._name):
                self._pull()
        except EdgefleetError as error:
            self._error = error
        finally:
            self._source.close()
            with self._changed:
                self._over = True
                self._changed.notify_all()

    def _pull(self) -> None:
        info = self._source.open()
        with self._changed:
            self.info = info
            self._changed.notify_all()
        for frame in self._source.frames():
            with self._changed:
                self._changed.wait_for(lambda: len(self._frames) < WAITING_MAX or self._abandoned)
                if self._abandoned:
                    return
                self._frames.append(frame)
                self._changed.notify_all()
