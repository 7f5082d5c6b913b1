"""A state folder that the disk does not give at boot: the device works without it, and returns to it without a visit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.service.state_folder import RETRY_S, StateFolder, in_use
from edgefleet_contract.core.errors import StoreError
from tests.agent.fakes.bench import Agent, MakeAgent
from tests.agent.fakes.server import FakeServer
from tests.agent.service.test_service import events, show_status
from tests.agent.service.test_update import FIRST, running, wait_for
from tests.small_disk import mounted

pytestmark = pytest.mark.system


def status_of(agent: Agent) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(show_status(agent.config, "--json").stdout or '{"fault": "", "slots": {}}')
    return parsed


def test_a_folder_that_cannot_be_made_is_replaced_by_one_in_memory(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        disk.remount("ro")
        faults, clock = DiskFaults(), ManualClock()
        state = disk.folder / "state"
        folder = StateFolder(state, faults, clock.monotonic)
        try:
            assert folder.path != state
            assert folder.path.stat().st_mode & 0o777 == 0o700
            assert in_use(state) == folder.path
            assert faults.present()["state/"].state is DiskState.READ_ONLY
            clock.advance(RETRY_S)
            folder.turn()
            assert not folder.turned_up
        finally:
            disk.remount("rw")
        clock.advance(RETRY_S)
        folder.turn()
        assert folder.turned_up
        assert in_use(state) == state
        again = DiskFaults()
        assert StateFolder(state, again).path == state
        assert not folder.path.exists(), "what it held counts no more"
        assert not again.present()


def test_a_substitute_that_another_user_could_change_is_not_used(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.write_bytes(b"")
    first = StateFolder(state, DiskFaults()).path
    first.chmod(0o777)
    try:
        second = StateFolder(state, DiskFaults()).path
        assert second != first
        second.chmod(0o777)
        with pytest.raises(StoreError, match="takes a folder in its place"):
            StateFolder(state, DiskFaults())
    finally:
        for path in (first, second):
            path.rmdir()


def test_the_agent_works_without_its_state_folder(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = make_agent(FIRST)
    agent.state.write_bytes(b"a damaged folder is none")
    agent.start()
    server.wait(running(server, FIRST))
    server.wait(lambda: "state/" in server.reports[-1].fault or "cannot use" in server.reports[-1].fault)
    wait_for(lambda: "without models, identity and records" in status_of(agent)["fault"])
    seen = len(events(server))
    server.wait(lambda: len(events(server)) > seen)
    agent.state.unlink()
    wait_for((agent.state / "slots" / "detector.json").is_file)
    server.wait(lambda: server.reports[-1].fault == "")
    server.wait(running(server, FIRST))
    wait_for(lambda: status_of(agent)["fault"] == "")
    assert agent.process is not None
    assert agent.process.poll() is None, "no restart of the process"
    assert agent.stop() == 0
