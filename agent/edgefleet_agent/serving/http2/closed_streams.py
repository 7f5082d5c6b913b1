"""Checks of frames on streams that are closed (RFC 9113, 5.1)."""

from __future__ import annotations

from collections import deque

from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault

REMEMBERED = 1024
"""Streams of which is known how they were closed."""


class ClosedStreams:
    """Closed streams of one connection, the last ones. A stream that the server closed first is abandoned: what its peer had sent
    until it knew is ignored. On any other nothing may come.
    """

    def __init__(self) -> None:
        self._opened: deque[int] = deque(maxlen=REMEMBERED)
        self._abandoned: dict[int, None] = {}

    def opened(self, number: int) -> None:
        """A peer opened a stream."""
        self._opened.append(number)

    def abandoned(self, number: int) -> None:
        """The server closed a stream whose peer had not ended it."""
        self._abandoned[number] = None
        if len(self._abandoned) > REMEMBERED:
            del self._abandoned[next(iter(self._abandoned))]

    def check_data(self, number: int, *, ended: bool) -> None:
        """Check that a peer may send data on a closed stream. ended: it ends it so.

        Raises:
            BrokenConnectionError: it may not.
        """
        if number not in self._abandoned:
            raise BrokenConnectionError(Fault.STREAM_CLOSED, "data of a closed stream")
        if ended:
            del self._abandoned[number]

    def check_headers(self, number: int, *, ended: bool) -> None:
        """Check that a peer may send headers on a closed stream. ended: it ends it so.

        Raises:
            BrokenConnectionError: it may not, or the stream was never opened, which its number says too late.
        """
        if number not in self._abandoned:
            fault = Fault.STREAM_CLOSED if number in self._opened else Fault.PROTOCOL
            raise BrokenConnectionError(fault, "headers of a closed stream, or a number below one that was used")
        if ended:
            del self._abandoned[number]
