"""Video files: every frame, in order, with its position in the file.

Planes of 8-bit 4:2:0 files, which cameras record, are passed on without a copy; other formats (GIF, RGB, 10 bit) are converted
once by FFmpeg's scaler. Containers are opened with only the `file` protocol allowed, so a disguised playlist cannot access the
network.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import PIXELS_MAX, as_frame, error_text, open_container
from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.bitrate_gate import BitrateGate, GatedDecoder
from edgefleet_agent.sources.cameras.continuous_times import JUMP_S, ContinuousTimes
from edgefleet_agent.sources.decoded_pictures import DecodeLosses, PictureTimes, seconds
from edgefleet_agent.sources.frame_pacing import Pacer, Thinner
from edgefleet_agent.sources.options import Value, gate_option, read_options
from edgefleet_agent.sources.packet_ring import has_decoding_times_only
from edgefleet_agent.sources.rotation import AUTO, StreamRotation, rotate_option
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MediaError, MissingError
from edgefleet_contract.pipeline.spec import SourceSpec

DAMAGED_PACKETS_MAX = 250
"""Packets in a row that may fail to decode before the file is given up: ten seconds of a typical camera."""
MISSING_END_S = 1.0
"""A file that ends this much before the duration in its header is reported as cut off."""
WHOLE_INDEX = 0.9
"""Share of an AVI file that its index covers at least; that of a file that was cut off is made of the pictures seen so far."""
FPS_UNKNOWN = 25.0
"""Assumed for a file without a rate; used for coverage and pacing of the next round only."""

Picture: TypeAlias = tuple[int, float, VideoFrame]
"""Index, media time and picture."""

OPTIONS: dict[str, Value] = {"threads": 1, "gate": "", "rotate": AUTO}
_CONTAINER_OPTIONS = {"protocol_whitelist": "file"}


class FileSource(Source):
    """Kind `file`: `uri` is a path. Options: `threads` (decoder threads, 1 by default; see below), `gate` (`packets`: decode only
    key frames while the packets are small), `rotate` (see `rotation`).

    One decoder thread is the default because the runtime needs the other cores, and because frame threads delay each picture by
    one frame. `fps` > 0 limits the frames a second of media time; indices still number the file's own frames.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        self._path = Path(spec.uri)
        options = read_options(spec, OPTIONS, {"threads": (0, 64)})
        self._threads: int = options["threads"]
        self._gates = bool(gate_option(spec, options["gate"], ("packets",)))
        self._rotate = rotate_option(spec, options["rotate"])
        self._decoding = threading.Lock()  # a container must not be closed while another thread decodes from it
        self._container: InputContainer | None = None
        self._frame_s = 1.0 / FPS_UNKNOWN
        self._rotation = StreamRotation(self._rotate)
        self._losses = DecodeLosses()
        self._continuous: ContinuousTimes | None = None
        self._first_round: Iterator[Picture] = iter(())

    def open(self) -> SourceInfo:
        """Open the file and decode its first picture, which gives the size upright.

        Raises:
            MediaError: not there, not a video, nothing in it decodes, or larger than `PIXELS_MAX`. MissingError: a codec this
                build lacks.
        """
        self._container = self._open()
        stream = self._container.streams.video[0]
        rates = (stream.average_rate, stream.guessed_rate)
        # Of a stream without times the average is a guess; that of an AVI file counts chunks without a picture.
        timed = stream.start_time is not None and not has_decoding_times_only(stream)
        fps = float(next((rate for rate in (rates if timed else rates[::-1]) if rate), FPS_UNKNOWN))
        self._frame_s = 1.0 / fps
        if self.spec.fps:
            fps = min(fps, self.spec.fps)
        info = SourceInfo(stream.width, stream.height, fps, _announced(stream), stream.codec_context.name)
        pictures = self._one_round(0, 0.0)
        for first in pictures:
            self._first_round = chain([first], pictures)
            width, height = self._rotation.turn(first[2]).size(first[2].width, first[2].height)
            return replace(info, width=width, height=height)
        return info

    def frames(self) -> Iterator[Frame]:
        """The frames; with `loop` repeated without end, with rising index and media time.

        Raises:
            MediaError: nothing decodes any more, or the file ends before the duration in its header.
        """
        pacer = Pacer(self.closing) if self.spec.pace == "realtime" else None
        thinner = Thinner(self.spec.fps)
        first_index, first_s, pictures = 0, 0.0, self._first_round
        while not self.closing.is_set():
            for index, media_s, picture in pictures:
                first_index, first_s = index + 1, media_s + self._frame_s
                if not thinner.takes(media_s):
                    continue
                if pacer and not pacer.wait_for(media_s):
                    return
                yield as_frame(picture, index, media_s, self._rotation.turn(picture))
            if self.closing.is_set() or not self.spec.loop:
                return
            self._replace(self._open())
            pictures = self._one_round(first_index, first_s)

    def close(self) -> None:
        """End `frames` soon and close the file."""
        self.stop()
        self._replace(None)

    def _open(self) -> InputContainer:
        if self._path.is_dir():
            raise MediaError(f'{self._path}: is a folder; specify a video file, or kind = "images" for a folder of pictures')
        if not self._path.is_file():
            raise MediaError(f"{self._path}: no such file; specify a video file")
        try:
            container = open_container(str(self._path.resolve()), options=_CONTAINER_OPTIONS)
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
        if not stream.width * stream.height:
            raise MediaError(f"{self._path}: cannot be decoded as video (its pictures have no size)")
        if stream.width * stream.height > PIXELS_MAX:
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

    def _one_round(self, index: int, media_s: float) -> Iterator[Picture]:
        """The pictures of one pass, counted from `index` and `media_s`. Leaves out damaged ones, which keep their numbers."""
        container = self._container
        if container is None:
            return
        stream = container.streams.video[0]
        origin_s = media_s
        if self.ring is not None:
            self.ring.begin(stream, self._rotate)
        damaged_in_a_row, count = 0, 0
        packets = container.demux(stream)
        decoder = GatedDecoder(stream.decode, BitrateGate(), self.gated, self.trigger) if self._gates else None
        # Where there are no times of display, those of decoding continue after packets that cannot be read.
        announced = _announced(stream) if has_decoding_times_only(stream) and not decoder else 0
        times, losses = _RoundTimes(stream, self._frame_s), DecodeLosses(self._frame_s)
        self._losses = losses
        counted = has_decoding_times_only(stream) or stream.time_base is None  # times that never jump
        self._continuous = None if counted else ContinuousTimes(stream.time_base or Fraction(1), self._frame_s)
        while (step := self._decode_next(packets, stream, origin_s, decoder)) is not None:
            pictures, damaged = step
            damaged_in_a_row = damaged_in_a_row + 1 if damaged else 0
            if damaged_in_a_row > DAMAGED_PACKETS_MAX:
                raise MediaError(f"{self._path}: nothing decodes after {media_s - origin_s:.1f} s; the file is damaged")
            for picture in pictures:
                round_s, shown_s = times.of(picture)
                if decoder:  # skipped pictures were frames too: those after them keep their own numbers
                    count = max(count, round(round_s / self._frame_s))
                elif not announced:
                    count += self._add_lost(losses.picture(round_s, shown_s))
                media_s = max(origin_s + round_s, media_s + 1e-6) if count else origin_s + round_s
                yield index + count, media_s, picture
                count += 1
        if not self.closing.is_set():
            last_s = max(media_s, decoder.last_s) if decoder else media_s
            end_s = self._declared_end(stream, last_s - origin_s)
            if announced:
                self._add_lost(max(0, announced - count))
            elif not decoder:
                self._add_lost(losses.end(end_s))
            self._check_end(end_s, last_s - origin_s, count)

    def _add_lost(self, count: int) -> int:
        self.lost += count
        return count

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
            if self._continuous is not None and packet.size:
                self._place(packet, self._continuous)
            time = packet.pts if packet.pts is not None else packet.dts
            timed = self.ring is not None or decoder is not None
            if timed and time is not None and (base := stream.time_base) is not None:
                media_s += seconds(time - (stream.start_time or 0), base)
            if self.ring is not None and packet.size:
                self.ring.add(packet, media_s)
            if packet.size and not packet.is_discard:
                self._losses.packet(damaged=packet.is_corrupt)
            try:
                if decoder is None:
                    return stream.decode(packet), False
                self.gate_packets += 1
                return decoder.decode(packet, media_s), False
            except av.error.EOFError:
                return None
            except av.error.FFmpegError:
                if self.ring is not None:
                    self.ring.mark_damaged()
                self.lost += decoder is not None  # without a gate the gap of times shows how many
                return [], True

    @staticmethod
    def _place(packet: av.Packet[VideoStream], continuous: ContinuousTimes) -> None:
        pts, dts = continuous.place(packet.pts, packet.dts, packet.duration or 0)
        if (pts, dts) != (packet.pts, packet.dts):
            packet.pts, packet.dts = pts, dts

    def _declared_end(self, stream: VideoStream, last_s: float) -> float | None:
        """Seconds from the start to the end that the file declares, without jumps; None if it declares none. last_s: time of the
        last picture."""
        if not (stream.duration and stream.time_base):
            return None
        end_s = seconds(stream.duration, stream.time_base) + (self._continuous.shift_s if self._continuous is not None else 0.0)
        guessed = stream.container.format.name == "mpegts"  # from its last packet, which may be damaged
        return None if guessed and end_s - last_s > JUMP_S else end_s

    def _check_end(self, announced_s: float | None, last_s: float, count: int) -> None:
        if not count:
            raise MediaError(f"{self._path}: no frame can be decoded; the file is damaged")
        if announced_s is None:
            return
        if last_s + self._frame_s < announced_s - max(MISSING_END_S, 0.02 * announced_s):
            raise MediaError(f"{self._path}: is truncated after {last_s:.1f} s of {announced_s:.1f} s; copy it again")


