"""State of one stream."""

from __future__ import annotations

from collections import deque

from edgefleet_agent.serving.http2.header_writer import Fields
from edgefleet_agent.serving.http2.limits import STREAM_WINDOW


class Stream:
    """One open or closed stream; made and changed by `Http2State` and `FrameSender` only.

    half_closed: the peer sends nothing more. closed: nothing more is sent or received. receive_window, send_window: bytes that
    the peer may still send, and that may still be sent to it. waiting_bytes: of `pieces`, queued data that waits for windows.
    expected_bytes: of data that the content length still announces; None without one.
    trailers: sent after the queue. progress_s: time at which data was last queued or sent.
    """

    __slots__ = (
        "closed", "expected_bytes", "half_closed", "number", "pieces", "progress_s", "receive_window", "send_window", "trailers",
        "waiting_bytes",
    )  # fmt: skip

    def __init__(self, number: int, send_window: int, *, half_closed: bool) -> None:
        self.number = number
        self.half_closed = half_closed
        self.expected_bytes: int | None = None
        self.closed = False
        self.receive_window = STREAM_WINDOW
        self.send_window = send_window
        self.pieces: deque[memoryview] = deque()
        self.waiting_bytes = 0
        self.trailers: Fields | None = None
        self.progress_s = 0.0

    def drop_data(self) -> None:
        """Discard queued data."""
        self.pieces.clear()
        self.waiting_bytes = 0
