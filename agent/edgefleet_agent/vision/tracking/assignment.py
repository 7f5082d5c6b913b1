"""Assignment with the least total cost: exact, for small, sparse problems."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Costs = npt.NDArray[np.float64]

_FORBIDDEN = 1e6


def assign(costs: Costs) -> list[tuple[int, int]]:
    """Pairs (row, column): the largest number of pairs, and among those the least total cost; `inf` marks forbidden pairs.

    costs: (rows, columns). Most frames hold objects far apart, each with a single candidate; such pairs are taken at once, and
    only the rest is solved by the Hungarian method, O(n³), fast enough for a hundred.
    """
    allowed = np.isfinite(costs)
    if not allowed.any():
        return []
    lonely = allowed & (allowed.sum(axis=1, keepdims=True) == 1) & (allowed.sum(axis=0, keepdims=True) == 1)
    pairs = [(int(row), int(column)) for row, column in zip(*np.nonzero(lonely), strict=True)]
    rest = allowed & ~lonely
    rows, columns = np.flatnonzero(rest.any(axis=1)), np.flatnonzero(rest.any(axis=0))
    if len(rows):
        block = np.where(rest, costs, _FORBIDDEN)[np.ix_(rows, columns)]
        flipped = len(rows) > len(columns)
        for first, second in _hungarian(block.T if flipped else block):
            row, column = (second, first) if flipped else (first, second)
            if block[row, column] < _FORBIDDEN:
                pairs.append((int(rows[row]), int(columns[column])))
    return pairs


def _hungarian(costs: Costs) -> list[tuple[int, int]]:
    """Assigns a column to every row; rows <= columns. Shortest augmenting paths with potentials (Kuhn, Munkres; Jonker,
    Volgenant).

    Index 0 of the columns is the artificial root of the search, so columns count from 1 in here.
    """
    rows, columns = costs.shape
    row_potential = np.zeros(rows + 1)
    potential = np.zeros(columns + 1)
    owner = np.zeros(columns + 1, np.intp)  # row (from 1) that holds the column, 0 = free
    for row in range(1, rows + 1):
        owner[0] = row
        column = 0
        distance = np.full(columns + 1, np.inf)
        previous = np.zeros(columns + 1, np.intp)
        done = np.zeros(columns + 1, np.bool_)
        while owner[column]:
            done[column] = True
            at = owner[column]
            open_ = ~done[1:]
            reduced = costs[at - 1] - row_potential[at] - potential[1:]
            better = open_ & (reduced < distance[1:])
            distance[1:][better] = reduced[better]
            previous[1:][better] = column
            following = 1 + int(np.argmin(np.where(open_, distance[1:], np.inf)))
            step = distance[following]
            row_potential[owner[done]] += step
            potential[done] -= step
            distance[1:][open_] -= step
            column = following
        while column:
            owner[column] = owner[previous[column]]
            column = int(previous[column])
    return [(int(owner[column]) - 1, column - 1) for column in range(1, columns + 1) if owner[column]]
