"""One caller with many slow requests leaves room for the others."""

from __future__ import annotations

import asyncio

import pytest

from edgefleet_server.api.middleware.fair_turns import (
    AT_ONCE,
    SEARCHES_AT_ONCE,
    SEARCHES_IN_TOTAL,
    WAITING_MAX,
    FairTurns,
    is_search,
)
from edgefleet_server.core.errors import TooManyError


def test_greedy_caller_has_its_share() -> None:
    """Its own requests wait, those of another caller do not, and above the limit it is refused."""

    async def run() -> None:
        turns, at_work, end = FairTurns(), 0, asyncio.Event()

        async def request(caller: str) -> None:
            nonlocal at_work
            async with turns.turn(caller):
                at_work += 1
                await end.wait()
                at_work -= 1

        greedy = [asyncio.create_task(request("greedy")) for _ in range(AT_ONCE + WAITING_MAX)]
        await asyncio.sleep(0)
        assert at_work == AT_ONCE
        other = asyncio.create_task(request("other"))
        await asyncio.sleep(0)
        assert at_work == AT_ONCE + 1
        with pytest.raises(TooManyError, match="send fewer"):
            await request("greedy")
        greedy[-1].cancel()
        end.set()
        await asyncio.gather(*greedy[:-1], other)
        assert at_work == 0
        assert not turns._callers

    asyncio.run(run())


def test_searches_leave_the_threads_to_others() -> None:
    """Slow searches of many sessions: few are at work, one of each session, and the rest wait without a
    turn of their own."""

    async def run() -> None:
        searches, turns, end = FairTurns(SEARCHES_AT_ONCE, SEARCHES_IN_TOTAL), FairTurns(), asyncio.Event()
        at_work: list[str] = []

        async def search(caller: str) -> None:
            async with searches.turn(caller), turns.turn(caller):
                at_work.append(caller)
                await end.wait()

        async def request(caller: str) -> str:
            async with turns.turn(caller):
                return caller

        waiting = [asyncio.create_task(search(f"session {number // 3}")) for number in range(90)]
        await asyncio.sleep(0.01)
        assert at_work == [f"session {number}" for number in range(SEARCHES_IN_TOTAL)]
        assert await asyncio.wait_for(request("session 0"), 5.0) == "session 0"
        assert await asyncio.wait_for(request("session 29"), 5.0) == "session 29"
        end.set()
        await asyncio.gather(*waiting)
        assert len(at_work) == 90
        assert not searches._callers

    asyncio.run(run())


@pytest.mark.parametrize(
    ("operation", "query", "searches"),
    [
        ("list_events", b"text=person&limit=5", True),
        ("list_events", b"zone=door", True),
        ("list_events", b"text=&device=d1", False),
        ("summarize_events", b"", True),
        ("list_audit", b"actor=ada", True),
        ("list_audit", b"", False),
        ("verify_audit", b"", True),
        ("list_devices", b"text=x", False),
    ],
)
def test_what_reads_a_whole_table_is_a_search(operation: str, query: bytes, searches: bool) -> None:
    assert is_search([operation], query) == searches
