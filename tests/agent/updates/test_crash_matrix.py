"""The crash matrix: the agent is killed before the changes of the disk, flushes and messages of an update (`tests.crash`): before
each kind in each step of the story, and in the long tests before each single one.

A child process runs: factory package, a good update, a bad update, garbage collection. In cell `n` it is killed at its n-th
point. Then the laws are checked on the disk, and a new process has to complete the update.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package
from tests.agent.service.test_crash_identity import memory
from tests.crash import check_cover, done_notes, note_done

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 300_000, attempt="good")
BAD = make_package("1.2.0", 150_000, description="errors", attempt="bad")
ALL = {package.digest: package for package in (FACTORY, GOOD, BAD)}


def live(root: Path, factory: Path) -> None:
    """Runs all steps, or the remaining ones after a crash."""
    bench = Bench(root, server_with(GOOD, BAD))
    bench.start(factory)
    for generation, package in enumerate((GOOD, BAD), 1):
        bench.desire(generation, package.target)
        bench.rest()
        note_done(root, package.target.attempt)
    bench.close()


def check_laws_on_disk(root: Path) -> set[tuple[str, int]]:
    """Checks the invariants of the files on disk. Returns the blocks recorded as verified."""
    path = root / "slots" / f"{SLOT}.json"
    reported = done_notes(root)
    if reported:  # a completed update must not be lost
        record = msgspec.json.decode(path.read_bytes(), type=SlotRecord)
        assert record.last_good == GOOD.digest, "what was committed stays committed"
        assert "bad" not in reported or BAD.digest in record.quarantine, "what was put away stays away"
    if path.exists():
        record = msgspec.json.decode(path.read_bytes(), type=SlotRecord)
        for digest in record.retained:
            folder = root / "packages" / digest
            assert {file.name: file.read_bytes() for file in folder.iterdir()} == ALL[digest].files, "committed or on trial"
        assert record.fallback in (FACTORY.digest, GOOD.digest)
        assert record.active in (record.fallback, record.trial.digest if record.trial else None)
        assert record.active not in record.quarantine
    for blob in (root / "blobs").glob("[0-9a-f]*"):
        assert hashlib.sha256(blob.read_bytes()).hexdigest() == blob.name, "a blob is what its name says"
    verified = set()
    for bits in (root / "incoming").glob("*.map"):
        content = bits.read_bytes()
        verified |= {(bits.stem, index) for index in range(8 * len(content)) if content[index >> 3] & (1 << (index & 7))}
    return verified


def continues(root: Path, factory: Path, verified: set[tuple[str, int]]) -> None:
    """A new process reaches the same result as an undisturbed one, and requests no verified block again."""
    server = server_with(GOOD, BAD)
    bench = Bench(root, server)
    bench.start(factory)
    for generation, package, phase, reason in (
        (1, GOOD, SlotPhase.COMMITTED, Reason.NONE),
        (2, BAD, SlotPhase.ROLLED_BACK, Reason.TRIAL_UNHEALTHY),
    ):
        bench.desire(generation, package.target)
        report = bench.rest()
        if bench.device.state.desired is not None and bench.device.state.desired.generation == generation:
            assert (report.phase, report.reason, report.attempt) == (phase, reason, package.target.attempt)
    assert not verified & set(server.requested), "no verified block is asked for again"
    record = bench.record()
    assert (record.active, record.last_good, set(record.quarantine)) == (GOOD.digest, GOOD.digest, {BAD.digest})
    assert bench.device.stores.packages.all() == {FACTORY.digest, GOOD.digest} | {BAD.digest}
    bench.close()


def test_no_cell_breaks_a_law() -> None:
    with memory() as folder:
        factory = FACTORY.write(folder / "factory")
        points = check_cover(
            folder,
            lambda root: live(root, factory),
            lambda root: continues(root, factory, check_laws_on_disk(root)),
            power_cuts=12,
        )
    assert len(points) > 70, points
