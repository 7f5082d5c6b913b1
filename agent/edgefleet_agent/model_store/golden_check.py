"""Verdict on a package on this device: compares its answers with golden answers, and its measurements with budgets.

Pure: the command `selftest` loads the model and measures; this module is independent of runtimes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.box_parts import mask_iou
from edgefleet_agent.vision.nms import iou_matrix
from edgefleet_agent.vision.rotated_boxes import quad_ious
from edgefleet_contract.core.errors import ManifestError, MessageError
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.encoding.number_text import number_text
from edgefleet_contract.model_kinds import RESULT_KINDS
from edgefleet_contract.package.manifest import Budgets, Golden
from edgefleet_contract.wire.reason_codes import Reason

MIN_SCORE = 0.5
"""Boxes of at least this score have to match the golden answer."""
ANSWERS_MAX = 1000
POINT_DISTANCE_MAX = 0.1
"""Largest distance of a key point from the golden one, as a fraction of the longer side of its object."""


class GoldenVerdict(Wire):
    """Output of `selftest --json`. memory_bytes: growth of the process; latency_ms: median of a whole frame."""

    ok: bool
    reason: Reason
    detail: str
    latency_ms: float
    memory_bytes: int
    runtime: str
    device: str
    variant: str


class _Expected(Wire):
    answers: list[ModelOutput]


def read_expected(data: bytes, where: str) -> list[ModelOutput]:
    """The expected answers of one golden sample: the output of `infer --json` for one picture, or its list of results alone.

    Raises:
        ManifestError: neither of them.
    """
    try:
        expected = from_plain({"answers": _results(msgspec.json.decode(data))}, _Expected).answers
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, MessageError) as cause:
        remedy = "make it by `edgefleet model golden DIR --images FILE`"
        raise ManifestError(f"{where}: not the output of `infer --json` for one picture: {cause}; {remedy}") from cause
    if len(expected) > ANSWERS_MAX:
        raise ManifestError(f"{where}: {len(expected)} results exceed the limit of {ANSWERS_MAX}")
    for answer in expected:
        _check_area(answer, where)
    return expected


def _results(plain: Any) -> Any:
    """The list of results in the output of `infer --json` for one picture; anything else as it is."""
    row = plain[0] if isinstance(plain, list) and len(plain) == 1 else plain
    lists = [row[kind] for kind in RESULT_KINDS if isinstance(row.get(kind), list)] if isinstance(row, dict) else []
    return lists[0] if len(lists) == 1 else plain


def lowest_score(golden: Golden) -> float:
    """Minimum score for decoding: a box just above `MIN_SCORE` in the golden answer may fall just below it on this device."""
    return max(0.0, MIN_SCORE - golden.score_tolerance)


def differences(expected: Sequence[ModelOutput], found: Sequence[ModelOutput], golden: Golden) -> str:
    """Describes how `found` differs from the golden answer; "" if it is within the tolerances."""
    if any(answer.vector for answer in expected):
        return _vector_differences(expected, found, golden)
    if any(answer.values for answer in expected):
        return _value_differences(expected, found, golden)
    if any(answer.box is None for answer in [*expected, *found]):
        return _class_differences(expected, found, golden)
    matched = _match(expected, found, golden)
    missing = [answer for answer, partner in zip(expected, matched, strict=True) if partner < 0]
    surplus = [
        answer
        for index, answer in enumerate(found)
        if index not in matched and answer.score >= MIN_SCORE + golden.score_tolerance
    ]
    if len(missing) <= golden.missing_max and len(surplus) <= golden.extra_max:
        return ""
    text = f"{golden.input}: expected {len(expected)} objects, found {sum(answer.score >= MIN_SCORE for answer in found)}"
    if len(missing) > golden.missing_max:
        text += f"; {len(missing)} missing, first {_name(missing[0])}"
    if len(surplus) > golden.extra_max:
        text += f"; {len(surplus)} too many, first {_name(surplus[0])}"
    return text


def over_budget(budgets: Budgets, latency_ms: float, memory_bytes: int) -> tuple[Reason, str]:
    """The first exceeded budget as a reason and a text; (NONE, "") if none is exceeded."""
    if budgets.latency_ms and latency_ms > budgets.latency_ms:
        return Reason.OVER_LATENCY, f"{latency_ms:.1f} ms per frame exceed the budget of {budgets.latency_ms:g} ms"
    if budgets.memory_bytes and memory_bytes > budgets.memory_bytes:
        return Reason.OVER_MEMORY, f"{memory_bytes} bytes of memory exceed the budget of {budgets.memory_bytes} bytes"
    return Reason.NONE, ""


def _class_differences(expected: Sequence[ModelOutput], found: Sequence[ModelOutput], golden: Golden) -> str:
    scores = {_class(answer): answer.score for answer in found}
    best_expected, best_found = (max(answers, key=lambda answer: answer.score, default=None) for answers in (expected, found))
    if best_expected is None:
        return f"{golden.input}: expected nothing, found {_name(best_found)}" if best_found else ""
    if best_found is None or _class(best_found) != _class(best_expected):
        return f"{golden.input}: expected {_name(best_expected)}, found {_name(best_found) if best_found else 'nothing'}"
    for answer in expected:
        score = scores.get(_class(answer), 0.0)
        if not abs(score - answer.score) <= golden.score_tolerance:
            found_score = f"has a score of {number_text(score, '.3f')}"
            return f"{golden.input}: {_name(answer)} {found_score}; the tolerance is {golden.score_tolerance:g}"
    return _segment_differences(expected, found, golden)


def _segment_differences(expected: Sequence[ModelOutput], found: Sequence[ModelOutput], golden: Golden) -> str:
    """Compares the places of segments; those that are smaller than the tolerance of their share may be absent."""
    masks = {_class(answer): answer.mask.mask() for answer in found if answer.mask is not None}
    for answer in expected:
        if answer.mask is None or answer.score <= golden.score_tolerance or _class(answer) not in masks:
            continue
        overlap = mask_iou(answer.mask.mask(), masks[_class(answer)])
        if not overlap >= golden.iou_min:
            return f"{golden.input}: {_name(answer)} is at another place: an overlap of {overlap:.2f}, below {golden.iou_min:g}"
    return ""


def _match(expected: Sequence[ModelOutput], found: Sequence[ModelOutput], golden: Golden) -> list[int]:
    """Index of the matching found box with the largest overlap for each expected box, in the given order (best first); -1 without
    one."""
    if not expected or not found:
        return [-1] * len(expected)
    overlaps = iou_matrix(_boxes(expected), _boxes(found))
    matched: list[int] = []
    for row, answer in enumerate(expected):
        fits = [
            column
            for column, other in enumerate(found)
            if column not in matched
            and _class(other) == _class(answer)
            and overlaps[row, column] >= golden.iou_min
            and abs(other.score - answer.score) <= golden.score_tolerance
            and _same_points(answer, other)
            and _same_area(answer, other, golden.iou_min)
        ]
        matched.append(max(fits, key=lambda column: float(overlaps[row, column]), default=-1))
    return matched


def _vector_differences(expected: Sequence[ModelOutput], found: Sequence[ModelOutput], golden: Golden) -> str:
    """Compares vectors by cosine: they have length 1, so that it is their dot product."""
    for answer, other in zip(expected, found, strict=False):
        if len(answer.vector) != len(other.vector):
            return f"{golden.input}: expected {len(answer.vector)} numbers, found {len(other.vector)}"
        cosine = float(np.dot(answer.vector, other.vector))
        if not 1 - golden.score_tolerance <= cosine < np.inf:  # also a vector with a number that is none
            least = 1 - golden.score_tolerance
            return f"{golden.input}: cosine to the expected vector is {number_text(cosine, '.3f')}, below {least:g}"
    return "" if len(expected) == len(found) else f"{golden.input}: expected {len(expected)} vectors, found {len(found)}"


def _check_area(answer: ModelOutput, where: str) -> None:
    try:
        if answer.mask is not None:
            answer.mask.mask()
    except ValueError as cause:
        raise ManifestError(f"{where}: {cause}; record the golden sample again") from cause
    if len(answer.corners) not in (0, 4):
        raise ManifestError(f"{where}: {len(answer.corners)} corners are no rotated box; record the golden sample again")


def _value_differences(expected: Sequence[ModelOutput], found: Sequence[ModelOutput], golden: Golden) -> str:
    """Compares values by name: a number may differ by `score_tolerance` times the expected one, or times 1 if that is nearer to
    0."""
    values = {name: value for answer in found for name, value in answer.values.items()}
    for name, value in ((name, value) for answer in expected for name, value in answer.values.items()):
        other = values.get(name)
        if isinstance(value, str) or isinstance(other, str) or other is None:
            if other != value:
                return f"{golden.input}: expected {name} {value}, found {other if other is not None else 'nothing'}"
        elif not abs(other - value) <= golden.score_tolerance * max(1.0, abs(value)):
            tolerance = f"the tolerance is {golden.score_tolerance:g} of it"
            return f"{golden.input}: {name} is {number_text(other)}, expected {value:g}; {tolerance}"
    scores = [(answer.score, other.score) for answer, other in zip(expected, found, strict=False)]
    wrong = next((pair for pair in scores if not abs(pair[0] - pair[1]) <= golden.score_tolerance), None)
    return f"{golden.input}: score {number_text(wrong[1], '.3f')}, expected {wrong[0]:.3f}" if wrong is not None else ""


def _same_points(answer: ModelOutput, other: ModelOutput) -> bool:
    """Whether each key point is within `POINT_DISTANCE_MAX` of the box's longer side of its expected position."""
    if not answer.keypoints or answer.box is None:
        return True
    x1, y1, x2, y2 = answer.box
    limit = POINT_DISTANCE_MAX * max(x2 - x1, y2 - y1)
    places = {point.name: point for point in other.keypoints}
    return all(
        point.name in places and max(abs(point.x - places[point.name].x), abs(point.y - places[point.name].y)) <= limit
        for point in answer.keypoints
    )


def _same_area(answer: ModelOutput, other: ModelOutput, iou_min: float) -> bool:
    """Whether the mask and the rotated box overlap the expected ones as far as boxes have to."""
    if answer.mask is not None and (other.mask is None or mask_iou(answer.mask.mask(), other.mask.mask()) < iou_min):
        return False
    if not answer.corners:
        return True
    quads = [np.array(each.corners, np.float64) for each in (answer, other)]
    return quads[1].shape == (4, 2) and bool(quad_ious(quads[0], quads[1][None])[0] >= iou_min)


def _class(answer: ModelOutput) -> tuple[int, str]:
    """Key of equal classes. Golden samples of version 0.1 have the plain number for a class without a label."""
    number = answer.class_id
    return number, class_name((), number) if answer.label == str(number) else answer.label


def _boxes(answers: Sequence[ModelOutput]) -> np.typing.NDArray[np.float32]:
    return np.array([answer.box for answer in answers], np.float32)


def _name(answer: ModelOutput) -> str:
    place = f" at {', '.join(f'{side:.0f}' for side in answer.box)}" if answer.box else ""
    return f"{answer.label} {number_text(answer.score, '.3f')}{place}"
