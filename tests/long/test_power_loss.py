"""Power cuts of a server under load: what it acknowledged is on the disk after every one.

    python -m pytest -m long tests/long/test_power_loss.py -s

The data folder (and the folder of PostgreSQL) is on a file system that records writes and flushes (`tests.power_loss`). Devices
publish, an operator works, the server is killed once in between. Then the disk is built as cuts at many points may leave it, and
each promise that was made before a cut is looked up. The broker's folder is never kept. `EDGEFLEET_CUTS`, `EDGEFLEET_SEED`,
`EDGEFLEET_DEVICES` and `EDGEFLEET_LOAD_S` choose another run.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest

from edgefleet_contract.wire.topics import desired
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice
from tests.power_loss.device_load import DeviceLoad
from tests.power_loss.disk import Survivors
from tests.power_loss.operations import Flush
from tests.power_loss.operator_load import OperatorLoad
from tests.power_loss.promises import Promises
from tests.power_loss.recording_filesystem import Recording, recording
from tests.power_loss.states import Cut, replay
from tests.power_loss.verification import Query, broken
from tests.services.postgres import Postgres

pytestmark = [pytest.mark.long(minutes=15), pytest.mark.timeout(3600)]

CUTS = int(os.environ.get("EDGEFLEET_CUTS", "200"))
CUTS_POSTGRESQL = int(os.environ.get("EDGEFLEET_CUTS", "40"))
SEED = int(os.environ.get("EDGEFLEET_SEED", "1"))
DEVICES = int(os.environ.get("EDGEFLEET_DEVICES", "500"))
LOAD_S = float(os.environ.get("EDGEFLEET_LOAD_S", "40"))
ANSWERS_MIN = 60
"""The operator works at least until so many answers: a busy machine takes longer."""
STARTS_EVERY = 40
"""Every so many cuts a server is started on what is left."""
UNLIMITED = ("--requests-per-minute", "1000000")


@dataclass
class Summary:
    """Figures of a run; `wrong`: one line for each broken promise."""

    cuts: int = 0
    served: int = 0
    lost_records: int = 0
    checked: int = 0
    wrong: list[str] = field(default_factory=list)


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that other users may enter: those of the broker and of PostgreSQL."""
    folder = Path(tempfile.mkdtemp(prefix="edgefleet-power-loss-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def after() -> Iterator[Path]:
    """A folder in memory for the disk after a cut."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="edgefleet-power-loss-", dir=memory if memory.is_dir() else None))
    folder.chmod(0o755)
    yield folder / "disk"
    shutil.rmtree(folder)


def work(server: ServerProcess, promises: Promises) -> str:
    """Load on a server that is killed and started again half-way; returns the operator's token."""
    server.start()
    code = re.search(r"/setup, code (\S+)", server.log.read_text())
    assert code is not None
    operator = OperatorLoad(lambda: f"{server.state()['url']}/api/v1", code[1], promises, DEVICES, SEED)
    with operator, DeviceLoad(DEVICES, server.mqtt_port, promises):
        for half in (1, 2):
            began = time.monotonic()
            eventually(
                f"{ANSWERS_MIN // 2} more answers", lambda half=half: len(promises.audited) * 2 >= ANSWERS_MIN * half, 600.0
            )
            time.sleep(max(0.0, LOAD_S / 2 - (time.monotonic() - began)))
            if half == 1:
                server.kill()
                server.start()
    assert operator.failed is None
    return operator.token


def cuts_of(disk: Recording, promises: Promises, end: int, count: int) -> list[Cut]:
    """Cuts since the first promise: half of them right after a flush, the others anywhere."""
    chance = random.Random(SEED)
    first = min(index for index, _, _ in promises.audited)
    flushes = [index for index, operation in enumerate(disk.operations(), 1) if isinstance(operation, Flush)]
    after_flush = [index for index in flushes if first < index <= end]
    fates = ("all", "none", "some", "some")
    return [
        Cut(chance.choice(after_flush) if number % 2 else chance.randint(first, end), Survivors(fates[number // 2 % 4], number))
        for number in range(count)
    ]


def judge(found: Summary, cut: Cut, promises: Promises, query: Query, data: Path) -> None:
    lost, wrong = broken(promises, cut.index, query, data)
    found.cuts += 1
    found.lost_records += lost
    found.checked += len(promises.expected(cut.index)) + sum(promises.audits(cut.index).values())
    found.wrong += [f"{cut}: {line}" for line in wrong]


def serves(server: ServerProcess, token: str, query: Query) -> None:
    """A server starts on what is left, and gives a device its document: the broker has lost all."""
    shutil.rmtree(server.data / "broker", ignore_errors=True)
    ordered = query("SELECT device FROM desired ORDER BY device LIMIT 1")
    server.start()
    try:
        headers = {"Authorization": f"Bearer {token}"}
        for path in ("/users", "/models", "/trust", "/rollouts", "/overview"):
            answer = httpx.get(f"{server.state()['url']}/api/v1{path}", headers=headers, timeout=30.0)
            assert answer.status_code == 200, f"{path}: {answer.text}"
        for (name,) in ordered:
            device = VirtualDevice(name, server.mqtt_port).start()
            eventually(f"a message on {desired(name)}", lambda device=device: device.generation)
            device.stop()
    finally:
        server.stop()


def report(found: Summary, promises: Promises, what: str) -> None:
    records, answers = promises.counts()
    print(
        f"\n{what}: {found.cuts} cuts, {found.served} of them served by a new server; {records} records acknowledged,"
        f" {found.lost_records} lost; {answers} answers and {len(promises.audited)} audit entries confirmed, looked up"
        f" {found.checked} times, {len(found.wrong)} not true"
    )
    assert found.lost_records == 0
    assert not found.wrong, "\n".join(found.wrong[:20])


def test_sqlite(home: Path, after: Path) -> None:
    with recording(home) as disk:
        server = ServerProcess(disk.mount / "fleet", *UNLIMITED)
        server.log = home / "server.log"
        promises = Promises(lambda: disk.count)
        try:
            token = work(server, promises)
            end = disk.count
        finally:
            server.kill()
            server.http.close()
            time.sleep(1.0)  # the broker ends with it
    found = Summary()
    for cut in replay(disk.operations(), cuts_of(disk, promises, end, CUTS), after, "fleet/"):
        data = after / "fleet"
        with closing(sqlite3.connect(data / "fleet.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), str(cut)

            def query(text: str, database: sqlite3.Connection = database) -> list[tuple[object, ...]]:
                return database.execute(text).fetchall()

            judge(found, cut, promises, query, data)
            if found.cuts % STARTS_EVERY == 0:
                started = ServerProcess(data, *UNLIMITED)
                started.log = home / "started.log"
                serves(started, token, query)
                found.served += 1
    report(found, promises, "SQLite")


def test_postgresql(home: Path, after: Path) -> None:
    with recording(home) as disk:
        postgres = Postgres(durable=True, folder=disk.mount / "postgresql")
        server = None
        promises = Promises(lambda: disk.count)
        try:
            url = postgres.start().url("fleet")
            server = ServerProcess(disk.mount / "fleet", *UNLIMITED, "--database", url)
            server.log = home / "server.log"
            token = work(server, promises)
            end = disk.count
        finally:
            if server is not None:
                server.kill()
                server.http.close()
            postgres.remove()
            time.sleep(1.0)  # the broker ends with the server
    found = Summary()
    for cut in replay(disk.operations(), cuts_of(disk, promises, end, CUTS_POSTGRESQL), after, names_of_flushed=True):
        recovered = Postgres(durable=True, folder=after / "postgresql")
        try:
            recovered.start()
            url = f"postgresql://postgres@127.0.0.1:{recovered.port}/fleet"
            with psycopg.connect(url, autocommit=True) as connection:

                def query(text: str, connection: psycopg.Connection = connection) -> list[tuple[object, ...]]:
                    return connection.execute(text.encode()).fetchall()

                judge(found, cut, promises, query, after / "fleet")
                if found.cuts % STARTS_EVERY == 0:
                    started = ServerProcess(after / "fleet", *UNLIMITED, "--database", url)
                    started.log = home / "started.log"
                    serves(started, token, query)
                    found.served += 1
        finally:
            recovered.remove()
    report(found, promises, "PostgreSQL")
