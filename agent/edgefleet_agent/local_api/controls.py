"""Control of cameras through the local API."""

from __future__ import annotations

from typing import Protocol

from edgefleet_agent.sources.trigger import SECONDS_MAX
from edgefleet_contract.core.errors import InputError


class Controls(Protocol):
    """Thread-safe.

    Raises:
        InputError: no such camera or switch; the text lists the known ones.
    """

    def switches(self, pipeline: str) -> dict[str, bool]:
        """Every switch of the camera (see `edgefleet_agent.sources.camera_switches`), and whether it is on."""

    def switch(self, pipeline: str, name: str, on: bool) -> None:
        """Turn a switch on or off."""

    def trigger(self, pipeline: str, seconds: float) -> None:
        """Analyse every frame for this time, regardless of gates; 0: stop."""


def parse_seconds(text: str) -> float:
    """Parse a duration.

    Raises:
        InputError: not a valid duration.
    """
    try:
        value = float(text)
    except ValueError as cause:
        raise InputError(f"{text[:40]!r}: not a number of seconds; must be between 0 and {SECONDS_MAX:g}") from cause
    if not 0.0 <= value <= SECONDS_MAX:
        raise InputError(f"{text[:40]} seconds: must be between 0 and {SECONDS_MAX:g}")
    return value
