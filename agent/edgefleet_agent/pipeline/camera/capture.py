"""Captures the frames of one source while a pipeline runs. A lost source is opened again; frame numbers and times continue.

A file is read directly, and its errors are raised. A live source is read in its own thread and reopened without end with the
delays of `edgefleet_agent.sources.reconnect_state`; each cause of its loss is reported once.
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
from edgefleet_agent.sources.base import SilentSourceError, Source, SourceInfo, faults_as_losses
from edgefleet_agent.sources.bitrate_gate import GATED_MAX
from edgefleet_agent.sources.credentials import with_credentials
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.sources.reconnect_state import Edge, ReconnectMachine, ReconnectState, SourceFault
from edgefleet_agent.sources.redact import redact
from edgefleet_agent.sources.trigger import Trigger
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.privacy_mask import PrivacyMasks
from edgefleet_contract.core.errors import EdgefleetError, MissingError, PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

POLL_S = 0.5
"""Interval at which a silent source is checked."""
ABANDONED_MAX = 4
"""Limit of hanging readers of one source, each of which holds a decoder: above it no new reader starts until one returns."""

MakeSource = Callable[[SourceSpec], Source]


class Capture:
    """One source. `frames` is iterated by one thread; the other methods may be called from any thread.

    make: factory of the source; None uses the plug-in of its kind. ring: receives the packets. masks: applied to every frame
    first. trigger: opens the gates of the source. on_blind: called by the thread that iterates `frames`, once no frame has come
    for so long that nothing is known of the scene, with the seconds since the last one.

    Raises:
        PipelineError: the kind of source or one of its options does not exist.
    """

    def __init__(
        self,
        spec: SourceSpec,
        on_fault: Callable[[str, bool], None],
        name: str = "",
        make: MakeSource | None = None,
        ring: PacketRing | None = None,
        masks: PrivacyMasks | None = None,
        trigger: Trigger | None = None,
        on_blind: Callable[[float], None] | None = None,
    ) -> None:
        self._spec = spec
        self._on_blind = on_blind
        self._masks = masks
        self._ring = ring
        self._trigger = trigger if trigger is not None else Trigger()
        self._name = name
        self._make: MakeSource = make if make is not None else plugins.load("sources", spec.kind)
        self._make(with_credentials(spec))  # a wrong specification is refused before anything starts
        self._on_fault = on_fault
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
        self._counted: Source | None = None  # the source whose losses are counted now
        self._lost_before = self._lost_taken = 0
        self.info = SourceInfo(0, 0, 0.0)

    @property
    def state(self) -> str:
        """State: `opening`, `running`, `stalled`, `source_lost` or `ended`."""
        return self._machine.state(time.monotonic()).value if self._live else ReconnectState.RUNNING.value

    @property
    def reason(self) -> str:
        """The reason for which no frames come now; empty while they do."""
        return self._machine.reason(time.monotonic()) if self._live else ""

    @property
    def faults(self) -> tuple[SourceFault, ...]:
        """The last causes for which no frames came, the latest last."""
        return self._machine.faults

    @property
    def losses_total(self) -> int:
        """Count of losses, failed attempts included."""
        return self._machine.losses_total

    def frames(self) -> Iterator[Frame]:
        """Frames with rising indices and media times, also across losses, and masked if the pipeline has masks.

        Raises:
            EdgefleetError: the source failed, and it is not live or no new attempt can help.
        """
        frames = self._unmasked()
        return frames if self._masks is None else map(self._masks, frames)

    def _unmasked(self) -> Iterator[Frame]:
        if not self._live:
            yield from self._frames_of_file()
            return
        while not self._closing.is_set():
            yield from self._frames_until_lost()
            if self._machine.over:
                return
            self._closing.wait(self._machine.pause_s)
            self._check_sight(time.monotonic())

    def take_gated(self) -> list[float]:
        """Media times, since the last call, of pictures that the source's own gate skipped without decoding."""
        source = self._source
        if source is not None and not self._live:
            self._take_over_gated(source, 0.0)
        return [self._gated.popleft() for _ in range(len(self._gated))]

    def take_lost(self) -> int:
        """Count, since the last call, of pictures that the source had and could not decode."""
        total = self._lost_before + (self._counted.lost if self._counted is not None else 0)
        new, self._lost_taken = total - self._lost_taken, total
        return new

    def close(self) -> None:
        """End `frames` soon."""
        self._closing.set()
        source, reader = self._source, self._reader
        if source is not None:
            source.close()
        if reader is not None:
            reader.abandon()

    def _frames_until_lost(self) -> Iterator[Frame]:
        try:
            yield from self._frames_of_attempt()
            self._report(self._machine.ended(time.monotonic()))
        except (PipelineError, MissingError) as error:
            if isinstance(error, PipelineError) or not self._last_s:
                raise type(error)(redact(str(error))) from error
            self._lose(error)  # the camera was changed while it ran, and may be changed back
        except EdgefleetError as error:
            self._lose(error)

    def _lose(self, error: EdgefleetError) -> None:
        silent = isinstance(error, SilentSourceError)
        self._report(self._machine.lost(redact(str(error)), time.monotonic(), silent=silent))

    def _check_sight(self, now_s: float) -> None:
        blind_s = self._machine.blind_for(now_s)
        if blind_s and self._on_blind is not None:
            self._on_blind(blind_s)

    def _report(self, edge: Edge | None) -> None:
        if edge is not None:
            self._on_fault(edge.text, edge.over)

    def _frames_of_file(self) -> Iterator[Frame]:
        source = self._source = self._make_source()
        try:
            with faults_as_losses(self._name):
                self.info = source.open()
                if not self._closing.is_set():
                    yield from source.frames()
        finally:
            source.close()

    def _frames_of_attempt(self) -> Iterator[Frame]:
        """Frames of one opening of the source, up to its end. After a loss the numbers skip the frames that were missed, so that
        coverage counts them.

        Raises:
            SilentSourceError: the source hangs.
        """
        self._abandoned = [reader for reader in self._abandoned if reader.alive]
        if len(self._abandoned) >= ABANDONED_MAX:
            raise SilentSourceError(f"{ABANDONED_MAX} readers of this source hang; restart the agent or reconnect the camera")
        machine = self._machine
        machine.opening(time.monotonic())
        source = self._make_source()
        feed = source.ring  # a source may give it to another reader
        reader = self._reader = SourceThread(source, self._name)
        index_offset, media_offset_s, opened, gate_packets = 0, 0.0, False, 0
        try:
            while not self._closing.is_set():
                frame = reader.next(POLL_S)
                now_s = time.monotonic()
                if source.gate_packets != gate_packets:  # a gate skips pictures, but the source is alive
                    gate_packets = source.gate_packets
                    self._report(machine.frame(now_s))
                    self._take_over_gated(source, media_offset_s)
                if not opened and reader.info is not None:
                    opened = True
                    self.info = reader.info
                    machine.opened(now_s, self.info.fps)
                    index_offset, media_offset_s = self._offsets(now_s)
                    if feed is not None:
                        feed.base_s = media_offset_s
                if frame is not None:
                    self._report(machine.frame(now_s))
                    yield self._numbered(frame, index_offset, media_offset_s)
                elif reader.over:
                    return
                elif machine.hangs(now_s, source.alive_at_s):
                    self._abandoned.append(reader)
                    raise SilentSourceError(
                        "the source hangs: no frame, no error, no end; reopening it, restart the camera if this repeats"
                    )
                else:
                    self._report(machine.waiting(now_s, source.silence))
                    self._check_sight(now_s)
        finally:
            reader.abandon()

    def _make_source(self) -> Source:
        source = self._make(with_credentials(self._spec))
        source.ring = self._ring.connect() if self._ring is not None else None
        self._lost_before += self._counted.lost if self._counted is not None else 0
        self._counted = source
        source.trigger = self._trigger
        return source

    def _take_over_gated(self, source: Source, media_offset_s: float) -> None:
        """Take over the times of pictures that the source's gate skipped."""
        for _ in range(len(source.gated)):
            self._gated.append(media_offset_s + source.gated.popleft())

    def _offsets(self, now_s: float) -> tuple[int, float]:
        """Offsets of the frame numbers and media times of this opening."""
        if not self._last_s:
            return 0, 0.0
        lost_s = max(0.0, now_s - self._last_s)
        return self._next_index + round(lost_s * self.info.fps), self._next_media_s + lost_s

    def _numbered(self, frame: Frame, index_offset: int, media_offset_s: float) -> Frame:
        if index_offset or media_offset_s:
            frame = replace(frame, index=index_offset + frame.index, media_s=media_offset_s + frame.media_s)
        self._last_s = frame.captured_at_s
        self._next_index, self._next_media_s = frame.index + 1, frame.media_s + 1 / max(self.info.fps, 1e-3)
        return frame