def _announced(stream: VideoStream) -> int:
    """Pictures that the container says it has; 0 if it does not. The header of an AVI file also counts chunks without data, which
    repeat the picture before; its index does not."""
    if not has_decoding_times_only(stream):
        return stream.frames
    index = getattr(stream, "index_entries", ())  # an old av does not have it
    whole = len(index) > 0 and index[len(index) - 1].timestamp + 1 >= WHOLE_INDEX * stream.frames
    return len(index) if whole else stream.frames


class _RoundTimes:
    """Times of the pictures of one pass over a stream, from its start."""

    def __init__(self, stream: VideoStream, frame_s: float) -> None:
        self._base = stream.time_base
        decoding_only = has_decoding_times_only(stream)
        self._start = None if decoding_only else stream.start_time
        self._times = PictureTimes(decoding_only=decoding_only)
        self._frame_s = self._shown_s = frame_s
        self._next_s = 0.0
        self._counted = False

    def of(self, picture: VideoFrame) -> tuple[float, float]:
        """Seconds from the start, and how long the container says that the picture is shown; 0 if it does not. A picture without
        a time follows the one before."""
        base = picture.time_base or self._base
        ticks = self._times.ticks(picture.pts, picture.dts)
        shown_s = seconds(picture.duration, base) if picture.duration and base is not None else 0.0
        if ticks is None or base is None:
            at_s, self._counted = self._next_s, True
        else:
            if self._start is None or self._counted:
                self._start = ticks - round(self._next_s / base)
            at_s, self._counted = seconds(ticks - self._start, base), False
        self._next_s = at_s + (shown_s or self._frame_s)
        return at_s, shown_s
