"""The frames of one source for as long as a pipeline runs: opened, opened again when lost, numbers and times going on.

A file that is analysed is pulled directly and fails at once. A live source is read in a thread of its own, tried again for ever
as `edgefleet_agent.sources.reconnect_state` says, and said to be lost only once.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.camera.source_thread import SourceThread
from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.bitrate_gate import GATED_MAX
from edgefleet_agent.sources.credentials import with_credentials
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.sources.reconnect_state import Edge, ReconnectMachine, ReconnectState
from edgefleet_agent.sources.redact import redact
from edgefleet_agent.sources.trigger import Trigger
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.privacy_mask import PrivacyMasks
from edgefleet_contract.core.errors import EdgefleetError, MissingError, PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

LOOK_S = 0.5
"""How often a silent source is looked at."""
ABANDONED_MAX = 4
"""Readers of one source that hang at once. Each holds a decoder's memory, so no more are made until one comes back."""

MakeSource = Callable[[SourceSpec], Source]


class Capture:
    """One source. `frames` is pulled by one thread; the rest may be called from any.

    make: what opens a source, where it is not the table of plug-ins. ring: who wants the packets. masks: what is taken out of
    every frame before anybody else gets it. trigger: opens the gates of the source.

    Raises:
        PipelineError: no such kind of source, or an option that it does not have.
    """

    def __init__(
        self,
        spec: SourceSpec,
        on_trouble: Callable[[str, bool], None],
        name: str = "",
        make: MakeSource | None = None,
        ring: PacketRing | None = None,
        masks: PrivacyMasks | None = None,
        trigger: Trigger | None = None,
    ) -> None:
        self._spec = spec
        self._masks = masks
        self._ring = ring
        self._trigger = trigger if trigger is not None else Trigger()
        self._name = name
        self._make: MakeSource = make if make is not None else plugins.load("sources", spec.kind)
        self._make(with_credentials(spec))  # what cannot work is told before anything starts
        self._on_trouble = on_trouble
        self._live = spec.pace == "realtime"
        self._machine = ReconnectMachine(random.random)
        self._closing = threading.Event()
        self._reader: SourceThread | None = None
        self._source: Source | None = None
        self._abandoned: list[SourceThread] = []
        self._last_s = 0.0
        self._next_index = 0
        self._next_media_s = 0.0
        self._gated: deque[float] = deque(maxlen=GATED_MAX)
        self.info = SourceInfo(0, 0, 0.0)

    @property
    def state(self) -> str:
        """`opening`, `running`, `stalled`, `source_lost` or `ended`."""
        return self._machine.state(time.monotonic()).value if self._live else ReconnectState.RUNNING.value

    @property
    def losses_total(self) -> int:
        """How often the source was lost, attempts that failed included."""
        return self._machine.losses_total

    def frames(self) -> Iterator[Frame]:
        """The frames, indices and media times rising across every loss, masked where that was asked for.

        Raises:
            EdgefleetError: what the source raised, where it is not live or no attempt can help.
        """
        frames = self._unmasked()
        return frames if self._masks is None else map(self._masks, frames)

    def _unmasked(self) -> Iterator[Frame]:
        if not self._live:
            yield from self._direct()
            return
        while not self._closing.is_set():
            yield from self._until_lost()
            if self._machine.over:
                return
            self._closing.wait(self._machine.pause_s)

    def take_gated(self) -> list[float]:
        """Media times, since the last call, of pictures that the source's own gate looked at and never decoded."""
        source = self._source
        if source is not None and not self._live:
            self._move(source, 0.0)
        return [self._gated.popleft() for _ in range(len(self._gated))]

    def close(self) -> None:
        """Make `frames` end soon."""
        self._closing.set()
        source, reader = self._source, self._reader
        if source is not None:
            source.close()
        if reader is not None:
            reader.abandon()

    def _until_lost(self) -> Iterator[Frame]:
        try:
            yield from self._attempt()
            self._tell(self._machine.ended())
        except (PipelineError, MissingError) as error:
            raise type(error)(redact(str(error))) from error
        except EdgefleetError as error:
            self._tell(self._machine.lost(redact(str(error))))

    def _tell(self, edge: Edge | None) -> None:
        if edge is not None:
            self._on_trouble(edge.text, edge.over)

    def _direct(self) -> Iterator[Frame]:
        source = self._source = self._made()
        try:
            self.info = source.open()
            if not self._closing.is_set():
                yield from source.frames()
        finally:
            source.close()

    def _attempt(self) -> Iterator[Frame]:
        """One opening's frames, to the end of the source. After a loss they are numbered as if frames had gone on meanwhile, so
        that coverage knows.

        Raises:
            UnavailableError: the source hangs.
        """
        self._abandoned = [reader for reader in self._abandoned if reader.alive]
        if len(self._abandoned) >= ABANDONED_MAX:
            raise UnavailableError(f"{ABANDONED_MAX} readers of this source hang; restart the agent, or replug the camera")
        machine = self._machine
        machine.opening(time.monotonic())
        source = self._made()
        reader = self._reader = SourceThread(source, self._name)
        index_base, media_base_s, opened, checked = 0, 0.0, False, 0
        try:
            while not self._closing.is_set():
                frame = reader.next(LOOK_S)
                now_s = time.monotonic()
                if source.gate_packets != checked:  # a gate keeps pictures back: the source lives all the same
                    checked = source.gate_packets
                    self._tell(machine.frame(now_s))
                    self._move(source, media_base_s)
                if not opened and reader.info is not None:
                    opened = True
                    self.info = reader.info
                    machine.opened(now_s, self.info.fps)
                    index_base, media_base_s = self._bases(now_s)
                    if self._ring is not None:
                        self._ring.base_s = media_base_s
                if frame is not None:
                    self._tell(machine.frame(now_s))
                    yield self._numbered(frame, index_base, media_base_s)
                elif reader.over:
                    return
                elif machine.hangs(now_s, source.alive_at_s):
                    self._abandoned.append(reader)
                    raise UnavailableError("the source hangs: no frame, no error, no end; it is opened anew")
        finally:
            reader.abandon()

    def _made(self) -> Source:
        source = self._make(with_credentials(self._spec))
        source.ring = self._ring
        source.trigger = self._trigger
        return source

    def _move(self, source: Source, media_base_s: float) -> None:
        """Take over what the source's gate kept back."""
        for _ in range(len(source.gated)):
            self._gated.append(media_base_s + source.gated.popleft())

    def _bases(self, now_s: float) -> tuple[int, float]:
        """What to add to the numbers and times of this opening."""
        if not self._last_s:
            return 0, 0.0
        away_s = max(0.0, now_s - self._last_s)
        return self._next_index + round(away_s * self.info.fps), self._next_media_s + away_s

    def _numbered(self, frame: Frame, index_base: int, media_base_s: float) -> Frame:
        if index_base or media_base_s:
            frame = replace(frame, index=index_base + frame.index, media_s=media_base_s + frame.media_s)
        self._last_s = frame.captured_at_s
        self._next_index, self._next_media_s = frame.index + 1, frame.media_s + 1 / max(self.info.fps, 1e-3)
        return frame
