"""A new schema keeps servers of the version before working: they are replaced one by one, after the migration."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect

from edgefleet_server.db.backend import postgresql as postgresql
from edgefleet_server.db.backend.engine import MIGRATIONS
from tests.services.postgres import Postgres

SINCE = "0001"
"""From this revision on each step only adds. What is to be removed is removed one release later (docs/scaling.md)."""

Columns = dict[str, dict[str, tuple[str, bool]]]
"""Of each table: type, and whether a row needs a value for it."""


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    engine = create_engine(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _steps() -> Iterator[str]:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    every = list(ScriptDirectory.from_config(config).walk_revisions())[::-1]
    names = [script.revision for script in every]
    yield from names[names.index(SINCE) :]


def _columns(connection: Connection) -> Columns:
    found = inspect(connection)
    return {
        table: {
            column["name"]: (str(column["type"]), not column["nullable"] and column["default"] is None)
            for column in found.get_columns(table)
        }
        for table in found.get_table_names()
        if table != "alembic_version" and not table.endswith("_default") and "_d2" not in table
    }


def test_each_step_only_adds(tmp_path: Path) -> None:
    """Every table and column of before is there, as it was; what is new asks nothing of those who do not know it."""
    with _connected(f"sqlite:///{tmp_path / 'fleet.db'}") as connection:
        before: Columns = {}
        for step in _steps():
            command.upgrade(_config(connection), step)
            after = _columns(connection)
            for table, columns in before.items():
                assert table in after, f"{step} takes table {table} from servers that still run"
                for name, (kind, needed) in columns.items():
                    assert name in after[table], f"{step} takes {table}.{name} from servers that still run"
                    assert after[table][name][0] == kind, f"{step} makes {table}.{name} something else"
                    assert needed or not after[table][name][1], f"{step} demands {table}.{name}"
                fresh = set(after[table]) - set(columns)
                demanded = [name for name in fresh if after[table][name][1]]
                assert not demanded, f"{step}: {table}.{demanded} needs a server_default, for servers that do not know it"
            before = after


def test_telemetry_is_partitioned_on_postgresql(postgres: Postgres) -> None:
    """Rows of a day without a partition are stored in the default one; ids are 64 bits wide and rise."""
    url = postgresql.connection_url(postgres.url())
    add = "INSERT INTO telemetry (device, at, received_at, record) VALUES ('d', 1, {at}, '{{}}') RETURNING id"
    with _connected(url) as connection:
        command.upgrade(_config(connection), "head")
        first = connection.exec_driver_sql(add.format(at=1)).scalar_one()
        second = connection.exec_driver_sql(add.format(at=2)).scalar_one()
        connection.commit()
        assert second == first + 1
        assert connection.exec_driver_sql("SELECT count(*) FROM telemetry_default").scalar_one() == 2
        kind = connection.exec_driver_sql(
            "SELECT data_type FROM information_schema.columns WHERE table_name = 'telemetry' AND column_name = 'id'"
        ).scalar_one()
        assert kind == "bigint"


@pytest.mark.parametrize("statement", ["UPDATE audit SET actor = 'x'", "DELETE FROM audit"])
def test_audit_log_cannot_be_changed_there_either(postgres: Postgres, migrated: str, statement: str) -> None:
    """By PostgreSQL itself."""
    url = postgresql.connection_url(postgres.url(template=migrated))
    with _connected(url) as connection:
        connection.exec_driver_sql("INSERT INTO audit VALUES (1, 1, 'a', 'r', 'v', 's', 'x', 't', 200, '', '', '')")
        with pytest.raises(postgresql.UNSTORABLE, match="append-only"):
            connection.exec_driver_sql(statement)


def test_labels_of_devices_become_reported_and_no_rollout_widens(tmp_path: Path) -> None:
    """Those of operators and of used tokens stay; a rollout that would take later devices by their absence takes none."""
    with _connected(f"sqlite:///{tmp_path / 'fleet.db'}") as connection:
        command.upgrade(_config(connection), "0012")
        run = connection.exec_driver_sql
        for name, labels, own, edits in (
            ("a", '{"env": "prod"}', '{"env": "prod"}', "{}"),
            ("b", '{"site": "lyon", "env": "prod"}', '{"site": "lyon", "env": "prod"}', "{}"),
            ("c", '{"ring": "main"}', '{"env": "prod"}', '{"env": null, "ring": "main"}'),
        ):
            run(
                "INSERT INTO device (id, first_seen_at, agent_version, profile, runtimes, capabilities, hardware, labels,"
                " labels_own, label_edits, released_at) VALUES (?, 1, '', '', '[]', '[]', '{}', ?, ?, ?, 0)",
                (name, labels, own, edits),
            )
        run(
            "INSERT INTO enrolment_token (id, secret_sha256, device, labels, created_at, expires_at, used_at, used_by, approval)"
            " VALUES ('t', 's', '', '{\"site\": \"lyon\"}', 1, 2, 1.5, 'b', FALSE)"
        )
        run("INSERT INTO device_group (name, selector, note, changed_at, changed_by) VALUES (?, ?, '', 1, 'ada')",
            ("g", '{"all": false, "ids": [], "labels": {}, "query": "not env = prod"}'))  # fmt: skip
        run("INSERT INTO package (digest, name, version, created_at, descriptor_bytes, length_bytes, manifest, files)"
            " VALUES ('d', 'm', '1', 1, 1, 1, '{}', '[]')")  # fmt: skip
        selectors = {
            1: ("running", '{"query": "not env = prod"}', '{"follow": true}'),
            2: ("completed", '{"group": "g"}', '{"follow": true}'),
            3: ("running", '{"query": "not site = x"}', '{"follow": true}'),
            4: ("draft", '{"query": "env != prod"}', '{"follow": false}'),
            5: ("running", '{"labels": {"env": "prod"}}', '{"follow": true}'),
        }
        for number, (state, selector, terms) in selectors.items():
            run(
                "INSERT INTO rollout (id, name, package, slot, state, state_reason, created_at, changed_at, selector, plans,"
                " gate, policy, wave_timeout_s, terms, priority, created_by)"
                " VALUES (?, 'r', 'd', 's', ?, '', 1, 1, ?, '[]', '{}', '{}', 1, ?, 500, 'ada')",
                (number, state, selector, terms),
            )
        connection.commit()
        command.upgrade(_config(connection), "0014")
        labels = {row[0]: json.loads(row[1]) for row in run("SELECT id, labels FROM device")}
        assert labels == {"a": {}, "b": {"site": "lyon"}, "c": {"ring": "main"}}
        follows = {row[0]: json.loads(row[1])["follow"] for row in run("SELECT id, terms FROM rollout")}
        assert follows == {1: False, 2: False, 3: True, 4: False, 5: True}
        notes = {row[0]: row[1] for row in run("SELECT rollout, text FROM timeline")}
        assert set(notes) == {1, 2, 4}
        assert "select nothing any more (env): no device joins late" in notes[1]
        assert "check its devices before it is started" in notes[4]
        connection.commit()
        command.downgrade(_config(connection), "0012")
        labels = {row[0]: json.loads(row[1]) for row in run("SELECT id, labels FROM device")}
        assert labels == {"a": {"env": "prod"}, "b": {"site": "lyon", "env": "prod"}, "c": {"ring": "main"}}


def test_rules_with_numbers_that_are_not_finite(tmp_path: Path) -> None:
    """Stored by older versions, they made every search of rules fail; they are turned off."""
    with _connected(f"sqlite:///{tmp_path / 'fleet.db'}") as connection:
        command.upgrade(_config(connection), "0018")
        for number, rule in enumerate(('{"above": NaN, "group": "g"}', '{"below": -Infinity}', '{"above": 1.0}')):
            connection.exec_driver_sql(
                "INSERT INTO alert_rule (id, name, rule, enabled, silenced_until, silenced_by, created_at, created_by)"
                " VALUES (?, ?, ?, 1, 0, '', 1, '')",
                (number, str(number), rule),
            )
        connection.commit()
        command.upgrade(_config(connection), "0019")
        found = connection.exec_driver_sql("SELECT json_extract(rule, '$.above'), enabled FROM alert_rule ORDER BY id").fetchall()
        assert [tuple(row) for row in found] == [(None, 0), (None, 0), (1.0, 1)]
