"""What models said about the parts of a picture that a track went through: its attributes.

One look is one opinion. A class is what most of the looks at a track were for, by sum of scores; of boxes, key points and scores
the best look stands. Embeddings are kept by the tracker, not here: a vector is no attribute that a person reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.encoding.codec import to_plain

TRACKS_MAX = 1000
"""Tracks remembered; the oldest give way."""

LABELS_MAX = 64
"""Different labels remembered of one track by one stage: text is read differently at every look."""


@dataclass(slots=True)
class TrackAttribute:
    """One stage's looks at one track. votes: sum of scores by label."""

    looks: int = 0
    last_s: float = -1e9
    votes: dict[str, float] = field(default_factory=dict)
    best: ModelOutput | None = None

    @property
    def label(self) -> str:
        """What it is by all looks; "" where none said anything."""
        return max(self.votes, key=self.votes.__getitem__) if self.votes else ""

    def plain(self) -> dict[str, Any]:
        """As it stands in events: label, mean score, looks, and what the best look showed."""
        label = self.label
        told = {"label": label, "score": round(self.votes.get(label, 0.0) / max(1, self.looks), 4), "looks": self.looks}
        if self.best is not None:
            shown = to_plain(self.best)
            told.update({name: shown[name] for name in ("box", "keypoints", "characters") if name in shown})
        return told


class TrackAttributes:
    """Attributes of the tracks of one source."""

    def __init__(self) -> None:
        self._tracks: dict[int, dict[str, TrackAttribute]] = {}

    def take(self, track_id: int, stage: str, answers: Iterable[ModelOutput], media_s: float) -> None:
        """One look of `stage` at a track: what it answered, best first; nothing where it saw nothing that counts."""
        if track_id not in self._tracks and len(self._tracks) >= TRACKS_MAX:
            self._tracks.pop(next(iter(self._tracks)))
        trait = self._tracks.setdefault(track_id, {}).setdefault(stage, TrackAttribute())
        trait.looks, trait.last_s = trait.looks + 1, media_s
        for answer in answers:
            trait.votes[answer.label] = trait.votes.get(answer.label, 0.0) + answer.score
            if len(trait.votes) > LABELS_MAX:
                trait.votes.pop(min(trait.votes, key=trait.votes.__getitem__))
            if trait.best is None or answer.score > trait.best.score:
                trait.best = answer
            break

    def looked(self, track_id: int, stage: str) -> tuple[int, float]:
        """How often the stage looked at the track, and when last."""
        trait = self._tracks.get(track_id, {}).get(stage)
        return (trait.looks, trait.last_s) if trait is not None else (0, -1e9)

    def label(self, track_id: int, stage: str) -> str:
        """The attribute's label; "" while there is none."""
        trait = self._tracks.get(track_id, {}).get(stage)
        return trait.label if trait is not None else ""

    def of(self, track_id: int | None) -> dict[str, Any]:
        """All attributes of a track that say something, by stage."""
        if track_id is None:
            return {}
        return {stage: trait.plain() for stage, trait in self._tracks.get(track_id, {}).items() if trait.votes}

    def forget(self, track_ids: Iterable[int]) -> None:
        """These tracks are gone."""
        for track_id in track_ids:
            self._tracks.pop(track_id, None)
