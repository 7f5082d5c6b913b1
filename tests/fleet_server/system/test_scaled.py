"""Several processes over one PostgreSQL and one broker, and what becomes of a rollout when each of them is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet_server.fakes.scaled_server import Campaign, GrownServer, free_port
from tests.fleet_server.fakes.server_process import ROOT, eventually
from tests.services.postgres import Postgres

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

MEMBERS = {"api": "api", "ingest-1": "ingest", "ingest-2": "ingest", "engine-1": "engine", "engine-2": "engine"}


@pytest.fixture
def grown(tmp_path: Path) -> Iterator[GrownServer]:
    cluster = Postgres()
    server: GrownServer | None = None
    try:
        server = GrownServer(tmp_path, cluster.start(), cluster.url("fleet"), MEMBERS)
        yield server.start()
    finally:
        if server is not None:
            server.stop()
        cluster.remove()


@pytest.mark.long
def test_each_process_is_killed_during_a_campaign(grown: GrownServer) -> None:
    """Leader, ingest, broker, database and API, once each: the rollout completes as if nothing had happened."""
    campaign = Campaign(grown, devices=24, commands=8, model_bytes=300_000)
    shares = grown.sql("SELECT count(*) FROM member WHERE ingests AND broker_up_at > 0")
    assert shares == "2"
    assert _live(grown) == "event: device"
    campaign.disturb(["leader", "ingest-1", "broker", "database", "api"], seed=6, pause_s=(0.2, 1.0))
    campaign.check(timeout_s=150.0)
    taken = eventually("both take messages in", lambda: _busy(grown), 60.0)
    assert len(taken) == 2
    assert grown.end("engine-1") == 0
    assert grown.end("ingest-2") == 0


def _live(grown: GrownServer) -> str:
    """The first news of a device on an open page: its telemetry went through another process."""
    with grown.http.stream("GET", "/stream", params={"topics": "devices"}) as stream:
        return next(line for line in stream.iter_lines() if line.startswith("event: "))


def _busy(grown: GrownServer) -> list[str] | None:
    found = grown.sql("SELECT messages FROM member WHERE ingests AND messages > 0 AND seen_at > extract(epoch FROM now()) - 10")
    return found.split() if len(found.split()) == 2 else None


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--role", "ingest"], "not supported with SQLite"),
        (["--role", "api", "--database", "postgresql://127.0.0.1/x"], "not supported with the managed broker"),
        (["--database", "mysql://127.0.0.1/x"], "postgresql://user:password@host:5432/name"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path: Path, arguments: list[str], text: str) -> None:
    """And it says what to give instead, never a password."""
    command = [sys.executable, "-m", "edgefleet_server", "serve", "--data", str(tmp_path / "fleet"), "--port", str(free_port())]
    done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert text in done.stderr
    assert "secret" not in done.stderr


def test_database_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    """Its password is not shown either."""
    url = f"postgresql://ada:secret@127.0.0.1:{free_port()}/x"
    command = [
        sys.executable,
        "-m",
        "edgefleet_server",
        "serve",
        "--data",
        str(tmp_path / "fleet"),
        "--port",
        "0",
        "--database",
        url,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.stderr.count("\n") == 1
    assert "check the log of the database server" in done.stderr
    assert "secret" not in done.stderr
