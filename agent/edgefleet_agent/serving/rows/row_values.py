"""The batch axis of each tensor of a graph, while its operators are followed.

N is the number of rows of the batch. A tensor of `Rows` is a sequence of N equal blocks along one axis, and block i depends on
row i alone. `Fixed` depends on no row; its numbers may be N, as in the shape of a tensor.
"""

from __future__ import annotations

from dataclasses import dataclass


class MixedRowsError(Exception):
    """An operator makes a row depend on others. The text says which."""


class UnknownRowsError(Exception):
    """An operator does what is not known here. The text says which."""


@dataclass(frozen=True, slots=True)
class Times:
    """N times a whole number; 0: times an unknown one."""

    factor: int = 1


class Unknown:
    """A number that does not depend on N or on any row."""


OTHER = Unknown()
Item = int | float | Times | Unknown


@dataclass(frozen=True, slots=True)
class Rows:
    """A tensor with the batch along `axis`, its number of axes, and the side of a block along the batch axis, 0 if not known."""

    axis: int
    rank: int
    block: int = 0

    @property
    def from_end(self) -> int:
        """The batch axis, counted from the last axis: -1 is that."""
        return self.axis - self.rank


@dataclass(frozen=True, slots=True)
class Fixed:
    """A tensor that no row changes. dims: its shape, None for a side, or as a whole, that is not known. items: its numbers."""

    dims: tuple[int | None, ...] | None = None
    items: tuple[Item, ...] | None = None

    @property
    def counts_rows(self) -> bool:
        """Whether one of its numbers depends on N."""
        return self.items is not None and any(isinstance(item, Times) for item in self.items)

    def side(self, from_end: int) -> int | None:
        """The side at an axis counted from the end; 1 where it has none, None if it is not known."""
        if self.dims is None:
            return None
        return self.dims[from_end] if -from_end <= len(self.dims) else 1


Value = Rows | Fixed


def fixed(dims: tuple[int, ...], items: tuple[Item, ...] | None) -> Fixed:
    """A tensor of known shape."""
    return Fixed(tuple(dims), items)


def vector(items: tuple[Item, ...]) -> Fixed:
    """A list of numbers, as the shape of a tensor."""
    return Fixed((len(items),), items)
