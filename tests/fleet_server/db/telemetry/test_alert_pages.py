"""Alerts are listed page by page, newest first."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlalchemy import insert

from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.tables.telemetry import AlertRecord, AlertRuleRecord
from edgefleet_server.db.telemetry import alerts


def test_a_page_continues_before_the_last_alert(where: Path | str) -> None:
    with closing(Database(where)) as database:
        database.migrate()
        with database.write() as connection:
            rule = {"kind": "absence", "severity": "warning"}
            connection.execute(
                insert(AlertRuleRecord), {"id": 1, "name": "off", "rule": rule, "enabled": True, "created_at": 1.0}
            )
            one = {"rule": 1, "subject": "press-01", "text": "", "value": 0.0, "began_at": 1.0, "notified": []}
            connection.execute(insert(AlertRecord), [{**one, "id": number} for number in range(1, 6)])
        with database.read() as connection:
            db = raw(connection)
            pages = [alerts.alerts(db, open_only=True, limit=2, before_id=before) for before in (alerts.NUMBER_MAX, 4, 2, 1)]
            assert [[each["id"] for each in page] for page in pages] == [[5, 4], [3, 2], [1], []]
            assert notices.notices(db, 2, 9) == []
