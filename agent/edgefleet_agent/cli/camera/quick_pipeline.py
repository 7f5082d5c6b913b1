"""The pipeline of `try` and of `init`: detect, track, visits, and crossings if a line is given."""

from __future__ import annotations

import argparse

from edgefleet_contract.pipeline.spec import EvidenceSpec, LineSpec, PipelineSpec, Point, RuleSpec, SourceSpec, StageSpec

LINE, CROSSINGS, VISITS = "line", "crossings", "visits"
"""Names of the line and of the rules."""


def line_argument(text: str) -> tuple[Point, Point]:
    """Parse `x1,y1,x2,y2`; an argument type."""
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not x1,y1,x2,y2, like 0.5,1,0.5,0")
    if not all(0.0 <= value <= 1.0 for value in values):
        raise argparse.ArgumentTypeError(f"{text!r}: points are fractions of the picture's width and height, from 0 to 1")
    points = (values[0], values[1]), (values[2], values[3])
    if points[0] == points[1]:
        raise argparse.ArgumentTypeError(f"{text!r}: the two points of a line are different")
    return points


def classes_argument(text: str) -> list[str]:
    """Parse `person,car`; an argument type."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of labels, like person,car")
    return list(dict.fromkeys(names))


def quick_pipeline(
    name: str,
    source: SourceSpec,
    *,
    model: str,
    line: tuple[Point, Point] | None,
    classes: list[str],
    min_score: float,
    evidence: EvidenceSpec | None = None,
) -> PipelineSpec:
    """The pipeline. `model`: as in a stage; `line`: None counts visits only."""
    rules = [RuleSpec(name=VISITS, kind="visit")]
    if line is not None:
        rules.insert(0, RuleSpec(name=CROSSINGS, kind="line", line=LINE))
    return PipelineSpec(
        name=name,
        source=source,
        stages=[
            StageSpec(name="find", kind="detect", model=model, labels=classes, min_score=min_score),
            StageSpec(name="follow", kind="track", from_="find"),
        ],
        lines=[LineSpec(name=LINE, points=line)] if line is not None else [],
        rules=rules,
        evidence=evidence,
    )
