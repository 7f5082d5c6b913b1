"""Records clips of a camera with privacy masks: its packets show the masked areas, so masked frames are encoded again.

This costs about 3 ms of one core per frame at 768 x 432, unlike copying packets. Clips hold only the frames that the pipeline
analyzes; with a low `schedule.fps` their frame rate is low, too.
"""

from __future__ import annotations

import io
from fractions import Fraction

import av
import numpy as np
import numpy.typing as npt
from av.container import OutputContainer
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import to_bgr
from edgefleet_contract.core.errors import MediaError

TICKS = 60_000
"""Ticks of a second; MPEG-4 allows at most 65,535."""
KEYFRAME_S = 1.0
"""Interval of key frames. A clip starts at a key frame, so it may start this much early."""
CODECS = (("libx264", {"preset": "ultrafast", "tune": "zerolatency", "crf": "24"}), ("mpeg4", {"b": "4000000"}))
"""Codecs by preference; the last one is in every build."""


class MaskedRecorder:
    """Feeds `ring` with frames of one pipeline. Used by the capture thread."""

    def __init__(self, ring: PacketRing) -> None:
        self._ring = ring
        self._size = (0, 0)
        self._encoder: VideoStream | None = None
        self._time_base = Fraction(1, TICKS)
        self._key_s, self._frame_s = -1e9, Fraction(0)
        self._last_ticks = -1

    def add(self, frame: Frame, fps: float) -> None:
        """Encode one masked frame.

        Raises:
            MediaError: this build cannot encode.
        """
        if (frame.width, frame.height) != self._size:
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
            raise MediaError(f"masked frames cannot be encoded ({cause}); set `clips = false` under [evidence]") from cause
        for packet in packets:
            self._take(packet)

    def close(self) -> None:
        """Release the encoder."""
        self._encoder, self._size = None, (0, 0)

    def _take(self, packet: av.Packet[VideoStream]) -> None:
        if packet.pts is None or packet.dts is None:
            return
        media_s, scale = packet.pts / TICKS, Fraction(1, TICKS) / self._time_base
        packet.pts, packet.dts = round(packet.pts * scale), round(packet.dts * scale)
        packet.duration = round(self._frame_s / self._time_base)
        packet.time_base = self._time_base
        self._ring.add(packet, media_s)

    def _open(self, frame: Frame, fps: float) -> None:
        # The description of a stream is known only after a file is written: one frame, by an encoder of the same settings. It is
        # a transport stream, because that keeps H.264 as encoders write it (Annex B): a clip whose header announced length
        # prefixes, as in MP4 files, would hold packets that players cannot read.
        file = io.BytesIO()
        with av.open(file, "w", format="mpegts") as target:
            first, picture = _encoder(target, frame, fps), _picture(frame)
            picture.pts, picture.time_base = 0, Fraction(1, TICKS)
            target.mux([*first.encode(picture), *first.encode(None)])
        file.seek(0)
        with av.open(file) as source:
            stream = source.streams.video[0]
            self._ring.begin(stream)
            self._time_base = stream.time_base or Fraction(1, TICKS)
        self._encoder = _encoder(av.open(io.BytesIO(), "w", format="matroska"), frame, fps)
        self._size, self._key_s = (frame.width, frame.height), -1e9
        self._frame_s = Fraction(1, max(1, round(fps)))


def _encoder(holder: OutputContainer, frame: Frame, fps: float) -> VideoStream:
    """A stream of `holder`, open for frames like this one.

    Raises:
        MediaError: this build cannot encode.
    """
    chosen = next(((codec, options) for codec, options in CODECS if codec in av.codecs_available), None)
    if chosen is None:
        raise MediaError("masked frames cannot be encoded: this FFmpeg has no encoder; set `clips = false` under [evidence]")
    encoder = holder.add_stream(chosen[0], rate=max(1, round(fps)), options=dict(chosen[1]))
    assert isinstance(encoder, VideoStream)
    encoder.width, encoder.height, encoder.pix_fmt = frame.width & ~1, frame.height & ~1, "yuv420p"
    context = encoder.codec_context
    context.time_base, context.max_b_frames, context.thread_count = Fraction(1, TICKS), 0, 1
    context.gop_size = 100_000  # key frames only on request
    context.open()
    return encoder


def _picture(frame: Frame) -> VideoFrame:
    """The frame as FFmpeg needs it; an odd last row or column is left out."""
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
    picture.color_range = 2 if frame.full_range else 1
    return picture
