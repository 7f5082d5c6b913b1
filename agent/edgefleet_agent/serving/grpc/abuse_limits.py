"""What a peer of HTTP/2 may do that costs it nothing and us something, and how often (CVE-2019-9511 and others of that year,
CVE-2023-44487, CVE-2024-27316)."""

from __future__ import annotations

from edgefleet_agent.serving.grpc.frames import BrokenConnectionError, Fault

RESETS_MAX = 200
"""Calls that a peer may give up beyond those that it let finish."""
CONTROLS_MAX = 10_000
"""Pings, settings and window updates that a peer may send for each call, beyond those that answers are worth to it."""
CONTROLS_FRAME = 4
CONTROL_BYTES = 2048
"""So many for each frame of an answer, and one more for so many bytes of it: clients widen two windows for a frame at most."""
CALLS_CONTROL = 16
"""Settings that touch so many open calls count as one frame more."""


class FloodGuard:
    """Counts of one connection."""

    def __init__(self) -> None:
        self._resets = 0
        self._controls = 0

    def opened(self) -> None:
        """A call begins."""
        self._controls = min(self._controls, 0)

    def gave(self, size: int) -> None:
        """A frame of an answer went out, with so many bytes of data."""
        self._controls -= CONTROLS_FRAME + size // CONTROL_BYTES

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

    def said_nothing(self, calls: int = 0) -> None:
        """A frame came that carries nothing. calls: open ones that it touches.

        Raises:
            BrokenConnectionError: one time too often.
        """
        self._controls += 1 + calls // CALLS_CONTROL
        if self._controls > CONTROLS_MAX:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, "too many frames that carry nothing")
