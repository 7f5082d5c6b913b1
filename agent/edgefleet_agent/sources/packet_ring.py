"""The last seconds of a stream as encoded packets, and clips cut from it without decoding or encoding.

The packets come from the same demuxer as the analysed pictures, so a clip shows the same content. A clip starts at the key frame
before the requested moment, because nothing decodes without it; an edit list in the file makes players start at the moment
itself. At its end, pictures that earlier ones refer to are included: two at most, with typical encoders.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
from av.container import OutputContainer
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import error_text
from edgefleet_agent.sources.decoded_pictures import seconds
from edgefleet_agent.sources.packet_follower import Format, Packet, PacketFollower
from edgefleet_agent.sources.parameter_sets import ParameterSets
from edgefleet_agent.sources.rotation import AUTO, can_rotate, set_rotation
from edgefleet_contract.core.atomic_files import as_store_error, sync_folder
from edgefleet_contract.core.errors import MediaError

COPIED = {
    "h264": ("yuv420p", "yuvj420p"),
    "hevc": (),
    "vp9": (),
    "libvpx-vp9": (),
    "av1": (),
    "libdav1d": (),
    "libaom-av1": (),
}
"""Decoders of the codecs whose packets clips copy: those that MP4 holds and browsers play, with their pixel formats. Empty:
all. Browsers play HEVC where the machine has a decoder of its own."""

JUMP_S = 10.0
"""Difference of a stream's own times and those of its pictures that is a jump of the clock, not a delay of the network."""
RECENT_S = 1.0
"""Age of the last packet up to which a reader begins with those before it."""
STILL_S = 0.04
"""Duration of a clip of one picture."""

_OPTIONS = {"movflags": "+faststart", "use_editlist": "1", "avoid_negative_ts": "disabled"}


@dataclass(frozen=True, slots=True)
class PacketClip:
    """Packets from a key frame on. zero: the pts at which players start. start_s, end_s: displayed range, in media time. base_s:
    media time at time 0 of the packets."""

    format: Format
    packets: tuple[Packet, ...]
    zero: int
    start_s: float
    end_s: float
    base_s: float = 0.0

    @property
    def resized(self) -> bool:
        """Whether the parameters of the stream change, as for pictures of another size."""
        return len({packet.parameters for packet in self.packets if packet.parameters}) > 1

    @property
    def plays(self) -> bool:
        """Whether browsers play the packets as they are: whole, of one size, with rising times that are those of the pictures."""
        if self.resized or any(packet.damaged for packet in self.packets):
            return False
        times, base, first = _decoding_times(self.packets), self.format.time_base, self.packets[0]
        rising = all(one < following for one, following in pairwise(times))
        jumps = (
            abs(seconds(packet.pts - first.pts, base) - (packet.media_s - first.media_s)) > JUMP_S for packet in self.packets
        )
        return rising and all(dts <= packet.pts for dts, packet in zip(times, self.packets, strict=True)) and not any(jumps)


class _Opening:
    """Packets of one connection: they can only be decoded together. feed: knows their time."""

    def __init__(self, form: Format, feed: RingFeed) -> None:
        self.format = form
        self.feed = feed
        self.packets: deque[Packet] = deque()  # bounded by the ring's limits

    def forget_group(self) -> int:
        """Drop the oldest key frame and the packets that depend on it; returns their bytes."""
        dropped = 0
        while self.packets:
            dropped += len(self.packets.popleft().data)
            if self.packets and self.packets[0].keyframe:
                break
        return dropped

    def last_group(self) -> list[Packet]:
        """The packets from the last key frame on."""
        keys = [index for index, packet in enumerate(self.packets) if packet.keyframe]
        return list(self.packets)[keys[-1] :] if keys else []

    def spare(self, before_s: float) -> bool:
        """Whether the oldest group ends before that moment."""
        before_s -= self.feed.base_s
        for index, packet in enumerate(self.packets):
            if index and packet.keyframe:
                return packet.media_s <= before_s
        return bool(self.packets) and self.packets[-1].media_s <= before_s


