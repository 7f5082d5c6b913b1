"""Attributes of tracks: merged results of crops stages for each track.

A label is the one with the largest sum of scores over all runs; of boxes, key points and scores the best result is used, of the
numbers of a regression the mean.
Embeddings are stored by the tracker, not here: they are not part of events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.encoding.codec import to_plain

TRACKS_MAX = 1000
"""Tracks remembered; the oldest are dropped."""

LABELS_MAX = 64
"""Labels remembered of one track and stage: recognised text differs from frame to frame."""


@dataclass(slots=True)
class TrackAttribute:
    """Results of one stage for one track. votes: sum of scores by label; sums: of the numbers of a regression and their count, by
    name."""

    runs: int = 0
    last_s: float = -1e9
    votes: dict[str, float] = field(default_factory=dict)
    sums: dict[str, tuple[float, int]] = field(default_factory=dict)
    best: ModelOutput | None = None

    @property
    def label(self) -> str:
        """The label with the most votes; "" without any."""
        return max(self.votes, key=self.votes.__getitem__) if self.votes else ""

    def plain(self) -> dict[str, Any]:
        """The attribute as written in events: label, mean score, runs, and details of the best result."""
        label = self.label
        plain = {"label": label, "score": round(self.votes.get(label, 0.0) / max(1, self.runs), 4), "runs": self.runs}
        if self.best is not None:
            shown = to_plain(self.best)
            plain.update({name: shown[name] for name in ("box", "keypoints", "characters", "units") if name in shown})
            if self.best.values:
                means = {name: round(total / count, 4) for name, (total, count) in self.sums.items()}
                plain["values"] = {**self.best.values, **means}
        return plain

    def add_numbers(self, answer: ModelOutput) -> None:
        """Add the numbers of one run."""
        for name, value in answer.values.items():
            if not isinstance(value, str):
                total, count = self.sums.get(name, (0.0, 0))
                self.sums[name] = (total + value, count + 1)


class TrackAttributes:
    """Attributes of the tracks of one source."""

    def __init__(self) -> None:
        self._tracks: dict[int, dict[str, TrackAttribute]] = {}

    def take(self, track_id: int, stage: str, answers: Iterable[ModelOutput], media_s: float) -> None:
        """Add one run of `stage` on a track: its results, best first; empty if nothing reached the threshold."""
        if track_id not in self._tracks and len(self._tracks) >= TRACKS_MAX:
            self._tracks.pop(next(iter(self._tracks)))
        trait = self._tracks.setdefault(track_id, {}).setdefault(stage, TrackAttribute())
        trait.runs, trait.last_s = trait.runs + 1, media_s
        for answer in answers:
            trait.add_numbers(answer)
            trait.votes[answer.label] = trait.votes.get(answer.label, 0.0) + answer.score
            if len(trait.votes) > LABELS_MAX:
                trait.votes.pop(min(trait.votes, key=trait.votes.__getitem__))
            if trait.best is None or answer.score > trait.best.score:
                trait.best = answer
            break

    def runs(self, track_id: int, stage: str) -> tuple[int, float]:
        """Number of runs of the stage on the track, and the time of the last."""
        trait = self._tracks.get(track_id, {}).get(stage)
        return (trait.runs, trait.last_s) if trait is not None else (0, -1e9)

    def label(self, track_id: int, stage: str) -> str:
        """The attribute's label; "" if there is none."""
        trait = self._tracks.get(track_id, {}).get(stage)
        return trait.label if trait is not None else ""

    def of(self, track_id: int | None) -> dict[str, Any]:
        """All attributes of a track that have a label, by stage."""
        if track_id is None:
            return {}
        return {stage: trait.plain() for stage, trait in self._tracks.get(track_id, {}).items() if trait.votes}

    def forget(self, track_ids: Iterable[int]) -> None:
        """Drop ended tracks."""
        for track_id in track_ids:
            self._tracks.pop(track_id, None)
