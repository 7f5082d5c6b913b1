"""The main stream of a camera whose small one is looked at: its packets go into the ring, and nothing of it is decoded.

A connection of its own, made again for as long as the source lives; while it is away clips have a gap, and looking goes on. Its
times are the camera's own steps, anchored to arrival like those of the small stream, so that a clip shows the moment an event
names to within what the network makes of the difference, half a second as a rule.
"""

from __future__ import annotations

import threading
import time

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import why
from edgefleet_agent.sources.live.live_source import ASTRAY_S, Address, knock
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.sources.rotation import AUTO
from edgefleet_contract.core.errors import UnavailableError

RETRY_S = 1.5


class MainStream:
    """Fills `ring` from `address`. Media time 0 is the first picture of the small stream, which `anchor` tells. rotate: how clips
    are turned."""

    def __init__(self, address: Address, ring: PacketRing, timeouts_s: tuple[float, float], rotate: str = AUTO) -> None:
        self._rotate = rotate
        self._address = address
        self._ring = ring
        self._timeouts_s = timeouts_s
        self._over = threading.Event()
        self._anchored = threading.Event()
        self._origin_s = 0.0
        self._thread = threading.Thread(target=self._run, name="main stream", daemon=True)
        self.trouble = ""

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def anchor(self, origin_s: float) -> None:
        """Media time began then; until it is known, no packets are taken."""
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
                knock(self._address)
                place, options = self._address, self._address.options
                with av.open(place.url, format=place.format, options=options, timeout=self._timeouts_s, mode="r") as container:
                    self._follow(container)
            except (av.error.FFmpegError, OSError, ValueError, UnavailableError) as error:
                self.trouble = str(error) if isinstance(error, UnavailableError) else f"{self._address.shown}: {why(error)}"
            self._over.wait(RETRY_S)

    def _follow(self, container: InputContainer) -> None:
        if not container.streams.video:
            self.trouble = f"{self._address.shown} gives no video"
            return
        stream: VideoStream = container.streams.video[0]
        if stream.time_base is None:
            return
        self._ring.begin(stream, self._rotate)
        self.trouble = ""
        shift_s: float | None = None
        for packet in container.demux(stream):
            if self._over.is_set() or not packet.size:
                return
            if packet.pts is None:
                continue
            since_s = time.monotonic() - self._origin_s
            pts_s = float(packet.pts * stream.time_base)
            if shift_s is None or abs(pts_s + shift_s - since_s) > ASTRAY_S:
                shift_s = since_s - pts_s
            self._ring.add(packet, max(0.0, pts_s + shift_s))
