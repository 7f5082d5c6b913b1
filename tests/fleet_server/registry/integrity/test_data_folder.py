"""A part of a data folder that was lost or emptied is noticed by `serve`, `backup` and `restore`, never made anew by itself."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path

import pytest

from edgefleet_server.app.resources import open_resources
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.migrate_db import migrate_to_postgresql
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.cli.admin.table_output import new_database, open_database
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.settings import Settings
from tests.fleet_server.fakes.populated_database import fill
from tests.services.postgres import Postgres

CERTIFICATE = "INSERT INTO device_certificate (serial, device, issued_at, expires_at) VALUES ('1a', 'd', 1, 2)"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a stopped server with models and an enrolled device."""
    data = tmp_path_factory.mktemp("made") / "fleet"
    with ExitStack() as undo:
        resources = open_resources(Settings(data=data), time.time(), undo)
        fill(resources.database, resources.registry, 1e9, time.time())
        with resources.database.write() as connection:
            connection.exec_driver_sql(CERTIFICATE)
    return data


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "fleet")
    return tmp_path / "fleet"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    cluster = Postgres().start()
    yield cluster
    cluster.remove()


def serve(data: Path, url: str = "") -> None:
    with ExitStack() as undo:
        open_resources(Settings(data=data, database_url=url), time.time(), undo)


def state(data: Path) -> dict[str, bytes]:
    """Every stored byte; locks and SQLite's own companions are none."""
    return {
        str(path.relative_to(data)): path.read_bytes()
        for path in sorted(data.rglob("*"))
        if path.is_file() and path.name not in ("lock", "opening", "fleet.db-wal", "fleet.db-shm")
    }


def refused(action: Callable[[], object]) -> str:
    with pytest.raises(StoreError) as error:
        action()
    assert "\n" not in str(error.value)
    assert not any(word in str(error.value) for word in ("MalformedFraming", "PEM file"))
    return str(error.value)


def without_database(data: Path) -> None:
    for path in data.glob("fleet.db*"):
        path.unlink()


def empty(name: str) -> Callable[[Path], None]:
    return lambda data: (data / name).write_bytes(b"")


def without(name: str) -> Callable[[Path], None]:
    def remove(data: Path) -> None:
        path = data / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return remove


