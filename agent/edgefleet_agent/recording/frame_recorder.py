"""Records clips of frames that are encoded here, where a clip cannot keep packets: privacy masks, which packets do not have;
sources without packets (folders of pictures); codecs that browsers do not play (MJPEG, MPEG-4).

This costs about 0.8 ms of one core per frame at 768 x 432, unlike copying packets. Clips hold only the frames that the pipeline
analyzes; with a low `schedule.fps` their frame rate is low, too.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import av
import numpy as np
import numpy.typing as npt
from av.container import OutputContainer
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import error_text
from edgefleet_agent.sources.packet_ring import PacketRing, RingFeed
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import to_bgr
from edgefleet_contract.core.errors import MediaError

TICKS = 60_000
"""Ticks of a second; MPEG-4 allows at most 65,535."""
KEYFRAME_S = 1.0
"""Interval of key frames. A clip starts at a key frame, so it may start this much early."""
REMEDY = "set `clips = false` under [evidence]"
SIDE_MAX = 3840
"""Longest side of a clip; larger pictures are made smaller. No browser plays H.264 of the size of photographs."""


@dataclass(frozen=True, slots=True)
class ClipEncoder:
    """An encoder of FFmpeg. container: holds its packets as a clip needs them. played: browsers play it."""

    name: str
    options: dict[str, str]
    container: str = "mpegts"
    played: bool = True


ENCODERS = (
    ClipEncoder("libx264", {"preset": "ultrafast", "tune": "zerolatency", "crf": "24"}),
    ClipEncoder("libopenh264", {"b": "4000000"}),
    ClipEncoder("libvpx-vp9", {"deadline": "realtime", "cpu-used": "8", "lag-in-frames": "0", "b": "2000000"}, "webm"),
    ClipEncoder("mpeg4", {"b": "4000000"}, played=False),
)
"""By preference; the last one is in every build. Builds without GPL parts of FFmpeg lack libx264."""


class FrameRecorder:
    """Feeds `ring` with frames of one pipeline. Used by the capture thread.

    on_fault: called once if browsers will not play the clips, because this FFmpeg has no encoder that they know.
    """

    def __init__(
        self,
        ring: PacketRing,
        on_fault: Callable[[str, bool], None] = lambda *_: None,
        encoders: Sequence[ClipEncoder] = ENCODERS,
    ) -> None:
        self._feed = RingFeed(ring)
        self._on_fault = on_fault
        self._encoders = encoders
        self._kind: tuple[int, int, bool] | None = None  # size and range of the frames that the encoder takes
        self._encoder: VideoStream | None = None
        self._time_base = Fraction(1, TICKS)
        self._key_s, self._frame_s = -1e9, Fraction(0)
        self._last_ticks = -1

    def add(self, frame: Frame, fps: float) -> None:
        """Encode one frame.

        Raises:
            MediaError: this build cannot encode it.
        """
        if _kind(frame) != self._kind:
            self._open(frame, fps)
        assert self._encoder is not None
        picture = _picture(frame)
        ticks = max(self._last_ticks + 1, round(frame.media_s * TICKS))
        picture.pts, picture.time_base, self._last_ticks = ticks, Fraction(1, TICKS), ticks
        if frame.media_s - self._key_s >= KEYFRAME_S:
            self._key_s, picture.pict_type = frame.media_s, PictureType.I
        try:
            packets = self._encoder.encode(picture)
        except av.error.FFmpegError as cause:
            raise MediaError(f"frames cannot be encoded for clips ({error_text(cause)}); {REMEDY}") from cause
        for packet in packets:
            self._take(packet)

    def close(self) -> None:
        """Release the encoder."""
        self._encoder = self._kind = None

    def _take(self, packet: av.Packet[VideoStream]) -> None:
        if packet.pts is None or packet.dts is None:
            return
        media_s, scale = packet.pts / TICKS, Fraction(1, TICKS) / self._time_base
        packet.pts, packet.dts = round(packet.pts * scale), round(packet.dts * scale)
        packet.duration = round(self._frame_s / self._time_base)
        packet.time_base = self._time_base
        self._feed.add(packet, media_s)

    def _open(self, frame: Frame, fps: float) -> None:
        """Start the first encoder that works.

        Raises:
            MediaError: none does.
        """
        cause: Exception | None = None
        for chosen in self._encoders:
            try:
                self._start(chosen, frame, fps)
            except (av.error.FFmpegError, ValueError) as error:  # not in this build, or not of use on this machine
                cause = error
                continue
            self._encoders = (chosen,)
            if not chosen.played and self._kind is None:
                lacks = "which browsers do not play: this FFmpeg cannot encode H.264 or VP9"
                self._on_fault(f"clips are {chosen.name}, {lacks}", False)
            self._kind, self._key_s = _kind(frame), -1e9
            self._frame_s = Fraction(1, max(1, round(fps)))
            return
        raise MediaError(f"frames cannot be encoded for clips ({error_text(cause or ValueError('no encoder'))}); {REMEDY}")

    def _start(self, chosen: ClipEncoder, frame: Frame, fps: float) -> None:
        # The description of a stream is known only after a file is written: one frame, by an encoder of the same settings. H.264
        # is described by a transport stream, because that keeps it as encoders write it (Annex B): a clip whose header announced
        # length prefixes, as in MP4 files, would hold packets that players cannot read.
        file = io.BytesIO()
        with av.open(file, "w", format=chosen.container) as target:
            first, picture = _encoder(chosen, target, frame, fps), _picture(frame)
            picture.pts, picture.time_base = 0, Fraction(1, TICKS)
            target.mux([*first.encode(picture), *first.encode(None)])
        file.seek(0)
        with av.open(file) as source:
            stream = source.streams.video[0]
            self._feed.begin(stream, copied=(stream.codec_context.name,))
            self._time_base = stream.time_base or Fraction(1, TICKS)
        self._encoder = _encoder(chosen, av.open(io.BytesIO(), "w", format="matroska"), frame, fps)


def _encoder(chosen: ClipEncoder, holder: OutputContainer, frame: Frame, fps: float) -> VideoStream:
    """A stream of `holder`, open for frames like this one."""
    encoder = holder.add_stream(chosen.name, rate=max(1, round(fps)), options=dict(chosen.options))
    assert isinstance(encoder, VideoStream)
    encoder.pix_fmt = "yuv420p"
    encoder.width, encoder.height = _size(frame)
    context = encoder.codec_context
    context.color_range = _color_range(frame)
    context.time_base, context.max_b_frames, context.thread_count = Fraction(1, TICKS), 0, 1
    context.gop_size = 100_000  # key frames only on request
    context.open()
    return encoder


def _kind(frame: Frame) -> tuple[int, int, bool]:
    return frame.width, frame.height, frame.full_range


def _color_range(frame: Frame) -> int:
    """FFmpeg's number: JPEG pictures use all values of a byte, videos do not."""
    return 2 if frame.layout == "i420" and frame.full_range else 1


