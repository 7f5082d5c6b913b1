"""What stages hand to the algorithms behind them: names and numbers, without the algorithms."""

from __future__ import annotations

from dataclasses import dataclass

METHODS = ("concat", "mean", "nms", "vote", "wbf")
"""How an ensemble joins boxes (`edgefleet_agent.vision.ensemble_boxes`)."""


@dataclass(frozen=True, slots=True)
class MotionOptions:
    """threshold: luma steps (of 255) that are a difference. min_area: least differing share of the picture. join: gaps up to this
    share of the picture's height are closed, because a windscreen differs less than the bonnet before it."""

    threshold: float = 14.0
    min_area: float = 0.002
    join: float = 0.02


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """min_score: a box scoring so much confirms a track. low_score: the least that may begin or continue one (equal to
    `min_score` switches the second stage off). max_lost_s: how long a track out of sight is kept. any_label: boxes of all labels
    may belong to one track, which is named after the label that scored most in total. likeness: cosine of two embeddings from
    which on they are of one thing."""

    min_score: float = 0.5
    low_score: float = 0.2
    max_lost_s: float = 2.0
    any_label: bool = False
    likeness: float = 0.6
