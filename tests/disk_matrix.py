"""The disk matrix: every store and small file of a device x every fault of its disk x the moment at which it comes.

A cell is one device (`tests.agent.fakes.device`) whose state is on a small disk of its own. It gets the fault, goes on for some
turns as the supervisor's loop does, and gets a sound disk back. Then the update has to end, a package has to run, the records of
the outbox have to be there, and no fault may be left. `python -m pytest -m long -s tests/long/test_disk_matrix.py` runs every
cell and prints the table.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.core import local_database, state_file
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.link.bandwidth_budget import SAVE_BYTES, BandwidthBudget
from edgefleet_agent.link.evidence_uploader import EvidenceUploader
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_agent.recording.event_store import EventStore
from edgefleet_agent.service.identity_watch import IdentityWatch
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import Event, EventPhase, Reported, Stream
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.repository import Repository
from tests.power_loss.recording_filesystem import Recording, recording, why_not
from tests.small_disk import SmallDisk, mounted

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 150_000, attempt="good")
FILES = (
    "outbox.db", "uploads.db", "evidence/events.db", "desired.json", "boot.json", "reported.json", "local.json", "budget.json",
    "trust/time.json", "trust/metadata.json", "trust/anchor.json", "identity/identity.json", "identity/device.pem",
    "identity/authority.pem", "identity.copy",
    f"slots/{SLOT}.json", "slots", "imports", "incoming", "blobs", "packages",
)  # fmt: skip
MOMENTS = ("running", "restart", "update under way")
WHOLE_DISK = ("full", "read-only")
REFUSALS = {
    "read-only while files are open": errno.EROFS,
    "input/output error": errno.EIO,
    "quota exceeded": errno.EDQUOT,
    "owner changed": errno.EACCES,
}
"""The kernel makes no disk read-only while a file is open for writing; a file system of the tests (FUSE) refuses changes."""
UNREADABLE = "bad sector"
"""Reads of the file fail; everything else works."""
EACH_BYTE_MAX = 4096
SAMPLES = 64
NOW = 1_790_000_000.0
LAST = 1000
REPOSITORY = Repository()
REPOSITORY.add(GOOD.target)
SIGNED = REPOSITORY.publish()
DISK = "48m"
"""Updates keep a margin of free space."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One fault. place: of a byte or of a cut; -1: none."""

    file: str
    fault: str
    moment: str
    place: int = -1


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of each file of a device that has run; 0: a folder."""
    with mounted(folder / "disk", DISK) as disk, _quick_retries():
        device = _Device(disk, FACTORY.write(folder / "factory"))
        device.prepare()
        device.close()
        return {name: path.stat().st_size if (path := disk.folder / name).is_file() else 0 for name in FILES}


def every_cell(length: dict[str, int]) -> Iterator[Cell]:
    """All cells. Files are torn and changed between two runs."""
    for moment in MOMENTS:
        for fault in WHOLE_DISK:
            if (fault, moment) != ("read-only", "running"):
                yield Cell("*", fault, moment)
        for fault in REFUSALS if not why_not() else ():
            yield Cell("*", fault, moment)
        for name in FILES:
            if moment != "restart" and name in ("blobs", "packages", "incoming", "slots"):
                continue  # what runs is read from there: `tests/agent/updates/test_damage.py`
            yield Cell(name, "missing", moment)
            yield Cell(name, "wrong kind", moment)
    for name, size in length.items():
        if not size:
            continue
        for moment in MOMENTS if not why_not() else ():
            yield Cell(name, UNREADABLE, moment)
        for cut in sorted({0, 1, size // 2, size - 1, min(size - 1, 100)}):
            for moment in ("restart", "update under way"):
                yield Cell(name, "torn", moment, cut)
        step = 1 if size <= EACH_BYTE_MAX and name != "identity.copy" else max(1, size // SAMPLES)
        for place in range(0, size, step):
            yield Cell(name, "byte changed", "restart", place)


def failure(cell: Cell, folder: Path) -> str:
    """One cell: why the device does not get through it; empty if it does."""
    try:
        run(cell, folder)
    except (AssertionError, StoreError, OSError, ValueError, KeyError, sqlite3.Error) as error:
        return f"{cell}: {type(error).__name__}: {error}"[:600]
    return ""


def run(cell: Cell, folder: Path) -> None:
    """One cell. Raises AssertionError if the device does not get through it."""
    with _disk(cell, folder) as disk, _quick_retries():
        device = _Device(disk, FACTORY.write(folder / "factory"))
        device.prepare(update=cell.moment == "update under way")
        if cell.moment != "running":
            device.close()
        _apply(cell, disk)
        if cell.moment != "running":
            device = _Device(disk, folder / "factory")
        device.go_on(5 if cell.place >= 0 else 20)
        assert device.runs(), "inference goes on"
        if cell.fault == "full":
            disk.free()
        elif cell.fault in ("read-only", *REFUSALS):
            disk.remount("rw")
        device.finish(records=cell.file != "outbox.db")
        device.close()


def table(cells: list[Cell]) -> str:
    """The cells that were run, as a table: file and fault to their number by moment."""
    counts = Counter((cell.file, cell.fault, cell.moment) for cell in cells)
    lines = [f"{'file':22} {'fault':30} " + " ".join(f"{moment:>17}" for moment in MOMENTS)]
    for file, fault in dict.fromkeys((cell.file, cell.fault) for cell in cells):
        row = " ".join(f"{counts[file, fault, moment] or '-':>17}" for moment in MOMENTS)
        lines.append(f"{file:22} {fault:30} {row}")
    return "\n".join(lines)


class _Device:
    """One run of the supervisor on the disk, with everything that a device keeps there."""

    def __init__(self, disk: SmallDisk, factory: Path) -> None:
        self.bench = Bench(disk.folder, server_with(GOOD))
        self.faults: DiskFaults = self.bench.faults
        uplink = self.bench.device.link.uplink
        uplink.uploads = EvidenceUploader(disk.folder, disk.folder / "evidence", "d", frozenset({"clip"}), 10**9, self.faults)
        self.events = EventStore(disk.folder / "evidence", 1e9, 10**7, self.faults, lambda: NOW)
        self.budget = BandwidthBudget(disk.folder, 0.0, 10**12, self.faults)
        self.bench.start(factory)
        self._folder = disk.folder
        self._uplink = uplink

    def prepare(self, *, update: bool = False) -> None:
        """Write every store once; `update`: go as far as a trial."""
        uplink = self._uplink
        self.bench.device.trust.known_time.learn(NOW, 0.0)
        install_root(self._folder, REPOSITORY.roots[1])
        refresh(self._folder, SIGNED)
        credentials, authority = _credentials()
        install_identity(self._folder, Named(device="d", broker_url="mqtt://127.0.0.1:1"), authority, credentials)
        assert IdentityWatch(self._folder, "d", 0.0).identity is not None
        uplink.outbox.add(Stream.EVENTS, [b'{"n": 1}', b'{"n": 2}'], NOW)
        self.write()
        self.bench.desire(1, FACTORY.target)
        self.bench.device.sources.usb_imports._save(self.bench.device.sources.usb_imports.local)
        self.bench.rest()
        if update:
            self.bench.desire(2, GOOD.target)
            while self.bench.record().trial is None:
                self.bench.turn()

    def write(self) -> None:
        """Write as the device does while it runs."""
        event = Event(kind="visit", id="e", phase=EventPhase.END, data={"clip": "a/e.mp4"})
        assert self._uplink.uploads is not None
        self._uplink.uploads.take(event, NOW)
        self._uplink.outbox.add(Stream.TELEMETRY, [b'{"t": 1}'], NOW)
        reporter = self._uplink._reporter
        report = Reported(device="d", boot="b", version=0, generation=0, sent_at=NOW, fault=str(self.bench.clock.monotonic()))
        reporter.turn(report, self.bench.clock.monotonic(), lambda _: 1)
        reporter.published(1, NOW)
        self._uplink._counters.next_connection()
        self.events.write(Event(kind="visit", id="e", phase=EventPhase.NEW))
        self.budget.spend(SAVE_BYTES, NOW)
        self.budget.room_bytes(self.bench.clock.monotonic(), NOW)

    def go_on(self, turns: int) -> None:
        """Turn as the loop does: what the disk refuses is tried again."""
        for _ in range(turns):
            desired = self.bench.device.state.desired
            with contextlib.suppress(StoreError):
                if desired is None or desired.generation < LAST:
                    self.bench.desire(LAST, GOOD.target)
            with contextlib.suppress(StoreError), as_store_error(self.bench.device.options.folder):
                self.write()
                self._uplink.outbox.turn()
                self.bench.device.stores.slots.turn()
                self.bench.turn()
        with contextlib.suppress(StoreError):
            refresh(self._folder, SIGNED)

    def runs(self) -> bool:
        running = self.bench.device.processes.worker.running.get(SLOT)
        return running is not None and running.digest in (FACTORY.digest, GOOD.digest)

    def finish(self, *, records: bool) -> None:
        """On a sound disk: the update ends, and every fault but a notice of damage ends."""
        for _ in range(40):
            self.go_on(5)
            record = self.bench.record()
            if record.trial is None and record.active == GOOD.digest and self.runs() and not self._present():
                break
        record = self.bench.record()
        assert record.trial is None, record
        assert record.active == GOOD.digest, record
        assert self.runs()
        ends_s = time.monotonic() + 120
        while self._present() and time.monotonic() < ends_s:  # the event store has a thread of its own
            self.go_on(1)
        assert self._present() == {}, "healed without a restart"
        assert refresh(self._folder, SIGNED).targets, "the signatures are trusted again"
        assert IdentityWatch(self._folder, "d", 0.0).identity is not None
        assert (self._folder / "identity" / "device.pem").read_bytes() == _credentials()[0]
        if records:
            part = self._uplink.outbox.read(Stream.EVENTS, 0)
            assert part is not None
            assert part.bodies == [b'{"n": 1}', b'{"n": 2}']

    def close(self) -> None:
        self.bench.close()
        self.events.close()
        assert self._uplink.uploads is not None
        self._uplink.uploads.close()

    def _present(self) -> dict[str, DiskState]:
        return {name: fault.state for name, fault in self.faults.present().items() if fault.state is not DiskState.DAMAGED}


@functools.cache
def _credentials() -> tuple[bytes, str]:
    """Content of `device.pem`, and the certificate of its authority."""
    with tempfile.TemporaryDirectory() as name:
        authority, at = CertificateAuthority(Path(name)), time.time()
        authority.open(at)
        key, request = new_request("d")
        issued = authority.issue(request, "d", 86400.0, at)
        return pack_credentials(key, issued.certificate, at, at + 86400.0), authority.certificate


def _apply(cell: Cell, disk: SmallDisk) -> None:
    path = disk.folder / cell.file
    if cell.fault == "full":
        disk.fill()
    elif cell.fault in ("read-only", *REFUSALS):
        disk.remount("ro")
    elif cell.fault == "missing":
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    elif cell.fault == "wrong kind":  # a folder where a file belongs, and the other way round
        if path.is_dir():
            shutil.rmtree(path)
            path.write_bytes(b"?")
        else:
            path.unlink(missing_ok=True)
            (path / "inside").mkdir(parents=True)
    elif cell.fault == UNREADABLE:
        assert isinstance(disk, _RefusingDisk)
        disk.damage(path)
    elif cell.fault == "torn":
        path.write_bytes(path.read_bytes()[: cell.place])
    else:
        data = bytearray(path.read_bytes())
        data[min(cell.place, len(data) - 1)] ^= 0x15  # a certificate is not always of the same length
        path.write_bytes(data)


class _RefusingDisk(SmallDisk):
    """A disk that answers changes with an error."""

    def __init__(self, mount: Recording, number: int) -> None:
        super().__init__(mount.mount)
        self.damage = mount.damage
        self._mount = mount
        self._number = number

    def remount(self, option: str) -> None:
        self._mount.refuse(self._number if option == "ro" else 0)


@contextlib.contextmanager
def _disk(cell: Cell, folder: Path) -> Iterator[SmallDisk]:
    if cell.fault in (*REFUSALS, UNREADABLE):
        folder.mkdir(parents=True, exist_ok=True)
        with recording(folder / "fuse") as mount:
            yield _RefusingDisk(mount, REFUSALS.get(cell.fault, 0))
    else:
        with mounted(folder / "disk", DISK) as disk:
            yield disk


@contextlib.contextmanager
def _quick_retries() -> Iterator[None]:
    with mock.patch.multiple(local_database, HEAL_MIN_S=0.0), mock.patch.multiple(state_file, RETRY_MIN_S=0.0):
        yield
