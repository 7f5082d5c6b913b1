"""Publishes the events of one camera pipeline: to the runner's listener, to observers on this device, and to the recorder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.pipeline.camera.event_lifecycle import EventLifecycle
from edgefleet_agent.pipeline.model.model_slots import LoadedSlot
from edgefleet_agent.pipeline.observers import MOTION_HOLD_S, Observers, PipelineObserver
from edgefleet_agent.recording.event_recorder import EventRecorder, jpeg
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.recording.frame_recorder import FrameRecorder
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.tracking.tracker import Sighting
from edgefleet_contract.core.errors import EdgefleetError, MediaError
from edgefleet_contract.pipeline.spec import PipelineSpec, config_digest
from edgefleet_contract.wire.messages import Event, EventPhase

LIVE_KEEP_S = 0.001
LIVE_BYTES_MAX = 8 * 1024 * 1024
"""What is kept for the start of live video, where no clips are recorded: the packets from the last key frame on."""


class EventPublisher:
    """One pipeline. `publish` and `publish_updates` are called by the thread that finishes frames, `record_frame`,
    `report_motion` and `close` by the capture thread, the rest by any.
    """

    def __init__(self, spec: PipelineSpec, listener: PipelineObserver, observers: Observers | None, clock: Clock) -> None:
        self.digest = config_digest(spec)
        self.packet_ring: PacketRing | None = None
        self._name = spec.name
        self._live = spec.source.pace != "fast"
        self._listener = listener
        self._observers = observers
        self._clock = clock
        self._recorder: EventRecorder | None = None
        self._frames: FrameRecorder | None = None
        self._encodes = True
        self._records_clips = False
        self.live_ring = (
            PacketRing(LIVE_KEEP_S, LIVE_BYTES_MAX, main_stream=False) if observers is not None and self._live else None
        )
        self._lifecycle = EventLifecycle(None)
        self._moves: bool | None = None
        self._moved_s = float("-inf")

    def start_recording(self, spec: PipelineSpec, evidence: EvidenceFolder | None, switches: CameraSwitches) -> None:
        """Record evidence from now on, if the pipeline has a folder and settings for it."""
        self.packet_ring = self.live_ring if not spec.masks else None  # packets show the areas under the masks
        if evidence is None or spec.evidence is None:
            return
        self._recorder = EventRecorder(spec.evidence, evidence, self.report_evidence, switches)
        self._lifecycle = EventLifecycle(jpeg if spec.evidence.snapshots else None)
        if not spec.evidence.clips:
            return
        self._records_clips = True
        self.live_ring = self._recorder.ring
        if not spec.masks:
            self.packet_ring = self._recorder.ring

    def publish(self, events: Sequence[Event], media_s: float, loaded: LoadedSlot | None, frame: Frame | None = None) -> None:
        """Publish new and ended events. loaded: the model that they name. frame: the frame of the events; None at the end."""
        for event in events:
            if loaded is not None:
                event.model, event.model_digest = loaded.model.manifest.id, loaded.running.digest
            if self._live:
                moment_s = event.end_s if event.end_s is not None else event.start_s
                event.at = round(self._clock.wall() - (media_s - moment_s if moment_s is not None else 0.0), 3)
            event.config_digest = self.digest
            picture = b""
            if event.phase is EventPhase.NEW:
                self._lifecycle.on_new(event, media_s)
            else:
                picture = self._lifecycle.on_end(event)
            if self._recorder is not None:
                self._recorder.on_event(event, frame, picture)
            self._listener.on_event(event)
            if self._observers is not None:
                self._observers.on_event(event, picture)

    def publish_updates(self, frame: Frame, sightings: Sequence[Sighting]) -> None:
        """Publish the updates of open events that are due after this frame; they stay on the device."""
        for event, picture in self._lifecycle.on_frame(frame, sightings):
            if self._recorder is not None:
                self._recorder.on_event(event, None, picture)
            if self._observers is not None:
                self._observers.on_event(event, picture)

    def show(self, frame: Frame, answers: Callable[[], Sequence[ModelOutput]] | None) -> None:
        """Show a frame to the observers. answers: returns its tracks or boxes; None if no model ran."""
        if self._observers is not None:
            self._observers.on_frame(self._name, frame, answers() if answers is not None else None)

    def report_motion(self, moves: bool, media_s: float) -> None:
        """Report whether the motion stage finds motion in the frame of this time; observers get the changes."""
        if moves:
            self._moved_s = media_s
        moves = media_s - self._moved_s < MOTION_HOLD_S
        if moves != self._moves and self._observers is not None:
            self._observers.on_motion(self._name, moves)
        self._moves = moves

    def report_source(self, text: str, over: bool) -> None:
        """Report that the source fails, or (`over`) gives frames again. Observers read the present reason in the gauges."""
        self._listener.on_fault(self._name, text, over)

    def report_evidence(self, text: str, over: bool) -> None:
        """Report that evidence cannot be stored, or (`over`) can again."""
        self._report_fault("evidence", text, over)

    def report_inference(self, error: EdgefleetError | None) -> None:
        """Report that inference fails with this error; None: it works again."""
        text = "inference works again" if error is None else f"inference fails: {error}"
        self._report_fault("inference", text, error is None)

    def _report_fault(self, part: str, text: str, over: bool) -> None:
        self._listener.on_fault(self._name, text, over)
        if self._observers is not None:
            self._observers.on_fault(self._name, text, over, part)

    def record_frame(self, frame: Frame, fps: float) -> None:
        """Add a frame to clips and live video, if they are made of frames, and cut clips that are complete."""
        ring = self.live_ring
        if ring is not None and self._encodes:
            if ring.wants_frames and (self._records_clips or ring.followed):
                self._encode(ring, frame, fps)
            elif self._frames is not None and not self._records_clips:
                self._frames.close()
                self._frames = None
        if self._recorder is not None:
            self._recorder.advance(frame.media_s)

    def _encode(self, ring: PacketRing, frame: Frame, fps: float) -> None:
        if self._frames is None:
            self._frames = FrameRecorder(ring, self.report_evidence)
        try:
            self._frames.add(frame, fps)
        except MediaError as error:
            self._frames, self._encodes = None, False
            if self._recorder is not None and self._records_clips:
                self._recorder.clips_fail(error)

    def close(self) -> None:
        """Write the remaining clips, and end."""
        if self._frames is not None:
            self._frames.close()
        if self._recorder is not None:
            self._recorder.close()
