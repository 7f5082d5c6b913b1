"""Turns of callers: each has a few requests at work at once, so that one caller cannot occupy all threads of the API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Final
from urllib.parse import parse_qsl

from edgefleet_server.core.errors import TooManyError

AT_ONCE: Final = 8
WAITING_MAX: Final = 256
"""Requests of one caller at work, and those that wait for them; the API has 40 threads."""
SEARCHES_AT_ONCE: Final = 1
SEARCHES_IN_TOTAL: Final = 4
"""Searches of one caller, and of all together: each may read a whole table for as long as `READ_S_MAX`."""
SEARCHES: Final[Mapping[str, frozenset[str]]] = {
    "list_events": frozenset({"text", "rule", "zone"}),
    "summarize_events": frozenset(),
    "list_audit": frozenset({"actor", "action"}),
    "verify_audit": frozenset(),
    "list_components": frozenset(),
    "list_component_devices": frozenset(),
}
"""Operations that may read a whole table, and the parameters with which they do; none: always."""
WAIT_S: Final = 1


def is_search(names: Iterable[str], query: bytes) -> bool:
    """Whether a request to one of these operations may read a whole table. `query`: its parameters."""
    given = {name for name, value in parse_qsl(query.decode("latin-1")) if value}
    return any(name in SEARCHES and not (SEARCHES[name] and SEARCHES[name].isdisjoint(given)) for name in names)


class FairTurns:
    """The requests of all callers: `at_once` of each, and `in_total` (0 = no limit). Used on the event loop only; memory: callers
    with requests."""

    def __init__(self, at_once: int = AT_ONCE, in_total: int = 0) -> None:
        self._at_once = at_once
        self._total = asyncio.Semaphore(in_total) if in_total else nullcontext()
        self._callers: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Wait for a turn, and hold it.

        Raises:
            TooManyError: too many requests of this caller wait.
        """
        semaphore, count = self._callers.get(caller) or (asyncio.Semaphore(self._at_once), 0)
        if count >= self._at_once + WAITING_MAX:
            raise TooManyError(f"{count} requests at once; send fewer, and try again in {WAIT_S} s", WAIT_S)
        self._callers[caller] = (semaphore, count + 1)
        try:
            async with semaphore, self._total:
                yield
        finally:
            left = self._callers[caller][1] - 1
            if left:
                self._callers[caller] = (semaphore, left)
            else:
                del self._callers[caller]
