"""A wall clock that is set, forward or back, during an update does not change its course."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.core.clock import ManualClock
from edgefleet_contract.wire.messages import SlotPhase
from tests.agent.fakes.device import Bench, server_with
from tests.agent.fakes.packages import make_package

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 300_000, attempt="good")
YEARS_S = 20 * 365 * 86400.0


class JumpingClock(ManualClock):
    """A clock that jumps by twenty years, alternately forward and back, with each reading."""

    reads = 0

    def wall(self) -> float:
        self.reads += 1
        return super().wall() + (YEARS_S, -YEARS_S, 0.0)[self.reads % 3]


@pytest.mark.parametrize("clock", [ManualClock(), JumpingClock()])
def test_an_update_takes_its_course(tmp_path: Path, clock: ManualClock) -> None:
    bench = Bench(tmp_path / "state", server_with(GOOD))
    bench.clock = clock
    bench.start(FACTORY.write(tmp_path / "factory"))
    bench.desire(1, GOOD.target)
    assert bench.rest().phase is SlotPhase.COMMITTED
    assert bench.record().last_good == GOOD.digest
    assert clock.monotonic() < 60.0, "and no slower for it"
    bench.close()
