"""Assignment compared with brute force."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.tracking.assignment import assign

costs = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.one_of(st.just(np.inf), st.integers(0, 20).map(float)), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]
    ).map(lambda flat: np.array(flat).reshape(shape))
)


def best(matrix: npt.NDArray[np.float64]) -> tuple[int, float]:
    """(pairs, total cost) of the best assignment, by brute force."""
    rows, columns = matrix.shape
    for count in range(min(rows, columns), 0, -1):
        totals = [
            sum(matrix[row, column] for row, column in zip(chosen, order, strict=True))
            for chosen in itertools.combinations(range(rows), count)
            for order in itertools.permutations(range(columns), count)
        ]
        finite = [total for total in totals if np.isfinite(total)]
        if finite:
            return count, min(finite)
    return 0, 0.0


@given(costs)
def test_finds_the_best(matrix: npt.NDArray[np.float64]) -> None:
    pairs = assign(matrix)
    assert len({row for row, _ in pairs}) == len(pairs) == len({column for _, column in pairs})
    assert (len(pairs), sum(matrix[pair] for pair in pairs)) == best(matrix)


def test_a_hundred_by_a_hundred() -> None:
    matrix = np.random.default_rng(1).random((100, 100))
    assert sorted(row for row, _ in assign(matrix)) == list(range(100))


def test_nothing_to_pair() -> None:
    assert assign(np.full((3, 2), np.inf)) == []
