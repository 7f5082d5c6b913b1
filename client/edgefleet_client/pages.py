"""Iterators over lists that the server returns page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def numbered(fetch: Callable[[int], Any]) -> Iterator[Any]:
    """Items of all pages, from page 1 on. fetch: page number to a page with `items` and `total`. An item may be repeated or
    missing if the list changes meanwhile."""
    page, seen = 1, 0
    while True:
        answer = fetch(page)
        yield from answer["items"]
        seen += len(answer["items"])
        if not answer["items"] or seen >= answer["total"]:
            return
        page += 1


def newest_first(fetch: Callable[[int | None], Any], field: str) -> Iterator[Any]:
    """Items of all pages, newest first. fetch: number of the last item so far to the page after it. field: of an item, its
    number."""
    before: int | None = None
    while True:
        items = fetch(before)["items"]
        yield from items
        if not items or field not in items[-1]:  # an older server sends all items as one page
            return
        before = int(items[-1][field])


def followed(fetch: Callable[[str | None], Any]) -> Iterator[Any]:
    """Items of all pages. fetch: `next_after` of the page before to a page with `items`. An older server sends all items as one
    page."""
    after: str | None = None
    while True:
        answer = fetch(after)
        yield from answer["items"]
        after = answer.get("next_after")
        if not after:
            return
