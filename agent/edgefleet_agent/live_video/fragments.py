"""Makes fragments of an MP4 stream of a camera's packets, without decoding: what Media Source Extensions of browsers take."""

from __future__ import annotations

from collections.abc import Iterator

import av
from av.container import OutputContainer
from av.video.stream import VideoStream

from edgefleet_agent.live_video.mp4_boxes import read_init
from edgefleet_agent.sources.av_frames import error_text
from edgefleet_agent.sources.packet_follower import FollowedPacket
from edgefleet_agent.sources.packet_ring import copied_stream
from edgefleet_agent.sources.rotation import set_rotation
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.wire.live_video import PartKind, VideoFormat, VideoPart

FRAGMENT_S = 0.2
"""Duration of a fragment. It is complete when the packet after it arrives."""
JUMP_S = 10.0
"""Difference of two packets' times that is a jump of the clock: the stream begins anew."""
_OPTIONS = {
    "movflags": "+frag_keyframe+delay_moov+default_base_moof",
    "frag_duration": str(round(FRAGMENT_S * 1e6)),
    "use_editlist": "0",
    "avoid_negative_ts": "disabled",
}


class Fragmenter:
    """The stream of one connection of a camera. `wall` - monotonic time = `wall_offset_s`: the moments of parts are wall time."""

    def __init__(self, first: FollowedPacket, wall_offset_s: float) -> None:
        self._wall_offset_s = wall_offset_s
        self._written = _Written()
        self._form = first.format
        self._base = first.format.time_base
        self._zero = first.packet.pts if first.packet.dts is None else min(first.packet.dts, first.packet.pts)
        self._last_dts = -1
        self._pending: list[FollowedPacket] = []
        try:
            self._target: OutputContainer = av.open(self._written, "w", format="mp4", options=_OPTIONS)
            self._stream: VideoStream = copied_stream(self._target, first.format.stream)
            set_rotation(self._stream, first.format.rotate)
        except (av.error.FFmpegError, ValueError) as cause:
            raise _unfit(cause) from cause

    def continues(self, packet: FollowedPacket) -> bool:
        """Whether a packet is of the same connection, and follows in time."""
        return packet.format is self._form and abs(self._dts(packet) - self._last_dts) * self._base < JUMP_S

    def add(self, followed: FollowedPacket) -> Iterator[VideoFormat | VideoPart]:
        """Add a packet; returns what is complete now.

        Raises:
            MediaError: it cannot be put into MP4, or no browser plays it.
        """
        packet = followed.packet
        dts = max(self._dts(followed), self._last_dts + 1)
        copy = av.Packet(packet.data)
        copy.pts, copy.dts, copy.duration = max(packet.pts - self._zero, dts), dts, packet.duration
        copy.time_base, copy.is_keyframe, copy.stream = self._base, packet.keyframe, self._stream
        try:
            self._target.mux(copy)
        except (av.error.FFmpegError, ValueError, ArithmeticError) as cause:
            raise _unfit(cause) from cause
        before, self._last_dts = self._pending, dts
        for kind, data in self._written.complete():
            if kind == b"init":
                yield from self._init(data, before[-1])
            elif before:
                yield VideoPart(PartKind.KEY if before[0].packet.keyframe else PartKind.MORE, self._at(before[-1]), data)
                before = self._pending = []
        self._pending.append(followed)

    def _init(self, data: bytes, newest: FollowedPacket) -> Iterator[VideoFormat | VideoPart]:
        init = read_init(data)
        width, height = self._stream.width, self._stream.height
        encoded = self._form.encoded
        yield VideoFormat(
            mime=f'video/mp4; codecs="{init.codec}"', width=width, height=height, matrix=list(init.matrix), encoded=encoded
        )
        yield VideoPart(PartKind.INIT, self._at(newest), init.data)

    def _dts(self, followed: FollowedPacket) -> int:
        packet = followed.packet
        return (packet.pts if packet.dts is None else packet.dts) - self._zero

    def _at(self, followed: FollowedPacket) -> float:
        return followed.arrived_s + self._wall_offset_s


class _Written:
    """The output of the muxer: the boxes before the first `moof`, then one `moof` with its `mdat` each."""

    def __init__(self) -> None:
        self._data = bytearray()

    def write(self, data: bytes) -> int:
        """Take bytes of the muxer."""
        self._data += data
        return len(data)

    def complete(self) -> Iterator[tuple[bytes, bytes]]:
        """Parts that are complete: `init` or `moof`, and their bytes."""
        begin = at = 0
        while at + 8 <= len(self._data):
            size, kind = int.from_bytes(self._data[at : at + 4], "big"), bytes(self._data[at + 4 : at + 8])
            if at + size > len(self._data) or size < 8:
                break
            at += size
            if kind in (b"moov", b"mdat"):
                yield (b"init" if kind == b"moov" else b"moof"), bytes(self._data[begin:at])
                begin = at
        del self._data[:begin]


def _unfit(cause: Exception) -> MediaError:
    return MediaError(f"the stream cannot be sent as live video ({error_text(cause)}); use H.264")
