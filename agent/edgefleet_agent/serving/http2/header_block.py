"""Joins the fragments of a header block: HEADERS and the CONTINUATION frames behind it, with nothing in between."""

from __future__ import annotations

from edgefleet_agent.serving.http2 import frames as h2
from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault

Block = tuple[int, int, bytes]
"""Stream number, flags of HEADERS, and the whole block."""


class HeaderBlock:
    """The block that is being received; one at a time. started: what has arrived of a block that waits for its continuation."""

    def __init__(self) -> None:
        self.started: Block | None = None

    def begin(self, flags: int, number: int, payload: memoryview) -> Block | None:
        """Take HEADERS; returns the block if it is whole.

        Raises:
            BrokenConnectionError: the frame is against the protocol.
        """
        if number % 2 == 0:
            raise BrokenConnectionError(Fault.PROTOCOL, "a client's streams have odd numbers")
        if flags & h2.PRIORITY_FIELDS:
            if len(payload) < h2.PRIORITY_BYTES:
                raise BrokenConnectionError(Fault.FRAME_SIZE, "headers without room for their priority")
            payload = payload[h2.PRIORITY_BYTES :]
        block = number, flags, bytes(payload)
        if flags & h2.END_HEADERS:
            return block
        self.started = block
        return None

    def go_on(self, flags: int, number: int, part: memoryview) -> Block | None:
        """Take CONTINUATION; returns the block if it is whole now.

        Raises:
            BrokenConnectionError: no block of this stream was started, or it is too long.
        """
        if self.started is None or self.started[0] != number:
            raise BrokenConnectionError(Fault.PROTOCOL, "a header block continues that was not started")
        block = self.started[2] + part
        if len(block) > h2.HEADERS_BYTES_MAX or not part:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, f"headers of more than {h2.HEADERS_BYTES_MAX} bytes")
        whole = number, self.started[1], block
        self.started = None if flags & h2.END_HEADERS else whole
        return whole if flags & h2.END_HEADERS else None
