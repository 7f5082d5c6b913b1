"""The main stream of a camera whose substream is decoded: its packets go into the ring without decoding.

A connection of its own, re-established while the source is open; while it is down clips have a gap, and analysis continues. Its
times are the camera's own steps, anchored to arrival like those of the substream, so that a clip shows the moment of an event
with an error of the network's delay, typically half a second.
"""

from __future__ import annotations

import threading
import time

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import open_container
from edgefleet_agent.sources.base import faults_as_losses
from edgefleet_agent.sources.decoded_pictures import seconds
from edgefleet_agent.sources.live.arrival_times import CLOCK_OFFSET_S_MAX, RepeatedTimes
from edgefleet_agent.sources.live.live_source import Address, check_reachable, refused
from edgefleet_agent.sources.packet_ring import RingFeed
from edgefleet_agent.sources.rotation import AUTO
from edgefleet_contract.core.errors import UnavailableError

RETRY_S = 1.5


class MainStream:
    """Fills `ring` from `address`, and sets its `fault` while nothing comes. Media time 0 is the first picture of the substream,
    given by `anchor`. rotate: rotation of clips."""

    def __init__(self, address: Address, ring: RingFeed, timeouts_s: tuple[float, float], rotate: str = AUTO) -> None:
        self._rotate = rotate
        self._address = address
        self._ring = ring
        self._timeouts_s = timeouts_s
        self._over = threading.Event()
        self._anchored = threading.Event()
        self._origin_s = 0.0
        self._thread = threading.Thread(target=self._run, name="main stream", daemon=True)

    def start(self) -> None:
        """Start connecting."""
        self._thread.start()

    def anchor(self, origin_s: float) -> None:
        """Set the monotonic time of media time 0; until then no packets are stored."""
        if not self._anchored.is_set():
            self._origin_s = origin_s
            self._anchored.set()

    def stop(self) -> None:
        """End soon; never waits."""
        self._over.set()
        self._anchored.set()

    def _run(self) -> None:
        self._anchored.wait()
        while not self._over.is_set():
            try:
                with faults_as_losses(self._address.shown):
                    fault = self._connection()
            except UnavailableError as error:
                fault = str(error)
            if not self._over.is_set():
                self._ring.fault = fault
            self._over.wait(RETRY_S)

    def _connection(self) -> str:
        """Use one connection until its end; returns why it ended."""
        target = self._address
        try:
            check_reachable(target)
            with open_container(target.url, format=target.format, options=target.options, timeout=self._timeouts_s) as container:
                self._follow(container)
        except UnavailableError as error:
            return str(error)
        except (av.error.FFmpegError, OSError, ValueError) as cause:
            return str(refused(target.shown, cause, "accepts the connection, but sends no video; restart the camera"))
        return f"{target.shown} closed the connection; retrying, restart the camera if this repeats"

    def _follow(self, container: InputContainer) -> None:
        """Add packets until the end of the connection.

        Raises:
            UnavailableError: there is no video.
        """
        stream: VideoStream | None = container.streams.video[0] if container.streams.video else None
        if stream is None or stream.time_base is None:
            raise UnavailableError(f"{self._address.shown} provides no video; check the URL")
        self._ring.begin(stream, self._rotate)
        shift_s: float | None = None
        times = RepeatedTimes()
        for packet in container.demux(stream):
            if self._over.is_set() or not packet.size:
                return
            if packet.pts is None:
                continue
            since_s = time.monotonic() - self._origin_s
            pts_s = seconds(packet.pts, stream.time_base)
            if shift_s is None or abs(pts_s + shift_s - since_s) > CLOCK_OFFSET_S_MAX:
                shift_s = since_s - pts_s
            media_s = since_s if times.repeats(packet.pts) else pts_s + shift_s
            self._ring.add(packet, max(0.0, media_s))
            self._ring.fault = ""
