"""The service with a compromised server: unsigned packages are refused with the reason, and leave no files on the disk."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from edgefleet_contract.wire.messages import METADATA_BYTES_MAX, SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.bench import Agent, MakeAgent
from tests.agent.fakes.packages import Package, make_package
from tests.agent.fakes.repository import Repository
from tests.agent.fakes.server import FakeServer
from tests.agent.service.test_update import ended, running

pytestmark = pytest.mark.system

FIRST = make_package("1.0.0", epoch=1)
SECOND = make_package("1.1.0", epoch=1, attempt="signed")


def traces(agent: Agent) -> set[str]:
    """All files of the state folder, except incoming blobs, records of the desired state, and the outbox."""
    own = ("incoming", "slots", "trust", "evidence", "agent.", "boot.json", "desired.json", "reported.json", "outbox.db")
    named: dict[str, int] = {}
    for path in agent.state.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # a temporary file that was renamed meanwhile
            if path.is_file():
                named[str(path.relative_to(agent.state))] = path.stat().st_mtime_ns
    return {f"{name} {at_ns}" for name, at_ns in named.items() if not name.lstrip(".").startswith(own)}


def refused(server: FakeServer, agent: Agent, package: Package) -> Reason:
    """Reason with which the device refuses the desired package; it must not request a block of it."""
    before = traces(agent)
    server.add(package)
    server.desire(detector=package.target)
    server.wait(ended(server, package.target.attempt))
    assert server.slot().phase is SlotPhase.REFUSED
    assert server.slot().running.digest in (FIRST.digest, SECOND.digest)
    assert server.requested[(package.digest, 0)] == 0
    assert traces(agent) == before
    return Reason(server.slot().reason)


def spoilt(files: dict[str, bytes], data: bytes) -> dict[str, bytes]:
    """An offer with other content in its list of packages."""
    return {name: data if name.endswith(".targets.json") else content for name, content in files.items()}


def without(files: dict[str, bytes], end: str) -> dict[str, bytes]:
    """An offer that withholds a file."""
    return {name: content for name, content in files.items() if not name.endswith(end)}


def test_a_malicious_repository(server: FakeServer, make_agent: MakeAgent) -> None:
    repository = Repository()
    repository.add(FIRST.target, epoch=1)
    honest = repository.publish()
    server.offer(honest)
    agent: Agent = make_agent(FIRST, repository.roots[1])
    agent.start()
    server.wait(running(server, FIRST))

    repository.add(SECOND.target, epoch=1)
    current = repository.publish()
    server.add(SECOND)
    server.offer(current)
    server.desire(detector=SECOND.target)
    server.wait(ended(server, "signed"))
    assert server.slot().phase is SlotPhase.COMMITTED, server.slot()
    server.wait(running(server, SECOND))

    numbers = iter(range(2, 100))

    def another(*, epoch: int = 1) -> Package:
        number = next(numbers)
        return make_package(f"1.{number}.0", epoch=epoch, attempt=f"a{number}")

    def attack(reason: Reason, spoil: Callable[[], object], *, epoch: int = 1, sign: bool = True, length: int = 0) -> None:
        package = another(epoch=epoch)
        if sign:
            repository.add(package.target, epoch=epoch, length=package.target.length + length)
        spoil()
        assert refused(server, agent, package) is reason

    attack(Reason.UNSIGNED, lambda: None, sign=False)
    attack(Reason.METADATA_ROLLBACK, lambda: server.offer(honest))
    attack(Reason.LENGTH_MISMATCH, lambda: server.offer(repository.publish()), length=-1)
    attack(Reason.EPOCH_DOWNGRADE, lambda: server.offer(repository.publish()), epoch=0)
    attack(Reason.METADATA_MISMATCH, lambda: server.offer({**current, "timestamp.json": repository.publish()["timestamp.json"]}))
    attack(Reason.METADATA_INVALID, lambda: server.offer({**repository.publish(), "timestamp.json": b" " * METADATA_BYTES_MAX}))
    stolen = repository.revoke("targets")
    attack(Reason.UNSIGNED, lambda: server.offer(repository.publish(targets=stolen)))
    repository.days["timestamp"] = -1.0
    attack(Reason.METADATA_EXPIRED, lambda: server.offer(repository.publish()))
    repository.days["timestamp"] = 1.0
    server.offer(repository.publish())
    attack(Reason.METADATA_INVALID, lambda: server.offer(spoilt(repository.publish(), b"\xff\x00 no json")))
    attack(Reason.METADATA_MISMATCH, lambda: server.offer(without(repository.publish(), ".snapshot.json")))
    server.offer(repository.publish())
    elsewhere = make_package("3.0.0", epoch=1, attempt="elsewhere", runtime="another_runtime")
    repository.add(elsewhere.target, epoch=1)
    server.add(elsewhere)
    server.offer(repository.publish())
    server.desire(detector=elsewhere.target)
    server.wait(ended(server, "elsewhere"))
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.INCOMPATIBLE), (
        "signed, and for other hardware"
    )
    assert server.requested[(elsewhere.model.digest, 0)] == 0, "of its model not a block was asked for"

    last = another()
    repository.add(last.target, epoch=1)
    server.add(last)
    server.offer(repository.publish())
    server.desire(detector=last.target)
    server.wait(ended(server, last.target.attempt))
    assert server.slot().phase is SlotPhase.COMMITTED, "an honest server is believed again"


def test_signed_updates_go_on_after_a_restart_without_new_metadata(server: FakeServer, make_agent: MakeAgent) -> None:
    repository = Repository()
    repository.add(SECOND.target, epoch=1)
    server.offer(repository.publish())
    agent: Agent = make_agent(FIRST, repository.roots[1])
    agent.start()
    server.wait(running(server, FIRST))
    server.wait(lambda: "1 packages" in agent.log.read_text())
    agent.kill()
    server.publish("edgefleet/v1/b/trust", b"", retain=True)
    agent.start()
    server.add(SECOND)
    server.desire(detector=SECOND.target)
    server.wait(ended(server, "signed"))
    assert server.slot().phase is SlotPhase.COMMITTED
