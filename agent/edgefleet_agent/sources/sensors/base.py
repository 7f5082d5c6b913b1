"""Base class of sensors: readings of a few channels, each with its time. The table of kinds is in `core.plugins`."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.pipeline.spec import SourceSpec

CHANNELS_MAX = 64
MOMENT_S_MIN: Final = -62_135_596_800.0
MOMENT_S_MAX: Final = 253_402_214_400.0
"""The years 1 to 9999, which a calendar has; readings of other times are left out."""
UNITS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
"""Below each limit a time since 1970 is in seconds, milliseconds, microseconds or nanoseconds: the present is in the middle."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Values of one moment. at_s: seconds since 1970 by the clock of the reading's origin. values: one for each channel, NaN if
    missing."""

    at_s: float
    values: tuple[float, ...]


class Sensor(ABC):
    """One opened sensor. Constructors take a `SourceSpec`, check its options and do no I/O.

    channels: known once it is open. texts: columns that are no channels, because they hold no numbers.

    Raises:
        PipelineError: an option that the kind does not have.
    """

    def __init__(self, spec: SourceSpec) -> None:
        self.spec = spec
        self.closing = threading.Event()
        self.channels: list[str] = []
        self.texts: list[str] = []

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


def number(value: object) -> float:
    """A finite number of a message; NaN for anything else, such as an integer that no float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return math.nan
    try:
        return float(value) if math.isfinite(value) else math.nan
    except OverflowError:
        return math.nan


def moment_s(time: float) -> float:
    """Seconds since 1970 of a time in seconds, or in milliseconds, microseconds or nanoseconds; NaN if it is none."""
    divisor = next((unit for limit, unit in UNITS if abs(time) < limit), math.nan)
    at_s = time / divisor
    return at_s if is_moment(at_s) else math.nan


def is_moment(at_s: float) -> bool:
    """Whether a calendar has this time; false for NaN."""
    return MOMENT_S_MIN <= at_s <= MOMENT_S_MAX
