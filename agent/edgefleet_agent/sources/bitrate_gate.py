"""Detects activity by the sizes of encoded packets, without decoding pictures.

While a stream is quiet only its key frames are decoded: about one picture a second, for hardly any work. Packets in between are
held; when they grow, everything since the last key frame is decoded at once, so that no start of an event is missed, and then
every picture until it has been quiet for `HOLD_S`.

An encoder spends few bytes on pictures that resemble the one before. The bytes of half a second are compared with the usual rate:
a low quantile of the last minutes, so that a busy minute does not raise it. Streams with a constant bit rate by padding, and
stationary objects, are not detected by sizes; their pictures are the key frames.
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
"""Memory of the usual rate."""
QUANTILE = 0.1
RATIO = 2.0
"""This multiple of the usual bytes is activity."""
FLOOR_BYTES_S = 3000.0
"""Minimum excess of activity over the usual bytes a second: twice the rate is little for an encoder that needs almost no
bytes."""
HOLD_S = 2.0
LEARN_S = 10.0
"""The gate is open for this time, until the usual rate is known."""
HELD_BYTES_MAX = 16 * 1024 * 1024
"""Limit of packets held since the last key frame; beyond it the gate opens so that no packet is lost."""
GATED_MAX = 4096


Decode: TypeAlias = "Callable[[av.Packet[VideoStream]], list[VideoFrame]]"


class BitrateGate:
    """The gate of one connection. Pure: sizes and times in, open or closed out."""

    def __init__(self) -> None:
        self._window: deque[tuple[float, int]] = deque()  # bounded by WINDOW_S
        self._usual: deque[tuple[float, float]] = deque()  # one a WINDOW_S, bounded by USUAL_S
        self._origin_s: float | None = None
        self._open_until_s = 0.0
        self._usual_rate = 0.0

    def check(self, size: int, keyframe: bool, media_s: float) -> bool:
        """Whether every picture should be decoded at this moment. size: bytes of the packet."""
        if self._origin_s is None or media_s < self._origin_s:
            self._origin_s = media_s
        if not keyframe:  # its size depends on the content of the scene, not on change
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
    """Open while an external signal is active or unknown. `active` may be set from any thread."""

    def __init__(self) -> None:
        self.active: bool | None = None
        self._open_until_s = 0.0

    def check(self, size: int, keyframe: bool, media_s: float) -> bool:
        """See `BitrateGate.check`."""
        del size, keyframe
        if self.active is not False:
            self._open_until_s = media_s + HOLD_S
        return media_s < self._open_until_s

    def set_active(self, active: bool | None) -> None:
        """Set the latest signal; None: unknown."""
        self.active = active


class DecodeGate(Protocol):
    """Decides whether every picture is decoded."""

    def check(self, size: int, keyframe: bool, media_s: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class _HeldPackets:
    packet: av.Packet[VideoStream]
    media_s: float


class GatedDecoder:
    """Decodes the packets that the gate passes. decode: pictures that are due after a packet. gated: receives the media times of
    skipped pictures. trigger: opens the gate, too. last_s: media time of the last packet.
    """

    def __init__(self, decode: Decode, gate: DecodeGate, gated: deque[float], trigger: Trigger) -> None:
        self._decode = decode
        self._trigger = trigger
        self._gate = gate
        self._gated = gated
        self._held: list[_HeldPackets] = []
        self._held_bytes = 0
        self._started = False
        self.last_s = 0.0

    def decode(self, packet: av.Packet[VideoStream], media_s: float) -> list[VideoFrame]:
        """Pictures that are due after this packet: none while it is quiet, all since the last key frame when activity starts.

        Raises:
            av.error.FFmpegError: the packet is damaged.
        """
        if not packet.size:  # the end of a file: flush the decoder
            self._drop()
            return self._decode(packet)
        self.last_s = max(self.last_s, media_s)
        opens = self._gate.check(packet.size, packet.is_keyframe, media_s) or self._trigger.active
        if packet.is_keyframe:
            self._drop()
            self._started = True
            return self._decode(packet)
        if not self._started:
            return self._decode(packet)  # reports the fault of a stream that starts in the middle
        if not opens and self._held_bytes < HELD_BYTES_MAX:
            self._held.append(_HeldPackets(packet, media_s))
            self._held_bytes += packet.size
            return []
        held, self._held, self._held_bytes = self._held, [], 0
        pictures = [picture for one in held for picture in self._decode(one.packet)]
        return pictures + self._decode(packet)

    def _drop(self) -> None:
        """After a key frame the held packets are not needed any more."""
        self._gated.extend(one.media_s for one in self._held)
        self._held.clear()
        self._held_bytes = 0
