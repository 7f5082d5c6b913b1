"""A two-stage multi-object tracker that works in seconds.

Boxes of high score are matched to tracks first; boxes of low score may then continue the remaining tracks (ByteTrack, Zhang et
al., 2022). Three parts are our own, because counts need true first and last times at any frame rate: motion is filtered in
seconds; if boxes are too far apart to overlap (low rates), the centre may match within the filter's own uncertainty; and a track
may start from a low score, hidden until a high score confirms it, and is then reported from its first box on.

If the caller provides embeddings of the boxes (appearance), they decide between candidates at the same position, reject clearly
different objects, and find an object that returns elsewhere. Embeddings are learned from uncovered boxes only (the exponential
mean and the exclusion of covered boxes: StrongSORT, Du et al., 2022).

Pure: the caller gives time and frame number. Limitation: two objects of one label are one track while one box covers the other
from its first appearance on (`COVERED_MAX`); they become two tracks when they separate.
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
from edgefleet_agent.vision.tracking.camera_shake import CameraShake
from edgefleet_agent.vision.tracking.kalman import Array, BoxMotion, sizes
from edgefleet_agent.vision.tracking.pair_geometry import PairGeometry
from edgefleet_contract.pipeline.stage_options import TrackerOptions

TRACKS_PER_OBJECT = 2
"""Tracks alive at once for each of `max_objects`: those out of sight and unconfirmed ones included."""
DUPLICATE_IOU = 0.6
"""Two boxes of one label with a larger overlap are one object detected twice; the better one is used."""
COVERED_MAX = 0.85
"""A box covered this much by a tracked box is part of that object and starts no track."""
FLICKER_S = 0.5
"""Longest absence of an unconfirmed track, or of one continued by low scores only."""
SAME_MOMENT_S = 1e-6
"""Times closer than this are the same: frame times are sums of floats, and limits must not depend on the clock's origin."""
BACKDATE_S_MAX = 1.0
"""Longest time between a track's start and its first high score."""
UNLIKE = 0.25
"""A cosine this much below `similarity` means another object, at any position."""
EMBEDDING_MEMORY, EMBEDDING_COVER_MAX = 0.9, 0.25
"""Weight of the old embedding against a new one; boxes that are covered more than this by another box are not learned."""
RETURN_COST = 10.0
"""Added to the cost of a match by appearance alone: position comes first."""

Box = tuple[float, float, float, float]
Shake = tuple[float, float]
Indices = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]
Embeddings = npt.NDArray[np.float32]
"""Embeddings of length 1, a row each; a row of NaN if not computed."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A confirmed track in one frame. box: x1, y1, x2, y2 in pixels, filtered. score: the detector's. stationary: it has
    not moved for a while; known: it was stationary before this track began (see `edgefleet_agent.vision.tracking.stationary`).
    shake: x, y in pixels by which the camera's picture was off its place at rest (see `camera_shake`)."""

    track_id: int
    class_id: int
    frame: int
    media_s: float
    box: Box
    score: float
    stationary: bool = False
    known: bool = False
    shake: Shake = (0.0, 0.0)

    @property
    def steady_box(self) -> Box:
        """The box in the picture of the camera at rest, where zones, lines and planes are."""
        if self.shake == (0.0, 0.0):
            return self.box
        (x, y), (x1, y1, x2, y2) = self.shake, self.box
        return x1 - x, y1 - y, x2 - x, y2 - y


@dataclass(frozen=True, slots=True)
class TrackResult:
    """Tracks of one frame. `sightings` are in time order for each track and include, for a track just confirmed, its earlier
    ones. `ended`: ended tracks. `detections`: the frame's boxes with their track numbers. `left_out`: boxes beyond
    `TrackerOptions.max_objects`, which are not followed."""

    frame: int
    media_s: float
    sightings: tuple[Sighting, ...] = ()
    ended: tuple[int, ...] = ()
    detections: Detections = field(default_factory=Detections.empty)
    left_out: int = 0


