"""The crash matrix of a package on a stick: copied by `edgefleet-agent bundle import`, installed by the service, tried,
committed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from edgefleet_agent.cli.bundle import copy, find
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import SlotPhase
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.service.test_crash_identity import memory
from tests.agent.updates.test_crash_matrix import FACTORY, GOOD, check_laws_on_disk
from tests.crash import check_cover, done_notes, note_done


def pack(folder: Path) -> Path:
    """Writes `GOOD` as a bundle like `edgefleet bundle export`."""
    (folder / BLOBS_FOLDER).mkdir(parents=True)
    for digest, data in GOOD.blobs.items():
        (folder / BLOBS_FOLDER / digest).write_bytes(data)
    (folder / BUNDLE_FILE).write_bytes(encode(UsbBundle(target=GOOD.target, trust=[])))
    return folder


def carry(root: Path, factory: Path, stick: Path) -> None:
    """Without a server, the stick is imported, and the package is committed."""
    bench = Bench(root, server_with())
    bench.start(factory)
    copy(*find(stick), SLOT, root)
    note_done(root, "imported")
    bench.rest()
    note_done(root, "committed")
    bench.close()


def arrives(root: Path, factory: Path, stick: Path) -> None:
    """An import that was reported as done is on disk, and completes after a restart; an unreported one may be repeated."""
    if not all((root / "blobs" / digest).exists() for digest in GOOD.blobs):  # otherwise its copy is about to be removed
        check_nothing_is_half(root)
    bench = Bench(root, server_with())
    bench.start(factory)
    if not done_notes(root):
        copy(*find(stick), SLOT, root)
    report = bench.rest()
    record = bench.record()
    assert report.phase is SlotPhase.COMMITTED, report
    assert (record.active, record.last_good, record.quarantine) == (GOOD.digest, GOOD.digest, {})
    assert not any((root / "imports").glob("[0-9a-f]*"))
    bench.close()
    check_laws_on_disk(root)


def check_nothing_is_half(root: Path) -> None:
    """A copy with its final name is complete."""
    for place in (root / "imports").glob("[0-9a-f]*"):
        assert find(place)[1].target.digest == GOOD.digest
        assert {file.name: file.read_bytes() for file in (place / BLOBS_FOLDER).iterdir()} == GOOD.blobs


@lru_cache
def story(folder: Path) -> tuple[Callable[[Path], None], Callable[[Path], None]]:
    """The story and its check, with a factory package and a stick in `folder`."""
    factory, stick = FACTORY.write(folder / "factory-of-the-stick"), pack(folder / "stick")
    return (lambda root: carry(root, factory, stick)), (lambda root: arrives(root, factory, stick))


def test_no_cell_breaks_a_law() -> None:
    with memory() as folder:
        story_part, check = story(folder)
        points = check_cover(folder, story_part, check, power_cuts=12)
    assert len(points) > 80, points
