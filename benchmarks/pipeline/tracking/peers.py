"""The trackers that are compared: ours, and those of the package `trackers` with the thresholds of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.pipeline.tracking.scenes import Floats, Moment
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.tracking.tracker import Tracker
from edgefleet_contract.pipeline.stage_options import TrackerOptions

Followed = tuple[Floats, npt.NDArray[np.int64]]
"""Boxes (n, 4) of one frame that have an identity, and their identities (n,)."""
Follow = Callable[[Moment], Followed]
OPTIONS = TrackerOptions()
LOST_FRAMES = round(OPTIONS.max_lost_s * 30)
"""The peers count frames of a thirtieth of a second, whatever the frame rate."""


def ours(fps: float) -> Follow:
    """Our tracker with its defaults; what it says of a frame at once, not the earlier boxes that a confirmation adds."""
    del fps
    tracker = Tracker(OPTIONS)

    def follow(moment: Moment) -> Followed:
        found = Detections(
            moment.boxes.astype(np.float32), moment.scores.astype(np.float32), np.zeros(len(moment.scores), np.int32)
        )
        shown = tracker.update(found, moment.frame, moment.media_s).detections
        return shown.boxes.astype(np.float64), shown.track_ids.astype(np.int64)

    return _identified(follow)


def byte_track(fps: float) -> Follow:
    """ByteTrack."""
    from trackers import ByteTrackTracker

    return _identified(
        _peer(
            ByteTrackTracker(
                lost_track_buffer=LOST_FRAMES,
                frame_rate=fps,
                track_activation_threshold=OPTIONS.min_score,
                high_conf_det_threshold=OPTIONS.min_score,
            )
        )
    )


def oc_sort(fps: float) -> Follow:
    """OC-SORT."""
    from trackers import OCSORTTracker

    return _identified(
        _peer(OCSORTTracker(lost_track_buffer=LOST_FRAMES, frame_rate=fps, high_conf_det_threshold=OPTIONS.min_score))
    )


TRACKERS: dict[str, Callable[[float], Follow]] = {"ours": ours, "ByteTrack": byte_track, "OC-SORT": oc_sort}


def _peer(tracker: Any) -> Follow:
    from supervision import Detections as PeerDetections

    def follow(moment: Moment) -> Followed:
        usable = moment.scores >= OPTIONS.low_score
        found = PeerDetections(
            xyxy=moment.boxes[usable], confidence=moment.scores[usable], class_id=np.zeros(int(usable.sum()), np.int64)
        )
        shown = tracker.update(found)
        return np.asarray(shown.xyxy, np.float64).reshape(-1, 4), np.asarray(shown.tracker_id, np.int64)

    return follow


def _identified(follow: Follow) -> Follow:
    """The same without boxes that have no identity yet."""

    def chosen(moment: Moment) -> Followed:
        boxes, ids = follow(moment)
        return boxes[ids >= 0], ids[ids >= 0]

    return chosen
