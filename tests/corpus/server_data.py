"""The data folder of a server after a run, its database as SQL for SQLite and for PostgreSQL, and reads of its API."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from edgefleet_server.app.serve_options import RETENTION_OPTIONS
from edgefleet_server.cli.admin.migrate_db import migrate_to_postgresql
from edgefleet_server.db.backend import members, shared_secrets
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import restrictions
from edgefleet_server.db.people import audit, audit_archive, openid
from edgefleet_server.db.tables.all_tables import METADATA
from edgefleet_server.db.telemetry import rollup_closing, rollups, version_shares
from edgefleet_server.domain.policy.device_conduct import Offence, Restriction, RestrictionState
from tests.corpus import rest_calls
from tests.corpus.folder import read_json, write_json
from tests.corpus.server_run import ServerRun, reader
from tests.corpus.trees import pack_tree, unpack_tree
from tests.fleet_server.fakes.server_process import ServerProcess
from tests.services.postgres import Postgres

FOLDER = "server"
DATA, POSTGRESQL, REST, READS = f"{FOLDER}/data", f"{FOLDER}/postgresql.sql", f"{FOLDER}/rest", f"{FOLDER}/reads.json"
DATABASE = "fleet.db"
ARCHIVE = "audit"
_RUNTIME = ("lock", "opening", "server.json", "broker", "uploads")
"""Names in a data folder that a server makes anew at every start."""
READ = (
    "get_device", "get_model", "get_rollout", "get_pipeline", "get_experiment", "get_channel_history", "get_command",
    "get_device_identity", "get_timeline", "list_attempts", "list_models", "list_rollouts", "list_groups", "list_group_members",
    "list_channels", "list_alert_rules", "list_users", "list_api_tokens", "list_enrolment_tokens", "list_measurements",
    "list_experiments", "list_pipelines", "list_events", "get_proposal", "list_proposals",
)  # fmt: skip
"""Operations that read what does not change by itself."""


def record(folder: Path) -> None:
    """Run a server, and write what it leaves."""
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        data = Path(name) / "fleet"
        server = ServerProcess(data).start()
        run = ServerRun(server)
        try:
            run.run()
        finally:
            server.stop(180.0)
        rest_calls.store(run.calls.made, folder / REST)
        _jobs(data)
        for entry in _RUNTIME:
            shutil.rmtree(data / entry, ignore_errors=True)
            (data / entry).unlink(missing_ok=True)
        pack_tree(data, folder / DATA)
        (folder / POSTGRESQL).write_text(_postgresql_dump(data), encoding="utf-8")
        paths = {operation: run.calls.made[operation]["path"] for operation in READ}
        with started(folder, Path(name) / "again") as again:
            found = read(again, run.token, paths)
        write_json(folder / READS, {"token": run.token, "paths": paths, "responses": found})


def read(server: ServerProcess, token: str, paths: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The responses of every operation of `paths`."""
    calls = reader(server, token)
    try:
        return {operation: calls(operation, **path) for operation, path in paths.items()}
    finally:
        calls.http.close()


@contextmanager
def started(recorded: Path, data: Path, *arguments: str) -> Iterator[ServerProcess]:
    """A server on the recorded data folder, unpacked to `data`; it deletes nothing for its age."""
    unpack_tree(recorded / DATA, data)
    if "--database" in arguments:
        (data / DATABASE).unlink()
    keep = [part for name, _, _ in RETENTION_OPTIONS for part in (f"--keep-{name}", "1000000")]
    server = ServerProcess(data, *keep, "--keep-versions", "0", *arguments)
    try:
        yield server.start()
    finally:
        server.stop(180.0)


def load_postgresql(cluster: Postgres, recorded: Path) -> str:
    """A database with the recorded rows; its URL."""
    url = cluster.url()
    command = [str(cluster.bin / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", url]
    text = (recorded / POSTGRESQL).read_text(encoding="utf-8")
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120.0)
    assert done.returncode == 0, done.stderr[-2000:]
    return url


def empty_tables(database: Database) -> list[str]:
    """Tables of today without a row."""
    with database.read() as connection:
        counts = {name: connection.exec_driver_sql(f'SELECT count(*) FROM "{name}"').scalar_one() for name in METADATA.tables}
    return sorted(name for name, count in counts.items() if not count)


def _jobs(data: Path) -> None:
    """Work that the leader's threads do later, or other processes: sums, shares, an archived entry, a member."""
    now = time.time()
    with closing(Database(data / DATABASE)) as database:
        while rollups.turn(database):
            pass
        rollup_closing.close_hours(database, now + 7200.0)
        with database.write() as connection:
            version_shares.note(connection, now)
            openid.add_login(connection, "a" * 64, "b" * 64, openid.Login("nonce", "verifier", "/"), now)
            members.report(connection, members.Member("m-1", "all", "host", 1, "0.2.0", now, now))
            restrictions.store(
                connection, [Restriction("door", RestrictionState.THROTTLED, Offence.OVER_QUOTA, now, now + 300.0)]
            )
            first = audit.newest(connection, limit=200)[-1]
        shared_secrets.secret(database, "corpus")
        audit_archive.archive(database, data / ARCHIVE, first["at"] + 1e-6)
        assert empty_tables(database) == [], "no operation of tests/corpus/server_run.py fills these tables"


def _postgresql_dump(data: Path) -> str:
    """The same rows, moved to a real PostgreSQL by the program that does so, as SQL."""
    cluster = Postgres().start()
    try:
        url = cluster.url()
        migrate_to_postgresql(data, url)
        command = [str(cluster.bin / "pg_dump"), "--inserts", "--no-owner", "--no-privileges", url]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120.0)
    finally:
        cluster.remove()
    strange = re.compile(r"^(--.*|\\(un)?restrict .*|SET .*|SELECT pg_catalog\.set_config.*|)$")
    return "\n".join(line for line in done.stdout.split("\n") if not strange.match(line)) + "\n"


def reads(recorded: Path) -> dict[str, Any]:
    """Values read from the recorded server: token, paths and responses."""
    return dict(read_json(recorded / READS))
