"""Entries of the audit log, as they are stored."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.people import audit


def test_no_entry_has_a_secret(tmp_path: Path) -> None:
    """It can never be deleted: the text of a refused pipeline, for example, has the password of a camera."""
    with closing(Database(tmp_path / "fleet.db")) as database:
        database.migrate()
        detail = {
            "text": 'name = "gate"\n[source]\nuri = "rtsp://user:Sup3rS3cret@cam/1"\n',
            "password": "Sup3rS3cret",
            "note": "é",
        }
        with database.write() as connection:
            audit.append(
                connection, at=1.0, actor="ada", role="admin", via="session", source="10.0.0.1", action="create_pipeline",
                target="/pipelines?token=Sup3rS3cret", status=422, detail=json.dumps(detail),
            )  # fmt: skip
        with database.read() as connection:
            (entry,) = audit.newest(connection)
            assert audit.check(connection).fault == ""
    assert "Sup3rS3cret" not in json.dumps(entry)
    assert entry["target"] == "/pipelines?token=(hidden)"
    shown = {"text": 'name = "gate"\n[source]\nuri = "rtsp://(hidden)@cam/1"\n', "password": "(hidden)", "note": "é"}
    assert json.loads(entry["detail"]) == shown
