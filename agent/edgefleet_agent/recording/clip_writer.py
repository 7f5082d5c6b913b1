"""Stores clips that browsers play. Packets are copied where that is enough; a clip with damaged packets, of more than one picture
size, or with unusable times is decoded and encoded anew.
"""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from edgefleet_agent.recording.frame_recorder import FrameRecorder
from edgefleet_agent.sources.av_frames import as_frame, error_text
from edgefleet_agent.sources.packet_ring import PacketClip, PacketRing, copied_stream, write_clip
from edgefleet_agent.sources.rotation import StreamRotation
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import to_bgr
from edgefleet_contract.core.errors import MediaError

STEP_S_MIN = 0.001
"""Least time between two pictures that are encoded anew."""
FPS_RANGE = (1.0, 60.0)
_TICK = Fraction(1, 1000)


def store_clip(clip: PacketClip, path: Path) -> int:
    """Write an MP4 file that browsers play, atomically; returns its length in bytes.

    Raises:
        MediaError: it cannot be encoded, or nothing in it decodes. StoreError: the disk cannot store it.
    """
    if clip.plays:
        return write_clip(clip, path)
    try:
        anew = _encoded(clip)
    except (av.error.FFmpegError, ValueError) as cause:
        raise MediaError(f"{path.name}: the stream cannot be decoded for a clip ({error_text(cause)}); use H.264") from cause
    if anew is None:
        raise MediaError(f"{path.name}: nothing of that time can be decoded; check the camera and its network")
    return write_clip(anew, path)


def _encoded(clip: PacketClip) -> PacketClip | None:
    """The pictures of a clip, encoded anew in the size of the first; None if there are none."""
    ring = PacketRing(1e9, 1 << 40)
    recorder = FrameRecorder(ring)
    rotation, size, last_s = StreamRotation(clip.format.rotate), None, -1e9
    span_s = clip.end_s - clip.start_s
    fps = min(max(len(clip.packets) / span_s if span_s > 0 else FPS_RANGE[0], FPS_RANGE[0]), FPS_RANGE[1])
    with av.open(_packets_by_number(clip), "r") as source:
        stream = source.streams.video[0]
        stream.codec_context.thread_count = 1
        for packet in source.demux(stream):
            try:
                pictures = stream.decode(packet)
            except av.error.FFmpegError:
                continue  # a damaged packet, or the end
            for picture in pictures:
                number = round((picture.pts or 0) * (picture.time_base or _TICK) / _TICK)
                at_s = clip.base_s + clip.packets[min(number, len(clip.packets) - 1)].media_s
                if at_s < clip.start_s - 1e-6:
                    continue
                last_s = at_s = max(at_s, last_s + STEP_S_MIN)
                frame = as_frame(picture, number, at_s, rotation.turn(picture))
                size = size or (frame.width, frame.height)
                recorder.add(_fitted(frame, *size) if clip.resized else frame, fps)
    recorder.close()
    return ring.cut(clip.start_s, max(clip.end_s, last_s))


def _packets_by_number(clip: PacketClip) -> io.BytesIO:
    """An MP4 file in memory of the packets, whose times are their numbers: those of the stream may be unusable."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as target:
        stream = copied_stream(target, clip.format.stream)
        for number, packet in enumerate(clip.packets):
            copy = av.Packet(packet.data)
            copy.pts = copy.dts = number
            copy.duration, copy.time_base, copy.is_keyframe, copy.stream = 1, _TICK, packet.keyframe, stream
            target.mux(copy)
    file.seek(0)
    return file


def _fitted(frame: Frame, width: int, height: int) -> Frame:
    """The frame within a picture of another size, undistorted, with black borders."""
    picture = to_bgr(frame)
    scale = min(width / frame.width, height / frame.height)
    wide, high = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    whole = np.zeros((height, width, 3), np.uint8)
    left, top = (width - wide) // 2, (height - high) // 2
    whole[top : top + high, left : left + wide] = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    return replace(frame, width=width, height=height, layout="bgr", planes=(whole,), full_range=False)
