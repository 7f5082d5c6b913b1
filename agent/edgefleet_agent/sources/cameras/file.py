"""Video files: every frame, in order, with its position in the file.

Planes of 8-bit 4:2:0 files, which cameras record, are passed on without a copy; other formats (GIF, RGB, 10 bit) are converted
once by FFmpeg's scaler. Containers are opened with only the `file` protocol allowed, so a disguised playlist cannot access the
network.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import PIXELS_MAX, as_frame, error_text
from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.bitrate_gate import BitrateGate, GatedDecoder
from edgefleet_agent.sources.frame_pacing import Pacer, Thinner
from edgefleet_agent.sources.options import gate_option, read_options
from edgefleet_agent.sources.rotation import AUTO, StreamRotation, rotate_option
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MediaError, MissingError
from edgefleet_contract.pipeline.spec import SourceSpec

DAMAGED_PACKETS_MAX = 250
"""Packets in a row that may fail to decode before the file is given up: ten seconds of a typical camera."""
MISSING_END_S = 1.0
"""A file that ends this much before the duration in its header is reported as cut off."""
FPS_UNKNOWN = 25.0
"""Assumed for a file without a rate; used for coverage and pacing of the next round only."""

_OPTIONS = {"protocol_whitelist": "file"}


class FileSource(Source):
    """Kind `file`: `uri` is a path. Options: `threads` (decoder threads, 1 by default; see below), `gate` (`packets`: decode only
    key frames while the packets are small), `rotate` (see `rotation`).

    One decoder thread is the default because the runtime needs the other cores, and because frame threads delay each picture by
    one frame. `fps` > 0 limits the frames a second of media time; indices still number the file's own frames.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        self._path = Path(spec.uri)
        options = read_options(spec, {"threads": 1, "gate": "", "rotate": AUTO}, {"threads": (0, 64)})
        self._threads: int = options["threads"]
        self._gates = bool(gate_option(spec, options["gate"], ("packets",)))
        self._rotate = rotate_option(spec, options["rotate"])
        self._decoding = threading.Lock()  # a container must not be closed while another thread decodes from it
        self._container: InputContainer | None = None
        self._frame_s = 1.0 / FPS_UNKNOWN

    def open(self) -> SourceInfo:
        """Open the file and read its header.

        Raises:
            MediaError: not there, not a video, or larger than `PIXELS_MAX`. MissingError: a codec this build lacks.
        """
        self._container = self._open()
        stream = self._container.streams.video[0]
        fps = float(stream.average_rate or stream.guessed_rate or FPS_UNKNOWN)
        self._frame_s = 1.0 / fps
        if self.spec.fps:
            fps = min(fps, self.spec.fps)
        return SourceInfo(stream.width, stream.height, fps, stream.frames, stream.codec_context.name)

    def frames(self) -> Iterator[Frame]:
        """The frames; with `loop` repeated without end, with rising index and media time.

        Raises:
            MediaError: nothing decodes any more, or the file ends before the duration in its header.
        """
        pacer = Pacer(self.closing) if self.spec.pace == "realtime" else None
        thinner = Thinner(self.spec.fps)
        first_index, first_s, rotation = 0, 0.0, StreamRotation(self._rotate)
        while not self.closing.is_set():
            for index, media_s, picture in self._one_round(first_index, first_s):
                first_index, first_s = index + 1, media_s + self._frame_s
                if not thinner.takes(media_s):
                    continue
                if pacer and not pacer.wait_for(media_s):
                    return
                yield as_frame(picture, index, media_s, rotation.turn(picture))
            if self.closing.is_set() or not self.spec.loop:
                return
            self._replace(self._open())

    def close(self) -> None:
        """End `frames` soon and close the file."""
        self.stop()
        self._replace(None)

    def _open(self) -> InputContainer:
        if not self._path.is_file():
            raise MediaError(f"{self._path}: no such file; specify a video file")
        try:
            container = av.open(str(self._path.resolve()), options=_OPTIONS)
        except (av.error.FFmpegError, OSError) as cause:
            raise MediaError(f"{self._path}: cannot be decoded as video ({error_text(cause)})") from cause
        try:
            self._check(container)
        except (MediaError, MissingError):
            container.close()
            raise
        return container

    def _check(self, container: InputContainer) -> None:
        if not container.streams.video:
            raise MediaError(f"{self._path}: contains no video stream; specify a video file")
        stream = container.streams.video[0]
        if stream.codec_context is None:
            raise MissingError(f"{self._path}: its codec is not supported by this build of FFmpeg; convert it to H.264")
        if not 0 < stream.width * stream.height <= PIXELS_MAX:
            raise MediaError(f"{self._path}: {stream.width}x{stream.height} pixels; the limit is {PIXELS_MAX}")
        stream.thread_type = "AUTO"
        stream.codec_context.thread_count = self._threads

    def _replace(self, container: InputContainer | None) -> None:
        with self._decoding:
            if self._container is not None:
                self._container.close()
            self._container = container
            if self.closing.is_set() and container is not None:
                container.close()
                self._container = None

    def _one_round(self, index: int, media_s: float) -> Iterator[tuple[int, float, VideoFrame]]:
        """Yields (index, media_s, picture) for one pass, counted from `index` and `media_s`. Leaves out damaged pictures."""
        container = self._container
        if container is None:
            return
        stream = container.streams.video[0]
        origin_s = media_s
        start = stream.start_time or 0
        if self.ring is not None:
            self.ring.begin(stream, self._rotate)
        damaged_in_a_row, damaged_total, count = 0, 0, 0
        packets = container.demux(stream)
        decoder = GatedDecoder(stream.decode, BitrateGate(), self.gated, self.trigger) if self._gates else None
        while (step := self._decode_next(packets, stream, origin_s, decoder)) is not None:
            pictures, damaged = step
            damaged_in_a_row = damaged_in_a_row + 1 if damaged else 0
            damaged_total += damaged
            if damaged_in_a_row > DAMAGED_PACKETS_MAX:
                raise MediaError(f"{self._path}: nothing decodes after {media_s - origin_s:.1f} s; the file is damaged")
            for picture in pictures:
                round_s = _seconds(picture, stream, start, count, self._frame_s)
                if damaged_total or decoder:  # lost or skipped pictures were frames too: those after them keep their own numbers
                    count = max(count, round(round_s / self._frame_s))
                media_s = max(origin_s + round_s, media_s + 1e-6) if count else origin_s + round_s
                yield index + count, media_s, picture
                count += 1
        if not self.closing.is_set():
            last_s = max(media_s, decoder.last_s) if decoder else media_s
            self._check_end(stream, last_s - origin_s, count)

    def _decode_next(
        self, packets: Iterator[av.Packet[VideoStream]], stream: VideoStream, origin_s: float, decoder: GatedDecoder | None
    ) -> tuple[list[VideoFrame], bool] | None:
        """Pictures of the next packet and whether it was damaged; None at the end."""
        with self._decoding:
            if self.closing.is_set():
                return None
            try:
                packet = next(packets, None)
            except av.error.FFmpegError:
                return None  # the container itself breaks off; `_check_end` reports where
            if packet is None:
                return None
            media_s = origin_s
            if packet.pts is not None and stream.time_base is not None:
                media_s += float((packet.pts - (stream.start_time or 0)) * stream.time_base)
                if self.ring is not None:
                    self.ring.add(packet, media_s)
            try:
                if decoder is None:
                    return stream.decode(packet), False
                self.gate_packets += 1
                return decoder.decode(packet, media_s), False
            except av.error.EOFError:
                return None
            except av.error.FFmpegError:
                return [], True

    def _check_end(self, stream: VideoStream, last_s: float, count: int) -> None:
        if not count:
            raise MediaError(f"{self._path}: no frame can be decoded; the file is damaged")
        if stream.duration is None or stream.time_base is None:
            return
        announced_s = float(stream.duration * stream.time_base)
        if last_s + self._frame_s < announced_s - max(MISSING_END_S, 0.02 * announced_s):
            raise MediaError(f"{self._path}: is truncated after {last_s:.1f} s of {announced_s:.1f} s; copy it again")


def _seconds(picture: VideoFrame, stream: VideoStream, start: int, count: int, frame_s: float) -> float:
    base: Fraction | None = picture.time_base or stream.time_base
    if picture.pts is None or base is None:
        return count * frame_s
    return float((picture.pts - start) * base)
