"""The crash matrix: the agent is killed (SIGKILL) before each single open-for-writing, rename, link and unlink of an update.

A child process lives through: factory package, a good update, a bad update, collection. In cell `n` it dies at its n-th change of
the disk. Then the laws are looked up on the disk itself, and a new life has to bring the update to its end.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from agent.contract.messages import Stage
from agent.contract.reasons import Reason
from agent.model_store.record import SlotRecord
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 300_000, attempt="good")
BAD = make_package("1.2.0", 150_000, description="errors", attempt="bad")
ALL = {package.digest: package for package in (FACTORY, GOOD, BAD)}
CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod"}
WRITING = os.O_WRONLY | os.O_RDWR


def live(root: Path, factory: Path) -> None:
    """The whole story, in one life or in what is left of it."""
    bench = Bench(root, server_with(GOOD, BAD))
    bench.start(factory)
    for generation, package in enumerate((GOOD, BAD), 1):
        bench.desire(generation, package.target)
        bench.rest()
    bench.close()


def die_at(number: int, root: Path, factory: Path) -> bool:
    """Live in a child that dies before its `number`-th change of the disk; False when it reached the end before."""
    child = os.fork()
    if child == 0:
        count = Counter[str]()

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
            if (writes or event in CHANGES) and str(arguments[0]).startswith(str(root)):
                count["changes"] += 1
                if count["changes"] == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        try:
            live(root, factory)
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the child failed by itself"
    return os.WIFSIGNALED(status)


def check_laws_on_disk(root: Path) -> set[tuple[str, int]]:
    """What must hold of the bare files; the blocks that are on record as verified."""
    path = root / "slots" / f"{SLOT}.json"
    if path.exists():
        record = msgspec.json.decode(path.read_bytes(), type=SlotRecord)
        for digest in record.kept:
            folder = root / "packages" / digest
            assert {file.name: file.read_bytes() for file in folder.iterdir()} == ALL[digest].files, "trusted or tried, and whole"
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


def goes_on(root: Path, factory: Path, verified: set[tuple[str, int]]) -> None:
    """A new life ends the story as an undisturbed one would, and asks for no verified block again."""
    server = server_with(GOOD, BAD)
    bench = Bench(root, server)
    bench.start(factory)
    for generation, package, stage, reason in (
        (1, GOOD, Stage.COMMITTED, Reason.NONE),
        (2, BAD, Stage.ROLLED_BACK, Reason.TRIAL_UNHEALTHY),
    ):
        bench.desire(generation, package.target)
        report = bench.rest()
        if bench.device.desired is not None and bench.device.desired.generation == generation:
            assert (report.stage, report.reason, report.attempt) == (stage, reason, package.target.attempt)
    assert not verified & set(server.asked), "no verified block is asked for again"
    record = bench.device.slots.read(SLOT)
    assert (record.active, record.last_good, set(record.quarantine)) == (GOOD.digest, GOOD.digest, {BAD.digest})
    assert bench.device.packages.all() == {FACTORY.digest, GOOD.digest} | {BAD.digest}
    bench.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a disk: SIGKILL takes nothing from it, and flushing costs nothing."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    path = Path(tempfile.mkdtemp(dir="/dev/shm"))
    yield path
    shutil.rmtree(path)


@pytest.mark.timeout(600)
def test_no_cell_breaks_a_law(folder: Path) -> None:
    factory = FACTORY.write(folder / "factory")
    number = 0
    while True:
        number += 1
        root = folder / f"cell-{number}"
        died = die_at(number, root, factory)
        goes_on(root, factory, check_laws_on_disk(root))
        shutil.rmtree(root)
        if not died:
            break
    assert number > 60, f"only {number} cells"
