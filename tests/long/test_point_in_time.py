"""Point-in-time recovery: the commands of docs/server.md, run as they are there, bring a fleet's PostgreSQL back to a moment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import audit
from tests.fleet_server.fakes.server_process import ROOT, eventually
from tests.services.postgres import Postgres

pytestmark = pytest.mark.long

HEADING = "### Point-in-time recovery with PostgreSQL"


def blocks() -> list[str]:
    """The shell blocks of the chapter: once, each night, to go back."""
    chapter = (ROOT / "docs" / "server.md").read_text().partition(HEADING)[2].partition("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL)


@pytest.fixture
def clusters() -> Iterator[tuple[Postgres, Postgres]]:
    pair = Postgres(durable=True), Postgres(durable=True)
    pair[0].start()
    yield pair
    for one in pair:
        one.remove()


def shell(block: str, cluster: Postgres, **variables: object) -> None:
    environment = {
        **os.environ, "PATH": f"{cluster.bin}:{os.environ['PATH']}", "PGHOST": "127.0.0.1", "PGPORT": str(cluster.port),
        "PGUSER": "postgres", "PGDATABASE": "postgres", **{name: str(value) for name, value in variables.items()},
    }  # fmt: skip
    done = subprocess.run(
        ["sh", "-eu", "-c", block], env=environment, cwd="/", capture_output=True, text=True, timeout=300.0, **cluster.as_owner()
    )
    assert done.returncode == 0, done.stderr


def act(url: str, data: Path, number: int) -> None:
    """One acknowledged change of an operator."""
    with ExitStack() as undo:
        resources = open_resources(Settings(data=data, database_url=url), time.time(), undo)
        with resources.database.write() as connection:
            audit.append(
                connection, at=time.time(), actor="ada", role="admin", via="session", source="", action=f"act-{number}",
                target="", status=200, detail="{}",
            )  # fmt: skip


def test_documented_commands_go_back_to_a_moment(clusters: tuple[Postgres, Postgres], tmp_path: Path) -> None:
    """All changes before the moment are there, none after it, the audit chain holds, and a server starts on it."""
    first, second = clusters
    once, nightly, back = blocks()
    archive = first.folder.parent / "archive"
    archive.mkdir()
    shutil.chown(archive, *(first.folder.owner(), first.folder.group()))
    shell(once, first, ARCHIVE=archive)
    first.stop()
    first.start()
    url = first.url("fleet")
    act(url, tmp_path / "fleet", 1)
    shell(nightly, first, ARCHIVE=archive)
    act(url, tmp_path / "fleet", 2)
    time.sleep(1.0)
    moment = first.sql("SELECT clock_timestamp()")
    time.sleep(1.0)
    act(url, tmp_path / "fleet", 3)
    first.sql("SELECT pg_switch_wal()")
    eventually("the log is archived", lambda: first.sql("SELECT last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1)"
                                                        " FROM pg_stat_archiver") == "t")  # fmt: skip
    second.folder.mkdir()
    shutil.chown(second.folder, *(first.folder.owner(), first.folder.group()))
    second.folder.parent.chmod(0o755)
    shell(back, first, ARCHIVE=archive, PGDATA=second.folder, MOMENT=moment)
    first.stop()
    second.start()
    eventually("recovered", lambda: second.sql("SELECT pg_is_in_recovery()") == "f", 120.0)
    database = Database(f"postgresql://postgres@127.0.0.1:{second.port}/fleet")
    with database.read() as connection:
        assert [row["action"] for row in audit.newest(connection)] == ["act-2", "act-1"]
        assert not audit.check(connection).fault
    database.close()
    act(f"postgresql://postgres@127.0.0.1:{second.port}/fleet", tmp_path / "fleet", 4)
