"""A source in a thread of its own, so that one that never returns holds nobody but itself.

A decoder or a driver can hang inside native code, where no time-out of ours reaches. The capture thread therefore waits for
frames here, with a limit, and may walk away: the abandoned thread closes its source by itself if it ever comes back.
"""

from __future__ import annotations

import threading
from collections import deque

from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import EdgefleetError

WAITING_MAX = 2
"""Frames between the two threads; the source waits beyond that. Nothing is lost here."""


class SourceThread:
    """One opening of `source`. All methods but the thread's own are called from one thread, `abandon` from any."""

    def __init__(self, source: Source, name: str = "") -> None:
        self._source = source
        self._changed = threading.Condition()
        self._frames: deque[Frame] = deque()
        self._abandoned = False
        self._over = False
        self._error: EdgefleetError | None = None
        self._fault: BaseException | None = None
        self.info: SourceInfo | None = None
        self._thread = threading.Thread(target=self._read, name=f"source:{name}", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread still runs: an abandoned one that does holds its decoder."""
        return self._thread.is_alive()

    @property
    def over(self) -> bool:
        """The source ended and every frame was taken."""
        with self._changed:
            return self._over and not self._frames

    def next(self, wait_s: float) -> Frame | None:
        """The next frame; None when none came within `wait_s`, at once when the source has ended, was abandoned or only opened.

        Raises:
            EdgefleetError: what the source raised, after its last frame.
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
            if self._fault is not None:
                raise self._fault
            return None

    def abandon(self) -> None:
        """Want nothing more; never waits."""
        self._source.stop()
        with self._changed:
            self._abandoned = True
            self._frames.clear()
            self._changed.notify_all()

    def _read(self) -> None:
        try:
            self._pull()
        except EdgefleetError as error:
            self._error = error
        except BaseException as fault:  # noqa: BLE001 - a fault of ours: it goes on in the thread that waits for frames
            self._fault = fault
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
