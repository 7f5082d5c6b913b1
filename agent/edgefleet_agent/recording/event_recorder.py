"""Records the evidence of a pipeline's events: a snapshot at the start, a clip at the end.

Clips are cut from the packet ring with `pre_s` before and `post_s` after the event. A thread writes the files, so that neither a
slow disk nor a long clip delays a frame. An event names its files before they are written; a failure is reported as a fault.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2

from edgefleet_agent.recording.clip_writer import store_clip
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.sources.packet_ring import PacketClip, PacketRing
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import to_bgr
from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.errors import EdgefleetError, StoreError
from edgefleet_contract.pipeline.spec import EvidenceSpec
from edgefleet_contract.wire.messages import Event, EventPhase

WAITING_MAX = 64
"""Limit of clips that wait for their last seconds, and of files that wait for the disk; more are reported as lost."""
RING_BYTES_MAX = 64 * 1024 * 1024
JPEG_QUALITY = 85
CLIPS, FILES = "clips are recorded again", "evidence is stored again"
"""What fails by itself, by the text of its recovery: a picture that is stored says nothing about clips."""
UNENDED_MAX = 1024
"""Limit of events that have begun and not ended, whose clips are cut as soon as they are as long as they may be."""
FAULT_S = 5.0
"""A source that gives no packets for this time is reported; it may be connecting."""
SHORTEST_S = 1.0
"""Least length of a clip: a line crossing, an event of one moment, would have none without seconds before and after it."""
SLACK_S = 5.0
"""Length of the ring beyond the longest clip, because events are published with a delay."""


@dataclass(frozen=True, slots=True)
class _Due:
    """A clip to cut once the stream has reached `end_s`. event: start and end of the event itself."""

    name: str
    start_s: float
    end_s: float
    event: tuple[float, float]


class EventRecorder:
    """One pipeline. `on_event` is called by the thread that publishes events, `advance` by the capture thread."""

    def __init__(
        self,
        spec: EvidenceSpec,
        folder: EvidenceFolder,
        on_fault: Callable[[str, bool], None],
        switches: CameraSwitches | None = None,
    ) -> None:
        self._switches = switches if switches is not None else CameraSwitches()
        self._spec = spec
        self._folder = folder
        self._on_fault = on_fault
        self._lock = threading.Lock()
        self._due: deque[_Due] = deque()
        self._unended: dict[str, _Due | None] = {}  # by event; None: its clip is cut
        self._work: queue.Queue[tuple[str, PacketClip | bytes] | None] = queue.Queue(WAITING_MAX)
        self._failing: set[str] = set()
        self._without_s: float | None = None  # since then the source gives no packets
        self.ring = PacketRing(spec.pre_s + spec.max_s + spec.post_s + SLACK_S, RING_BYTES_MAX)
        self._writer = threading.Thread(target=self._write, name="evidence", daemon=True)
        self._writer.start()

    def covers(self, event: Event) -> bool:
        """Whether evidence of this event is recorded."""
        return bool(event.id) and event.kind != "count" and (not self._spec.rules or event.rule in self._spec.rules)

    def on_event(self, event: Event, frame: Frame | None, picture: bytes = b"") -> None:
        """Queue the evidence of this event and write the file names into it. frame: the frame of the event. picture: a better
        view than the stored one as a JPEG; empty without one."""
        if not self.covers(event):
            return
        stem = f"{event.pipeline}/{event.id}"
        is_new = event.phase is EventPhase.NEW
        if self._spec.snapshots and self._switches["snapshots"]:
            event.data["snapshot"] = f"{stem}.jpg"
            if frame is not None and (is_new or event.kind == "line"):
                picture = jpeg(frame)
            if picture:
                self._enqueue(f"{stem}.jpg", picture)
        clips = self._spec.clips and self._switches["recordings"]
        if not clips or event.start_s is None:
            return
        due = self._due_of(event, f"{stem}.mp4")
        if event.phase is EventPhase.END and event.end_s is not None:
            event.data["clip"] = due.name
            self._end(event.id, due)
        elif is_new:
            with self._lock:
                self._unended[event.id] = due
                if len(self._unended) > UNENDED_MAX:
                    del self._unended[next(iter(self._unended))]

    def _due_of(self, event: Event, name: str) -> _Due:
        """The clip of an event. That of an open event has the longest duration."""
        assert event.start_s is not None
        longest_s = event.start_s + self._spec.max_s
        end_s = min(event.end_s, longest_s) if event.end_s is not None else longest_s
        start_s = max(0.0, event.start_s - self._spec.pre_s)
        return _long_enough(_Due(name, start_s, end_s + self._spec.post_s, (event.start_s, end_s)))

    def _end(self, event: str, due: _Due) -> None:
        """Cut the clip of an event that has ended, once the stream is so far, unless it is cut already."""
        with self._lock:
            if self._unended.pop(event, due) is None:
                return
            if len(self._due) < WAITING_MAX:
                self._due.append(due)
                return
        self._fault(CLIPS, f"{due.name}: more than {WAITING_MAX} clips are pending; this one is dropped")

    def advance(self, media_s: float) -> None:
        """Cut clips that are complete at this media time of the stream, and report a source that gives frames, but no packets."""
        self._check_source(media_s)
        with self._lock:
            ripe = [due for due in self._due if due.end_s <= media_s]
            # The packets of the beginning would be gone when a long event ends.
            long = {event: due for event, due in self._unended.items() if due is not None and due.end_s <= media_s}
            self._unended.update(dict.fromkeys(long))
            ripe += long.values()
            if not ripe:
                return
            self._due = deque(due for due in self._due if due.end_s > media_s)
        for due in ripe:
            self._cut(due)

    def clips_fail(self, error: EdgefleetError) -> None:
        """Report that frames cannot be encoded: there are no clips."""
        self._fault(CLIPS, str(error))

    def close(self) -> None:
        """Cut the remaining clips as far as possible, and wait until everything is written."""
        with self._lock:
            rest, self._due = list(self._due), deque()
        for due in rest:
            self._cut(due)
        self._work.put(None)
        self._writer.join()

    def _check_source(self, media_s: float) -> None:
        fault = self.ring.fault
        if not fault:
            if self._without_s is not None:
                self._without_s = None
                self._works(CLIPS)
        elif self._without_s is None:
            self._without_s = media_s
        elif media_s - self._without_s >= FAULT_S:
            self._fault(CLIPS, f"no clips can be recorded: {fault}")

    def _cut(self, due: _Due) -> None:
        clip = self.ring.cut(due.start_s, due.end_s, due.event)
        if clip is not None:
            self._works(CLIPS)
            self._enqueue(due.name, clip)
        else:
            self._fault(CLIPS, f"{due.name}: {self._why_missing(due)}")

    def _why_missing(self, due: _Due) -> str:
        began_s = self.ring.start_s
        if self.ring.fault:
            return self.ring.fault
        if began_s is None:
            return "the source has given nothing yet that a clip can show"
        if due.end_s < began_s:
            return "the packets of that time are no longer buffered; lower max_s, or the bit rate of the camera"
        return "the source gave nothing at that time that a clip can show"

    def _enqueue(self, name: str, content: PacketClip | bytes) -> None:
        try:
            self._work.put_nowait((name, content))
        except queue.Full:
            self._fault(FILES, f"{name}: the disk is too slow; this file is dropped")

    def _write(self) -> None:
        while (work := self._work.get()) is not None:
            self._store(*work)

    def _store(self, name: str, content: PacketClip | bytes) -> None:
        try:
            length = sum(len(packet.data) for packet in content.packets) if isinstance(content, PacketClip) else len(content)
            path = self._folder.path(name, length)
            if isinstance(content, PacketClip):
                store_clip(content, path)
            else:
                write_atomic(path, content)
            self._folder.tidy(time.time())
        except EdgefleetError as error:
            if isinstance(error, StoreError):
                self._folder.failed(error)
            self._fault(FILES, f"evidence cannot be stored: {error}")
            return
        self._folder.stored()
        self._works(FILES)

    def _fault(self, kind: str, text: str) -> None:
        """Report the fault of a kind once, until that kind works again."""
        if kind not in self._failing:
            self._failing.add(kind)
            self._on_fault(text, False)

    def _works(self, kind: str) -> None:
        if kind in self._failing:
            self._failing.discard(kind)
            self._on_fault(kind, True)


def _long_enough(due: _Due) -> _Due:
    """The clip with as much after it as its least length takes: its beginning is exact."""
    return replace(due, end_s=max(due.end_s, due.start_s + SHORTEST_S))


def jpeg(frame: Frame) -> bytes:
    """The whole frame as a JPEG."""
    _, data = cv2.imencode(".jpg", to_bgr(frame), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()
