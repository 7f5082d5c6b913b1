"""Damage of the audit log, in the database and in its archive: `edgefleet audit verify` finds each, and names the place."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import audit, audit_archive

ENTRIES = 12
Damage = Callable[[Path], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with entries 1 to 4 and 5 to 8 in two files, the rest in the database."""
    data = tmp_path_factory.mktemp("audit") / "fleet"
    data.mkdir()
    with closing(Database(data / "fleet.db")) as database:
        database.migrate()
        for number in range(1, ENTRIES + 1):
            with database.write() as connection:
                audit.append(
                    connection, at=number / 3, actor="ada", role="admin", via="session", source="10.0.0.1",
                    action="abort_rollout", target=f"/rollouts/{number}/abort", status=200,
                    detail=json.dumps({"reason": "é \"x\""}),
                )  # fmt: skip
            if number in (4, 8):
                audit_archive.archive(database, data / audit_archive.FOLDER, 1e9)
    return data


@pytest.fixture
def data(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "fleet"))


def verified(data: Path, *arguments: str) -> int:
    return main(["audit", "verify", "--data", str(data), *arguments])


def statement(sql: str) -> Damage:
    """A change by other tools, which remove the triggers first."""

    def run(data: Path) -> None:
        with closing(sqlite3.connect(data / "fleet.db")) as db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'").fetchall():
                db.execute(f'DROP TRIGGER "{name}"')
            db.execute(sql)
            db.commit()

    return run


def archived(change: Callable[[list[str]], list[str]], file: int = 0) -> Damage:
    def run(data: Path) -> None:
        path = sorted((data / audit_archive.FOLDER).iterdir())[file]
        path.write_text("".join(change(path.read_text().splitlines(keepends=True))))

    return run


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a row changed": (statement("UPDATE audit SET actor = 'bob' WHERE seq = 10"), "entry 10 was changed after it was written"),
    "a time changed": (statement("UPDATE audit SET at = at + 1e-6 WHERE seq = 9"), "entry 9 was changed"),
    "a row removed": (statement("DELETE FROM audit WHERE seq = 11"), "entry 11 is missing"),
    "the first rows removed": (statement("DELETE FROM audit WHERE seq < 11"), "entry 9 is missing"),
    "a digest changed": (statement("UPDATE audit SET digest = upper(digest) WHERE seq = 12"), "entry 12 was changed"),
    "the archive's end changed": (
        statement("UPDATE audit_archived SET digest = 'x' WHERE seq = 4"),
        "does not end with the entry 4",
    ),
    "a file of the archive forgotten": (statement("DELETE FROM audit_archived WHERE seq = 4"), "entries 1 to 8 cannot be read"),
    "an archived row removed": (archived(lambda lines: lines[:1] + lines[2:]), "entry 2 is missing"),
    "an archived end removed": (archived(lambda lines: lines[:-1]), "does not end with the entry 4"),
    "an archived row changed": (archived(lambda lines: [line.replace("ada", "bob") for line in lines]), "entry 1 was changed"),
    "an archived row is text": (archived(lambda lines: [*lines[:2], "oops\n", *lines[3:]]), "line 3 is not an entry"),
    "an empty file": (archived(lambda lines: [], 1), "does not end with the entry 8"),
    "a row more": (archived(lambda lines: [*lines, lines[-1]]), "entry 5 is missing"),
    "a file missing": (
        lambda data: sorted((data / audit_archive.FOLDER).iterdir())[1].unlink(),
        "entries 5 to 8 cannot be read: 000000000005-000000000008.jsonl: No such file or directory; restore this file",
    ),
    "the archive missing": (lambda data: shutil.rmtree(data / audit_archive.FOLDER), "entries 1 to 4 cannot be read"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_each_damage_is_found_and_named(data: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    damage, expected = DAMAGES[name]
    assert verified(data) == 0
    assert f"{ENTRIES} entries" in capsys.readouterr().out
    damage(data)
    assert verified(data) == 6
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("edgefleet: the audit log is broken: ")
    assert expected in line


def test_one_byte_anywhere_in_the_archive(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each byte of a seeded choice is changed; every change of meaning is found, and none ends in a traceback."""
    seeded = random.Random(8)
    path = min((data / audit_archive.FOLDER).iterdir())
    good = path.read_bytes()
    meaning = [json.loads(line) for line in good.splitlines()]
    for place in seeded.sample(range(len(good)), 60):
        path.write_bytes(good[:place] + bytes([good[place] ^ seeded.choice((1, 2, 128))]) + good[place + 1 :])
        try:
            same = [json.loads(line) for line in path.read_text().splitlines()] == meaning
        except ValueError:
            same = False
        assert verified(data) == (0 if same else 6), place
        capsys.readouterr()
    path.write_bytes(good)
    assert verified(data) == 0


def test_the_end_is_compared_with_an_earlier_head(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A removed end leaves a valid chain; an earlier head shows it, also one from before the archive."""
    assert verified(data, "--json") == 0
    head = json.loads(capsys.readouterr().out)["head"]
    with closing(Database(data / "fleet.db")) as database, database.read() as connection:
        old = next(link for link in audit_archive.archived_chain(connection, data / audit_archive.FOLDER))
    assert not isinstance(old, str)
    assert verified(data, "--head", f"1:{old[2]}") == 0
    assert verified(data, "--head", f"1:{'0' * 64}") == 6
    statement("DELETE FROM audit WHERE seq = 12")(data)
    capsys.readouterr()
    assert verified(data) == 0
    assert verified(data, "--head", head) == 6
    assert "the log was truncated or replaced" in capsys.readouterr().err


def test_a_file_that_a_power_cut_left_is_not_of_the_archive(data: Path) -> None:
    """It was written, and its entries are still in the database: they count once."""
    (data / audit_archive.FOLDER / "000000000009-000000000010.jsonl").write_text("torn")
    assert verified(data) == 0
