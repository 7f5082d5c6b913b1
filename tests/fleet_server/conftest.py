"""Fixtures of the server's tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgefleet_server.db.backend.engine import Database
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice
from tests.services.buckets import buckets as buckets
from tests.services.postgres import Postgres

MakeDevice = Callable[..., VirtualDevice]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A running server with its broker."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    process = ServerProcess(tmp_path / "fleet").start()
    yield process
    process.stop()


@pytest.fixture
def device(server: ServerProcess) -> Iterator[MakeDevice]:
    """Makes virtual devices that are connected, and that the server knows: `device("d1", Behaviour(...))`."""
    made: list[VirtualDevice] = []

    def make(name: str, behaviour: Behaviour | None = None, **more: str) -> VirtualDevice:
        made.append(VirtualDevice(name, server.mqtt_port, behaviour, **more).start())
        made[-1].wait_online()
        eventually(f"the server knows {name}", lambda: server.http.get(f"/devices/{name}").status_code != 404)
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL, for all tests of this process."""
    cluster = Postgres().start()
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> str:
    """The name of a database with our tables, to make others of."""
    database = Database(postgres.url("fleet_template"))
    database.migrate()
    database.close()
    return "fleet_template"


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """The address of an empty database: a file, or the URL of a PostgreSQL. The assertions hold for both."""
    if request.param == "sqlite":
        return migrated_file(tmp_path / "fleet.db")
    template: str = request.getfixturevalue("migrated")
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster.url(template=template)
