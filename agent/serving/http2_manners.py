"""What a peer of HTTP/2 may do that costs it nothing and us something, and how often (CVE-2023-44487, CVE-2024-27316)."""

from __future__ import annotations

from agent.serving.http2_frames import BrokenConnectionError, Fault

RESETS_MAX = 200
"""Calls that a peer may give up beyond those that it let finish."""
CONTROLS_MAX = 10_000
"""Pings and settings that a peer may send for each call."""


class Manners:
    """Counts of one connection."""

    def __init__(self) -> None:
        self._resets = 0
        self._controls = 0

    def opened(self) -> None:
        """A call begins."""
        self._controls = 0

    def finished(self) -> None:
        """A call was answered."""
        self._resets = max(0, self._resets - 1)

    def gave_up(self) -> None:
        """A call was given up, or opened beyond what was agreed.

        Raises:
            BrokenConnectionError: one time too often.
        """
        self._resets += 2
        if self._resets > 2 * RESETS_MAX:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, "too many calls given up")

    def said_nothing(self) -> None:
        """A frame came that carries nothing.

        Raises:
            BrokenConnectionError: one time too often.
        """
        self._controls += 1
        if self._controls > CONTROLS_MAX:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, "too many frames that carry nothing")
