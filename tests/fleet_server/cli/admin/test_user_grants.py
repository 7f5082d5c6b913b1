"""Roles for groups from the command line, on a data folder."""

from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import groups
from edgefleet_server.db.people import people
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.roles import Role

PASSWORD = "four unrelated little words"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with an administrator and a group."""
    record = {
        "name": "lyon",
        "note": "",
        "changed_at": 1.0,
        "changed_by": "",
        "selector": {"all": False, "ids": [], "labels": {}},
    }
    with closing(Database(tmp_path / "fleet.db")) as database:
        database.migrate()
        with database.write() as connection:
            people.add(connection, "ada", Grants(Role.ADMIN), "", 1.0)
            groups.put(connection, {**record, "selector": {**record["selector"], "labels": {"site": "lyon"}}})
    return tmp_path


def test_roles_are_given_taken_and_listed(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--data", str(data)]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    assert main(["user", "add", "otto", "--role", "operator", "--group", "lyon", "--password-stdin", *where]) == 0
    assert "otto added as operator for lyon" in capsys.readouterr().out
    assert main(["user", "grant", "otto", "--role", "viewer", *where]) == 0
    assert "otto is operator for lyon, viewer" in capsys.readouterr().out
    assert main(["user", "list", *where]) == 0
    assert "viewer, operator for lyon" in capsys.readouterr().out
    assert main(["user", "token", "create", "ci", "--user", "otto", "--role", "operator", "--group", "lyon", *where]) == 0
    assert "(operator for lyon)" in capsys.readouterr().out
    assert main(["user", "ungrant", "otto", "--group", "lyon", *where]) == 0
    assert "otto is viewer\n" in capsys.readouterr().out
    assert main(["user", "set", "otto", "--role", "operator", "--group", "lyon", *where]) == 0
    with closing(Database(data / "fleet.db")) as database, database.read() as connection:
        found = people.find(connection, "otto")
    assert found is not None
    assert found.grants == Grants(None, {"lyon": Role.OPERATOR})


@pytest.mark.parametrize(("options", "text"), [
    (("grant", "ada", "--role", "viewer", "--group", "paris"), "no group 'paris'"),
    (("grant", "ada", "--role", "admin", "--group", "lyon"), "role admin is for all devices only"),
    (("ungrant", "ada"), "a user needs a role"),
    (("ungrant", "ada", "--group", "lyon"), "specify with --group one of these"),
    (("set", "ada", "--group", "lyon"), "--role is missing"),
])  # fmt: skip
def test_what_cannot_be_is_explained(data: Path, options: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["user", *options, "--data", str(data)]) != 0
    assert text in capsys.readouterr().err
