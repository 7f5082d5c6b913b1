"""The crash matrix of bundles: two packages that are activated together, or neither."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_contract.wire.messages import SlotTarget
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import Package, make_package
from tests.agent.service.test_crash_identity import memory
from tests.crash import check_cover, done_notes, note_done

OTHER = "counter"
SLOTS = (SLOT, OTHER)
FACTORY = make_package("1.0.0", 1000)
GOOD = (make_package("1.1.0", 150_000, attempt="good"), make_package("1.1.1", 1000, attempt="good"))
BAD = (make_package("1.2.0", 1000, attempt="bad"), make_package("1.2.1", 1000, description="errors", attempt="bad"))
STEPS = {"good": GOOD, "bad": BAD}


def targets(parts: tuple[Package, Package]) -> dict[str, SlotTarget]:
    return {slot: replace(part.target, atomic=True) for slot, part in zip(SLOTS, parts, strict=True)}


def live(root: Path, factory: Path) -> None:
    """A good bundle, and one whose second part fails its trial after the first was committed."""
    bench = Bench(root, server_with(*GOOD, *BAD))
    bench.start(factory, SLOTS)
    for generation, (word, parts) in enumerate(STEPS.items(), 1):
        bench.desire_all(generation, targets(parts))
        bench.rest()
        note_done(root, word)
    bench.close()


def check(root: Path, factory: Path) -> None:
    """Reported results hold; a new process ends with both parts of the good bundle, and nothing of the bad one."""
    both = tuple(part.digest for part in GOOD)
    if "good" in done_notes(root):
        committed = [{*SlotStore(root).read(slot).retained} for slot in SLOTS]
        assert all(digest in stored for digest, stored in zip(both, committed, strict=True)), "what was committed can be restored"
    if "bad" in done_notes(root):
        assert tuple(SlotStore(root).read(slot).active for slot in SLOTS) == both, "neither part of the bad bundle runs"
    bench = Bench(root, server_with(*GOOD, *BAD))
    bench.start(factory, SLOTS)
    for generation, parts in enumerate(STEPS.values(), 1):
        bench.desire_all(generation, targets(parts))
        bench.rest()
        records = [bench.record(slot) for slot in SLOTS]
        assert tuple(record.active for record in records) == both
        assert tuple(record.last_good for record in records) == both
    assert BAD[1].digest in bench.record(OTHER).quarantine
    bench.close()


@lru_cache
def story(folder: Path) -> tuple[Callable[[Path], None], Callable[[Path], None]]:
    """The story and its check, with a factory package in `folder`."""
    factory = FACTORY.write(folder / "factory-of-the-bundle")
    return (lambda root: live(root, factory)), (lambda root: check(root, factory))


def test_no_cell_breaks_a_law() -> None:
    with memory() as folder:
        story_part, check = story(folder)
        points = check_cover(folder, story_part, check, power_cuts=12)
    assert len(points) > 80, points
