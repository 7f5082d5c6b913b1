"""Who is who over time: a two-stage tracker that counts in seconds.

Boxes of high score find their tracks first, boxes of low score may then continue what is left (ByteTrack, Zhang et al., 2022).
Three things are our own, because counts need true first and last moments at any frame rate: motion is filtered in seconds;
where boxes are too far apart to overlap (low rates), the centre may match within the filter's own uncertainty; and a track may
be *born* from a low score, unseen by anybody until a high score confirms it, and is then told from its first box on.

Where the caller brings embeddings of the boxes (appearance), they decide between those who could be the same by place, refuse
whoever clearly looks like somebody else, and find again who comes back elsewhere. A look is learned only while nobody is in
front (the exponential mean and the exclusion of covered boxes: StrongSORT, Du et al., 2022).

Pure: the caller gives time and frame number. What it cannot do: tell two objects of one label apart when one box covers the other
from its first appearance on (`COVERED_MAX`); they become two tracks when they part.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision import boxes as box_math
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.tracking.assignment import assign
from edgefleet_agent.vision.tracking.kalman import Array, Motion, sizes
from edgefleet_contract.pipeline.stage_options import TrackerOptions

BOXES_MAX = 100
"""Boxes of one frame that are followed, best scores first."""
TRACKS_MAX = 200
"""Tracks alive at once, unconfirmed ones included."""
IOU_MIN = 0.1
"""Least overlap of a predicted and a seen box that are the same thing."""
DUPLICATE_IOU = 0.6
"""Two boxes of one label overlapping more are one thing seen twice; the better stays."""
COVERED_MAX = 0.85
"""A box so far within one that has a track is a part of it and starts no track."""
SIZE_RATIO_MAX = 3.0
"""Areas that differ more do not match by distance."""
CHI_SQUARE_99 = 9.21
"""99 % of two-dimensional Gaussian surprise."""
REACH_NEW, REACH_KNOWN = 2.0, 1.0
"""Farthest match without overlap, in sizes of the box: for a track of unknown and of known speed."""
HITS_KNOWN = 3
"""Boxes after which the speed of a track counts as known."""
FLICKER_S = 0.5
"""How long something unconfirmed, or continued by low scores only, may be out of sight."""
SAME_MOMENT_S = 1e-6
"""Times closer than this are the same: frame times are sums of floats, and limits must not depend on where the clock began."""
BACKDATE_S_MAX = 1.0
"""How far before its first high score a track may be told to have begun."""
UNLIKE = 0.25
"""Cosines so far below `likeness` are of somebody else, wherever they stand."""
LOOK_WEIGHT, LOOK_COVER_MAX = 0.9, 0.25
"""Memory of a track's look at each new one; boxes of which more is covered by another box teach nothing."""
RETURN_COST = 10.0
"""Added to the cost of a match by looks alone: place comes first."""

Box = tuple[float, float, float, float]
Indices = npt.NDArray[np.intp]
Looks = npt.NDArray[np.float32]
"""Embeddings of length 1, a row each; a row of NaN where nobody looked."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A confirmed track was seen in a frame. box: x1, y1, x2, y2 in pixels, filtered. score: the detector's. still: it stands
    there; known: and was standing there before this track began (see `edgefleet_agent.vision.tracking.stationary`)."""

    track_id: int
    class_id: int
    frame: int
    media_s: float
    box: Box
    score: float
    still: bool = False
    known: bool = False


@dataclass(frozen=True, slots=True)
class TrackResult:
    """What one frame told. `sightings` are in time order for each track and include, for a track just confirmed, its earlier
    ones. `gone`: tracks given up; nothing more will come of them. `detections`: the frame's boxes with their track numbers."""

    frame: int
    media_s: float
    sightings: tuple[Sighting, ...] = ()
    gone: tuple[int, ...] = ()
    detections: Detections = field(default_factory=Detections.empty)


@dataclass(slots=True)
class _Track:
    """`waiting` holds the sightings of a track that is not confirmed yet; None afterwards. number: 0 until then."""

    seen_s: float
    votes: dict[int, float]
    waiting: list[Sighting] | None
    number: int = 0
    hits: int = 1
    looks_missed: int = 0
    refused: bool = False
    look: Looks | None = None

    @property
    def confirmed(self) -> bool:
        return self.waiting is None

    @property
    def class_id(self) -> int:
        return max(self.votes, key=self.votes.__getitem__)


