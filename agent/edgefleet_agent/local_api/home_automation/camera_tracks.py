"""The tracks of one camera, as Frigate describes them: seen, stationary, lost. Pure: the caller provides the times.

A track is stationary when its box has covered the same place for `STATIONARY_S`, Frigate's default, or for the time that the
pipeline's track stage names. It is lost when it was missing from analyzed frames for as long as the tracker keeps lost tracks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.local_api.home_automation.presence import HOLD_S
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.tracking.stationary import STILL_IOU
from edgefleet_contract.pipeline.nodes import TrackNode

STATIONARY_S = 10.0

Box = tuple[float, float, float, float]


@dataclass(slots=True)
class CameraTrack:
    """One track. place: the box that it has not left for `still_frames` frames, since `still_since_s`. moves: how often it has
    left a place at which it was stationary. traits: the results of cascades by stage."""

    label: str
    box: Box
    score: float
    place: Box
    still_since_s: float
    seen_s: float
    still_frames: int = 0
    stationary: bool = False
    moves: int = 0
    missing_since_s: float | None = None
    traits: dict[str, Any] = field(default_factory=dict)

    def see(self, answer: ModelOutput, box: Box, media_s: float, stationary_s: float) -> None:
        """Record a further sighting."""
        self.box, self.score, self.seen_s, self.missing_since_s = box, answer.score, media_s, None
        self.traits = answer.attributes
        if _iou(self.place, box) < STILL_IOU:
            self.moves += self.stationary
            self.place, self.still_since_s, self.still_frames = box, media_s, 0
        else:
            self.still_frames += 1
        self.stationary = media_s - self.still_since_s >= stationary_s


class CameraTracks:
    """The tracks of one camera."""

    def __init__(self) -> None:
        self._lost_s = 0.0
        self._stationary_s = STATIONARY_S
        self._tracks: dict[int, CameraTrack] = {}

    def set_stages(self, stages: Sequence[TrackNode]) -> None:
        """Set the track stages, whose options give the times; tracks continue."""
        self._lost_s = max((stage.options.max_lost_s for stage in stages), default=0.0)
        self._stationary_s = max((stage.stationary_s for stage in stages), default=0.0) or STATIONARY_S

    def get(self, number: int) -> CameraTrack | None:
        """A track that is not lost."""
        return self._tracks.get(number)

    def update(self, seen: Sequence[ModelOutput], media_s: float) -> None:
        """Process the answers of an analyzed frame; those without a track or a box are ignored."""
        present = set()
        for answer in seen:
            number, box = answer.track_id, answer.box
            if number is None or box is None:
                continue
            present.add(number)
            track = self._tracks.get(number)
            if track is None:
                track = self._tracks[number] = CameraTrack(answer.label, box, answer.score, box, media_s, media_s)
            track.see(answer, box, media_s, self._stationary_s)
        for number, track in list(self._tracks.items()):
            if number in present:
                continue
            if track.missing_since_s is None:
                track.missing_since_s = media_s
            if media_s - track.missing_since_s >= self._lost_s:
                del self._tracks[number]

    def active(self, media_s: float) -> Counter[str]:
        """Numbers of tracks in the picture that are not stationary, by label; held as long as the counts of labels."""
        return Counter(one.label for one in self._tracks.values() if not one.stationary and media_s - one.seen_s <= HOLD_S)

    def clear(self) -> None:
        """Forget all tracks: no frames are analyzed any more."""
        self._tracks.clear()


def _iou(first: Box, second: Box) -> float:
    """Overlap of two boxes; `vision.boxes.ious` is for arrays, and slow for two."""
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    if wide <= 0.0 or high <= 0.0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return wide * high / (areas - wide * high)
