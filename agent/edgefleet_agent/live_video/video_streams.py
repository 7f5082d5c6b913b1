"""Live video of all cameras of a device, each stream in a thread of its own: cameras and models never wait for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.live_video.byte_budget import ByteBudget
from edgefleet_agent.live_video.upstream import Destination, Upstream
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_contract.core.errors import EdgefleetError, UnavailableError
from edgefleet_contract.worker_process import StartVideo, VideoStarted

log = logging.getLogger(__name__)


class VideoStreams:
    """Starts streams from one thread; `answer` is called from many. `ring_of`: the packets of a camera; None: no such camera."""

    def __init__(self, ring_of: Callable[[str], PacketRing | None], clock: Clock, answer: Callable[[VideoStarted], None]) -> None:
        self._ring_of = ring_of
        self._clock = clock
        self._answer = answer
        self._budget = ByteBudget(0)
        self._lock = threading.Lock()
        self._count = 0
        self._running: set[Upstream] = set()

    def start(self, request: StartVideo) -> None:
        """Start a stream, or refuse it; returns at once."""
        self._budget.bytes_max = request.bytes_per_hour
        with self._lock:
            full = self._count >= request.streams_max
            self._count += not full
        if full:
            detail = f"limit of {request.streams_max} live videos at once reached on this device"
            self._answer(VideoStarted(request=request.request, ok=False, detail=detail))
            return
        threading.Thread(target=self._run, args=(request,), name=f"video:{request.pipeline}", daemon=True).start()

    def stop(self) -> None:
        """End all streams soon."""
        with self._lock:
            running = list(self._running)
        for stream in running:
            stream.stop()

    def _run(self, request: StartVideo) -> None:
        answered = False

        def on_started() -> None:
            nonlocal answered
            answered = True
            self._answer(VideoStarted(request=request.request, ok=True))

        try:
            self._stream(request, on_started)
        except EdgefleetError as error:
            if answered:
                log.warning("live video of %s: %s", request.pipeline, error)
            else:
                self._answer(VideoStarted(request=request.request, ok=False, detail=str(error)[:1000]))
        finally:
            with self._lock:
                self._count -= 1

    def _stream(self, request: StartVideo, on_started: Callable[[], None]) -> None:
        ring = self._ring_of(request.pipeline)
        if ring is None:
            raise UnavailableError(f"{request.pipeline} is no running camera of this device that gives live video")
        with Destination(request.url, request.ticket, request.authority).open() as socket, ring.follow() as follower:
            stream = Upstream(socket, follower, self._budget, self._clock.wall)
            with self._lock:
                self._running.add(stream)
            on_started()
            try:
                reason = stream.run()
            finally:
                with self._lock:
                    self._running.discard(stream)
        lost = f", {follower.lost} pictures left out" if follower.lost else ""
        log.info(
            "live video of %s ended after %d bytes%s%s",
            request.pipeline,
            stream.sent_bytes,
            lost,
            f": {reason}" if reason else "",
        )
