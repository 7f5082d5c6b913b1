"""Whether something happens, told by how many bytes the camera's encoder needed for it: no picture is decoded for that.

While a stream is quiet only its key frames are decoded: one look a second or so, for hardly any work. Packets in between are kept
as they came; when they grow, everything since the last key frame is decoded at once, so that no beginning is missed, and then
every picture until it has been quiet for `HOLD_S`.

An encoder spends few bytes on pictures that are like the one before. The bytes of half a second are compared with what is usual:
a low quantile of the last minutes, so that a busy minute does not make business usual. What the gate cannot see: anything at a
constant bit rate with padding, and what stays without moving; that is what the key frames are for.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import av
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.trigger import Trigger

WINDOW_S = 0.5
"""Packets are judged together: pictures between two others need fewer bytes than those they refer to."""
USUAL_S = 180.0
"""How long what is usual is remembered."""
QUANTILE = 0.1
RATIO = 2.0
"""So many times the usual bytes are activity."""
FLOOR_BYTES_S = 3000.0
"""Activity is at least so many bytes a second more than usual: an encoder that needs nothing at all needs twice nothing soon."""
HOLD_S = 2.0
LEARN_S = 10.0
"""Until so much was seen the gate stands open: nobody knows what is usual."""
KEPT_BYTES_MAX = 16 * 1024 * 1024
"""Packets kept since the last key frame; beyond it the gate opens rather than lose them."""
GATED_MAX = 4096


Decode: TypeAlias = "Callable[[av.Packet[VideoStream]], list[VideoFrame]]"


class BitrateGate:
    """One connection. Pure: sizes and times in, open or not out."""

    def __init__(self) -> None:
        self._window: deque[tuple[float, int]] = deque()  # bounded by WINDOW_S
        self._usual: deque[tuple[float, float]] = deque()  # one a WINDOW_S, bounded by USUAL_S
        self._origin_s: float | None = None
        self._open_until_s = 0.0
        self._usual_rate = 0.0

    def look(self, size: int, keyframe: bool, media_s: float) -> bool:
        """Whether every picture should be decoded at this moment. size: bytes of the packet."""
        if self._origin_s is None or media_s < self._origin_s:
            self._origin_s = media_s
        if not keyframe:  # its size says how much there is to see, not how much of it is new
            self._window.append((media_s, size))
        while self._window and media_s - self._window[0][0] > WINDOW_S:
            self._window.popleft()
        rate = sum(count for _, count in self._window) / WINDOW_S
        self._learn(rate, media_s)
        if media_s - self._origin_s < LEARN_S or rate > max(RATIO * self._usual_rate, self._usual_rate + FLOOR_BYTES_S):
            self._open_until_s = media_s + HOLD_S
        return media_s < self._open_until_s

    def _learn(self, rate: float, media_s: float) -> None:
        if self._usual and media_s - self._usual[-1][0] < WINDOW_S:
            return
        self._usual.append((media_s, rate))
        while media_s - self._usual[0][0] > USUAL_S:
            self._usual.popleft()
        rates = sorted(value for _, value in self._usual)
        self._usual_rate = rates[int(QUANTILE * len(rates))] if len(rates) > 1 else statistics.fmean(rates)


class TriggerGate:
    """Open while somebody else says so, and while nobody knows. `active` may be set from any thread."""

    def __init__(self) -> None:
        self.active: bool | None = None
        self._open_until_s = 0.0

    def look(self, size: int, keyframe: bool, media_s: float) -> bool:
        """See `PacketGate.look`."""
        del size, keyframe
        if self.active is not False:
            self._open_until_s = media_s + HOLD_S
        return media_s < self._open_until_s

    def heard(self, active: bool | None) -> None:
        """What was said last; None: nobody knows."""
        self.active = active


class DecodeGate(Protocol):
    """What decides whether every picture is decoded."""

    def look(self, size: int, keyframe: bool, media_s: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class _HeldPackets:
    packet: av.Packet[VideoStream]
    media_s: float


class GatedDecoder:
    """Decodes what the gate lets through. decode: pictures that are due after a packet. gated: gets the media times of pictures
    that were never decoded. trigger: opens it, too. last_s: media time of the last packet.
    """

    def __init__(self, decode: Decode, gate: DecodeGate, gated: deque[float], trigger: Trigger) -> None:
        self._decode = decode
        self._trigger = trigger
        self._gate = gate
        self._gated = gated
        self._kept: list[_HeldPackets] = []
        self._kept_bytes = 0
        self._begun = False
        self.last_s = 0.0

    def decode(self, packet: av.Packet[VideoStream], media_s: float) -> list[VideoFrame]:
        """Pictures that are due after this packet: none while it is quiet, all since the last key frame when it ends to be.

        Raises:
            av.error.FFmpegError: it is damaged.
        """
        if not packet.size:  # the end of a file: what waits in the decoder
            self._drop()
            return self._decode(packet)
        self.last_s = max(self.last_s, media_s)
        opens = self._gate.look(packet.size, packet.is_keyframe, media_s) or self._trigger.active
        if packet.is_keyframe:
            self._drop()
            self._begun = True
            return self._decode(packet)
        if not self._begun:
            return self._decode(packet)  # which says what is wrong with a stream that begins in the middle
        if not opens and self._kept_bytes < KEPT_BYTES_MAX:
            self._kept.append(_HeldPackets(packet, media_s))
            self._kept_bytes += packet.size
            return []
        kept, self._kept, self._kept_bytes = self._kept, [], 0
        pictures = [picture for one in kept for picture in self._decode(one.packet)]
        return pictures + self._decode(packet)

    def _drop(self) -> None:
        """A key frame begins anew: what was kept will never be wanted."""
        self._gated.extend(one.media_s for one in self._kept)
        self._kept.clear()
        self._kept_bytes = 0
