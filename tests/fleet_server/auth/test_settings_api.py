"""Settings that an administrator changes while the server runs: who may, what the log keeps, and who takes them up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from edgefleet_server.core.rollout_defaults import SOAK_S
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend import settings
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.jobs.live_settings import LiveSettings
from tests.fleet_server.auth.conftest import Peopled
from tests.fleet_server.fakes.server_process import eventually


def settings_of(client: httpx.Client) -> dict[str, dict[str, Any]]:
    answer = client.get("/settings")
    assert answer.status_code == 200, answer.text
    return {item["name"]: item for group in answer.json()["groups"] for item in group["items"]}


def change(client: httpx.Client, **values: Any) -> httpx.Response:
    return client.patch("/settings", json={"values": values})


@contextmanager
def taken_back(client: httpx.Client, *names: str) -> Iterator[None]:
    try:
        yield
    finally:
        assert change(client, **dict.fromkeys(names)).status_code == 200


@pytest.mark.system
def test_a_change_holds_at_once_and_is_in_the_log(people: Peopled) -> None:
    """And null takes it back."""
    with people.bearer(people.tokens["admin"]) as ada, taken_back(ada, "certificate_days", "template", "smtp_url"):
        answer = change(ada, certificate_days=30, template="careful", smtp_url="smtp://post:hunter2@mail.example:25")
        assert answer.status_code == 200, answer.text
        assert "hunter2" not in answer.text
        assert ada.get("/certificates").json()["authority"]["device_days"] == 30
        assert ada.get("/rollouts/templates").json()["default"] == "careful"
        edit = settings_of(ada)["certificate_days"]["edit"]
        assert (edit["changed_by"], edit["default"], edit["pinned"]) == ("ada", 90, False)
        assert settings_of(ada)["smtp_url"]["value"] == "smtp://mail.example:25"
        entry = ada.get("/audit", params={"action": "change_settings"}).json()["items"][0]
        assert (entry["actor"], entry["status"]) == ("ada", 200)
        assert "certificate_days" in str(entry["detail"])
        assert "hunter2" not in str(entry)
        assert change(ada, certificate_days=None).status_code == 200
        assert settings_of(ada)["certificate_days"]["edit"]["changed_at"] is None
        assert ada.get("/certificates").json()["authority"]["device_days"] == 90


@pytest.mark.system
def test_all_of_a_change_or_nothing(people: Peopled) -> None:
    with people.bearer(people.tokens["admin"]) as ada:
        refused = change(ada, soak_s=30, telemetry_retention_s=1)
        assert refused.status_code == 422
        assert refused.json()["detail"] == "Telemetry samples: 1 s: must be between 1 h and 90 d"
        assert settings_of(ada)["soak_s"]["value"] == SOAK_S
        assert change(ada, host="0.0.0.0").status_code == 422


@pytest.mark.system
def test_only_administrators_and_only_within_the_scope(people: Peopled) -> None:
    for role in ("viewer", "operator"):
        with people.bearer(people.tokens[role]) as client:
            assert change(client, soak_s=30).status_code == 403
            assert client.get("/settings").status_code == 403
    with people.signed_in("ada") as ada:
        for scope, status in (("devices", 403), ("settings:read", 403), ("settings", 422)):
            made = ada.post("/api-tokens", json={"name": scope, "role": "admin", "scopes": [scope]}).json()
            with people.bearer(made["secret"]) as narrow:
                assert change(narrow, soak_s=-1).status_code == status
            ada.delete(f"/api-tokens/{made['id']}")


def test_another_process_takes_a_change_up(where: Path | str) -> None:
    """A change applies unless the process's start pinned the setting; a value of another server version does not block others."""
    database = Database(where)
    database.migrate()
    pinned = Settings(data=Path("/nowhere"), soak_s=77.0, pinned=frozenset({"soak_s"}))
    other = LiveSettings(database, pinned)
    received: list[float] = []
    other.listen(lambda now: received.append(now.certificate_days))
    other.start()
    try:
        with database.write() as connection:
            settings.put(connection, "certificate_days", 14, "ada", 1.0)
            settings.put(connection, "soak_s", 5, "ada", 1.0)
        eventually("taken up", lambda: other.now.certificate_days == 14.0)
        assert other.now.soak_s == 77.0
        with database.write() as connection:
            settings.put(connection, "tries_max", 1_000, "a later version", 1.0)
        other.poll()
        assert (other.now.tries_max, other.now.certificate_days) == (3, 14.0)
        with database.write() as connection:
            settings.put(connection, "tries_max", None, "ada", 1.0)
            settings.put(connection, "certificate_days", None, "ada", 1.0)
        eventually("taken back", lambda: other.now.certificate_days == 90.0)
        assert received == [90.0, 14.0, 90.0]
    finally:
        other.close()
        database.close()
