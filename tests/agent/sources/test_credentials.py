"""Passwords outside of pipeline files."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.sources.credentials import with_credentials
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import RtspCamera, no_rtsp_server


def front(uri: str = "rtsp://cam/main", **options: object) -> SourceSpec:
    return SourceSpec(kind="rtsp", uri=uri, credentials="front", options=options)


def secrets(folder: Path, text: str, mode: int = 0o600) -> dict[str, str]:
    path = folder / "secrets.toml"
    path.write_text(text)
    path.chmod(mode)
    return {"EDGEFLEET_SECRETS": str(path)}


def test_from_a_file_of_secrets_into_every_address(tmp_path: Path) -> None:
    spec = front(substream="rtsp://cam/sub")
    filled = with_credentials(spec, secrets(tmp_path, 'front = "admin:p:ss@word/ü"\n'))
    assert filled.uri == "rtsp://admin:p%3Ass%40word%2F%C3%BC@cam/main"
    assert filled.options["substream"] == "rtsp://admin:p%3Ass%40word%2F%C3%BC@cam/sub"
    assert spec.uri == "rtsp://cam/main"
    assert "ss" not in redact(filled.uri).replace("***", "")
    assert b"p:ss" not in encode(spec)


def test_from_systemd_first_then_the_environment(tmp_path: Path) -> None:
    (tmp_path / "front").write_text("me:one\n")
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path), "EDGEFLEET_SECRET_FRONT": "me:two"}
    assert with_credentials(front(), environment).uri == "rtsp://me:one@cam/main"
    assert with_credentials(front(), {"EDGEFLEET_SECRET_FRONT": "me:two"}).uri == "rtsp://me:two@cam/main"


def test_an_address_with_a_login_of_its_own_keeps_it(tmp_path: Path) -> None:
    assert with_credentials(front("rtsp://a:b@cam/x"), secrets(tmp_path, 'front = "c:d"')).uri == "rtsp://a:b@cam/x"


@pytest.mark.parametrize(
    ("text", "mode", "expected"),
    [
        ('side = "a:b"', 0o600, 'write front = "user:password" into'),
        ('front = "nobody"', 0o600, "must be of the form user:password"),
        ('front = "a:b"', 0o644, "chmod 600"),
        ("front = ", 0o600, "secrets.toml"),
    ],
)
def test_faults_are_reported_without_the_secret(tmp_path: Path, text: str, mode: int, expected: str) -> None:
    with pytest.raises(PipelineError, match=expected) as error:
        with_credentials(front(), secrets(tmp_path, text, mode))
    assert "a:b" not in str(error.value)
    assert "nobody" not in str(error.value)


def test_no_file_at_all() -> None:
    with pytest.raises(PipelineError, match="the setting `secrets`"):
        with_credentials(front(), {})
    with pytest.raises(PipelineError, match="cannot be read"):
        with_credentials(front(), {"EDGEFLEET_SECRETS": "/nowhere/secrets.toml"})


@pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one")
def test_a_real_camera_takes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEFLEET_SECRETS", secrets(tmp_path, 'front = "admin:p:ss@word"')["EDGEFLEET_SECRETS"])
    with RtspCamera(login=("admin", "p:ss@word")) as camera:
        camera.on()
        bare = camera.url().replace("admin:p:ss@word@", "")
        capture = Capture(front(bare), lambda *_: None)
        assert len(list(itertools.islice(capture.frames(), 3))) == 3
        capture.close()