@dataclass(slots=True)
class _Track:
    """One track. `waiting`: the sightings of a track that is not confirmed yet; None afterwards. number: 0 until then."""

    seen_s: float
    votes: dict[int, float]
    waiting: list[Sighting] | None
    number: int = 0
    hits: int = 1
    frames_missed: int = 0
    refused: bool = False
    embedding: Embeddings | None = None

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
        self._motion = BoxMotion.none()
        self._shake = CameraShake()
        self._now_s: float | None = None
        self._left_out = 0

    def update(self, detections: Detections, frame: int, media_s: float, embeddings: Embeddings | None = None) -> TrackResult:
        """Process the boxes of one frame; `media_s` rises from call to call. embeddings: (n, size) of the boxes, if known."""
        seen, better = self._worth_following(detections)
        elapsed_s = max(0.0, media_s - self._now_s) if self._now_s is not None else 0.0
        self._now_s = media_s
        self._shake.rest(elapsed_s, media_s)
        if not self._tracks and not len(seen):
            return TrackResult(frame, media_s, detections=detections)
        unseen = np.fromiter((track.frames_missed > 0 for track in self._tracks), np.bool_, len(self._tracks))
        self._motion = self._motion.after(elapsed_s, unseen)
        measured = detections.boxes[seen].astype(np.float64)
        scores = detections.scores[seen].astype(np.float64)
        classes = detections.class_ids[seen]
        chosen = embeddings[seen] if embeddings is not None and len(embeddings) else None
        pairs = self._match(measured, scores, classes, media_s, chosen, ~unseen, better)
        self._take(pairs, measured, scores, classes, media_s)
        pairs.update(self._give_birth(pairs, measured, scores, classes, media_s, better))
        if chosen is not None:
            self._learn_embeddings(pairs, measured, chosen)
        sightings = self._sightings(pairs, scores, frame, media_s)
        track_ids = np.full(len(detections), -1, np.int32)
        for row, index in pairs.items():
            if self._tracks[row].confirmed:
                track_ids[seen[index]] = self._tracks[row].number
        ended = self._forget(media_s)
        return TrackResult(frame, media_s, tuple(sightings), ended, detections.with_tracks(track_ids), self._left_out)

    def finish(self, frame: int, media_s: float) -> TrackResult:
        """End every track at the end of the source."""
        ended = tuple(track.number for track in self._tracks if track.confirmed)
        self._tracks, self._motion = [], BoxMotion.none()
        return TrackResult(frame, media_s, ended=ended)

    def _worth_following(self, detections: Detections) -> tuple[Indices, Indices]:
        """Indices of boxes above `low_score`, best first, at most `max_objects`, and for each the place of the better box of the
        same label that it seems to duplicate, or -1."""
        scores = detections.scores
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] >= self.options.low_score]
        self._left_out = max(0, len(order) - self.options.max_objects)
        order = order[: self.options.max_objects]
        better = np.full(len(order), -1, np.intp)
        if len(order) < 2:
            return order, better
        same = box_math.ious(detections.boxes[order], detections.boxes[order]) > DUPLICATE_IOU
        if not self.options.any_label:
            same &= detections.class_ids[order][:, None] == detections.class_ids[order][None, :]
        if np.count_nonzero(same) > len(order):  # more than each box with itself
            for index in range(1, len(order)):
                found = np.flatnonzero(same[index, :index] & (better[:index] < 0))
                better[index] = found[0] if len(found) else -1
        return order, better

    def uncertainty(self) -> float:
        """Uncertainty of positions, 0..1: the widest spread of a confirmed track's centre, in its own sizes."""
        rows = [row for row, track in enumerate(self._tracks) if track.confirmed]
        if not rows:
            return 0.0
        spread = np.sqrt(self._motion.centre_variance()[rows].max(axis=1)) / sizes(self._motion.edges[rows])
        return min(1.0, float(spread.max()))

    def _match(
        self,
        measured: Array,
        scores: Array,
        classes: npt.NDArray[np.int32],
        media_s: float,
        embeddings: Embeddings | None,
        current: Bools,
        better: Indices,
    ) -> dict[int, int]:
        """Track row -> box index, by stages: confirmed before unconfirmed, each by high scores and then by low ones. An apparent
        duplicate is a second object if the better box is another confirmed track's. current: the tracks of the last frame."""
        pairs: dict[int, int] = {}
        if not len(measured) or not self._tracks:
            return pairs
        costs = self._costs(measured, classes, media_s, current)
        if embeddings is not None:
            costs = self._with_appearance(costs, classes, embeddings, media_s)
        single, high = better < 0, scores >= self.options.min_score
        confirmed = np.array([track.confirmed for track in self._tracks])
        fresh = np.array([self._fresh(track, media_s) for track in self._tracks])
        free_rows, free_boxes = np.ones(len(self._tracks), np.bool_), np.ones(len(measured), np.bool_)
        stages = (
            (confirmed, high, False),
            (confirmed & fresh, ~high, False),
            (confirmed & fresh, ~single, True),
            (~confirmed, high, False),
            (~confirmed, ~high, False),
        )
        for rows, boxes, second in stages:
            possible = ~single & ~free_boxes[better] if second else single
            rows, boxes = rows & free_rows, boxes & free_boxes & possible  # noqa: PLW2901 - what is left of them
            if not (rows.any() and boxes.any()):
                continue
            found = assign(np.where(rows[:, None] & boxes[None, :], costs, np.inf))
            pairs.update(found)
            for row, index in found:
                free_rows[row] = free_boxes[index] = False
        back = np.array([row for row, index in pairs.items() if costs[row, index] >= RETURN_COST], np.intp)
        if len(back):  # the movement in between was not observed: the motion state is void
            there = [pairs[int(row)] for row in back]
            self._motion = self._motion.replaced(back, BoxMotion.born(measured[there], scores[there]))
        return pairs

    def _costs(self, measured: Array, classes: npt.NDArray[np.int32], media_s: float, current: npt.NDArray[np.bool_]) -> Array:
        """Costs (tracks, boxes) by position, after the tracks were moved with the camera; infinite between labels."""
        if self.options.any_label:
            possible = np.ones((len(self._tracks), len(measured)), np.bool_)
        else:
            possible = np.array([track.class_id for track in self._tracks])[:, None] == classes[None]
        geometry = PairGeometry.between(self._motion, measured)
        rows = np.flatnonzero(current)
        moved = self._shake.measure(geometry, possible, rows, media_s)
        if moved is not None:
            self._motion = self._motion.moved(moved.pixels, moved.speed)
            geometry = PairGeometry.between(self._motion, measured)
        costs = geometry.costs(np.array([track.hits for track in self._tracks]))
        costs[~possible] = np.inf
        return costs

    def _with_appearance(self, costs: Array, classes: npt.NDArray[np.int32], embeddings: Embeddings, media_s: float) -> Array:
        """Costs (tracks, boxes) with appearance: similar pairs are cheaper, dissimilar ones are excluded, and a track that was
        out of sight may return anywhere."""
        size = embeddings.shape[1]
        none = np.full(size, np.nan, np.float32)
        known = np.array(
            [none if track.embedding is None or len(track.embedding) != size else track.embedding for track in self._tracks]
        )
        alike = known @ embeddings.T
        judged_pairs = np.isfinite(alike)
        unlike = np.where(judged_pairs, 1.0 - alike, 0.0)
        away = np.array([track.confirmed and track.frames_missed > 0 for track in self._tracks])
        # After a long time out of sight the position is uncertain: the appearance has to be similar, not only not dissimilar.
        lost = np.array([media_s - track.seen_s > FLICKER_S for track in self._tracks])
        least = self.options.similarity - np.where(lost, 0.0, UNLIKE)
        judged = np.where(judged_pairs & (alike < least[:, None]), np.inf, costs + unlike)
        back = judged_pairs & (alike >= self.options.similarity) & away[:, None]
        if not self.options.any_label:
            back &= np.array([track.class_id for track in self._tracks])[:, None] == classes[None]
        return np.asarray(np.where(back & ~np.isfinite(judged), RETURN_COST + unlike, judged), np.float64)

    def _learn_embeddings(self, pairs: dict[int, int], measured: Array, embeddings: Embeddings) -> None:
        """Update the embeddings of tracks from uncovered boxes."""
        hidden = box_math.covered(measured, measured)
        np.fill_diagonal(hidden, 0.0)
        clear = hidden.max(axis=1, initial=0.0) <= EMBEDDING_COVER_MAX
        for row, index in pairs.items():
            track, embedding = self._tracks[row], embeddings[index]
            if not clear[index] or not np.isfinite(embedding).all():
                continue
            if track.embedding is not None and len(track.embedding) == len(embedding):
                embedding = EMBEDDING_MEMORY * track.embedding + (1 - EMBEDDING_MEMORY) * embedding
            track.embedding = np.asarray(embedding / max(1e-9, float(np.linalg.norm(embedding))), np.float32)

    def _fresh(self, track: _Track, media_s: float) -> bool:
        return track.frames_missed <= 1 or media_s - track.seen_s <= FLICKER_S + SAME_MOMENT_S

    def _take(
        self, pairs: dict[int, int], measured: Array, scores: Array, classes: npt.NDArray[np.int32], media_s: float
    ) -> None:
        rows, indices = np.array(list(pairs), np.intp), np.array(list(pairs.values()), np.intp)
        self._motion = self._motion.corrected(rows, measured[indices], scores[indices])
        for row, track in enumerate(self._tracks):
            index = pairs.get(row)
            if index is None:
                track.frames_missed += 1
                continue
            label = int(classes[index])
            track.votes[label] = track.votes.get(label, 0.0) + float(scores[index])
            track.hits, track.frames_missed, track.seen_s = track.hits + 1, 0, media_s

    def _give_birth(
        self,
        pairs: dict[int, int],
        measured: Array,
        scores: Array,
        classes: npt.NDArray[np.int32],
        media_s: float,
        better: Indices,
    ) -> dict[int, int]:
        """Start tracks from unmatched boxes, unless a better or a tracked box explains them. Row -> box index of the new ones."""
        taken = list(pairs.values())
        if len(taken) == len(measured):
            return {}
        matched = set(taken)
        free = [index for index in range(len(measured)) if index not in matched and better[index] < 0]
        born: dict[int, int] = {}
        for index in free:  # best scores first
            others = np.array([*taken, *born.values()], np.intp)
            if not self.options.any_label:
                others = others[classes[others] == classes[index]]
            if len(others) and box_math.covered(measured[index : index + 1], measured[others]).max() > COVERED_MAX:
                continue
            if len(self._tracks) >= TRACKS_PER_OBJECT * self.options.max_objects:
                self._left_out += 1
                continue
            votes = {int(classes[index]): float(scores[index])}
            self._tracks.append(_Track(media_s, votes, waiting=[]))
            born[len(self._tracks) - 1] = index
        if born:
            indices = np.array(list(born.values()), np.intp)
            self._motion = self._motion.joined(BoxMotion.born(measured[indices], scores[indices]))
        return born

    def _sightings(self, pairs: dict[int, int], scores: Array, frame: int, media_s: float) -> list[Sighting]:
        """Sightings of confirmed tracks; confirms those that have two boxes and a high score among them."""
        found: list[Sighting] = []
        rows = sorted(pairs, key=lambda row: (not self._tracks[row].confirmed, -scores[pairs[row]]))
        for row in rows:
            track, edges = self._tracks[row], self._motion.edges[row]
            box = (float(edges[0]), float(edges[1]), float(edges[2]), float(edges[3]))
            score = float(scores[pairs[row]])
            sighting = Sighting(track.number, track.class_id, frame, media_s, box, score, shake=self._shake.offset)
            if track.waiting is None:
                found.append(sighting)
            elif self._explained(sighting, found):
                track.refused = True
            else:
                found.extend(self._confirm(track, track.waiting, sighting))
        return found

    def _confirm(self, track: _Track, waiting: list[Sighting], sighting: Sighting) -> list[Sighting]:
        """All sightings of a track that `sighting` confirms; empty if it does not."""
        waiting = [old for old in waiting if sighting.media_s - old.media_s <= BACKDATE_S_MAX + SAME_MOMENT_S] + [sighting]
        if len(waiting) > 1 and max(old.score for old in waiting) >= self.options.min_score:
            track.waiting, track.number = None, next(self._ids)
            return [replace(old, track_id=track.number) for old in waiting]
        track.waiting = waiting
        return []

    def _explained(self, sighting: Sighting, confirmed: list[Sighting]) -> bool:
        """Whether an unconfirmed box is a second detection of a confirmed object: one of the two covers the other."""
        rivals = [old.box for old in confirmed if self.options.any_label or old.class_id == sighting.class_id]
        if not rivals:
            return False
        return bool(box_math.covered(np.array([sighting.box]), np.array(rivals)).max() > COVERED_MAX)

    def _forget(self, media_s: float) -> tuple[int, ...]:
        """Drop tracks that were out of sight for too long; returns the numbers of confirmed ones."""
        remaining: list[int] = []
        ended: list[int] = []
        for row, track in enumerate(self._tracks):
            limit_s = self.options.max_lost_s if track.confirmed else FLICKER_S
            late = track.frames_missed >= (1 if track.confirmed else 2) and media_s - track.seen_s > limit_s + SAME_MOMENT_S
            if not (late or track.refused):
                remaining.append(row)
            elif track.confirmed:
                ended.append(track.number)
        if len(remaining) == len(self._tracks):
            return ()
        self._tracks = [self._tracks[row] for row in remaining]
        self._motion = self._motion[np.array(remaining, np.intp)]
        return tuple(ended)
