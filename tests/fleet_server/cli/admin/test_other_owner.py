"""Commands on the data folder of another user end in one line."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.app.resources import open_resources
from edgefleet_server.core.settings import STATE_FILE, Settings

OTHER_USER = 65_534


@pytest.fixture
def data() -> Iterator[Path]:
    """The folder of a server of root, in a place that every user can enter."""
    if os.geteuid() != 0:
        pytest.skip("only root can act as another user")
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    with ExitStack() as undo:
        open_resources(Settings(data=folder / "fleet"), time.time(), undo)
    address = '{"enrolment": {"url": "https://fleet.example.com", "ca_sha256": "", "warning": ""}}'
    (folder / "fleet" / STATE_FILE).write_text(address, encoding="utf-8")
    yield folder / "fleet"
    shutil.rmtree(folder)


@pytest.mark.parametrize("mode", [0o755, 0o700])
@pytest.mark.parametrize(
    "words",
    [
        "token create",
        "token list",
        "token revoke 0123456789ab",
        "user list",
        "user remove ada",
        "audit list",
        "audit verify",
        "backup x",
    ],
)
def test_the_folder_of_another_user(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, mode: int
) -> None:
    monkeypatch.delenv("EDGEFLEET_DATABASE", raising=False)
    monkeypatch.setenv("EDGEFLEET_DATA", str(data))
    for name in ("LOCKING_S", "FIRST_LOCKING_S"):
        monkeypatch.setattr(f"edgefleet_server.cli.admin.token.{name}", 0.0)
    data.chmod(mode)
    os.seteuid(OTHER_USER)
    try:
        code = main(words.split())
    finally:
        os.seteuid(0)
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (6, 1), error
