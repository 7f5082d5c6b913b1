"""One caller with many slow requests leaves room for the others."""

from __future__ import annotations

import asyncio

import pytest

from edgefleet_server.api.middleware.fair_turns import AT_ONCE, WAITING_MAX, FairTurns
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
