"""One live video: the parts that a device sends, handed to all viewers. None of them delays the device or another viewer."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from edgefleet_contract.encoding.codec import Wire, encode
from edgefleet_contract.wire.live_video import PartKind, VideoEnd, VideoFormat, VideoPart, pack_part

GROUP_BYTES_MAX: Final = 6 * 1024 * 1024
"""Parts since the last key frame that new viewers get; where they are more, new viewers wait for the next."""
QUEUE_BYTES_MAX: Final = 8 * 1024 * 1024
QUEUE_MAX: Final = 256


class Viewer:
    """One viewer. A slow one loses all parts up to the next key frame. Used on one event loop.

    sent_bytes: parts that were taken out; dropped: parts that it lost.
    """

    def __init__(self) -> None:
        self.sent_bytes = self.dropped = 0
        self.ended = False
        self._waiting: deque[tuple[PartKind | None, bytes]] = deque()
        self._bytes = 0
        self._needs_key = False
        self._came = asyncio.Event()

    def put_text(self, message: Wire) -> None:
        """Add a message that is never lost."""
        self._add(None, encode(message))

    def put(self, kind: PartKind, data: bytes) -> None:
        """Add a part."""
        if self._bytes + len(data) > QUEUE_BYTES_MAX or len(self._waiting) >= QUEUE_MAX:
            retained = [one for one in self._waiting if one[0] in (None, PartKind.INIT)]
            self.dropped += len(self._waiting) - len(retained)
            self._waiting = deque(retained)
            self._bytes, self._needs_key = sum(len(data) for _, data in retained), True
        if kind is PartKind.MORE and self._needs_key:
            self.dropped += 1
            return
        self._needs_key = self._needs_key and kind is not PartKind.KEY
        self._add(kind, data)

    def end(self, reason: str, *, stills: bool = False) -> None:
        """Add the last message."""
        if not self.ended:
            self.ended = True
            self.put_text(VideoEnd(reason=reason[:500], stills=stills))

    async def next(self) -> str | bytes | None:
        """The next message; None after the last one."""
        while not self._waiting:
            if self.ended:
                return None
            self._came.clear()
            await self._came.wait()
        kind, data = self._waiting.popleft()
        self._bytes -= len(data)
        if kind is None:
            return data.decode()
        self.sent_bytes += len(data)
        return data

    def _add(self, kind: PartKind | None, data: bytes) -> None:
        self._waiting.append((kind, data))
        self._bytes += len(data)
        self._came.set()


class VideoStream:
    """The stream of one camera. Used on one event loop."""

    def __init__(self, device: str, pipeline: str) -> None:
        self.device = device
        self.pipeline = pipeline
        self.connected = self.over = False
        self.received_bytes = 0
        self.viewers: set[Viewer] = set()
        self.left_s = float("inf")
        self._format: VideoFormat | None = None
        self._init = b""
        self._group: list[bytes] = []
        self._group_bytes = 0

    def join(self, viewer: Viewer) -> None:
        """Add a viewer; it begins with the last key frame."""
        self.viewers.add(viewer)
        if self._format is not None and self._init:
            viewer.put_text(self._format)
            viewer.put(PartKind.INIT, self._init)
            for number, data in enumerate(self._group):
                viewer.put(PartKind.MORE if number else PartKind.KEY, data)

    def leave(self, viewer: Viewer, now: float) -> None:
        """Remove a viewer. `now`: monotonic time."""
        self.viewers.discard(viewer)
        if not self.viewers:
            self.left_s = now

    def take_format(self, form: VideoFormat) -> None:
        """The format of the parts that follow."""
        self._format, self._init, self._group = form, b"", []
        for viewer in self.viewers:
            viewer.put_text(form)

    def take_part(self, part: VideoPart) -> None:
        """Hand a part to all viewers; one that nothing precedes is dropped."""
        if self._format is None or not (self._init or part.kind is PartKind.INIT):
            return
        data = pack_part(part)
        if part.kind is PartKind.INIT:
            self._init, self._group = data, []
        elif part.kind is PartKind.KEY:
            self._group, self._group_bytes = [data], len(data)
        elif self._group:
            self._group.append(data)
            self._group_bytes += len(data)
            if self._group_bytes > GROUP_BYTES_MAX or len(self._group) >= QUEUE_MAX // 2:
                self._group = []
        for viewer in self.viewers:
            viewer.put(part.kind, data)

    def end(self, reason: str, *, stills: bool = False) -> None:
        """End it for all viewers."""
        self.over = True
        for viewer in self.viewers:
            viewer.end(reason, stills=stills)