def _size(frame: Frame) -> tuple[int, int]:
    """The size of a clip: even, as codecs need it, and not above `SIDE_MAX`."""
    scale = min(1.0, SIDE_MAX / max(frame.width, frame.height))
    return round(frame.width * scale) & ~1, round(frame.height * scale) & ~1


def _picture(frame: Frame) -> VideoFrame:
    """The frame as FFmpeg needs it; an odd last row or column is left out."""
    picture = _whole_picture(frame)
    width, height = _size(frame)
    return picture if picture.width == width else picture.reformat(width=width, height=height)


def _whole_picture(frame: Frame) -> VideoFrame:
    width, height = frame.width & ~1, frame.height & ~1
    if frame.layout != "i420":
        return VideoFrame.from_ndarray(np.ascontiguousarray(to_bgr(frame)[:height, :width]), format="bgr24").reformat(
            format="yuv420p"
        )
    picture = VideoFrame(width, height, "yuv420p")
    for target, plane in zip(picture.planes, frame.planes, strict=True):
        rows: npt.NDArray[np.uint8] = np.frombuffer(memoryview(target), np.uint8).reshape(-1, target.line_size)
        high, wide = (height, width) if plane is frame.planes[0] else (height // 2, width // 2)
        rows[:high, :wide] = plane[:high, :wide]
    picture.color_range = _color_range(frame)
    return picture
