"""What a source of frames is to a pipeline.

A source is pulled by one thread of its own. It yields frames in order and ends when there is nothing more to come; a live source
never ends by itself. It paces itself (`realtime`) or goes as fast as it is pulled (`fast`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from agent.contract.pipeline import SourceSpec
from agent.vision.frame import Frame


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known once a source is open. frames = 0 where nobody can know."""

    width: int
    height: int
    fps: float
    frames: int = 0
    codec: str = ""


class Source(ABC):
    """One opened source. Constructors take a `SourceSpec`, do no I/O, and raise `PipelineError` on options they do not take."""

    def __init__(self, spec: SourceSpec) -> None:
        self.spec = spec

    @abstractmethod
    def open(self) -> SourceInfo:
        """Open and look at the first packets.

        Raises:
            MediaError: not a video this build can decode. UnavailableError: nothing answers now.
        """

    @abstractmethod
    def frames(self) -> Iterator[Frame]:
        """The frames, in order.

        Raises:
            MediaError: the stream became undecodable. UnavailableError: the connection was lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop and give everything back; safe from another thread, makes `frames` end soon."""
