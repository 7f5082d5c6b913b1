"""A real agent at a broker that was taken over: the test publishes what it wants. The table in docs/security.md is the result."""

from __future__ import annotations

import time

import pytest

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Command, Desired, SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.bench import DEVICE, MakeAgent
from tests.agent.fakes.packages import Package, make_package
from tests.agent.fakes.repository import Repository
from tests.agent.fakes.server import TRIAL, FakeServer
from tests.agent.service.test_update import ended, running
from tests.taken_over import printed_rows

pytestmark = pytest.mark.system

OLD, NOW_RUNNING = make_package("1.0.0", epoch=1, attempt="old"), make_package("1.1.0", epoch=1, attempt="new")
PIPELINE = 'name = "spy"\n[source]\nkind = "file"\nuri = "none.mp4"\n'


def test_what_a_taken_over_broker_can_and_cannot_do(server: FakeServer, make_agent: MakeAgent) -> None:
    found: dict[str, str] = {}
    repository = Repository()
    repository.add(OLD.target, epoch=1)
    stale = repository.publish()
    repository.add(NOW_RUNNING.target, epoch=1)
    honest = repository.publish()
    server.offer(honest)
    server.add(OLD, NOW_RUNNING)
    agent = make_agent(OLD, repository.roots[1])
    agent.start()
    server.wait(running(server, OLD))
    earlier = server.desire(detector=NOW_RUNNING.target)
    server.wait(ended(server, "new"))
    server.wait(running(server, NOW_RUNNING))

    def ordered(package: Package) -> str:
        """The device's answer to an order; if it refuses, it runs what it ran before."""
        server.add(package)
        server.desire(detector=package.target)
        server.wait(ended(server, package.target.attempt))
        slot = server.slot()
        if slot.phase is SlotPhase.COMMITTED:
            return "takes it"
        assert slot.phase is SlotPhase.REFUSED
        assert slot.running.digest == NOW_RUNNING.digest
        return f"refuses it: `{Reason(slot.reason).value}`"

    found["orders an unsigned package"] = ordered(make_package("2.0.0", epoch=1, attempt="a2"))
    strangers = Repository()
    alien = make_package("3.0.0", epoch=1, attempt="a3")
    strangers.add(alien.target, epoch=1)
    server.offer(strangers.publish())
    found["offers signed metadata of its own"] = ordered(alien)
    server.offer(stale)
    found["offers older signed metadata"] = ordered(make_package("4.0.0", epoch=1, attempt="a4"))
    signed = make_package("5.0.0", epoch=1, attempt="a5")
    repository.add(signed.target, epoch=1)
    server.offer(repository.publish())
    server.spoil = lambda _blob, _index, data: bytes(len(data))
    found["sends other bytes than those of a signed version"] = ordered(signed)
    server.spoil = lambda _blob, _index, data: data

    reports = len(server.reports)
    server.publish(topics.desired(DEVICE), encode(earlier), retain=True)
    foreign = Desired(device="other", generation=1000, slots={"detector": OLD.target}, policy=TRIAL)
    server.publish(topics.desired(DEVICE), encode(foreign), retain=True)
    generation = server.generation
    server.command(Command(id="beat", op="identify", deadline_at=time.time() + 60.0))
    server.wait(lambda: any(reply.id == "beat" for reply in server.replies))
    assert all(report.generation <= generation for report in server.reports[reports:])
    assert server.slot().running.digest == NOW_RUNNING.digest
    found["sends an older document, or that of another device"] = "ignores it"

    server.generation += 1
    spying = Desired(device=DEVICE, generation=server.generation, slots={"detector": NOW_RUNNING.target}, policy=TRIAL)
    spying.pipelines = {"spy": PIPELINE}
    server.publish(topics.desired(DEVICE), encode(spying), retain=True)
    server.wait(lambda: server.reports[-1].generation == server.generation)
    assert server.reports[-1].pipelines["spy"].startswith("unsigned pipelines from the server ignored")
    found["sends an unsigned pipeline"] = "ignores it, and says so"

    found["orders another signed version, for example an older one"] = ordered(make_package("1.0.0", epoch=1, attempt="again"))
    server.command(Command(id="r1", op="restart", deadline_at=time.time() + 60.0))
    server.wait(lambda: any(reply.id == "r1" and reply.ok for reply in server.replies))
    found["sends a command, for example to restart the worker"] = "carries it out"
    assert found == printed_rows("broker")
