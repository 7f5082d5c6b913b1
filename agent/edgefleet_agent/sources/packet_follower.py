"""Packets of a camera, and a reader of them as they arrive, for live video: the thread that adds packets never waits for it."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from av.container import OutputContainer
from av.video.stream import VideoStream

from edgefleet_agent.sources.rotation import AUTO

WAITING_BYTES_MAX = 8 * 1024 * 1024
WAITING_MAX = 512


@dataclass(frozen=True, slots=True)
class Packet:
    """One encoded picture. pts, dts, duration in the stream's time base; dts: None where the container does not tell it, as for
    the first pictures of some. media_s: display time, in the source's time. damaged: does not decode. parameters: those that it
    brings along, see `ParameterSets`."""

    data: bytes
    pts: int
    dts: int | None
    duration: int
    keyframe: bool
    media_s: float
    damaged: bool = False
    parameters: bytes = b""


@dataclass(frozen=True, slots=True)
class Format:
    """Output format for the packets of one connection. `stream` belongs to `holder`, which outlives the camera's connection.
    rotate: see `rotation`. encoded: by this agent."""

    holder: OutputContainer
    stream: VideoStream
    time_base: Fraction
    rotate: str = AUTO
    encoded: bool = False


class FollowedPacket(NamedTuple):
    """A packet, the format of its connection, and the monotonic time at which it arrived."""

    format: Format
    packet: Packet
    arrived_s: float


class PacketFollower:
    """Packets of one camera, from a key frame on. A reader that is too slow loses all up to the next key frame.

    lost: packets that it lost.
    """

    def __init__(self) -> None:
        self.lost = 0
        self._came = threading.Condition()
        self._waiting: deque[FollowedPacket] = deque()
        self._bytes = 0
        self._needs_key = True
        self._closed = False

    def put(self, form: Format, packet: Packet) -> None:
        """Add a packet; returns at once."""
        with self._came:
            if self._bytes + len(packet.data) > WAITING_BYTES_MAX or len(self._waiting) >= WAITING_MAX:
                self.lost += len(self._waiting)
                self._waiting.clear()
                self._bytes, self._needs_key = 0, True
            if self._needs_key and not packet.keyframe:
                self.lost += 1
                return
            self._needs_key = False
            self._waiting.append(FollowedPacket(form, packet, time.monotonic()))
            self._bytes += len(packet.data)
            self._came.notify()

    def next(self, wait_s: float) -> FollowedPacket | None:
        """The oldest packet; None if none came within `wait_s`, or the reader was closed."""
        with self._came:
            self._came.wait_for(lambda: self._waiting or self._closed, wait_s)
            if not self._waiting or self._closed:
                return None
            found = self._waiting.popleft()
            self._bytes -= len(found.packet.data)
            return found

    def close(self) -> None:
        """Wake the reader."""
        with self._came:
            self._closed = True
            self._came.notify_all()
