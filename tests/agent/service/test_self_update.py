"""Self-updates of the agent: choice at the start, unpacking, plan. With real boots: tests/long."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from edgefleet_agent.cli.internal.launch import STARTS_MAX, choose
from edgefleet_agent.model_store.slot_record import SlotRecord, activate, commit
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.updates import agent_versions
from edgefleet_agent.updates.actions import Commit, Relaunch, RollBack, Wait
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.state import Observed, SlotFacts, TrialWatch
from edgefleet_contract.core.errors import ManifestError, ModelError
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.messages import Running, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason
from tests.import_path import import_path

OLD, NEW = "a" * 64, "b" * 64
TARGET = SlotTarget(package="edgefleet-agent", version="2.0.0", digest=NEW, length=9)
ON_TRIAL = activate(SlotRecord(), TARGET, UpdatePolicy(trial_s=2.0), 1.0)
LAUNCHER = ("/usr/bin/python3", "edgefleet_agent")
ROOT = Path(__file__).resolve().parents[3]


def test_a_trial_is_started_a_few_times_and_then_rolled_back() -> None:
    record = ON_TRIAL
    for start in range(1, STARTS_MAX + 1):
        record = choose(record, "1.0.0", lambda _: "2.0.0", 5.0)
        assert (record.active, record.trial and record.trial.interruptions) == (NEW, start)
    record = choose(record, "1.0.0", lambda _: "2.0.0", 5.0)
    assert (record.active, record.trial) == (None, None), "back to what came with the device"
    assert record.quarantine[NEW].reason is Reason.TRIAL_CRASH


def test_an_environment_that_is_not_whole_never_starts() -> None:
    assert choose(ON_TRIAL, "1.0.0", lambda _: None, 5.0).active is None
    committed = commit(ON_TRIAL, "", 2.0)
    assert choose(committed, "1.0.0", lambda _: "2.0.0", 5.0) == committed
    assert choose(committed, "1.0.0", lambda _: None, 5.0).active is None


def test_a_newer_debian_package_precedes_an_older_update() -> None:
    committed = commit(ON_TRIAL, "", 2.0)
    assert choose(committed, "2.0.0", lambda _: "2.0.0", 5.0).active == NEW
    assert choose(committed, "2.0.1", lambda _: "2.0.0", 5.0).active is None
    assert choose(committed, "2.0.0", lambda _: "2.10.0", 5.0).active == NEW


@given(
    whole=st.sets(st.sampled_from([OLD, NEW])),
    starts=st.integers(0, 9),
    second=st.booleans(),
    own=st.sampled_from(["1.0.0", "9.0.0"]),
)
def test_what_is_chosen_can_run_and_is_committed_or_on_trial(whole: set[str], starts: int, second: bool, own: str) -> None:
    record = replace(SlotRecord(), active=OLD, last_good=OLD) if second else SlotRecord()
    record = activate(record, TARGET, UpdatePolicy(), 1.0)
    record = replace(record, trial=replace(record.trial, interruptions=starts))
    found = choose(record, own, lambda digest: "2.0.0" if digest in whole else None, 5.0)
    assert found.active is None or found.active in whole
    assert found.active in (None, found.last_good, found.trial.digest if found.trial else None)
    assert found.trial is None or found.trial.interruptions > starts


def test_the_plan_relaunches_and_commits_after_server_contact() -> None:
    facts = SlotFacts(record=ON_TRIAL, running=None, watch=TrialWatch(began_s=0.0), used=False)
    assert isinstance(plan(None, Observed(slots={AGENT_SLOT: facts}), 1.0), Relaunch)
    running = Running(package="edgefleet-agent", version="2.0.0", digest=NEW)
    deaf = replace_facts(facts, running, TrialWatch(began_s=0.0, loaded_s=1.0))
    assert isinstance(plan(None, Observed(slots={AGENT_SLOT: deaf}, worker_up=True), 9.0), Wait)
    confirmed = replace_facts(facts, running, TrialWatch(began_s=0.0, loaded_s=1.0, server_contact=True))
    assert isinstance(plan(None, Observed(slots={AGENT_SLOT: confirmed}, worker_up=True), 9.0), Commit)
    rolled_back = SlotFacts(record=SlotRecord(), running=running)
    assert isinstance(plan(None, Observed(slots={AGENT_SLOT: rolled_back}), 9.0), Relaunch)
    assert isinstance(plan(None, Observed(slots={AGENT_SLOT: SlotFacts()}, worker_up=True), 9.0), Wait)


def test_the_old_process_gives_way_however_long_it_has_run() -> None:
    own = SelfUpdate(Path("/nowhere"), "", LAUNCHER, [], began_s=0.0)
    for now in (1.0, 100_000.0):
        facts = SlotFacts(record=ON_TRIAL, watch=own.watch(NEW, worker_up=True, now=now), used=False)
        assert isinstance(plan(None, Observed(slots={AGENT_SLOT: facts}, worker_up=True), now), Relaunch)
    fresh = SelfUpdate(Path("/nowhere"), NEW, LAUNCHER, [], began_s=0.0)
    running = Running(package="edgefleet-agent", version="2.0.0", digest=NEW)
    late = replace_facts(SlotFacts(record=ON_TRIAL), running, fresh.watch(NEW, worker_up=False, now=500.0))
    assert isinstance(plan(None, Observed(slots={AGENT_SLOT: late}), 500.0), RollBack), "its worker never came up"


def replace_facts(facts: SlotFacts, running: Running, watch: TrialWatch) -> SlotFacts:
    return SlotFacts(record=facts.record, running=running, watch=watch, used=False)


def archive(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return path


AGENT = {
    "entry": "some.agent\n",
    "some/__init__.py": "",
    "some/agent.py": (
        "import os, sys\n"
        "digest = os.environ.get('EDGEFLEET_ENVIRONMENT', '')\n"
        "print('2.0.0' if sys.argv[1] == 'probe' else f'this is 2.0.0 {digest[:4]} {sys.argv[1:]}')\n"
    ),
}
"""A version whose modules have other names than those of this version."""


def test_unpacked_proved_and_launched(tmp_path: Path) -> None:
    place = agent_versions.unpack(archive(tmp_path / "a.zip", AGENT), tmp_path, NEW, "2.0.0")
    agent_versions.prove(place, "2.0.0")
    with pytest.raises(ModelError, match=r"version 3\.0\.0"):
        agent_versions.prove(place, "3.0.0")
    SlotStore(tmp_path).write(AGENT_SLOT, ON_TRIAL)
    config = tmp_path / "agent.toml"
    config.write_text(f'device = "d"\nstate = "{tmp_path}"\n')
    command = [sys.executable, "-m", "edgefleet_agent", "launch", "--config", str(config)]
    output = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": import_path()})
    assert output.stdout.startswith("this is 2.0.0 bbbb ['run',"), output.stderr
    trial = SlotStore(tmp_path).read(AGENT_SLOT).trial
    assert trial is not None
    assert trial.interruptions == 1, "counted on the disk before it ran"
    agent_versions.collect(tmp_path, set())
    assert not place.exists()


@pytest.mark.parametrize("name", ["../outside.py", "/etc/passwd", "a/../../b", "a//b", "a\\b", "./a", "a\nb"])
def test_names_that_lead_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(ManifestError):
        agent_versions.unpack(archive(tmp_path / "a.zip", {"some/__init__.py": "", name: "x"}), tmp_path / "state", NEW, "2.0.0")
    assert not agent_versions.place(tmp_path / "state", NEW).exists()
    assert not (tmp_path / "outside.py").exists()


def test_what_is_no_archive_or_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(b"PK nonsense")
    with pytest.raises(ManifestError, match="is not an agent archive"):
        agent_versions.unpack(tmp_path / "b.zip", tmp_path, NEW, "2.0.0")
    broken = {**AGENT, "some/agent.py": "raise SystemError('broken')"}
    place = agent_versions.unpack(archive(tmp_path / "c.zip", broken), tmp_path, OLD, "2.0.0")
    with pytest.raises(ModelError, match="broken"):
        agent_versions.prove(place, "2.0.0")
