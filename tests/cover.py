"""Small parts of a matrix of cases: two values that are together in any case are together in a chosen one."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

Pair = tuple[tuple[int, Hashable], tuple[int, Hashable]]
C = TypeVar("C", bound=tuple[Hashable, ...])


def pairs(cell: tuple[Hashable, ...]) -> Iterator[Pair]:
    """The pairs of values of a cell."""
    return itertools.combinations(enumerate(cell), 2)


def cover(cells: Sequence[C]) -> list[C]:
    """A small part of `cells` that has every pair of values that is in any of them; the same one at every call."""
    missing = {pair: None for cell in cells for pair in pairs(cell)}
    holders: dict[Pair, list[C]] = {}
    for cell in cells:
        for pair in pairs(cell):
            holders.setdefault(pair, []).append(cell)
    chosen: list[C] = []
    # The rarest ones first: they leave no choice.
    for pair in sorted(missing, key=lambda each: len(holders[each])):
        if pair in missing:
            best = max(holders[pair], key=lambda cell: sum(each in missing for each in pairs(cell)))
            chosen.append(best)
            for each in pairs(best):
                missing.pop(each, None)
    return chosen
