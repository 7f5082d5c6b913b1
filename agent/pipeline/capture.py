"""The frames of one source for as long as a pipeline runs: opened, opened again when lost, numbers and times going on.

A file that is analysed fails at once; a live source is tried again for ever, with pauses, and said to be lost only once.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from agent import plugins
from agent.contract.pipeline import SourceSpec
from agent.errors import EdgefleetError, PipelineError
from agent.sources.base import Source, SourceInfo
from agent.vision.frame import Frame

STALL_S = 5.0
"""A live source that gave nothing for so long has stalled."""
RETRY_S_FIRST, RETRY_S_MAX = 0.5, 30.0
"""Pauses between attempts: doubled each time, with jitter so that cameras behind one switch do not return in step."""


class Capture:
    """One source. `frames` is pulled by one thread; the rest may be called from any.

    Raises:
        PipelineError: no such kind of source, or options that it does not take.
    """

    def __init__(self, spec: SourceSpec, on_trouble: Callable[[str, bool], None]) -> None:
        self._spec = spec
        self._make: Callable[[SourceSpec], Source] = plugins.load("sources", spec.kind)
        self._make(spec)  # refuses options that it does not know, now rather than in a thread
        self._on_trouble = on_trouble
        self._live = spec.pace == "realtime"
        self._closing = threading.Event()
        self._source: Source | None = None
        self._lost = False
        self._first_s = 0.0
        self._last_s = 0.0
        self._next_index = 0
        self._next_media_s = 0.0
        self.info = SourceInfo(0, 0, 0.0)

    @property
    def state(self) -> str:
        """`opening`, `running`, `stalled` or `source_lost`."""
        if self._lost:
            return "source_lost"
        if not self._last_s:
            return "opening"
        return "stalled" if self._live and time.monotonic() - self._last_s > STALL_S else "running"

    def frames(self) -> Iterator[Frame]:
        """The frames, indices and media times rising across every loss.

        Raises:
            EdgefleetError: what the source raised, where it is not live.
        """
        pause_s = RETRY_S_FIRST
        while not self._closing.is_set():
            for frame in self._until_lost():
                pause_s = RETRY_S_FIRST
                yield frame
            if not self._lost:
                return
            self._closing.wait(pause_s * (0.5 + random.random()))  # noqa: S311 - jitter
            pause_s = min(RETRY_S_MAX, 2 * pause_s)

    def close(self) -> None:
        """Make `frames` end soon."""
        self._closing.set()
        source = self._source
        if source is not None:
            source.close()

    def _until_lost(self) -> Iterator[Frame]:
        """One opening's frames, to the end or to a loss that is worth another attempt."""
        try:
            for frame in self._opened():
                if self._lost:
                    self._lost = False
                    self._on_trouble("the source gives frames again", True)
                yield frame
        except EdgefleetError as error:
            if not self._live or isinstance(error, PipelineError):
                raise
            if not self._lost:
                self._lost = True
                self._on_trouble(str(error), False)

    def _opened(self) -> Iterator[Frame]:
        """One opening's frames. After a loss they are numbered as if frames had gone on meanwhile, so that coverage knows."""
        source = self._source = self._make(self._spec)
        try:
            self.info = source.open()
            index_base, media_base_s = self._next_index, self._next_media_s
            if self._last_s:
                away_s = time.monotonic() - self._last_s
                media_base_s += away_s
                index_base += round(away_s * self.info.fps)
            if self._closing.is_set():
                return
            for frame in source.frames():
                shown = frame
                if index_base or media_base_s:
                    shown = replace(frame, index=index_base + frame.index, media_s=media_base_s + frame.media_s)
                self._last_s = shown.captured_at_s
                self._next_index, self._next_media_s = shown.index + 1, shown.media_s + 1 / self.info.fps
                yield shown
        finally:
            source.close()
