"""The crash matrix of self-updates: fetched, unpacked, started by the launcher, tried, committed or quarantined."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from edgefleet_agent.cli.internal.environment import archive_of
from edgefleet_agent.cli.internal.launch import choose, prepare, runnable_version
from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.slot_report import report_slot
from edgefleet_agent.updates import agent_versions
from edgefleet_agent.updates.actions import Wait
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.selftest_runner import SelfTestRunner
from edgefleet_agent.updates.state import Check, SelfTest
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.manifest import MANIFEST_FILE, read_manifest
from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import Bench, server_with
from tests.agent.fakes.packages import Package, make_agent
from tests.agent.service.test_crash_identity import memory
from tests.crash import check_cover, done_notes, note_done

GOOD = make_agent("101.0.0", attempt="good")
BAD = make_agent("102.0.0", attempt="bad")
BOTH = {package.digest: package for package in (GOOD, BAD)}
OWN_VERSION = "100.0.0"
"""Version of the agent installed with the device."""
TURNS_MAX, LIVES_MAX = 200, 12


class HereTester(SelfTestRunner):
    """Unpacks in this process, so that it can be killed there; the start of an interpreter does not change the disk."""

    def __init__(self, state: Path) -> None:
        super().__init__([])
        self._state = state
        self._done: dict[str, SelfTest] = {}

    def start(self, digest: str, folder: Path, now: float, command: list[str] | None = None) -> None:
        manifest = read_manifest((folder / MANIFEST_FILE).read_text(encoding="utf-8"), MANIFEST_FILE)
        agent_versions.unpack(folder / archive_of(manifest), self._state, digest, manifest.version)
        self._done[digest] = SelfTest(digest, Check.PASSED)

    def result(self, digest: str) -> SelfTest | None:
        return self._done.get(digest)

    def forget(self, digest: str) -> None:
        self._done.pop(digest, None)


def bring(root: Path, generation: int, package: Package) -> tuple[SlotPhase, Reason]:
    """Runs the agent, each time as chosen by the launcher, until `package` is committed or quarantined."""
    server = server_with(GOOD, BAD)
    for _ in range(LIVES_MAX):
        _, _, digest = prepare(root, OWN_VERSION, 1.0)
        if digest == BAD.digest:
            continue  # it crashes at once, and systemd starts the launcher again
        own = SelfUpdate(root, digest, ("launcher", ""), [], ManualClock().monotonic(), server_contact=True)
        bench = Bench(root, server, selftests=HereTester(root), self_update=own)
        bench.restart()
        bench.desire(generation, package.target, AGENT_SLOT)
        ended = live(bench)
        bench.close()
        if ended is not None:
            return ended
    raise AssertionError("it never comes to an end")


def live(bench: Bench) -> tuple[SlotPhase, Reason] | None:
    """One life; None where another version shall take its place."""
    own = bench.device.processes.self_update
    for _ in range(TURNS_MAX):
        observed, action = bench.turn()
        assert own is not None
        if own.relaunching:
            return None
        report = report_slot(desired_state.target(bench.device, AGENT_SLOT), observed.slots[AGENT_SLOT])
        if report.phase in (SlotPhase.COMMITTED, SlotPhase.ROLLED_BACK) and isinstance(action, Wait):
            return report.phase, report.reason
    raise AssertionError("no rest")


def story_part(root: Path) -> None:
    """A good version and one that crashes; then the good one is desired again, and the files of the other are collected."""
    for generation, (package, word) in enumerate(((GOOD, "good"), (BAD, "bad"), (GOOD, "clean")), 1):
        bring(root, generation, package)
        note_done(root, word)


def check(root: Path) -> None:
    """The version that the launcher would start is whole, and trusted or on trial; after restarts the update completes."""
    reported = done_notes(root)
    record = SlotStore(root).read(AGENT_SLOT)
    chosen = choose(record, OWN_VERSION, lambda digest: runnable_version(root, digest), 1.0)
    if reported:
        assert chosen.last_good == GOOD.digest, "what was committed stays committed"
        assert "bad" not in reported or (chosen.active, list(chosen.quarantine)) == (GOOD.digest, [BAD.digest])
    assert chosen.active in (None, GOOD.digest, BAD.digest)
    for place in (root / agent_versions.FOLDER).glob("[0-9a-f]*"):
        check_whole(place)
    if "good" not in reported:
        assert bring(root, 1, GOOD) == (SlotPhase.COMMITTED, Reason.NONE)
    if "bad" not in reported:
        assert bring(root, 2, BAD) == (SlotPhase.ROLLED_BACK, Reason.TRIAL_CRASH)
    assert bring(root, 3, GOOD) == (SlotPhase.COMMITTED, Reason.NONE)
    assert [path.name for path in (root / agent_versions.FOLDER).iterdir()] == [GOOD.digest]
    record = SlotStore(root).read(AGENT_SLOT)
    assert (record.active, record.last_good, list(record.quarantine)) == (GOOD.digest, GOOD.digest, [BAD.digest])


def check_whole(place: Path) -> None:
    """An environment with its final name has exactly the content of its package."""
    package = BOTH[place.name]
    assert agent_versions.usable(place)
    assert agent_versions.version_of(place) == package.target.version
    (site,) = place.glob("lib/*/site-packages")
    with zipfile.ZipFile(BytesIO(package.files["agent.zip"])) as files:
        for name in files.namelist():
            assert (site / name).read_bytes() == files.read(name)


STORY: tuple[Callable[[Path], None], Callable[[Path], None]] = (story_part, check)


def test_no_cell_breaks_a_law() -> None:
    with memory() as folder:
        points = check_cover(folder, story_part, check, power_cuts=12)
    assert len(points) > 140, points
