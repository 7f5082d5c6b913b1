"""The class mix of a device: how many of its boxes and crops have which label.

The change from one mix to another is 1 less their overlap coefficient (Szymkiewicz 1934, Simpson 1960, here of the boxes per
minute by label): the part of the smaller mix that the other one lacks, at the scale at which they are most alike. A class that
comes in addition, such as a truck that parks in view, or that is gone, or a busy hour changes nothing by that; a class that
takes the place of another does.

Boxes of one object follow each other, so their number says little about certainty. The unit is the minute: the minutes since the
update are set against the minutes before it, as in the rank test of Mann and Whitney (1947). All of few minutes, or three
quarters of many, have to differ from the mix before the update by more than the minutes before it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from edgefleet_contract.wire.label_counts import OTHERS, most_frequent

BOXES_MIN: Final = 20
"""Minutes with fewer boxes say nothing."""
MINUTES_BEFORE_MIN: Final = 5
MINUTES_AFTER_MIN: Final = 2
SCALES: Final = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
ODD_MINUTES: Final = 10
"""Of so many minutes before the update, the one that differs most is left out."""
NAMED_MAX: Final = 4
"""Labels in a sentence."""
NAMED_PERCENT_MIN: Final = 1.0

Mix = Mapping[str, float]
"""Boxes per minute by label; `OTHERS`: of labels that are not listed."""


def change_percent(before: Mix, after: Mix) -> float:
    """The change between two mixes; 0 if one of them is empty."""
    was, now = sum(before.values()), sum(after.values())
    if was <= 0.0 or now <= 0.0:
        return 0.0
    both = [(count, after[label]) for label, count in before.items() if label in after]
    shared = max(sum(min(scale * one, other) for one, other in both) / min(scale * was, now) for scale in SCALES)
    return 100.0 * max(0.0, 1.0 - shared)


def usual(minutes: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The mix of these minutes."""
    total = Counter[str]()
    for minute in minutes:
        total.update(minute)
    return {label: count / len(minutes) for label, count in most_frequent(total).items()}


def spread_percent(minutes: Sequence[Mapping[str, int]]) -> float:
    """The change of the minute that differs most from the mix of all others, or second most."""
    total = Counter[str]()
    for minute in minutes:
        total.update(minute)
    rest = max(1, len(minutes) - 1)
    changes = sorted(
        change_percent({label: (count - minute.get(label, 0)) / rest for label, count in total.items()}, minute)
        for minute in minutes
    )
    return changes[-2] if len(minutes) >= ODD_MINUTES else changes[-1]


def least_change_percent(before: Mix, minutes: Sequence[Mapping[str, int]]) -> float:
    """A change from `before` that at least three quarters of the minutes exceed or equal; all, if there are few."""
    return sorted(change_percent(before, minute) for minute in minutes)[(len(minutes) - 1) // 4]


def sentence(before: Mix, after: Mix) -> str:
    """The labels whose shares changed most: `'person' 62 % → 3 %, 'truck' 1 % → 58 %`."""
    shares = [{label: 100.0 * count / sum(mix.values()) for label, count in mix.items()} for mix in (before, after)]
    changes = {label: (shares[0].get(label, 0.0), shares[1].get(label, 0.0)) for label in shares[0] | shares[1]}
    found = sorted(changes.items(), key=lambda one: (-abs(one[1][1] - one[1][0]), one[0]))[:NAMED_MAX]
    named = [
        f"{repr(label) if label != OTHERS else 'others'} {was:.0f} % → {now:.0f} %"
        for label, (was, now) in found
        if abs(now - was) >= NAMED_PERCENT_MIN
    ]
    more = ", …" if len(changes) > len(named) and named else ""
    differ = "" if shares[0].keys() & shares[1].keys() else "labels differ, "
    return f"{differ}{', '.join(named)}{more}"
