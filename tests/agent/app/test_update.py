"""Updates from the server to the disk to the worker, with real processes, a real broker and kill -9."""

from __future__ import annotations

import pytest

from agent.contract.messages import Stage
from agent.contract.reasons import Reason
from tests.agent.fakes.bench import MakeAgent
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.server import FakeServer

pytestmark = pytest.mark.system


def test_a_package_comes_in_blocks_is_tried_and_committed(server: FakeServer, make_agent: MakeAgent) -> None:
    first, second = make_package("1.0.0"), make_package("1.1.0", 3_000_000, attempt="a1")
    server.add(second)
    make_agent(first).start()
    server.wait(lambda: server.slot() and server.slot().running)
    assert server.slot().running.version == "1.0.0"
    server.desire(detector=second.target)
    server.wait(lambda: server.slot().stage is Stage.COMMITTED and server.slot().attempt == "a1")
    slot = server.slot()
    assert (slot.running.digest, slot.reason, slot.bytes_sent_again) == (second.digest, Reason.NONE, 0)
    stages = [report.slots["detector"].stage for report in server.reports]
    assert Stage.TRIAL in stages
    assert max(server.asked.values()) == 1
    assert server.in_flight_max <= 8
