"""Hands items from other threads to the event loop of a listener."""

from __future__ import annotations

import asyncio
import collections
import contextlib
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class LoopMailbox(Generic[Item]):
    """Items for the loop, which takes them in order. `put` from any thread; one wake-up serves all items until it runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, take: Callable[[Item], None]) -> None:
        self._loop = loop
        self._take = take
        self._items: collections.deque[Item] = collections.deque()
        self._woken = False

    def put(self, item: Item) -> None:
        """Hand an item to the loop."""
        self._items.append(item)
        if not self._woken:
            self._woken = True
            with contextlib.suppress(RuntimeError):  # the listener was closed meanwhile
                self._loop.call_soon_threadsafe(self._empty)

    def _empty(self) -> None:
        self._woken = False
        while self._items:
            self._take(self._items.popleft())
