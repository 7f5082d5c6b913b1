"""A package that the disk has damaged is not run, is reported, and is fetched again; its version is not quarantined."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_agent.cli.bundle import copy, find
from edgefleet_agent.cli.status import table
from edgefleet_agent.model_store.blob_store import BlobStore, SealedBlob
from edgefleet_agent.model_store.hash_cache import UNREADABLE, HashCache
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.manifest import MANIFEST_FILE
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import BLOCK_BYTES, SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, Bench, DirectServer, server_with
from tests.agent.fakes.packages import Package, make_package
from tests.power_loss.recording_filesystem import recording

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 300_000, attempt="good")
NEXT = make_package("1.2.0", 150_000, attempt="next")


def life(root: Path, server: DirectServer) -> Bench:
    bench = Bench(root, server)
    factory = root.with_name("factory")
    bench.start(factory if factory.exists() else FACTORY.write(factory))
    return bench


def committed(root: Path, *packages: Package) -> None:
    """A device that committed these packages and was switched off."""
    bench = life(root, server_with(*packages))
    for generation, package in enumerate(packages, 1):
        bench.desire(generation, package.target)
        assert bench.rest().phase is SlotPhase.COMMITTED
    bench.close()


def zero(path: Path) -> None:
    """Overwrites bytes like a worn flash cell: length, date and inode stay the same."""
    stat_result = path.stat()
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.seek(stat_result.st_size // 2)
        file.write(bytes(64))
    path.chmod(0o444)
    os.utime(path, ns=(stat_result.st_atime_ns, stat_result.st_mtime_ns))


def model(root: Path, package: Package) -> Path:
    return root / "packages" / package.digest / "model.onnx"


def cut(path: Path) -> None:
    path.chmod(0o600)
    path.write_bytes(b"")


DAMAGES: dict[str, Callable[[Path, Package], None]] = {
    "weights": lambda root, package: zero(model(root, package)),
    "an empty file": lambda root, package: cut(model(root, package)),
    "no file": lambda root, package: model(root, package).unlink(),
    "the manifest": lambda root, package: zero(root / "packages" / package.digest / MANIFEST_FILE),
    "the descriptor": lambda root, package: zero(root / "blobs" / package.digest),
    "the folder": lambda root, package: shutil.rmtree(root / "packages" / package.digest),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_what_the_disk_damaged_is_healed_over_the_line(tmp_path: Path, how: str) -> None:
    root = tmp_path / "state"
    committed(root, GOOD)
    DAMAGES[how](root, GOOD)
    server = server_with(GOOD)
    bench = life(root, server)
    report = bench.rest()
    record = bench.record()
    assert (report.phase, record.active, record.quarantine) == (SlotPhase.COMMITTED, GOOD.digest, {})
    folder = root / "packages" / GOOD.digest
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == GOOD.files
    if how in ("weights", "an empty file"):
        assert set(server.requested) == {(GOOD.model.digest, index) for index in range(GOOD.model.block_count)}
    elif how == "the folder":
        assert not server.requested, "the blobs are whole: nothing has to come"
    bench.close()


BAD_SECTORS: dict[str, Callable[[Path, Package], Path]] = {
    "weights": model,
    "the manifest": lambda root, package: root / "packages" / package.digest / MANIFEST_FILE,
    "the descriptor": lambda root, package: root / "blobs" / package.digest,
}


@pytest.mark.parametrize("file", BAD_SECTORS)
def test_a_bad_sector_is_healed_over_the_line(tmp_path: Path, file: str) -> None:
    """Reads of the file fail; its place on the disk must not be used for what comes instead."""
    with recording(tmp_path / "fuse") as disk:
        root = disk.mount / "state"
        committed(root, GOOD)
        disk.damage(BAD_SECTORS[file](root, GOOD))
        bench = life(root, server_with(GOOD))
        report = bench.rest()
        record = bench.record()
        assert (report.phase, record.active, record.quarantine) == (SlotPhase.COMMITTED, GOOD.digest, {})
        folder = root / "packages" / GOOD.digest
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == GOOD.files
        bench.close()


@pytest.mark.parametrize("ending", ["part", "map"])
def test_a_bad_sector_under_what_arrives(tmp_path: Path, ending: str) -> None:
    """It is fetched again from the start."""
    with recording(tmp_path / "fuse") as disk:
        root = disk.mount / "state"
        committed(root, GOOD)
        bench = life(root, server_with(GOOD, NEXT))
        bench.desire(9, NEXT.target)
        turn_until(bench, lambda: (NEXT.model.digest, 1) in bench.server.waiting)
        bench.server.waiting = [(NEXT.model.digest, 0)]
        bench.turn()
        bench.close()
        disk.damage(root / "incoming" / f"{NEXT.model.digest}.{ending}")
        bench = life(root, server_with(GOOD, NEXT))
        bench.desire(10, NEXT.target)
        assert bench.rest().phase is SlotPhase.COMMITTED
        assert bench.record().active == NEXT.digest
        bench.close()


def test_without_a_connection_it_rolls_back_reports_it_and_a_stick_repairs_it(tmp_path: Path) -> None:
    """Reproduced from a device whose largest tensor was zeroed: it ran, and the good package on a stick changed nothing."""
    root = tmp_path / "state"
    committed(root, GOOD)
    zero(model(root, GOOD))
    bench = life(root, DirectServer({}))
    turn_until(bench, lambda: bench.device.processes.worker.running.get(SLOT) is not None)
    assert bench.device.processes.worker.running[SLOT].digest == FACTORY.digest
    turn_until(bench, lambda: bench.report().phase is SlotPhase.FETCHING)
    report = bench.report()
    assert report.reason is Reason.DAMAGED_ON_DISK
    assert report.detail.startswith("model.onnx is damaged on this device's disk")
    bring(tmp_path, root)
    turn_until(bench, lambda: bench.record().last_good == GOOD.digest)
    assert model(root, GOOD).read_bytes() == GOOD.files["model.onnx"]
    assert bench.report().reason is Reason.NONE
    bench.close()


def test_a_stick_makes_the_device_check_what_it_runs(tmp_path: Path) -> None:
    """The damage is not visible from outside while the agent runs; an import of the same package is a reason to check."""
    root = tmp_path / "state"
    committed(root, GOOD)
    bench = life(root, DirectServer({}))
    turn_until(bench, lambda: bench.device.processes.worker.running.get(SLOT) is not None)
    zero(model(root, GOOD))
    bring(tmp_path, root)
    turn_until(bench, lambda: model(root, GOOD).exists() and model(root, GOOD).read_bytes() == GOOD.files["model.onnx"])
    turn_until(bench, lambda: bench.record().last_good == GOOD.digest and not bench.device.sources.usb_imports.waiting)
    bench.close()


def test_it_rolls_back_to_the_version_committed_before(tmp_path: Path) -> None:
    root = tmp_path / "state"
    committed(root, GOOD, NEXT)
    zero(model(root, NEXT))
    bench = life(root, DirectServer({}))
    turn_until(bench, lambda: bench.device.processes.worker.running.get(SLOT) is not None)
    assert bench.device.processes.worker.running[SLOT].digest == GOOD.digest
    bench.close()


def test_a_factory_package_comes_again_from_its_own_folder(tmp_path: Path) -> None:
    root = tmp_path / "state"
    life(root, DirectServer({})).close()
    zero(model(root, FACTORY))
    bench = life(root, DirectServer({}))
    bench.rest()
    assert bench.device.processes.worker.running[SLOT].digest == FACTORY.digest
    assert model(root, FACTORY).read_bytes() == FACTORY.files["model.onnx"]
    zero(model(root, FACTORY))
    bench.device.stores.packages.doubt(FACTORY.digest)
    bench.rest()
    assert model(root, FACTORY).read_bytes() == FACTORY.files["model.onnx"], "while it runs, too"
    bench.close()


def test_a_blob_of_an_earlier_life_is_believed_after_it_was_hashed(tmp_path: Path) -> None:
    spec = GOOD.model
    data = GOOD.files["model.onnx"]
    BlobStore(tmp_path).add_bytes(data)
    store = BlobStore(tmp_path)
    assert (store.has(spec.digest), store.missing(spec)) == (False, [])
    assert [store.seal(spec, BLOCK_BYTES) for _ in range(3)] == [SealedBlob.MORE, SealedBlob.MORE, SealedBlob.DONE]
    assert store.has(spec.digest)
    zero(store.path(spec.digest))
    store = BlobStore(tmp_path)
    assert store.seal(spec, len(data)) is SealedBlob.DAMAGED
    assert store.missing(spec) == list(range(spec.block_count))


def test_a_file_that_the_disk_does_not_give_back_is_damage(tmp_path: Path) -> None:
    verified = HashCache()
    assert verified.find_out(tmp_path / "nothing", 10) == UNREADABLE
    assert verified.find_out(tmp_path, 10) == UNREADABLE


def test_status_does_not_call_committed_what_does_not_run() -> None:
    status = {
        "device": "d",
        "connected": False,
        "generation": 1,
        "worker": {"up": True, "restarts": 0, "rss_bytes": 0},
        "supervisor_rss_bytes": 0,
        "outbox": {"records": 0, "lost": 0},
        "disk_free_bytes": 0,
        "pipelines": {},
        "fault": "",
        "slots": {SLOT: {"phase": "committed", "target": "a" * 64, "reason": "model_refused", "detail": "no"}},
    }
    assert table(status).endswith("slot       detector: nothing running; committed, but not running (model_refused, no)")


def bring(tmp_path: Path, root: Path) -> None:
    """`edgefleet-agent bundle import` of the good package."""
    stick = tmp_path / "stick"
    (stick / BLOBS_FOLDER).mkdir(parents=True)
    for digest, data in GOOD.blobs.items():
        (stick / BLOBS_FOLDER / digest).write_bytes(data)
    (stick / BUNDLE_FILE).write_bytes(encode(UsbBundle(target=GOOD.target, trust=[])))
    copy(*find(stick), SLOT, root)


def turn_until(bench: Bench, what: Callable[[], bool]) -> None:
    for _ in range(300):
        bench.turn()
        if what():
            return
    raise AssertionError("never happened")
