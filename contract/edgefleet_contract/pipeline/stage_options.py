"""Options that stages pass to the algorithms, without the algorithms."""

from __future__ import annotations

from dataclasses import dataclass

METHODS = ("concat", "mean", "nms", "vote", "wbf")
"""Methods of an ensemble to merge boxes (`edgefleet_agent.vision.ensemble_boxes`)."""


@dataclass(frozen=True, slots=True)
class MotionOptions:
    """Options of motion detection. threshold: luma steps (of 255) that count as a difference. min_area: least differing share of
    the picture. join: gaps up to this share of the picture's height are closed, because a car's windscreen differs less than its
    bonnet."""

    threshold: float = 14.0
    min_area: float = 0.002
    join: float = 0.02


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """Options of a tracker. min_score: score of a box that confirms a track. low_score: least score that starts or continues one
    (equal to `min_score`: no second association phase). max_lost_s: time for which a lost track is retained. any_label: boxes of
    all labels may belong to one track, labelled by the highest sum of scores. similarity: cosine from which two embeddings are of
    one object. max_objects: boxes of one frame that are followed, those with the best scores."""

    min_score: float = 0.5
    low_score: float = 0.2
    max_lost_s: float = 2.0
    any_label: bool = False
    similarity: float = 0.6
    max_objects: int = 100
