"""Options that stages pass to the algorithms, without the algorithms."""

from __future__ import annotations

from dataclasses import dataclass

METHODS = ("concat", "mean", "nms", "vote", "wbf")
"""How an ensemble merges boxes (`edgefleet_agent.vision.ensemble_boxes`)."""


@dataclass(frozen=True, slots=True)
class MotionOptions:
    """threshold: luma steps (of 255) that count as a difference. min_area: least differing share of the picture. join: gaps up to
    this share of the picture's height are closed, because a windscreen differs less than the bonnet before it."""

    threshold: float = 14.0
    min_area: float = 0.002
    join: float = 0.02


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """min_score: score of a box that confirms a track. low_score: least score that starts or continues one (equal to `min_score`:
    no second association stage). max_lost_s: how long a lost track is retained. any_label: boxes of all labels may belong to one
    track, labelled by the highest sum of scores. similarity: cosine from which two embeddings are of one object."""

    min_score: float = 0.5
    low_score: float = 0.2
    max_lost_s: float = 2.0
    any_label: bool = False
    similarity: float = 0.6
