"""A full disk: the device continues to work, stays reachable, refuses packages that it cannot store, and recovers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.wire.messages import BLOCK_BYTES, Command, SlotPhase, Stream, UpdatePolicy
from edgefleet_contract.wire.reason_codes import DISK_READ_ONLY, Reason
from tests.agent.fakes.bench import ROOT, Agent, MakeAgent
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.repository import Repository
from tests.agent.fakes.server import FakeServer
from tests.agent.service.test_service import events, show_status, stored
from tests.agent.service.test_update import FIRST, begin, ended, running, wait_for
from tests.import_path import import_path
from tests.small_disk import FILLER, SmallDisk, mounted

pytestmark = pytest.mark.system


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """The folder where the first agent's state will be, on a disk of 48 MB."""
    with mounted(tmp_path / "agent-0" / "state", "48m") as disk:
        yield disk.folder


def remount(folder: Path, option: str) -> None:
    SmallDisk(folder).remount(option)


def status_of(agent: Agent) -> dict[str, Any]:
    """Parsed output of `edgefleet-agent status`; only an empty fault while the agent does not answer."""
    parsed: dict[str, Any] = json.loads(show_status(agent.config, "--json").stdout or '{"fault": ""}')
    return parsed


def fault_of(agent: Agent) -> str:
    return str(status_of(agent)["fault"])


def fill(folder: Path) -> Path:
    SmallDisk(folder).fill()
    return folder / FILLER


