"""Limits of HTTP/2 frames that are cheap to send and costly to handle (CVE-2019-9511 and others of that year, CVE-2023-44487,
CVE-2024-27316)."""

from __future__ import annotations

from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault

RESETS_MAX = 200
"""Streams that a peer may reset beyond those that finished."""
CONTROLS_MAX = 10_000
"""Pings, settings, window updates, DATA frames without data and ignored headers that a peer may send for each stream that it
opens, beyond those that the answers allow."""
CONTROLS_FRAME = 4
CONTROL_BYTES = 2048
"""Control frames allowed for each DATA frame of an answer, and bytes of it that allow one more: clients update at most two
windows for a frame."""
STREAMS_CONTROL = 16
"""Open streams that a SETTINGS frame touches for each additional frame that it counts."""


class FloodGuard:
    """Counts frames of one connection and closes it when a limit is exceeded."""

    def __init__(self) -> None:
        self._resets = 0
        self._controls = 0

    def stream_opened(self) -> None:
        """A stream was opened."""
        if self._controls > 0:
            self._controls = 0

    def data_sent(self, size: int) -> None:
        """A DATA frame of `size` bytes was sent."""
        self._controls -= CONTROLS_FRAME + size // CONTROL_BYTES

    def stream_finished(self) -> None:
        """A response was sent."""
        if self._resets:
            self._resets -= 1

    def stream_reset(self) -> None:
        """The peer reset a stream, or opened one beyond the limit.

        Raises:
            BrokenConnectionError: the peer did so too often.
        """
        self._resets += 2
        if self._resets > 2 * RESETS_MAX:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, "too many streams given up")

    def control_frame(self, streams: int = 0) -> None:
        """A frame without data was received. streams: open streams that it touches.

        Raises:
            BrokenConnectionError: the peer sent too many.
        """
        self._controls += 1 + streams // STREAMS_CONTROL
        if self._controls > CONTROLS_MAX:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, "too many frames that carry nothing")
