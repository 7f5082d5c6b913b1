"""A push over a line that breaks: every byte travels once, whatever breaks when."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from edgefleet_client import uploads
from edgefleet_server.cli.models import push
from edgefleet_server.core.errors import UnavailableError
from edgefleet_server.registry.resumable_uploads import PackageUploads
from tests.fleet_server.cli.test_commands import write
from tests.fleet_server.fakes.packages import files

NOW = 1_790_000_000.0


class Line:
    """A server behind a line that breaks before or after every n-th piece; `carried` counts the bytes that were taken."""

    def __init__(self, folder: Path, dice: random.Random, share: float) -> None:
        self.uploads = PackageUploads(folder, 100_000_000)
        self.dice = dice
        self.share = share
        self.carried = 0
        self.archive = b""
        self.models = self

    def _breaks(self) -> None:
        if self.dice.random() < self.share:
            raise UnavailableError("no answer")

    def begin_upload(self, body: dict[str, Any]) -> dict[str, Any]:
        return self._answer(self.uploads.begin("", body["length_bytes"], body["sha256"], NOW))

    def get_upload(self, upload: str) -> dict[str, Any]:
        self._breaks()
        return self._answer(self.uploads.status(upload, ""))

    def append_upload(self, upload: str, content: bytes, *, offset_bytes: int) -> dict[str, Any]:
        self._breaks()
        with self.uploads.piece(upload, "", offset_bytes) as arriving:
            arriving.write(content)
            state = arriving.finish()
        self.carried += len(content)
        self._breaks()  # stored, but the response is lost
        return self._answer(state)

    def finish_upload(self, upload: str) -> tuple[bool, dict[str, Any]]:
        with self.uploads.whole(upload, "") as file:
            self.archive = file.read()
        return True, {}

    def _answer(self, state: Any) -> dict[str, Any]:
        length = state.coming.length
        return {"id": state.coming.id, "offset_bytes": state.offset, "length_bytes": length, "piece_bytes_max": 70_000}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write(tmp_path / "package", files(size=500_000))


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_line_that_breaks_costs_no_byte_twice(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    monkeypatch.setattr(uploads, "WAIT_S", 0.0)
    line = Line(tmp_path / "server", random.Random(5), share)
    assert push.push(line, package) == (True, {})  # type: ignore[arg-type]  # speaks like the client
    assert line.carried == len(line.archive)


def test_another_run_resumes_the_upload(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "WAIT_S", 0.0)
    line = Line(tmp_path / "server", random.Random(5), 0.0)
    left = iter([0.0] * 8 + [1.0] * 100)
    monkeypatch.setattr(line, "_breaks", lambda: (_ for _ in ()).throw(UnavailableError("gone")) if next(left) else None)
    with pytest.raises(UnavailableError):
        push.push(line, package)  # type: ignore[arg-type]  # speaks like the client
    assert 0 < line.carried < 500_000
    (package / "model.toml").touch()  # its time is no part of what travels
    monkeypatch.setattr(line, "_breaks", lambda: None)
    push.push(line, package)  # type: ignore[arg-type]  # speaks like the client
    assert line.carried == len(line.archive)
