"""Small parts of a matrix of cases: values that are together in any case are together in a chosen one."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

Values = tuple[tuple[int, Hashable], ...]
C = TypeVar("C", bound=tuple[Hashable, ...])


def combinations(cell: tuple[Hashable, ...], together: int = 2) -> Iterator[Values]:
    """The combinations of `together` values of a cell."""
    return itertools.combinations(enumerate(cell), together)


def cover(cells: Sequence[C], together: int = 2) -> list[C]:
    """A small part of `cells` that has every combination of `together` values that is in any of them; the same one at every
    call."""
    missing = {values: None for cell in cells for values in combinations(cell, together)}
    holders: dict[Values, list[C]] = {}
    for cell in cells:
        for values in combinations(cell, together):
            holders.setdefault(values, []).append(cell)
    chosen: list[C] = []
    # The rarest ones first: they leave no choice.
    for values in sorted(missing, key=lambda each: len(holders[each])):
        if values in missing:
            best = max(holders[values], key=lambda cell: sum(each in missing for each in combinations(cell, together)))
            chosen.append(best)
            for each in combinations(best, together):
                missing.pop(each, None)
    return chosen
