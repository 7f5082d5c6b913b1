"""Updates and the disk: refused without space, waiting while it takes nothing, and tried again without a new offer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.link.block_fetcher import BlockFetcher
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.slot_record import SlotRecord, end, reopen
from edgefleet_agent.supervisor.observation import ROOM_S
from edgefleet_agent.supervisor.slot_report import report_slots
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import BLOCK_BYTES, Desired, SlotPhase
from edgefleet_contract.wire.reason_codes import DISK_READ_ONLY, Reason
from tests.agent.fakes.device import SLOT, TURN_S, Bench, DirectServer, server_with
from tests.agent.fakes.packages import Package, make_agent, make_package
from tests.agent.updates.test_crash_self_update import HereTester
from tests.small_disk import FILLER, SmallDisk, mounted

FACTORY = make_package("1.0.0", 1000)
LARGE = make_package("1.1.0", 4_000_000, attempt="large")
SELF = make_agent("101.0.0", attempt="self")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with mounted(tmp_path / "disk", "48m") as disk:
        yield disk


def begin(disk: SmallDisk, factory: Path, *packages: Package, own: SelfUpdate | None = None) -> Bench:
    tester = HereTester(disk.folder) if own is not None else None
    bench = Bench(disk.folder, server_with(*packages), selftests=tester, self_update=own)
    bench.start(factory if factory.exists() else FACTORY.write(factory))
    bench.rest()
    return bench


def leave(disk: SmallDisk, free_bytes: int) -> None:
    """Fill the disk up to `free_bytes`."""
    disk.fill()
    with (disk.folder / FILLER).open("r+b") as file:
        file.truncate((disk.folder / FILLER).stat().st_size - free_bytes)


def turn_for(bench: Bench, seconds: float) -> None:
    for _ in range(int(seconds / TURN_S)):
        bench.turn()


def test_a_model_without_space_is_refused_and_tried_again_when_there_is_room(disk: SmallDisk, tmp_path: Path) -> None:
    bench = begin(disk, tmp_path / "factory", LARGE)
    leave(disk, 2_000_000)
    bench.desire(1, LARGE.target)
    report = bench.rest()
    assert (report.phase, report.reason) == (SlotPhase.REFUSED, Reason.NO_SPACE)
    turn_for(bench, 3 * ROOM_S)
    assert bench.record().ended is not None, "still no room"
    disk.free()
    turn_for(bench, 2 * ROOM_S)
    assert bench.rest().phase is SlotPhase.COMMITTED
    assert bench.record().active == LARGE.digest
    bench.close()


def test_a_restart_does_not_forget_what_was_refused(disk: SmallDisk, tmp_path: Path) -> None:
    bench = begin(disk, tmp_path / "factory", LARGE)
    leave(disk, 2_000_000)
    bench.desire(1, LARGE.target)
    bench.rest()
    bench.close()
    disk.free()
    again = begin(disk, tmp_path / "factory", LARGE)
    assert again.record().active == LARGE.digest
    again.close()


def test_an_agent_version_without_space_is_refused_and_tried_again(disk: SmallDisk, tmp_path: Path) -> None:
    own = SelfUpdate(disk.folder, "", ("launcher", ""), [], 0.0, server_contact=True)
    bench = begin(disk, tmp_path / "factory", SELF, own=own)
    leave(disk, 2_000_000)
    bench.desire(1, SELF.target, AGENT_SLOT)
    bench.rest()
    ended = bench.record(AGENT_SLOT).ended
    assert ended is not None
    assert ended.reason is Reason.NO_SPACE
    disk.free()
    turn_for(bench, 2 * ROOM_S)
    assert bench.record(AGENT_SLOT).active == SELF.digest
    assert own.relaunching
    bench.close()


@pytest.mark.parametrize("slot", [SLOT, AGENT_SLOT])
def test_on_a_read_only_disk_an_update_waits_with_a_reason(disk: SmallDisk, tmp_path: Path, slot: str) -> None:
    package = SELF if slot == AGENT_SLOT else LARGE
    first = begin(disk, tmp_path / "factory", package)
    first.close()
    server = DirectServer({})  # answers nothing: the update is under way
    bench = Bench(disk.folder, server, self_update=SelfUpdate(disk.folder, "", ("launcher", ""), [], 0.0))
    bench.start(tmp_path / "factory")
    bench.desire(1, package.target, slot)
    bench.turn()
    bench.close()
    disk.remount("ro")
    own = SelfUpdate(disk.folder, "", ("launcher", ""), [], 0.0, server_contact=True)
    tester = HereTester(disk.folder) if slot == AGENT_SLOT else None
    again = Bench(disk.folder, server_with(package), selftests=tester, self_update=own)
    again.start(tmp_path / "factory")
    turn_for(again, 5.0)
    desired = again.device.state.desired
    assert isinstance(desired, Desired)
    report = report_slots(desired, again.observe(), {}, 0.0)[slot]
    assert (report.phase, report.reason, report.wait_reason) == (SlotPhase.FETCHING, Reason.NONE, DISK_READ_ONLY)
    assert not again.server.requested, "nothing is asked for that cannot be kept"
    disk.remount("rw")
    turn_for(again, 30.0)
    assert again.record(slot).active == package.digest
    again.close()


def test_blocks_that_the_disk_refuses_are_requested_again(disk: SmallDisk) -> None:
    server, store = server_with(LARGE), BlobStore(disk.folder)
    fetcher = BlockFetcher("d", store, server)
    fetcher.connected(0.0)
    blob = next(digest for digest, data in LARGE.blobs.items() if len(data) > BLOCK_BYTES)
    fetcher.want(SLOT, [BlobSpec(blob, len(LARGE.blobs[blob]))], 8, 0.0)
    disk.fill()
    now = 0.0
    for _ in range(40):
        fetcher.turn(now := now + 1.0)
        server.answer(fetcher, now)
    assert "no space left" in fetcher.disk_refusal(SLOT)
    assert fetcher.failure(SLOT) is None
    assert sum(server.requested.values()) < 40 * 8, "with pauses"
    disk.free()
    while store.missing(BlobSpec(blob, len(LARGE.blobs[blob]))):
        fetcher.turn(now := now + 1.0)
        server.answer(fetcher, now)
        assert now < 400.0
    assert fetcher.disk_refusal(SLOT) == ""


def test_only_a_want_of_space_opens_an_attempt_again() -> None:
    record = end(SlotRecord(), LARGE.digest, "large", Reason.NO_SPACE, "", 1.0)
    assert reopen(record) == SlotRecord()
    with pytest.raises(ValueError, match="no attempt without disk space"):
        reopen(end(SlotRecord(), LARGE.digest, "large", Reason.INCOMPATIBLE, "", 1.0))
