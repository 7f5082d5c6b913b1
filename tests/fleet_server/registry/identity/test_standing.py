"""The standing of devices, on both databases."""

from __future__ import annotations

from pathlib import Path

from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.db.devices.identities import Standing

NOW = 1_000.0


def test_standing(where: Path | str) -> None:
    database = Database(where)
    database.migrate()
    with database.write() as connection:
        for number, (device, expires_at) in enumerate(
            (("good", 2_000.0), ("stolen", 2_000.0), ("retired", 2_000.0), ("late", 900.0))
        ):
            record = {"serial": f"{number}", "device": device, "issued_at": 800.0, "expires_at": expires_at, "revoked_at": None}
            identities.add_certificate(connection, record)
        identities.block(connection, "stolen", "lost", NOW)
        identities.revoke_certificates(connection, "retired", NOW)
    names = ("good", "stolen", "retired", "late", "plain")
    with database.read() as connection:
        found = {name: identities.standing(raw(connection), name, NOW) for name in names}
        certified = identities.certified(connection, names, NOW)
        revoked = identities.revoked(connection, NOW)
    database.close()
    assert found == {
        "good": Standing(blocked=False, certified=True, enrolled=True),
        "stolen": Standing(blocked=True, certified=True, enrolled=True),
        "retired": Standing(blocked=False, certified=False, enrolled=True),
        "late": Standing(blocked=False, certified=False, enrolled=True),
        "plain": Standing(blocked=False, certified=False, enrolled=False),
    }
    assert certified == {"good", "stolen"}
    assert revoked == [("2", NOW)]
