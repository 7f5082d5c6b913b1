"""Updates from server to worker, with real processes, a real broker and kill -9."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import BLOCK_BYTES, BLOCKS_PER_REQUEST_MAX, SlotPhase, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.bench import Agent, MakeAgent
from tests.agent.fakes.packages import Package, make_package
from tests.agent.fakes.server import FakeServer

pytestmark = pytest.mark.system

FIRST = make_package("1.0.0")


def running(server: FakeServer, package: Package) -> Callable[[], bool]:
    return lambda: bool(server.slot() and server.slot().running and server.slot().running.digest == package.digest)


def ended(server: FakeServer, attempt: str) -> Callable[[], bool]:
    closed = (SlotPhase.COMMITTED, SlotPhase.ROLLED_BACK, SlotPhase.REFUSED, SlotPhase.ROLLBACK_FAILED)
    return lambda: bool(server.slot() and server.slot().attempt == attempt and server.slot().phase in closed)


def begin(server: FakeServer, make_agent: MakeAgent) -> Agent:
    """An agent that runs the factory package and has reported it."""
    agent = make_agent(FIRST)
    agent.start()
    server.wait(running(server, FIRST))
    return agent


def verified(agent: Agent, spec: BlobSpec) -> list[int]:
    """Blocks that the device has recorded as verified."""
    path = agent.state / "incoming" / f"{spec.digest}.map"
    bits = path.read_bytes() if path.exists() else b""
    return [index for index in range(len(bits) * 8) if bits[index >> 3] & (1 << (index & 7))]


def wait_for(what: Callable[[], bool], timeout_s: float = 120.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not what():
        assert time.monotonic() < deadline, "never happened"
        time.sleep(0.02)


def test_a_package_comes_in_blocks_is_tried_and_committed(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    second = make_package("1.1.0", 3_000_000, attempt="a1")
    server.add(second)
    server.desire(UpdatePolicy(trial_s=1.0, trial_frames_min=3), detector=second.target)
    server.wait(ended(server, "a1"))
    server.wait(running(server, second))
    slot = server.slot()
    assert (slot.phase, slot.reason, slot.bytes_sent_again) == (SlotPhase.COMMITTED, Reason.NONE, 0)
    assert slot.bytes_done == slot.bytes_total > 3_000_000
    assert SlotPhase.TRIAL in [report.slots["detector"].phase for report in server.reports]
    assert max(server.requested.values()) == 1, "no block is asked for twice"
    assert server.in_flight_max <= BLOCKS_PER_REQUEST_MAX
    versions = [report.version for report in server.reports]
    assert versions == sorted(set(versions))


def test_a_package_runs_beside_the_committed_one_before_its_trial(server: FakeServer, make_agent: MakeAgent) -> None:
    """The worker shows both the same frames, the report says what came of it, and nothing of the run is left."""
    begin(server, make_agent)
    second = make_package("1.1.0", attempt="a1")
    server.add(second)
    policy = UpdatePolicy(trial_s=0.5, trial_frames_min=3, shadow_s=0.5, shadow_agreement_percent_min=50.0)
    server.desire(policy, detector=second.target)
    server.wait(ended(server, "a1"))
    slot = server.slot()
    assert (slot.phase, slot.reason) == (SlotPhase.COMMITTED, Reason.NONE)
    assert "agreement 100 % with the committed version on" in slot.detail
    before = [report.slots["detector"].detail for report in server.reports if report.slots["detector"].attempt == "a1"]
    assert "runs beside the committed version before its trial" in before
    assert not any("shadow-detector" in report.slots for report in server.reports)


def test_a_package_that_disagrees_with_the_committed_one_never_takes_its_place(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    other = make_package("1.1.0", attempt="a1", description="disagrees")
    server.add(other)
    policy = UpdatePolicy(trial_s=0.5, trial_frames_min=3, shadow_s=0.5, shadow_agreement_percent_min=50.0)
    server.desire(policy, detector=other.target)
    server.wait(ended(server, "a1"))
    slot = server.slot()
    assert (slot.phase, slot.reason) == (SlotPhase.ROLLED_BACK, Reason.TRIAL_UNHEALTHY)
    assert slot.detail.startswith("agreement 0 % with the committed version on")
    assert SlotPhase.TRIAL not in [report.slots["detector"].phase for report in server.reports]


def test_a_fetch_resumes_after_kill_9_without_a_verified_block_sent_again(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", 40 * BLOCK_BYTES + 17, attempt="a1")
    server.add(second)
    server.block_delay_s = 0.02
    server.desire(detector=second.target)
    requested: dict[int, int] = {}
    for share in (10, 25):
        wait_for(lambda share=share: len(verified(agent, second.model)) >= share)
        agent.kill()
        time.sleep(0.3)  # messages in transfer to the server have arrived
        requested |= {index: server.requested[(second.model.digest, index)] for index in verified(agent, second.model)}
        agent.start()
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.COMMITTED
    assert len(requested) >= 25
    counts = {index: server.requested[(second.model.digest, index)] for index in requested}
    assert requested == counts, "no verified block is requested again"


def test_a_wrong_block_is_refused_and_requested_again(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", 5 * BLOCK_BYTES, attempt="a1")
    server.add(second)
    spoilt: list[int] = []

    def spoil(blob: str, index: int, data: bytes) -> bytes:
        if blob == second.model.digest and index in (1, 3) and index not in spoilt:
            spoilt.append(index)
            return data[:-1] + bytes([data[-1] ^ 1]) if index == 1 else data[:-1]
        return data

    server.spoil = spoil
    server.desire(detector=second.target)
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.COMMITTED
    assert {index: server.requested[(second.model.digest, index)] for index in range(5)} == {0: 1, 1: 2, 2: 1, 3: 2, 4: 1}
    assert (agent.state / "packages" / second.digest / "model.onnx").read_bytes() == second.files["model.onnx"]


def test_blocks_that_stay_wrong_end_the_attempt_and_change_nothing(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", 5 * BLOCK_BYTES, attempt="a1")
    server.add(second)
    server.spoil = lambda blob, _index, data: bytes(len(data)) if blob == second.model.digest else data
    server.desire(detector=second.target)
    server.wait(ended(server, "a1"))
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.HASH_MISMATCH)
    assert running(server, FIRST)()
    assert sum(count for (blob, _), count in server.requested.items() if blob == second.model.digest) <= 20
    server.spoil = lambda _blob, _index, data: data
    again = make_package("1.1.0", 5 * BLOCK_BYTES, attempt="a2")
    server.desire(detector=again.target)
    server.wait(ended(server, "a2"))
    assert server.slot().phase is SlotPhase.COMMITTED, "bytes that did not come are not the package's fault"
    assert agent.stop() == 0


BAD = {
    "golden-fails": Reason.GOLDEN_MISMATCH,
    "selftest-segv": Reason.SELFTEST_CRASH,
    "refuse": Reason.MODEL_REFUSED,
    "crash": Reason.TRIAL_CRASH,
    "errors": Reason.TRIAL_UNHEALTHY,
}


def test_bad_packages_are_rolled_back_and_stay_refused(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    for number, (description, reason) in enumerate(BAD.items()):
        bad = make_package(f"6.6.{number}", description=description, attempt=f"bad-{number}")
        server.add(bad)
        server.desire(detector=bad.target)
        server.wait(ended(server, f"bad-{number}"))
        assert (server.slot().phase, server.slot().reason) == (SlotPhase.ROLLED_BACK, reason)
        assert reason.still_good
        server.wait(running(server, FIRST))
    agent.kill()
    agent.start()
    for number, description in enumerate(BAD):
        again = make_package(f"6.6.{number}", description=description, attempt=f"again-{number}")
        server.desire(detector=again.target)
        server.wait(ended(server, f"again-{number}"))
        assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.QUARANTINED)
    server.wait(running(server, FIRST))


def test_a_trial_continues_after_one_kill_and_is_rolled_back_after_two(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second, third = make_package("1.1.0", attempt="a1"), make_package("1.2.0", attempt="a2")
    server.add(second, third)
    long = UpdatePolicy(trial_s=2.5, trial_frames_min=3)
    record = agent.state / "slots" / "detector.json"

    def on_trial(package: Package, interruptions: int) -> bool:
        trial = json.loads(record.read_bytes()).get("trial") or {}
        return (trial.get("digest"), trial.get("interruptions", 0)) == (package.digest, interruptions)

    server.desire(long, detector=second.target)
    wait_for(lambda: on_trial(second, 0))
    agent.kill()
    agent.start()
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.COMMITTED
    server.desire(long, detector=third.target)
    for times in range(2):
        wait_for(lambda times=times: on_trial(third, times))
        agent.kill()
        agent.start()
    server.wait(ended(server, "a2"))
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    server.wait(running(server, second))


def test_a_newer_desire_waits_for_the_end_of_a_trial(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    second, third = make_package("1.1.0", attempt="a1"), make_package("1.2.0", attempt="a2")
    server.add(second, third)
    server.desire(UpdatePolicy(trial_s=2.0, trial_frames_min=3), detector=second.target)
    server.wait(lambda: server.slot().phase is SlotPhase.TRIAL)
    server.desire(detector=third.target)
    server.wait(ended(server, "a2"))
    server.wait(running(server, third))
    ran = [report.slots["detector"].running for report in server.reports]
    since = {one.digest: one.since_at for one in ran if one is not None}
    assert since[third.digest] - since[second.digest] >= 2.0


def test_a_site_without_server_commits_when_the_policy_allows_it(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", attempt="a1")
    server.add(second)
    server.desire(UpdatePolicy(trial_s=1.0, trial_frames_min=3, site_offline=True), detector=second.target)
    server.wait(lambda: server.slot().phase in (SlotPhase.TRIAL, SlotPhase.COMMITTED))
    server.acks = False
    wait_for(lambda: json.loads((agent.state / "slots" / "detector.json").read_bytes()).get("last_good") == second.digest)


def test_what_no_variant_of_fits_this_device_is_refused_before_its_bytes_come(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    foreign = make_package("1.1.0", runtime="lite_rt", attempt="a1")
    server.add(foreign)
    server.desire(detector=foreign.target)
    server.wait(ended(server, "a1"))
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.INCOMPATIBLE)
    assert "onnx_runtime" in server.slot().detail
    assert (foreign.model.digest, 0) not in server.requested


def test_an_older_epoch_is_refused(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    second, third = make_package("1.1.0", epoch=2, attempt="a1"), make_package("1.2.0", epoch=1, attempt="a2")
    server.add(second, third)
    server.desire(detector=second.target)
    server.wait(ended(server, "a1"))
    server.desire(detector=third.target)
    server.wait(ended(server, "a2"))
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.EPOCH_DOWNGRADE)
    assert running(server, second)()


def test_a_blob_that_the_server_does_not_have_ends_the_attempt(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    server.desire(detector=make_package("1.1.0", attempt="a1").target)
    server.wait(ended(server, "a1"), 30.0)
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.BLOB_UNKNOWN)


def test_the_disk_holds_what_is_needed_and_no_more(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    packages = [make_package(f"1.{minor}.0", attempt=f"a{minor}") for minor in range(1, 5)]
    server.add(*packages)
    for number, package in enumerate(packages, 1):
        server.desire(UpdatePolicy(trial_s=0.3, trial_frames_min=1), detector=package.target)
        server.wait(ended(server, f"a{number}"))
    retained = {FIRST.digest, packages[-2].digest, packages[-1].digest}
    wait_for(lambda: names(agent.state / "packages") == retained)
    blobs = set().union(*(set(package.blobs) for package in (FIRST, *packages[-2:])))
    wait_for(lambda: names(agent.state / "blobs") == blobs)
    assert names(agent.state / "incoming") == set()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}
