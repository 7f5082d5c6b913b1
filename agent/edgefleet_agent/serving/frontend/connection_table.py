"""Open connections of one listener: how many, of which address, and which is given up when there are too many."""

from __future__ import annotations

import collections
import heapq
from collections.abc import Iterator
from enum import Enum
from typing import Protocol

from edgefleet_agent.core.host_check import is_loopback
from edgefleet_agent.serving.protocol.errors import CallError

RESERVED_MAX = 32
"""Connections beyond the limit, which are answered about health only."""
RANKED_MAX = 32
RANKED_S = 0.05
"""Connections to give up that one ranking of all finds, and the time for which it is valid: a flood of new connections would cost
a ranking for each."""
IDLE_S = 1.0
"""A connection that is idle for less is in use: its caller is about to send a request."""


class Phase(Enum):
    """State of a connection by what the server waits for: the first request (NEW), the next one (IDLE), the rest of one or that
    the peer takes an answer (PART); or nothing, because it has a request to answer (ANSWER)."""

    NEW = 0
    IDLE = 1
    PART = 2
    ANSWER = 3


_USED = {Phase.PART: 1, Phase.NEW: 2, Phase.IDLE: 3}


class Admission(Enum):
    """Whether a new connection is taken. HEALTH: for requests about health only."""

    FULL = 0
    HEALTH = 1
    REFUSED = 2


class ListenerConnection(Protocol):
    """A connection that closes after its last answer, or when its peer takes too long."""

    def close_when_idle(self) -> None: ...

    def check_time(self, now_s: float) -> None: ...

    def end_after_answer(self) -> None:
        """Take no further request; close after the last answer."""
        ...

    def refuse_rest(self, error: CallError) -> None:
        """Answer what runs with an error, and close."""
        ...

    def phase(self) -> tuple[Phase, float]:
        """Return what the server waits for, and since when."""
        ...

    def give_up(self) -> None:
        """Close at once, without an answer."""
        ...


class ConnectionTable:
    """The connections of one listener, on its loop. limit: of all; address_limit: of one address that is not of this machine.

    When a limit is reached, a connection is given up for a new one: an idle one first, then one of which only a part of a request
    has arrived or that does not take its answer, then one that was opened or in use a moment ago; of these, one of the address
    with most connections, and the one that waits longest. A connection whose request is being answered is never given up; where
    all are, a few more are taken for requests about health.
    """

    def __init__(self, limit: int, address_limit: int) -> None:
        self._limit = limit
        self._address_limit = address_limit
        self._addresses: dict[ListenerConnection, str] = {}
        self._counts: collections.Counter[str] = collections.Counter()
        self._reserved: dict[ListenerConnection, None] = {}
        self._ranked: collections.deque[tuple[ListenerConnection, Phase, float]] = collections.deque()
        self._ranked_s = 0.0

    def __len__(self) -> int:
        return len(self._addresses) + len(self._reserved)

    def __iter__(self) -> Iterator[ListenerConnection]:
        return iter([*self._addresses, *self._reserved])

    def add(self, connection: ListenerConnection, address: str, now_s: float) -> Admission:
        """Take a new connection of an address (empty: a Unix socket), where there is room or can be made."""
        if self._counts[address] >= self._address_limit and address and not is_loopback(address):
            if not self._make_room(address, now_s):
                return Admission.REFUSED
        elif len(self._addresses) >= self._limit and not self._make_room(None, now_s):
            if len(self._reserved) >= RESERVED_MAX:
                self._drop(next(iter(self._reserved)))
            self._reserved[connection] = None
            return Admission.HEALTH
        self._addresses[connection] = address
        self._counts[address] += 1
        return Admission.FULL

    def discard(self, connection: ListenerConnection) -> None:
        """Forget a closed connection."""
        self._reserved.pop(connection, None)
        address = self._addresses.pop(connection, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def _make_room(self, address: str | None, now_s: float) -> bool:
        """Give up a connection, of one address or of any."""
        found = self._next_ranked(now_s) if address is None else None
        if found is None:
            ranked = self._rank(address, now_s)
            if not ranked:
                return False
            found = ranked[0][0]
            if address is None:
                self._ranked, self._ranked_s = collections.deque(ranked[1:]), now_s
        self._drop(found)
        return True

    def _rank(self, address: str | None, now_s: float) -> list[tuple[ListenerConnection, Phase, float]]:
        """The first connections to give up, best first, with what they are waited for."""
        found: list[tuple[tuple[int, int, float, int], ListenerConnection, Phase]] = []
        for number, (each, its_address) in enumerate(self._addresses.items()):
            phase, since_s = each.phase()
            if phase is Phase.ANSWER or (address is not None and its_address != address):
                continue
            urgency = _USED[phase] if phase is Phase.PART or now_s - since_s < IDLE_S else 0
            found.append(((urgency, -self._counts[its_address], since_s, number), each, phase))
        return [(each, phase, rank[2]) for rank, each, phase in heapq.nsmallest(RANKED_MAX, found, key=lambda entry: entry[0])]

    def _next_ranked(self, now_s: float) -> ListenerConnection | None:
        """The next connection that was found a moment ago and is as it was; None if there is none."""
        if now_s - self._ranked_s > RANKED_S:
            self._ranked.clear()
        while self._ranked:
            connection, *state = self._ranked.popleft()
            its_address = self._addresses.get(connection)
            if its_address is not None and [*connection.phase()] == state:
                if self._counts[its_address] == max(self._counts.values()):
                    return connection
                self._ranked.clear()  # another address has more by now
        return None

    def _drop(self, connection: ListenerConnection) -> None:
        self.discard(connection)
        connection.give_up()
