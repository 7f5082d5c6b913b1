"""Facts in the database about the server as a whole: its id, and what the other parts of its data folder are needed for."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from edgefleet_server.db.backend.driver import Driver

NAME: Final = "server id"


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """`server`: its id, "" until every part of the data folder was made; number of `certificates` of devices, and of `packages`
    that are not retired."""

    server: str
    certificates: int
    packages: int


def read(db: Driver) -> ServerFacts:
    """The facts. The tables are those of every released version."""
    found = db.execute("SELECT value FROM secret WHERE name = ?", (NAME,)).fetchone()
    certificates = db.execute("SELECT count(*) FROM device_certificate").fetchone()[0]
    packages = db.execute("SELECT count(DISTINCT package) FROM package_blob").fetchone()[0]
    return ServerFacts(str(found[0]) if found else "", int(certificates), int(packages))


def name(db: Driver, server: str) -> None:
    """Store the id of the server."""
    db.execute("INSERT INTO secret (name, value, made_at) VALUES (?, ?, ?)", (NAME, server, time.time()))
