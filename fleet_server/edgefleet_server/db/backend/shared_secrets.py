"""Secrets shared by all processes of a server."""

from __future__ import annotations

import secrets
import time

from edgefleet_server.db.backend.engine import Database, raw

BYTES = 16


def secret(database: Database, name: str) -> str:
    """The secret with this name, created at its first use.

    Raises:
        StoreError: the database refuses.
    """
    with database.write() as connection:
        db = raw(connection)
        db.execute(
            "INSERT INTO secret (name, value, made_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
            (name, secrets.token_hex(BYTES), time.time()),
        )
        return str(db.execute("SELECT value FROM secret WHERE name = ?", (name,)).fetchone()[0])
