"""Finds parts of a valid pipeline that can never work, for its author; a device that has it already goes on with the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.pipeline.spec import MaskSpec, PipelineSpec, Point, ZoneSpec

AREA_MIN = 1e-6
"""Least area of a polygon, as a share of the picture: less than three pixels of 1920 x 1080."""
MODEL_STAGES = ("classify", "detect")
"""Stages whose results have the labels of a model."""


def check_possible(spec: PipelineSpec) -> None:
    """Check that every part of a valid pipeline can have an effect.

    Raises:
        PipelineError: names file and line, and the part that cannot.
    """
    _check_numbers(spec, spec)
    shapes: tuple[tuple[str, Sequence[ZoneSpec | MaskSpec]], ...] = (("zone", spec.zones), ("mask", spec.masks))
    for what, areas in shapes:
        for index, area in enumerate(areas):
            if _area(area.polygon) < AREA_MIN:
                at = spec.at(f"{what}s", index, "polygon")
                raise PipelineError(f"{at}: {what} {area.name!r} has no area; its corners must not be on one line")
    for index, line in enumerate(spec.lines):
        if line.points[0] == line.points[1]:
            at = spec.at("lines", index, "points")
            raise PipelineError(f"{at}: line {line.name!r}: its two points are equal; nothing can cross it")
        if line.forward == line.backward:
            at = spec.at("lines", index, "backward")
            raise PipelineError(f"{at}: line {line.name!r}: both directions are called {line.forward!r}; give them two names")
    _check_labels(spec)


def _check_labels(spec: PipelineSpec) -> None:
    models = [stage for stage in spec.stages if stage.kind in MODEL_STAGES]
    if not spec.stages or any(not stage.labels for stage in models):  # any label of the model
        return
    known = {label for stage in models for label in stage.labels}
    known |= {"motion"} if any(stage.kind == "motion" for stage in spec.stages) else set()
    if not known:
        return
    for index, rule in enumerate(spec.rules):
        strange = next((label for label in rule.labels if label not in known), None)
        if strange is not None:
            at, there = spec.at("rules", index, "labels"), ", ".join(sorted(known))
            raise PipelineError(f"{at}: rule {rule.name!r}: no stage gives label {strange!r}; they give {there}")


def _check_numbers(spec: PipelineSpec, value: Any, *path: str | int) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise PipelineError(f"{spec.at(*path)}: {path[-1]}: must be a finite number, not {value}")
    if isinstance(value, Wire):
        for field in msgspec.structs.fields(value):
            if field.name not in ("places", "unknown_fields"):
                _check_numbers(spec, getattr(value, field.name), *path, field.encode_name)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_numbers(spec, item, *path, key)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _check_numbers(spec, item, *path, index)


def _area(polygon: list[Point]) -> float:
    """The area of the largest triangle of the first corner and two others: also a polygon that crosses itself has one."""
    (x0, y0), *others = polygon
    return max((abs((x - x0) * (v - y0) - (u - x0) * (y - y0)) / 2 for x, y in others for u, v in others), default=0.0)
