"""Lists that come page by page: the parameters `after` and `limit` of a request, and the page of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Final, TypeVar

from fastapi import Depends, Query

PAGE_MAX: Final = 1_000
CURSOR_CHARS_MAX: Final = 300

Row = TypeVar("Row")

After = Annotated[str, Query(max_length=CURSOR_CHARS_MAX, description="`next_after` of the page before")]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]


@dataclass(frozen=True, slots=True)
class Paging:
    """The page that a request asks for: at most `limit` items, those after the one with the key `after`."""

    after: str
    limit: int

    def cut(self, rows: Iterable[Row], key: Callable[[Row], str], *, newest_first: bool = False) -> tuple[list[Row], str | None]:
        """The page of a list, and the `after` of the next page if there is one. `key`: unique text of a row; the list is in the
        order of the keys, which stays the same when rows are added or removed between two pages."""
        ordered = sorted(rows, key=key, reverse=newest_first)
        if self.after:
            ordered = [row for row in ordered if (key(row) < self.after if newest_first else key(row) > self.after)]
        shown = ordered[: self.limit]
        return shown, key(shown[-1]) if len(ordered) > len(shown) else None


def number_key(number: int) -> str:
    """The key of a row with a number: texts of one length have the order of the numbers."""
    return f"{number:019d}"


def _paging(after: After = "", limit: Limit = PAGE_MAX) -> Paging:
    return Paging(after, limit)


PagingDep = Annotated[Paging, Depends(_paging)]
"""Of lists that are complete in one page of most fleets: without parameters a request gets the largest page."""
