"""Decoding in another process while a camera is connected: a program that hangs or dies is killed and restarted at the next key
frame, without interrupting the connection."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import av
from av.bitstream import BitStreamFilterContext
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.live.decoder_options import DecoderChoice
from edgefleet_agent.sources.live.decoder_program import CODECS, START_S, DecoderProgram
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.errors import UnavailableError

FAILURES_MAX = 3
"""Programs in a row without any picture before the source is given up, to be retried after a pause."""
_ANNEX_B = {"h264": "h264_mp4toannexb", "hevc": "hevc_mp4toannexb"}

log = logging.getLogger(__name__)


class DecoderProcess:
    """Decodes `stream` by the program of `choice`. `put` belongs to one thread, `pictures` to another. start_s: limit for the
    first picture of a program.

    Raises:
        UnavailableError: a codec that cannot be passed on.
    """

    def __init__(self, choice: DecoderChoice, stream: VideoStream, shown: str, start_s: float = START_S) -> None:
        codec = stream.codec_context.name
        if codec not in CODECS:
            raise UnavailableError(f"{shown}: {codec} is not decoded by {choice.program}; set the camera to H.264")
        self._command = choice.command(codec, stream.width, stream.height)
        self._filter = BitStreamFilterContext(_ANNEX_B[codec], stream) if codec in _ANNEX_B else None
        self._shown = shown
        self._start_s = start_s
        self._changed = threading.Condition()
        self._program: DecoderProgram | None = None
        self._closed = False
        self._failures = 0
        self.restarts_total = 0

    @property
    def pid(self) -> int:
        """Process id of the running program; 0 if there is none."""
        program = self._program
        return program.pid if program is not None and not program.over else 0

    def put(self, packet: av.Packet[VideoStream]) -> list[VideoFrame]:
        """Pass on one packet, whose time is in microseconds. Always returns an empty list.

        Raises:
            UnavailableError: no program gives pictures. MissingError: the program is not installed.
        """
        program = self._program
        if program is not None and (program.over or program.hangs(time.monotonic())):
            self._drop_program(program)
        if self._program is None:
            if not packet.is_keyframe:
                return []
            self._start()
        assert self._program is not None
        time_us = packet.pts or 0  # read now: the filter empties the packet
        for part in self._filter.filter(packet) if self._filter is not None else [packet]:
            self._program.put(bytes(part), time_us)
        return []

    def pictures(self) -> Iterator[VideoFrame]:
        """Pictures as they come, from one program after the other, until `close`."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._program is not None)
                if self._closed:
                    return
                program = self._program
            assert program is not None
            for picture in program.pictures():
                self._failures = 0
                yield picture
            self._wait_for_next(program)

    def _wait_for_next(self, program: DecoderProgram) -> None:
        """Wait until the thread that calls `put` has dropped `program`."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._program is not program)

    def close(self) -> None:
        """End `pictures`. Thread-safe, never waits."""
        with self._changed:
            self._closed = True
            if self._program is not None:
                self._program.kill()
            self._changed.notify_all()

    def _start(self) -> None:
        program = DecoderProgram(self._command, self._start_s)
        with self._changed:
            self._program = program
            if self._closed:
                program.kill()
            self._changed.notify_all()

    def _drop_program(self, program: DecoderProgram) -> None:
        state = "ended" if program.over else "hangs"
        program.kill()
        with self._changed:
            self._program = None
            self._changed.notify_all()
        self._failures += 1
        self.restarts_total += 1
        detail = f" ({redact(program.last_line)})" if program.last_line else ""
        line = f"{self._shown}: the decoder {self._command.words[0]} {state}{detail}"
        if self._failures >= FAILURES_MAX:
            raise UnavailableError(f"{line}; retrying")
        if not self._closed:
            log.warning("%s; restarting at the next key frame", line)