class PacketRing:
    """The last `keep_s` of media, at most `bytes_max`, across lost connections. Feeds fill it; any thread cuts and follows.
    main_stream: packets of the camera's main stream are wanted, although another one is decoded."""

    def __init__(self, keep_s: float, bytes_max: int, main_stream: bool = True) -> None:
        self.main_stream = main_stream
        self._followers: tuple[PacketFollower, ...] = ()
        self._added_s = -RECENT_S
        self._keep_s = keep_s
        self._bytes_max = bytes_max
        self._lock = threading.Lock()
        self._openings: deque[_Opening] = deque()  # those without packets are dropped
        self._bytes = 0
        self._source: RingFeed | None = None

    @property
    def wants_frames(self) -> bool:
        """Whether the source has no packets that a clip can keep, so that its frames have to be encoded."""
        return self._source is None or self._source.wants_frames

    @property
    def fault(self) -> str:
        """The reason for which the source gives no packets although it gives frames; empty while it does."""
        return self._source.fault if self._source is not None else ""

    @property
    def start_s(self) -> float | None:
        """Media time of the oldest picture; None if there is none."""
        with self._lock:
            firsts = [one.feed.base_s + one.packets[0].media_s for one in self._openings if one.packets]
        return min(firsts, default=None)

    def connect(self) -> RingFeed:
        """The feed of the next opening of the source; an earlier one may still be read by a thread that hangs."""
        self._source = RingFeed(self)
        return self._source

    def start_opening(self, form: Format, feed: RingFeed) -> _Opening:
        """Packets from now on do not continue the earlier ones."""
        opening = _Opening(form, feed)
        with self._lock:
            self._openings = deque(one for one in self._openings if one.packets)
            self._openings.append(opening)
        return opening

    def add(self, opening: _Opening, packet: Packet) -> None:
        """Add one packet to an opening; none before a key frame."""
        with self._lock:
            self._added_s = time.monotonic()
            for follower in self._followers:
                follower.put(opening.format, packet)
            if not opening.packets:
                if not packet.keyframe:
                    return
                if opening not in self._openings:  # all of its packets were too old, as after a long pause
                    self._openings.append(opening)
            opening.packets.append(packet)
            self._bytes += len(packet.data)
            self._make_room(opening.feed.base_s + packet.media_s - self._keep_s)

    def mark_damaged(self, opening: _Opening) -> None:
        """The last packet of an opening does not decode."""
        with self._lock:
            if opening.packets:
                opening.packets[-1] = replace(opening.packets[-1], damaged=True)

    def cut(self, start_s: float, end_s: float, event: tuple[float, float] | None = None) -> PacketClip | None:
        """Packets between two moments, of one connection: that which shows most of the event, then the longest part. None if
        there are none. event: its start and end."""
        with self._lock:
            openings = [(opening.format, opening.feed.base_s, list(opening.packets)) for opening in self._openings]
        clips = [clip for form, base_s, packets in openings if (clip := _cut(form, base_s, packets, start_s, end_s)) is not None]
        first_s, last_s = event if event is not None else (start_s, end_s)

        def shown(clip: PacketClip) -> tuple[float, float]:
            return min(clip.end_s, last_s) - max(clip.start_s, first_s), clip.end_s - clip.start_s

        return max(clips, key=shown, default=None)

    @property
    def followed(self) -> bool:
        """Whether packets are read as they arrive."""
        return bool(self._followers)

    @contextlib.contextmanager
    def follow(self) -> Iterator[PacketFollower]:
        """A reader of the packets from the last key frame on, for the block."""
        follower = PacketFollower()
        with self._lock:
            for opening in list(self._openings)[-1:] if time.monotonic() - self._added_s < RECENT_S else ():
                for packet in opening.last_group():
                    follower.put(opening.format, packet)
            self._followers = (*self._followers, follower)
        try:
            yield follower
        finally:
            follower.close()
            with self._lock:
                self._followers = tuple(one for one in self._followers if one is not follower)

    def _make_room(self, before_s: float) -> None:
        while self._openings and (self._openings[0].spare(before_s) or self._bytes > self._bytes_max):
            self._bytes -= self._openings[0].forget_group()
            if not self._openings[0].packets:
                if len(self._openings) == 1:
                    return
                self._openings.popleft()


class RingFeed:
    """Fills a ring with the packets of one opening of a source. One thread adds.

    base_s: media time of the pipeline at the source's time 0; it also moves packets that are there already. wants_frames: whether
    packets cannot be copied, so that frames have to be encoded: as long as there are none, and while they do not fit `COPIED`.
    fault: the reason for which none come although there are frames; empty while they do.
    """

    def __init__(self, ring: PacketRing) -> None:
        self._ring = ring
        self._opening: _Opening | None = None
        self._parameters = ParameterSets("", b"")
        self._untimed = False  # the last packet had no time of display
        self.base_s = 0.0
        self.wants_frames = True
        self.fault = ""

    @property
    def main_stream(self) -> bool:
        """See `PacketRing`."""
        return self._ring.main_stream

    def begin(self, stream: VideoStream, rotate: str = AUTO, copied: Collection[str] = COPIED) -> None:
        """Start a connection: its packets do not continue the earlier ones. rotate: rotation of its pictures. copied: decoders
        whose packets are kept."""
        form = _format(stream, rotate, copied)
        self.wants_frames = form is None
        self._opening = self._ring.start_opening(form, self) if form is not None else None
        self._parameters = ParameterSets(stream.codec_context.name, bytes(stream.codec_context.extradata or b""))

    def mark_damaged(self) -> None:
        """The last packet that was added does not decode."""
        if self._opening is not None:
            self._ring.mark_damaged(self._opening)

    def add(self, packet: av.Packet[VideoStream], media_s: float) -> None:
        """Add one packet. media_s: its display time, in the source's time."""
        if self._opening is None or not packet.size:
            return
        untimed, self._untimed = self._untimed, packet.pts is None
        pts = packet.pts if packet.pts is not None or untimed else packet.dts  # one packet whose time is damaged
        if pts is None:  # a container without times of display: only decoded pictures have them
            self._opening, self.wants_frames = None, True
            return
        data, duration = bytes(packet), packet.duration or 0
        parameters = self._parameters.of(data) if packet.is_keyframe else b""
        damaged = packet.is_corrupt or self._untimed
        added = Packet(data, pts, packet.dts, duration, packet.is_keyframe, media_s, damaged, parameters)
        self._ring.add(self._opening, added)