def test_a_full_disk_costs_records_and_nothing_else(small_disk: Path, server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    (warning,) = status_of(agent)["warnings"]
    assert warning.startswith(f"state folder {small_disk} is in memory (tmpfs)")
    assert f"warning    {warning}" in show_status(agent.config).stdout
    filler = fill(small_disk)
    second = make_package("1.1.0", 2 * BLOCK_BYTES, attempt="a1")
    server.add(second)
    server.desire(detector=second.target)
    wait_for(lambda: json.loads(show_status(agent.config, "--json").stdout)["fault"] != "")
    wait_for(lambda: "no space left" in fault_of(agent))
    server.wait(lambda: (server.slot().attempt, server.slot().wait_reason) == ("a1", Reason.NO_SPACE.value))
    assert running(server, FIRST)()
    filler.unlink()
    server.wait(ended(server, "a1"))
    assert server.slot().wait_reason == ""
    assert server.slot().phase is SlotPhase.COMMITTED, "the desire waited for the disk"
    seen = len(events(server))
    server.wait(lambda: len(events(server)) > seen)
    server.wait(lambda: stored(server, Stream.TELEMETRY))
    assert agent.stop() == 0


def test_the_agent_starts_on_a_full_disk_and_can_be_reached(small_disk: Path, server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    agent.kill()
    filler = fill(small_disk)
    before = server.presence[-1].connection
    agent.start()
    server.wait(lambda: server.presence[-1].online and server.presence[-1].connection > before)
    server.wait(running(server, FIRST))
    server.command(Command(id="i1", op="identify"))
    server.wait(lambda: server.presence[-1].online)
    agent.kill()
    filler.unlink()
    agent.start()
    server.wait(running(server, FIRST))
    assert sum(1 for _, epoch in server.records) <= 4


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_inference_outlives_a_restart_on_a_disk_that_takes_nothing(
    fault: str, small_disk: Path, server: FakeServer, make_agent: MakeAgent
) -> None:
    agent = make_agent(FIRST)
    settings = agent.config.read_text(encoding="utf-8")
    agent.config.write_text(settings.replace(str(agent.config.parent / "events.jsonl"), str(small_disk / "events.jsonl")))
    agent.start()
    server.wait(running(server, FIRST))
    assert agent.stop() == 0, "its databases are closed: what lay beside them is gone"
    if fault == "full":
        (small_disk / "agent.lock").unlink()
        fill(small_disk)
    else:
        remount(small_disk, "ro")
    before = server.presence[-1].connection
    agent.start()
    server.wait(lambda: server.presence[-1].online and server.presence[-1].connection > before)
    server.wait(running(server, FIRST))
    wait_for(lambda: "uploads" in fault_of(agent))
    server.wait(lambda: "uploads" in server.reports[-1].fault)
    assert len(fault_of(agent)) < 300, "stores of one disk share a sentence"
    argv = [sys.executable, "-m", "tests.agent.fakes.agent", str(agent.config)]
    second = subprocess.run(argv, cwd=ROOT, env={**os.environ, "PYTHONPATH": import_path()}, capture_output=True, text=True)
    assert second.returncode == UnavailableError.exit_code, "one agent at a time, whatever the disk does"
    assert "another edgefleet-agent" in second.stderr
    assert agent.stop() == 0


def test_an_offer_waits_for_a_read_only_disk(small_disk: Path, server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    assert agent.stop() == 0
    remount(small_disk, "ro")
    agent.start()
    server.wait(lambda: server.reports[-1].fault != "")
    second = make_package("1.1.0", attempt="a1")
    server.add(second)
    server.desire(detector=second.target)
    server.wait(lambda: (server.slot().attempt, server.slot().wait_reason) == ("a1", DISK_READ_ONLY))
    assert server.slot().phase is SlotPhase.ABSENT
    server.wait(running(server, FIRST))
    remount(small_disk, "rw")
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.COMMITTED, "the offer came once, and waited for the disk"


def test_damaged_signed_metadata_comes_again_from_the_server(server: FakeServer, make_agent: MakeAgent) -> None:
    repository = Repository()
    repository.add(FIRST.target)
    server.offer(repository.publish())
    agent = make_agent(FIRST, repository.roots[1])
    agent.start()
    server.wait(running(server, FIRST))
    wait_for(lambda: status_of(agent)["trust"]["targets"] == 1)
    place = agent.state / "trust" / "metadata.json"
    agent.config.write_text(agent.config.read_text().replace('trust_root = "root.json"\n', ""), encoding="utf-8")
    agent.kill()
    place.write_bytes(place.read_bytes()[:-100])
    agent.start()
    wait_for(lambda: status_of(agent).get("trust", {}).get("targets") == 1)
    assert list(place.parent.glob("metadata.json.damaged-*"))
    wait_for(lambda: fault_of(agent) == "")
    second = make_package("1.1.0", attempt="a1")
    repository.add(second.target)
    server.add(second)
    place.write_bytes(b"")
    server.offer(repository.publish())
    server.desire(detector=second.target)
    server.wait(ended(server, "a1"), 30.0)
    assert server.slot().phase is SlotPhase.COMMITTED, "also when it is damaged while the agent runs"


def test_a_trial_continues_where_the_disk_cannot_count_its_starts(
    small_disk: Path, server: FakeServer, make_agent: MakeAgent
) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", attempt="a1")
    server.add(second)
    server.desire(UpdatePolicy(trial_s=4.0, trial_frames_min=3), detector=second.target)
    server.wait(lambda: server.slot().phase is SlotPhase.TRIAL)
    agent.kill()
    remount(small_disk, "ro")
    agent.start()
    server.wait(lambda: "detector.json" in server.reports[-1].fault)
    server.wait(running(server, second))
    remount(small_disk, "rw")
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.COMMITTED


def test_a_disk_that_works_again_is_no_fault_after_the_next_start(
    small_disk: Path, server: FakeServer, make_agent: MakeAgent
) -> None:
    agent = begin(server, make_agent)
    assert agent.stop() == 0
    remount(small_disk, "ro")
    agent.start()
    server.wait(lambda: server.reports[-1].fault != "")
    assert agent.stop() == 0
    remount(small_disk, "rw")
    agent.start()
    server.wait(lambda: server.reports[-1].fault == "")
    wait_for(lambda: fault_of(agent) == "")


def test_signed_metadata_that_a_full_disk_cannot_keep_is_waited_for(
    small_disk: Path, server: FakeServer, make_agent: MakeAgent
) -> None:
    repository = Repository()
    repository.add(FIRST.target)
    server.offer(repository.publish())
    agent = make_agent(FIRST, repository.roots[1])
    agent.start()
    server.wait(running(server, FIRST))
    wait_for(lambda: status_of(agent)["trust"]["targets"] == 1)
    second = make_package("1.1.0", attempt="a1")
    repository.add(second.target)
    server.add(second)
    filler = fill(small_disk)
    server.offer(repository.publish())
    wait_for(lambda: "signed metadata" in fault_of(agent))
    assert "no space left" in fault_of(agent)
    assert status_of(agent)["trust"]["refused"] == "", "what the disk cannot keep was not judged"
    server.wait(lambda: "signed metadata" in server.reports[-1].fault)
    assert running(server, FIRST)()
    filler.unlink()
    server.desire(detector=second.target)
    server.wait(ended(server, "a1"), 30.0)
    assert server.slot().phase is SlotPhase.COMMITTED, "the metadata came once, and waited for the disk"


def test_no_space_is_reported_before_a_byte_is_requested(small_disk: Path, server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    large = make_package("1.1.0", 40_000_000, attempt="a1")
    server.add(large)
    server.desire(detector=large.target)
    server.wait(ended(server, "a1"))
    assert (server.slot().phase, server.slot().reason) == (SlotPhase.REFUSED, Reason.NO_SPACE)
    assert "MiB needed" in server.slot().detail
    assert (large.model.digest, 0) not in server.requested
    assert running(server, FIRST)()
