"""Base class of sensors: readings of a few channels, each with its time. The table of kinds is in `core.plugins`."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from edgefleet_contract.pipeline.spec import SourceSpec

CHANNELS_MAX = 64


@dataclass(frozen=True, slots=True)
class Reading:
    """Values of one moment. at_s: seconds since 1970 by the clock of the reading's origin. values: one for each channel, NaN if
    missing."""

    at_s: float
    values: tuple[float, ...]


class Sensor(ABC):
    """One opened sensor. Constructors take a `SourceSpec`, check its options and do no I/O.

    channels: known once it is open.

    Raises:
        PipelineError: an option that the kind does not have.
    """

    def __init__(self, spec: SourceSpec) -> None:
        self.spec = spec
        self.closing = threading.Event()
        self.channels: list[str] = []

    @abstractmethod
    def open(self) -> None:
        """Open the sensor and find its channels.

        Raises:
            MediaError: not readable as a series. UnavailableError: no answer now.
        """

    @abstractmethod
    def readings(self) -> Iterator[Reading]:
        """The readings as they come, or as fast as they are read.

        Raises:
            MediaError: the data is not a series. UnavailableError: the connection was lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Release everything; called by the thread that reads."""

    def stop(self) -> None:
        """Make `readings` end soon. From any thread, and never waits."""
        self.closing.set()