def has_decoding_times_only(stream: VideoStream) -> bool:
    """Whether the container does not store when each picture is shown: FFmpeg's guesses are wrong where pictures refer to later
    ones."""
    return stream.container.format.name == "avi"


def _format(stream: VideoStream, rotate: str, copied: Collection[str]) -> Format | None:
    """The format of clips of a stream's packets; None if a browser would not play them as the pipeline sees them."""
    context = stream.codec_context
    pixels = context.format  # `context.pix_fmt` ends the process where none is known: of a camera that has sent nothing yet
    formats = COPIED.get(context.name, ())
    if context.name not in copied or pixels is None or (formats and pixels.name not in formats):
        return None
    if not can_rotate(rotate) or has_decoding_times_only(stream):
        return None
    holder = av.open(io.BytesIO(), "w", format="mp4")
    try:
        copy = copied_stream(holder, stream)
        copied_stream(av.open(io.BytesIO(), "w", format="mp4"), copy)  # as for a clip
    except (av.error.FFmpegError, ValueError):
        return None
    return Format(holder, copy, stream.time_base or Fraction(1, 90_000), rotate, copied is not COPIED)


def copied_stream(target: OutputContainer, stream: VideoStream) -> VideoStream:
    """A stream of `target` for the packets of `stream`.

    Raises:
        av.error.FFmpegError: this build does not know the codec.
    """
    try:
        return target.add_stream_from_template(stream, opaque=False)
    except (av.error.FFmpegError, ValueError):  # no encoder of that codec in this build, or one of another name
        return target.add_stream_from_template(stream, opaque=True)


def _cut(form: Format, base_s: float, packets: list[Packet], start_s: float, end_s: float) -> PacketClip | None:
    start_s, end_s = start_s - base_s, end_s - base_s
    chosen = [index for index, packet in enumerate(packets) if start_s - 1e-6 <= packet.media_s <= end_s + 1e-6]
    if not chosen:
        return None
    opens = min(chosen, key=lambda index: packets[index].media_s)
    first = packets[opens]
    keys = [
        index for index, packet in enumerate(packets[: opens + 1]) if packet.keyframe and packet.media_s <= first.media_s + 1e-6
    ]
    begin = keys[-1] if keys else 0
    shown_until_s = max(packets[index].media_s for index in chosen)
    shown = tuple(packets[begin : chosen[-1] + 1])
    return PacketClip(form, shown, first.pts, base_s + first.media_s, base_s + shown_until_s, base_s)


def _decoding_times(packets: Sequence[Packet]) -> list[int]:
    """The dts of each packet; where it is unknown, as long before the next as that packet's picture is shown."""
    times: list[int] = []
    following: int | None = None
    for packet in reversed(packets):
        dts = packet.dts
        if dts is None:
            dts = packet.pts if following is None else min(packet.pts, following - max(1, packet.duration))
        times.append(dts)
        following = dts
    return times[::-1]


def write_clip(clip: PacketClip, path: Path) -> int:
    """Write an MP4 file atomically; returns its length in bytes.

    Raises:
        MediaError: a codec that MP4 does not support. StoreError: the disk cannot store it.
    """
    beside = path.with_name(f".{path.stem}.new.mp4")
    with as_store_error(path):
        try:
            with av.open(str(beside), "w", options=_OPTIONS) as target:
                stream = copied_stream(target, clip.format.stream)
                set_rotation(stream, clip.format.rotate)
                # Without a duration, which cameras do not declare, a single picture would be a clip of no length.
                unknown = round(STILL_S / clip.format.time_base) if len(clip.packets) == 1 else 0
                for packet, dts in zip(clip.packets, _decoding_times(clip.packets), strict=True):
                    copy = av.Packet(packet.data)
                    copy.pts, copy.dts, copy.duration = packet.pts - clip.zero, dts - clip.zero, packet.duration or unknown
                    copy.time_base, copy.is_keyframe, copy.stream = clip.format.time_base, packet.keyframe, stream
                    target.mux(copy)
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            size = beside.stat().st_size
            beside.replace(path)
            sync_folder(path.parent)
        except (av.error.FFmpegError, ValueError, ArithmeticError) as cause:
            beside.unlink(missing_ok=True)
            if isinstance(cause, OSError) and cause.errno:
                raise OSError(cause.errno, cause.strerror) from cause
            raise MediaError(f"{path.name}: the stream cannot be stored as MP4 ({error_text(cause)}); use H.264") from cause
    return size
