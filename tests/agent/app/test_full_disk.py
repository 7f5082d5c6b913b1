"""A disk without a free byte: the device goes on working, stays reachable, refuses what it cannot keep, and recovers."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.contract.messages import BLOCK_BYTES, Command, Stage, Stream
from agent.contract.reasons import Reason
from tests.agent.app.test_service import events, show_status, stored
from tests.agent.app.test_update import FIRST, begin, ended, running, wait_for
from tests.agent.fakes.bench import MakeAgent
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.server import FakeServer

pytestmark = pytest.mark.system


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """The folder where the first agent's state will be, on a disk of 48 MB."""
    folder = tmp_path / "agent-0" / "state"
    folder.mkdir(parents=True)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(folder)], capture_output=True)
    if mount.returncode != 0:
        pytest.skip("needs the right to mount a small disk (root)")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    return filler


def test_a_full_disk_costs_records_and_nothing_else(small_disk: Path, server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    filler = fill(small_disk)
    second = make_package("1.1.0", 2 * BLOCK_BYTES, attempt="a1")
    server.add(second)
    server.desire(detector=second.target)
    wait_for(lambda: json.loads(show_status(agent.config, "--json").stdout)["trouble"] != "")
    assert "no space left" in json.loads(show_status(agent.config, "--json").stdout)["trouble"]
    assert running(server, FIRST)()
    filler.unlink()
    server.wait(ended(server, "a1"))
    assert server.slot().stage is Stage.COMMITTED, "the desire waited for the disk"
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


def test_no_space_is_said_before_a_byte_is_asked_for(small_disk: Path, server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    large = make_package("1.1.0", 40_000_000, attempt="a1")
    server.add(large)
    server.desire(detector=large.target)
    server.wait(ended(server, "a1"))
    assert (server.slot().stage, server.slot().reason) == (Stage.REFUSED, Reason.NO_SPACE)
    assert "MiB needed" in server.slot().detail
    assert (large.model.digest, 0) not in server.asked
    assert running(server, FIRST)()
