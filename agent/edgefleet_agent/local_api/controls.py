"""What neighbours may do at a camera, besides looking."""

from __future__ import annotations

from typing import Protocol

from edgefleet_agent.sources.trigger import SECONDS_MAX
from edgefleet_contract.core.errors import InputError


class Controls(Protocol):
    """From any thread.

    Raises:
        InputError: no such camera or switch; the text says what there is.
    """

    def switches(self, pipeline: str) -> dict[str, bool]:
        """Every switch of the camera (see `edgefleet_agent.sources.camera_switches`), and whether it is on."""

    def switch(self, pipeline: str, name: str, on: bool) -> None:
        """Switch one."""

    def trigger(self, pipeline: str, seconds: float) -> None:
        """Look at everything for so long, whatever gates say; 0: no longer."""


def seconds(text: str) -> float:
    """A duration that somebody sent.

    Raises:
        InputError: it is none.
    """
    try:
        value = float(text)
    except ValueError as cause:
        raise InputError(f"{text[:40]!r} is no number of seconds; give 0 to {SECONDS_MAX:g}") from cause
    if not 0.0 <= value <= SECONDS_MAX:
        raise InputError(f"{text[:40]} seconds; give 0 to {SECONDS_MAX:g}")
    return value