def only_a_header(data: Path) -> None:
    without_database(data)
    with closing(sqlite3.connect(data / "fleet.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("VACUUM")
    assert (data / "fleet.db").stat().st_size > 0


def of_another_server(data: Path) -> None:
    serve(data.parent / "other")
    without_database(data)
    shutil.copy(data.parent / "other" / "fleet.db", data / "fleet.db")


def another_key(name: str, other: str) -> Callable[[Path], None]:
    return lambda data: (data / name).write_bytes((data / other).read_bytes())


LOSSES: dict[str, tuple[Callable[[Path], None], str]] = {
    "no database": (without_database, "fleet.db is missing or empty"),
    "empty database": (empty("fleet.db"), "fleet.db is missing or empty"),
    "database without tables": (only_a_header, "fleet.db is missing or empty"),
    "another database": (of_another_server, "the database is of another server"),
    "no authority": (without("authority"), "authority/authority.crt and authority/authority.key missing, 1 device certificates"),
    "no key of the authority": (without("authority/authority.key"), "authority/authority.key missing"),
    "empty key of the authority": (empty("authority/authority.key"), "authority/authority.key is empty"),
    "text as key of the authority": (another_key("authority/authority.key", "identity.json"), "is not a private key"),
    "empty certificate of the authority": (empty("authority/authority.crt"), "authority/authority.crt is empty"),
    "a strange key of the authority": (another_key("authority/authority.key", "trust/keys/root.pem"), "neither elliptic-curve"),
    "no trust": (without("trust"), "trust/metadata missing, it signs 2 model versions"),
    "no metadata": (without("trust/metadata"), "trust/metadata missing"),
    "no signing keys": (without("trust/keys"), "snapshot.pem is missing"),
    **{
        f"empty key of {role}": (empty(f"trust/keys/{role}.pem"), "the file is empty") for role in ("root", "targets", "snapshot")
    },
    "swapped keys": (another_key("trust/keys/timestamp.pem", "trust/keys/root.pem"), "not the one that 1.root.json names"),
    "no models": (without("blobs"), "blobs/ missing, it has the files of 2 model versions"),
    "damaged identity": (empty("identity.json"), "identity.json is damaged"),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_lost_part_is_refused_and_nothing_is_made_anew(data: Path, tmp_path: Path, loss: str) -> None:
    lose, phrase = LOSSES[loss]
    lose(data)
    before = state(data)
    line = refused(lambda: serve(data))
    assert phrase in line
    assert "backup" in line or "identity" in line or "neither" in line
    assert state(data) == before
    refused(lambda: back_up(data, tmp_path / "kept.tar", FOLDERS, time.time()))
    assert not (tmp_path / "kept.tar").exists()


@pytest.mark.parametrize("loss", ["no database", "empty database", "database without tables"])
def test_commands_on_the_folder_make_no_database_beside_the_other_parts(
    data: Path, loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDGEFLEET_DATABASE", raising=False)
    LOSSES[loss][0](data)
    with ExitStack() as undo:
        assert "edgefleet restore" in refused(lambda: undo.enter_context(open_database(data)))


def test_damaged_ticket_key_is_replaced(data: Path) -> None:
    """With a key of no bytes anyone could make download tickets."""
    empty("authority/ticket.key")(data)
    serve(data)
    assert (data / "authority" / "ticket.key").stat().st_size == 32


def test_folder_without_identity_gets_one(data: Path) -> None:
    """A folder of version 0.2.0, or of a first start that was interrupted."""
    with closing(sqlite3.connect(data / "fleet.db")) as db, db:
        db.execute("DELETE FROM secret")
    without("identity.json")(data)
    serve(data)
    assert json.loads((data / "identity.json").read_bytes())["database"] == "fleet.db"
    with closing(sqlite3.connect(data / "fleet.db")) as db, db:
        db.execute("DELETE FROM secret")
    without("identity.json")(data)
    without("authority")(data)
    assert "1 device certificates" in refused(lambda: serve(data))


def test_new_folders_need_no_answer(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new one, one with a user only, one with an authority of the operator, and a restored one."""
    monkeypatch.delenv("EDGEFLEET_DATABASE", raising=False)
    serve(tmp_path / "new")
    with new_database(tmp_path / "user"):
        pass
    serve(tmp_path / "user")
    (tmp_path / "own" / "authority").mkdir(parents=True)
    for name in ("authority.crt", "authority.key"):
        shutil.copy(data / "authority" / name, tmp_path / "own" / "authority" / name)
    serve(tmp_path / "own")
    back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())
    restore(tmp_path / "kept.tar", tmp_path / "restored")
    assert (tmp_path / "restored" / "identity.json").read_bytes() == (data / "identity.json").read_bytes()
    serve(tmp_path / "restored")


@pytest.mark.parametrize("name", ["authority/authority.key", "trust/keys/snapshot.pem", "trust/keys/targets.pem"])
def test_backup_with_an_empty_key_is_not_restored(data: Path, tmp_path: Path, name: str) -> None:
    """A version without these checks may have made it."""
    back_up(data, tmp_path / "kept.tar", FOLDERS, time.time())
    rewrite(tmp_path / "kept.tar", name, b"")
    with pytest.raises(InputError, match="damaged key"):
        restore(tmp_path / "kept.tar", tmp_path / "restored")
    assert not (tmp_path / "restored").exists()


def rewrite(archive: Path, name: str, content: bytes) -> None:
    """Change a file of a backup, and its SHA-256 with it."""
    with tarfile.open(archive) as old:
        members = {member.name: (old.extractfile(member) or io.BytesIO()).read() for member in old}
    table = json.loads(members.pop("backup.json"))
    members[name], table["sha256"][name] = content, sha256(content).hexdigest()
    with tarfile.open(archive, "w") as new:
        for each, data in (*members.items(), ("backup.json", json.dumps(table).encode())):
            info = tarfile.TarInfo(each)
            info.size = len(data)
            new.addfile(info, io.BytesIO(data))


def test_migrated_folder_needs_its_postgresql(
    data: Path, tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDGEFLEET_DATABASE", raising=False)
    url = postgres.url()
    assert "migrate-db" in refused(lambda: serve(data, url))
    migrate_to_postgresql(data, url)
    serve(data, url)
    for action in (
        lambda: serve(data),
        lambda: back_up(data, tmp_path / "kept.tar", FOLDERS, time.time()),
        lambda: open_database(data).__enter__(),
    ):
        assert "set EDGEFLEET_DATABASE" in refused(action)
    assert "missing or empty" in refused(lambda: serve(data, postgres.url()))
    without("authority")(data)
    assert "authority.crt and authority/authority.key missing" in refused(lambda: serve(data, url))