class Tracker:
    """Follows the boxes of one source. `ids` numbers tracks; give one iterator to several trackers to keep numbers apart."""

    def __init__(self, options: TrackerOptions, ids: Iterator[int] | None = None) -> None:
        self.options = options
        self._ids = ids if ids is not None else itertools.count(1)
        self._tracks: list[_Track] = []
        self._motion = Motion.none()
        self._now_s: float | None = None

    def update(self, detections: Detections, frame: int, media_s: float, looks: Looks | None = None) -> TrackResult:
        """Take the boxes of one frame; `media_s` rises from call to call. looks: (n, size) of the boxes, where known."""
        seen = self._worth_following(detections)
        elapsed_s = max(0.0, media_s - self._now_s) if self._now_s is not None else 0.0
        self._now_s = media_s
        if not self._tracks and not len(seen):
            return TrackResult(frame, media_s, detections=detections)
        unseen = np.fromiter((track.looks_missed > 0 for track in self._tracks), np.bool_, len(self._tracks))
        self._motion = self._motion.after(elapsed_s, unseen)
        measured = detections.boxes[seen].astype(np.float64)
        scores = detections.scores[seen].astype(np.float64)
        classes = detections.class_ids[seen]
        chosen = looks[seen] if looks is not None and len(looks) else None
        pairs = self._match(measured, scores, classes, media_s, chosen)
        self._take(pairs, measured, scores, classes, media_s)
        pairs.update(self._give_birth(pairs, measured, scores, classes, media_s))
        if chosen is not None:
            self._learn_looks(pairs, measured, chosen)
        sightings = self._tell(pairs, scores, frame, media_s)
        track_ids = np.full(len(detections), -1, np.int32)
        for row, index in pairs.items():
            if self._tracks[row].confirmed:
                track_ids[seen[index]] = self._tracks[row].number
        gone = self._forget(media_s)
        return TrackResult(frame, media_s, tuple(sightings), gone, detections.with_tracks(track_ids))

    def finish(self, frame: int, media_s: float) -> TrackResult:
        """The source has ended: give every track up."""
        gone = tuple(track.number for track in self._tracks if track.confirmed)
        self._tracks, self._motion = [], Motion.none()
        return TrackResult(frame, media_s, gone=gone)

    def _worth_following(self, detections: Detections) -> Indices:
        """Indices of boxes above `low_score`, best first, duplicates of one label left out."""
        scores = detections.scores
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] >= self.options.low_score][:BOXES_MAX]
        if len(order) < 2:
            return order
        same = box_math.ious(detections.boxes[order], detections.boxes[order]) > DUPLICATE_IOU
        if not self.options.any_label:
            same &= detections.class_ids[order][:, None] == detections.class_ids[order][None, :]
        kept = np.ones(len(order), np.bool_)
        for index in range(1, len(order)):
            kept[index] = not (same[index, :index] & kept[:index]).any()
        return order[kept]

    def uncertainty(self) -> float:
        """How little is known of where things are, 0..1: the widest spread of a confirmed track's centre, in its own sizes."""
        rows = [row for row, track in enumerate(self._tracks) if track.confirmed]
        if not rows:
            return 0.0
        spread = np.sqrt(self._motion.centre_variance()[rows].max(axis=1)) / sizes(self._motion.edges[rows])
        return min(1.0, float(spread.max()))

    def _match(
        self, measured: Array, scores: Array, classes: npt.NDArray[np.int32], media_s: float, looks: Looks | None
    ) -> dict[int, int]:
        """Track row -> box index, by four stages: confirmed before unconfirmed, each by high scores and then by low ones."""
        pairs: dict[int, int] = {}
        if not len(measured) or not self._tracks:
            return pairs
        costs = self._costs(measured, classes)
        if looks is not None:
            costs = self._judged_by_looks(costs, classes, looks, media_s)
        high = scores >= self.options.min_score
        confirmed = np.array([track.confirmed for track in self._tracks])
        fresh = np.array([self._fresh(track, media_s) for track in self._tracks])
        free_rows, free_boxes = np.ones(len(self._tracks), np.bool_), np.ones(len(measured), np.bool_)
        for rows, boxes in ((confirmed, high), (confirmed & fresh, ~high), (~confirmed, high), (~confirmed, ~high)):
            rows, boxes = rows & free_rows, boxes & free_boxes  # noqa: PLW2901 - what is left of them
            if not (rows.any() and boxes.any()):
                continue
            found = assign(np.where(rows[:, None] & boxes[None, :], costs, np.inf))
            pairs.update(found)
            for row, index in found:
                free_rows[row] = free_boxes[index] = False
        back = np.array([row for row, index in pairs.items() if costs[row, index] >= RETURN_COST], np.intp)
        if len(back):  # how it came there nobody saw: nothing of its motion holds
            there = [pairs[int(row)] for row in back]
            self._motion = self._motion.replaced(back, Motion.born(measured[there], scores[there]))
        return pairs

    def _costs(self, measured: Array, classes: npt.NDArray[np.int32]) -> Array:
        """(tracks, boxes): 1 - IoU where they overlap, 1 + distance where the centre may have come so far, else infinite."""
        overlap = box_math.ious(self._motion.edges, measured)
        expected, centres = _centres(self._motion.edges), _centres(measured)
        shift = centres[None] - expected[:, None]
        own_size, seen_size = sizes(self._motion.edges), sizes(measured)
        distance = np.hypot(shift[..., 0], shift[..., 1]) / own_size[:, None]
        spread = self._motion.centre_variance()[:, None] + (0.05 * seen_size[None, :, None]) ** 2
        likely = (shift**2 / spread).sum(axis=2) <= CHI_SQUARE_99
        reach = np.array([REACH_KNOWN if track.hits >= HITS_KNOWN else REACH_NEW for track in self._tracks])
        ratio = np.abs(np.log(own_size[:, None] / seen_size[None])) * 2
        near = likely & (distance <= reach[:, None]) & (ratio <= np.log(SIZE_RATIO_MAX))
        costs = np.where(overlap >= IOU_MIN, 1.0 - overlap, np.where(near, 1.0 + distance, np.inf))
        if not self.options.any_label:
            own = np.array([track.class_id for track in self._tracks])
            costs[own[:, None] != classes[None]] = np.inf
        return np.asarray(costs)

    def _judged_by_looks(self, costs: Array, classes: npt.NDArray[np.int32], looks: Looks, media_s: float) -> Array:
        """Costs (tracks, boxes) with what embeddings say: alike is cheaper, unlike is impossible, and who was out of sight may
        have come back anywhere."""
        size = looks.shape[1]
        none = np.full(size, np.nan, np.float32)
        known = np.array([none if track.look is None or len(track.look) != size else track.look for track in self._tracks])
        alike = known @ looks.T
        told = np.isfinite(alike)
        unlike = np.where(told, 1.0 - alike, 0.0)
        away = np.array([track.confirmed and track.looks_missed > 0 for track in self._tracks])
        # Where something is after a long while out of sight is a guess: there looks have to agree, not only not to disagree.
        lost = np.array([media_s - track.seen_s > FLICKER_S for track in self._tracks])
        least = self.options.likeness - np.where(lost, 0.0, UNLIKE)
        judged = np.where(told & (alike < least[:, None]), np.inf, costs + unlike)
        back = told & (alike >= self.options.likeness) & away[:, None]
        if not self.options.any_label:
            back &= np.array([track.class_id for track in self._tracks])[:, None] == classes[None]
        return np.asarray(np.where(back & ~np.isfinite(judged), RETURN_COST + unlike, judged), np.float64)

    def _learn_looks(self, pairs: dict[int, int], measured: Array, looks: Looks) -> None:
        """Remember how tracks look, from boxes that nobody is in front of."""
        hidden = box_math.covered(measured, measured)
        np.fill_diagonal(hidden, 0.0)
        clear = hidden.max(axis=1, initial=0.0) <= LOOK_COVER_MAX
        for row, index in pairs.items():
            track, look = self._tracks[row], looks[index]
            if not clear[index] or not np.isfinite(look).all():
                continue
            if track.look is not None and len(track.look) == len(look):
                look = LOOK_WEIGHT * track.look + (1 - LOOK_WEIGHT) * look
            track.look = np.asarray(look / max(1e-9, float(np.linalg.norm(look))), np.float32)

    def _fresh(self, track: _Track, media_s: float) -> bool:
        return track.looks_missed <= 1 or media_s - track.seen_s <= FLICKER_S + SAME_MOMENT_S

    def _take(
        self, pairs: dict[int, int], measured: Array, scores: Array, classes: npt.NDArray[np.int32], media_s: float
    ) -> None:
        rows, indices = np.array(list(pairs), np.intp), np.array(list(pairs.values()), np.intp)
        self._motion = self._motion.corrected(rows, measured[indices], scores[indices])
        for row, track in enumerate(self._tracks):
            index = pairs.get(row)
            if index is None:
                track.looks_missed += 1
                continue
            label = int(classes[index])
            track.votes[label] = track.votes.get(label, 0.0) + float(scores[index])
            track.hits, track.looks_missed, track.seen_s = track.hits + 1, 0, media_s

    def _give_birth(
        self, pairs: dict[int, int], measured: Array, scores: Array, classes: npt.NDArray[np.int32], media_s: float
    ) -> dict[int, int]:
        """Boxes that belong to nobody begin tracks, unless a tracked box explains them. Row -> box index of the new ones."""
        taken = list(pairs.values())
        if len(taken) == len(measured):
            return {}
        matched = set(taken)
        free = [index for index in range(len(measured)) if index not in matched]
        born: dict[int, int] = {}
        for index in free:  # best scores first
            others = np.array([*taken, *born.values()], np.intp)
            if not self.options.any_label:
                others = others[classes[others] == classes[index]]
            if len(others) and box_math.covered(measured[index : index + 1], measured[others]).max() > COVERED_MAX:
                continue
            if len(self._tracks) >= TRACKS_MAX:
                break
            votes = {int(classes[index]): float(scores[index])}
            self._tracks.append(_Track(media_s, votes, waiting=[]))
            born[len(self._tracks) - 1] = index
        if born:
            indices = np.array(list(born.values()), np.intp)
            self._motion = self._motion.joined(Motion.born(measured[indices], scores[indices]))
        return born

    def _tell(self, pairs: dict[int, int], scores: Array, frame: int, media_s: float) -> list[Sighting]:
        """Sightings of confirmed tracks; confirms those that have two boxes and a high score among them."""
        told: list[Sighting] = []
        rows = sorted(pairs, key=lambda row: (not self._tracks[row].confirmed, -scores[pairs[row]]))
        for row in rows:
            track, edges = self._tracks[row], self._motion.edges[row]
            box = (float(edges[0]), float(edges[1]), float(edges[2]), float(edges[3]))
            sighting = Sighting(track.number, track.class_id, frame, media_s, box, float(scores[pairs[row]]))
            if track.waiting is None:
                told.append(sighting)
            elif self._explained(sighting, told):
                track.refused = True
            else:
                told.extend(self._confirm(track, track.waiting, sighting))
        return told

    def _confirm(self, track: _Track, waiting: list[Sighting], sighting: Sighting) -> list[Sighting]:
        """Everything seen of a track that is confirmed by `sighting`; nothing where it is not."""
        waiting = [old for old in waiting if sighting.media_s - old.media_s <= BACKDATE_S_MAX + SAME_MOMENT_S] + [sighting]
        if len(waiting) > 1 and max(old.score for old in waiting) >= self.options.min_score:
            track.waiting, track.number = None, next(self._ids)
            return [replace(old, track_id=track.number) for old in waiting]
        track.waiting = waiting
        return []

    def _explained(self, sighting: Sighting, told: list[Sighting]) -> bool:
        """An unconfirmed box over or under a confirmed one is the detector's second thought about the same thing."""
        rivals = [old.box for old in told if self.options.any_label or old.class_id == sighting.class_id]
        if not rivals:
            return False
        return bool(box_math.covered(np.array([sighting.box]), np.array(rivals)).max() > COVERED_MAX)

    def _forget(self, media_s: float) -> tuple[int, ...]:
        """Drop what was out of sight for too long; the numbers of confirmed ones."""
        kept: list[int] = []
        gone: list[int] = []
        for row, track in enumerate(self._tracks):
            limit_s = self.options.max_lost_s if track.confirmed else FLICKER_S
            late = track.looks_missed >= (1 if track.confirmed else 2) and media_s - track.seen_s > limit_s + SAME_MOMENT_S
            if not (late or track.refused):
                kept.append(row)
            elif track.confirmed:
                gone.append(track.number)
        if len(kept) == len(self._tracks):
            return ()
        self._tracks = [self._tracks[row] for row in kept]
        self._motion = self._motion[np.array(kept, np.intp)]
        return tuple(gone)


def _centres(boxes: Array) -> Array:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)
