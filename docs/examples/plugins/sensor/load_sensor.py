"""The sensor `load`: the load averages of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from edgefleet_agent.sources.options import read_options
from edgefleet_agent.sources.sensors.base import Reading, Sensor
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec


class LoadSensor(Sensor):
    """Channels `load_1`, `load_5`, `load_15`. Option: `every_s`, seconds between two readings."""

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        self._every_s: float = read_options(spec, {"every_s": 1.0}, {"every_s": (0.01, 3600.0)})["every_s"]

    def open(self) -> None:
        self._values()
        self.channels = ["load_1", "load_5", "load_15"]

    def readings(self) -> Iterator[Reading]:
        while not self.closing.is_set():
            yield Reading(time.time(), self._values())
            self.closing.wait(self._every_s)  # ends at once when the sensor is stopped

    def close(self) -> None:
        """Nothing to release."""

    def _values(self) -> tuple[float, ...]:
        try:
            return os.getloadavg()
        except OSError as cause:
            raise UnavailableError("this machine does not tell its load; remove the sensor") from cause


def example(_folder: Path) -> SourceSpec:
    """A sensor for the contract tests."""
    return SourceSpec(kind="load", options={"every_s": 0.02})
