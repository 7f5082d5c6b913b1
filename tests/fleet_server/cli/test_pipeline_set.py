"""`edgefleet pipeline set` before it asks a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_server.__main__ import main


def test_a_password_is_refused_before_the_document_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDGEFLEET_SERVER", "http://127.0.0.1:9")  # nothing listens here
    file = tmp_path / "gate.toml"
    file.write_text('name = "gate"\n[source]\nkind = "rtsp"\nuri = "rtsp://user:Sup3rS3cret@cam/1"\n')
    assert main(["pipeline", "set", str(file)]) == 2
    shown = capsys.readouterr().err
    assert f"{file}:4: a password has no place in a document of the fleet" in shown
    assert "Sup3rS3cret" not in shown
