"""A server with the objects of the recorded run, an administrator's session, and API tokens with any scopes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.corpus import server_data
from tests.corpus.folder import newest, read_json
from tests.fleet_server.auth.conftest import PASSWORD
from tests.fleet_server.fakes.server_process import ServerProcess

MAY_CHANGE = {"proposal", "request_key", "audit", "session", "api_token", "member", "lease", "sqlite_sequence", "audit_archived"}
"""Tables of requests themselves: the proposals, the keys, the log, the last use of sessions and tokens, and heartbeats."""
BY_JOBS = {"alert", "checkpoint", "device_last", "notice", "restricted_device", "retention", "rollup", "version_share"}
"""Tables that the server's threads write while a test runs."""


class ProposingFleet:
    """`ada`: client with the session of an administrator."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.address = str(server.state()["url"])
        self.url = f"{self.address}/api/v1"
        self.ada = httpx.Client(base_url=self.url, timeout=60.0)
        self._made: list[httpx.Client] = [self.ada]
        assert self.ada.post("/session", json={"name": "ada", "password": f"{PASSWORD} more"}).status_code == 200

    def secret(self, name: str, scopes: list[str], role: str = "admin") -> tuple[str, str]:
        """Id and secret of a new API token."""
        made = self.ada.post("/api-tokens", json={"name": name, "role": role, "scopes": scopes})
        assert made.status_code == 201, made.text
        return made.json()["id"], made.json()["secret"]

    def token(self, name: str, scopes: list[str], role: str = "admin") -> httpx.Client:
        """A client with a new API token, whose id is its header `x-token-id`."""
        number, secret = self.secret(name, scopes, role)
        client = httpx.Client(base_url=self.url, timeout=60.0, headers={"Authorization": f"Bearer {secret}"})
        client.headers["x-token-id"] = number
        self._made.append(client)
        return client

    def close(self) -> None:
        for client in self._made:
            client.close()

    def tables(self) -> dict[str, list[Any]]:
        """Every row of every table that a write could change."""
        with closing(sqlite3.connect(self.server.data / "fleet.db")) as database:
            names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            stable = [name for name in names if name not in MAY_CHANGE | BY_JOBS]
            return {name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"'))) for name in stable}

    def changes_by_tokens(self) -> list[str]:
        """Operations in the audit log that succeeded with an API token, but for the storing of proposals."""
        entries = self.ada.get("/audit", params={"limit": 500}).json()["items"]
        since = max((entry["seq"] for entry in entries if entry["action"] == "sign_in"), default=0)
        mine = [entry for entry in entries if entry["seq"] > since and entry["via"] == "token" and entry["status"] < 400]
        return [entry["action"] for entry in mine if entry["action"] != "create_proposal"]

    def files(self) -> dict[str, int]:
        """Files of the registry, the trust, the authority and evidence."""
        data = self.server.data
        folders = [path for path in data.iterdir() if path.is_dir() and path.name not in ("broker", "audit", "lock", "opening")]
        found = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
        return {str(file.relative_to(data)): file.stat().st_size for file in found}


@contextmanager
def started_fleet(folder: Path) -> Iterator[ProposingFleet]:
    """A running server on a copy of the recorded data folder."""
    with server_data.started(newest(), folder, "--requests-per-minute", "100000") as server:
        made = ProposingFleet(server)
        try:
            yield made
        finally:
            made.close()


def recorded_call(name: str) -> dict[str, Any]:
    """The recorded call of an operation: `path`, `query`, `request`."""
    file = newest() / server_data.REST / f"{name}.json"
    return read_json(file) if file.is_file() else {"path": {}, "query": {}, "request": None}
