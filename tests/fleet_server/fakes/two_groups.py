"""A server in this process with devices and data of two groups, and callers with roles for all devices, for one group and for the
other."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from edgefleet_server.api.context import Context
from edgefleet_server.app.web import API, create_app
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import device_labels, groups
from edgefleet_server.db.people import credentials, people
from edgefleet_server.db.telemetry import alerts, ingest
from edgefleet_server.domain.fleet.alerts import StartedAlert
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.roles import Role
from tests.fleet_server.fakes.packages import files, tar

MINE, OTHER = "lyon", "zzparis"
"""The groups. Everything of the other one has its name in it."""
AWAY = {"kind": "threshold", "figure": "temperature_c", "above": 80.0, "for_s": 60.0, "severity": "warning"}
NO_DEVICE: dict[str, Any] = {"all": False, "ids": [], "labels": {}}


@dataclass
class TwoGroups:
    """The server. `tokens`: the secrets of API tokens, by names of callers; `ids`: of the data of each group."""

    app: FastAPI
    http: TestClient
    tokens: dict[str, str] = field(default_factory=dict)
    ids: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def context(self) -> Context:
        context: Context = self.app.state.context
        return context

    def call(self, caller: str | None, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """The response to a request. `caller`: a name of `tokens`, None = a stranger."""
        headers = {"Authorization": f"Bearer {self.tokens[caller]}"} if caller else {}
        return self.http.request(method, f"{API}{path}", json=body, headers=headers, **more)

    def add_device(self, name: str, site: str) -> None:
        """A device with a label, an event and an alert."""
        now = time.time()
        with self.context.database.write() as connection:
            db = raw(connection)
            ingest.add_device(db, name, now)
            db.execute("UPDATE device SET runtimes = ?, profile = 'cpu' WHERE id = ?", ('["lite_rt"]', name))
            device_labels.set_labels(connection, name, {"site": site, "lat": "45.7", "lon": "4.8"})
            event = {"id": f"e-{name}", "rule": f"rule-{site}", "zone": f"zone-{site}"}
            ingest.add_events(db, [(name, now, now, f"kind-{site}", f"label-{site}", json.dumps(event))])
            number = db.execute("SELECT max(id) FROM event").fetchone()[0]
            alerts.start_alerts(db, self._rule(db), [StartedAlert(name, 1.0, f"{name} is away")], now)
            self.ids.setdefault(site, {"event": number, "alert": alerts.alerts(db, open_only=True)[0]["id"], "device": name})

    def _rule(self, db: Any) -> int:
        known = alerts.rules(db)
        return known[0]["id"] if known else alerts.put_rule(db, None, "away", AWAY, False, "ada", time.time())

    def add_rollout(self, group: str, **selector: Any) -> int:
        """A draft of a model for a group, by an operator of all devices."""
        body = {"name": f"for {group}", "package": "spotter", "version": "1.0.0", "selector": {"group": group, **selector}}
        made = self.call("admin", "POST", "/rollouts", {**body, "waves": [{"name": "all"}]})
        assert made.status_code == 201, made.text
        return int(made.json()["id"])

    def add_group(self, name: str) -> None:
        record = {"name": name, "note": "", "changed_at": 1.0, "changed_by": "ada"}
        with self.context.database.write() as connection:
            groups.put(connection, {**record, "selector": {**NO_DEVICE, "labels": {"site": name}}})

    def add_caller(self, name: str, grants: Grants, token_groups: tuple[str, ...] = (), scopes: tuple[str, ...] = ()) -> None:
        """A user with an API token."""
        token, secret, proof = credentials.new_token()
        now = time.time()
        role = Role.ADMIN if not token_groups else Role.OPERATOR
        record = {"id": token, "user": name, "name": "tests", "role": role.value, "scopes": list(scopes), "created_at": now}
        with self.context.database.write() as connection:
            people.add(connection, name, grants, "", now)
            more = {"groups": list(token_groups), "expires_at": now + 3600, "used_at": now, "hash": proof}
            credentials.add_token(connection, {**record, **more})
        self.tokens[name] = secret


@contextmanager
def two_groups(data: Path) -> Iterator[TwoGroups]:
    """Three devices of one group, two of the other."""
    settings = Settings(data=data, mqtt_port=0, mqtts_port=0, requests_per_minute=1_000_000)
    app = create_app(settings)
    with TestClient(app, base_url="http://127.0.0.1:8080") as http:
        made = TwoGroups(app, http)
        for group in (MINE, OTHER):
            made.add_group(group)
        for number in (1, 2, 3):
            made.add_device(f"{MINE}-{number}", MINE)
        for number in (1, 2):
            made.add_device(f"{OTHER}-{number}", OTHER)
        made.add_caller("admin", Grants(Role.ADMIN))
        for role in (Role.OPERATOR, Role.VIEWER):
            made.add_caller(role.value, Grants(role))
            for group in (MINE, OTHER):
                made.add_caller(f"{role.value}-{group}", Grants(None, {group: role}))
        made.add_caller("token-mine", Grants(Role.ADMIN), (MINE,))
        made.add_caller("token-other", Grants(Role.OPERATOR), (OTHER,))
        made.context.registry.push(io.BytesIO(tar(files("spotter", "1.0.0"))), time.time())
        for group in (MINE, OTHER):
            made.ids[group]["rollout"] = made.add_rollout(group)
        yield made
