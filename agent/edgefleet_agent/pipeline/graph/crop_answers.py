"""Answers of models for crops: labels of one model, and the combined labels of an ensemble."""

from __future__ import annotations

from collections.abc import Sequence

from edgefleet_agent.pipeline.graph.track_state import CLASSES_MAX
from edgefleet_agent.vision.answers import ModelOutput, model_outputs
from edgefleet_agent.vision.results import Result
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.pipeline.nodes import CropsNode, MergeNode

ANSWERS_MAX = 5
"""Limit of classes of one crop that an ensemble gets."""


def labelled_answers(node: CropsNode, result: Result, labels: tuple[str, ...]) -> list[ModelOutput]:
    """The answers for one crop with one of the node's labels, best first."""

    def name(number: int) -> str:
        return class_name(labels, number)

    top = (len(labels) or CLASSES_MAX) if node.labels else ANSWERS_MAX
    outputs = model_outputs(result, name, top)
    found = [one for one in outputs if one.score >= node.min_score and (not node.labels or one.label in node.labels)]
    return found[:ANSWERS_MAX]


def combined_answers(node: MergeNode, given: Sequence[Sequence[ModelOutput]]) -> list[ModelOutput]:
    """Combined labels of several models for one object, best first. `vote`: one vote per model for its best; `mean`: scores."""
    totals: dict[str, list[float]] = {}
    for weight, ranked in zip(node.weights, given, strict=True):
        for answer in ranked[:1] if node.method == "vote" else ranked:
            totals.setdefault(answer.label, []).append(weight * (1.0 if node.method == "vote" else answer.score))
    whole = sum(node.weights)
    chosen = [(sum(votes) / whole, label) for label, votes in totals.items() if len(votes) >= node.votes]
    return [ModelOutput(label=label, class_id=0, score=round(score, 4)) for score, label in sorted(chosen, reverse=True)]
