"""Base class of frame sources.

A source is read by one thread of its own. It yields frames in order and ends after the last one; a live source never ends by
itself. It paces itself (`realtime`) or yields as fast as it is read (`fast`).
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from edgefleet_agent.sources.bitrate_gate import GATED_MAX
from edgefleet_agent.sources.packet_ring import RingFeed
from edgefleet_agent.sources.trigger import Trigger
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import EdgefleetError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

log = logging.getLogger(__name__)


class SilentSourceError(UnavailableError):
    """The source is there, but sends nothing."""


@contextmanager
def faults_as_losses(name: str) -> Iterator[None]:
    """Converts an unexpected exception of a source to its loss: cameras and sensors send anything, and what no source foresees
    must not end the pipelines of the others. The log has the traceback. name: of the pipeline.

    Raises:
        UnavailableError: there was one.
    """
    try:
        yield
    except EdgefleetError:
        raise
    except Exception as fault:
        log.exception("internal fault of the source of %s; please report it", name)
        raise UnavailableError("internal fault of the source; the log has the details, please report it") from fault


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """Properties of an open source. frames = 0 if unknown, a size of 0 x 0 until the first picture. The size is that of frames,
    which are upright; where only a picture declares how it is turned, or the size changes, every frame carries its own."""

    width: int
    height: int
    fps: float
    frames: int = 0
    codec: str = ""


class Source(ABC):
    """One opened source. Constructors take a `SourceSpec`, check its options and do no I/O.

    ring: receives the packets unchanged, if requested and the kind has packets; set before `open`. lost: pictures that the source
    had and did not give, because they were damaged; it only rises. gated: media times of pictures that a gate of the source
    skipped without decoding; emptied by the reader of `frames`. gate_packets: packets that the gate has
    checked; shows that the source is alive while it gives no frames. alive_at_s: time of the source's last activity other than a
    frame (monotonic): it does not hang. silence: why it gives no frames although it is alive; empty: unknown. trigger: opens
    every gate of the source; may be replaced before `open`. closing: set once no more frames are needed; every wait in a source
    is a wait for this event.

    Raises:
        PipelineError: an option that the kind does not have.
    """

    def __init__(self, spec: SourceSpec) -> None:
        self.spec = spec
        self.closing = threading.Event()
        self.ring: RingFeed | None = None
        self.lost = 0
        self.gated: deque[float] = deque(maxlen=GATED_MAX)
        self.gate_packets = 0
        self.alive_at_s = 0.0
        self.silence = ""
        self.trigger = Trigger()

    def stop(self) -> None:
        """Make `frames` end soon. Called from any thread; never waits, not even for a decoder that does not return."""
        self.closing.set()

    @abstractmethod
    def open(self) -> SourceInfo:
        """Open the source and read its first packets.

        Raises:
            MediaError: not a video this build can decode. UnavailableError: no answer now.
        """

    @abstractmethod
    def frames(self) -> Iterator[Frame]:
        """The frames, in order.

        Raises:
            MediaError: the stream became undecodable. UnavailableError: the connection was lost. SilentSourceError: it stands,
                but nothing comes.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop and release everything; safe from another thread, makes `frames` end soon. May wait for a decoder."""
