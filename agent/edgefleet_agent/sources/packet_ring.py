"""The last seconds of a stream as encoded packets, and clips cut from it without decoding or encoding.

The packets come from the same demuxer as the analysed pictures, so a clip shows the same content. A clip starts at the key frame
before the requested moment, because nothing decodes without it; an edit list in the file makes players start at the moment
itself. At its end, pictures that earlier ones refer to are included: two at most, with typical encoders.
"""

from __future__ import annotations

import io
import os
import threading
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
from av.container import OutputContainer
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import error_text
from edgefleet_agent.sources.rotation import AUTO, set_rotation
from edgefleet_contract.core.atomic_files import as_store_error, sync_folder
from edgefleet_contract.core.errors import MediaError

_OPTIONS = {"movflags": "+faststart", "use_editlist": "1", "avoid_negative_ts": "disabled"}


@dataclass(frozen=True, slots=True)
class Packet:
    """One encoded picture. pts, dts, duration in the stream's time base; media_s: display time, in the pipeline's time."""

    data: bytes
    pts: int
    dts: int
    duration: int
    keyframe: bool
    media_s: float


@dataclass(frozen=True, slots=True)
class Format:
    """Output format for the packets of one connection. `stream` belongs to `holder`, which outlives the camera's connection.
    rotate: see `rotation`."""

    holder: OutputContainer
    stream: VideoStream
    time_base: Fraction
    rotate: str = AUTO


@dataclass(frozen=True, slots=True)
class PacketClip:
    """Packets from a key frame on. zero: the pts at which players start. start_s, end_s: displayed range, in media time."""

    format: Format
    packets: tuple[Packet, ...]
    zero: int
    start_s: float
    end_s: float


class _Opening:
    """Packets of one connection: they can only be decoded together."""

    def __init__(self, form: Format) -> None:
        self.format = form
        self.packets: deque[Packet] = deque()  # bounded by the ring's limits

    def forget_group(self) -> int:
        """Drop the oldest key frame and the packets that depend on it; returns their bytes."""
        dropped = 0
        while self.packets:
            dropped += len(self.packets.popleft().data)
            if self.packets and self.packets[0].keyframe:
                break
        return dropped

    def spare(self, before_s: float) -> bool:
        """Whether the oldest group ends before that moment."""
        for index, packet in enumerate(self.packets):
            if index and packet.keyframe:
                return packet.media_s <= before_s
        return bool(self.packets) and self.packets[-1].media_s <= before_s


class PacketRing:
    """The last `keep_s` of media, at most `bytes_max`, across lost connections. One thread adds; any cuts."""

    def __init__(self, keep_s: float, bytes_max: int) -> None:
        self._keep_s = keep_s
        self._bytes_max = bytes_max
        self._lock = threading.Lock()
        self._openings: deque[_Opening] = deque()  # those without packets are dropped
        self._bytes = 0
        self.base_s = 0.0

    def begin(self, stream: VideoStream, rotate: str = AUTO) -> None:
        """Start a connection: its packets do not continue the earlier ones. rotate: rotation of its pictures."""
        holder = av.open(io.BytesIO(), "w", format="mp4")
        copy = holder.add_stream_from_template(stream)
        with self._lock:
            if self._openings and not self._openings[-1].packets:
                self._openings.pop()
            self._openings.append(_Opening(Format(holder, copy, stream.time_base or Fraction(1, 90_000), rotate)))

    def add(self, packet: av.Packet[VideoStream], media_s: float) -> None:
        """Add one packet. media_s: its display time, in the source's time."""
        if packet.pts is None or packet.dts is None or not packet.size:
            return
        added = Packet(bytes(packet), packet.pts, packet.dts, packet.duration or 0, packet.is_keyframe, self.base_s + media_s)
        with self._lock:
            opening = self._openings[-1]
            if not opening.packets and not added.keyframe:
                return
            opening.packets.append(added)
            self._bytes += len(added.data)
            self._make_room(added.media_s - self._keep_s)

    def cut(self, start_s: float, end_s: float) -> PacketClip | None:
        """Packets between two moments, of the connection with the longest part; None if there are none."""
        with self._lock:
            openings = [(opening.format, list(opening.packets)) for opening in self._openings]
        best: PacketClip | None = None
        for form, packets in openings:
            clip = _cut(form, packets, start_s, end_s)
            if clip is not None and (best is None or clip.end_s - clip.start_s > best.end_s - best.start_s):
                best = clip
        return best

    def _make_room(self, before_s: float) -> None:
        while self._openings and (self._openings[0].spare(before_s) or self._bytes > self._bytes_max):
            self._bytes -= self._openings[0].forget_group()
            if not self._openings[0].packets:
                if len(self._openings) == 1:
                    return
                self._openings.popleft()


def _cut(form: Format, packets: list[Packet], start_s: float, end_s: float) -> PacketClip | None:
    chosen = [index for index, packet in enumerate(packets) if start_s - 1e-6 <= packet.media_s <= end_s + 1e-6]
    if not chosen:
        return None
    first = min((packets[index] for index in chosen), key=lambda packet: packet.media_s)
    keys = [index for index, packet in enumerate(packets) if packet.keyframe and packet.media_s <= first.media_s + 1e-6]
    begin = keys[-1] if keys else 0
    shown_until_s = max(packets[index].media_s for index in chosen)
    return PacketClip(form, tuple(packets[begin : chosen[-1] + 1]), first.pts, first.media_s, shown_until_s)


def write_clip(clip: PacketClip, path: Path) -> int:
    """Write an MP4 file atomically; returns its length in bytes.

    Raises:
        MediaError: a codec that MP4 does not support. StoreError: the disk cannot store it.
    """
    beside = path.with_name(f".{path.stem}.new.mp4")
    with as_store_error(path):
        try:
            with av.open(str(beside), "w", options=_OPTIONS) as target:
                stream = target.add_stream_from_template(clip.format.stream)
                set_rotation(stream, clip.format.rotate)
                for packet in clip.packets:
                    copy = av.Packet(packet.data)
                    copy.pts, copy.dts, copy.duration = packet.pts - clip.zero, packet.dts - clip.zero, packet.duration
                    copy.time_base, copy.is_keyframe, copy.stream = clip.format.time_base, packet.keyframe, stream
                    target.mux(copy)
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            size = beside.stat().st_size
            beside.replace(path)
            sync_folder(path.parent)
        except (av.error.FFmpegError, ValueError) as cause:
            beside.unlink(missing_ok=True)
            if isinstance(cause, OSError) and cause.errno:
                raise OSError(cause.errno, cause.strerror) from cause
            raise MediaError(
                f"{path.name}: the stream cannot be stored as MP4 ({error_text(cause)}); set the camera to H.264"
            ) from cause
    return size
