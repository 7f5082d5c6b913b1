"""Decoding in another process, for as long as a camera's connection lasts: a program that hangs or dies is killed and started
again at the next key frame, and the camera notices nothing."""

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
"""Programs in a row that may give no picture before the source is given up, to be tried again after a pause."""
_ANNEX_B = {"h264": "h264_mp4toannexb", "hevc": "hevc_mp4toannexb"}

log = logging.getLogger(__name__)


class DecoderProcess:
    """Pictures of `stream` by the program of `choice`. `put` belongs to one thread, `pictures` to another. start_s: how long a
    program may take to its first picture.

    Raises:
        UnavailableError: a codec that cannot be handed on.
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
        """Of the program that decodes now; 0 where none does."""
        program = self._program
        return program.pid if program is not None and not program.over else 0

    def put(self, packet: av.Packet[VideoStream]) -> list[VideoFrame]:
        """Hand on one packet, whose time is in microseconds. Nothing comes back here.

        Raises:
            UnavailableError: no program gives pictures. MissingError: it is not installed.
        """
        program = self._program
        if program is not None and (program.over or program.hangs(time.monotonic())):
            self._gone(program)
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
        """Pictures as they come, from one program after the other, until this is closed."""
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
            self._until_taken_away(program)

    def _until_taken_away(self, program: DecoderProgram) -> None:
        """Whoever puts the next packet does that."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._program is not program)

    def close(self) -> None:
        """End `pictures`. From any thread, never waits."""
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

    def _gone(self, program: DecoderProgram) -> None:
        what = "ended" if program.over else "hangs"
        program.kill()
        with self._changed:
            self._program = None
            self._changed.notify_all()
        self._failures += 1
        self.restarts_total += 1
        said = f" ({redact(program.said)})" if program.said else ""
        line = f"{self._shown}: the decoder {self._command.words[0]} {what}{said}"
        if self._failures >= FAILURES_MAX:
            raise UnavailableError(f"{line}; it is tried again")
        if not self._closed:
            log.warning("%s; it is started again at the next key frame", line)
