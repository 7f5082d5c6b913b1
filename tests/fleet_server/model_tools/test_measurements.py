"""Figures of a device in the registry: uploaded by the command, shown by it, refused where they are of other files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.__main__ import main
from tests.conftest import ROOT
from tests.fleet_server.fakes.server_process import ServerProcess

pytestmark = pytest.mark.system


def test_from_the_device_to_the_registry(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDGEFLEET_SERVER", server.state()["url"])
    package = Path(shutil.copytree(ROOT / "firmware_models/conveyor_inspector/1.1.0", tmp_path / "1.1.0"))
    assert main(["model", "push", str(package)]) == 0
    sweep = [
        "model",
        "analyze",
        str(package),
        "--profile",
        "cpu-x86",
        "--runtime",
        "lite_rt",
        "--threads",
        "1",
        "--instances",
        "1,2",
    ]
    sweep += ["--seconds", "0.05", "--rounds", "1", "--upload"]
    assert main(sweep) == 0
    assert "conveyor_inspector@1.1.0: uploaded 2 results for cpu-x86" in capsys.readouterr().out
    assert main(["model", "show", "conveyor_inspector"]) == 0
    assert "measured cpu-x86" in capsys.readouterr().out
    path = "/models/conveyor_inspector/1.1.0/measurements"
    every, chosen = server.get(path)["items"], server.get(path, best="true")["items"]
    assert (len(every), len(chosen)) == (2, 1)
    assert main(sweep) == 0  # the same machine again: its rows are replaced
    assert len(server.get(path)["items"]) == 2

    with (package / "model.toml").open("a", encoding="utf-8") as file:
        file.write("\n# another package now\n")
    capsys.readouterr()
    assert main(sweep) == 2
    assert "has other content" in capsys.readouterr().err


ROW = {
    **dict.fromkeys(("p50_ms", "p95_ms", "per_s", "load_ms"), 1.0),
    **dict.fromkeys(("streams", "instances", "batch", "threads", "memory_bytes"), 1),
    "variant": "v",
    "runtime": "lite_rt",
    "device": "cpu",
}


def test_what_is_refused(server: ServerProcess, tmp_path: Path) -> None:
    path = "/models/nobody/1.0.0/measurements"
    body: dict[str, Any] = {"digest": "0" * 64, "profile": "cpu-x86", "machine": "a box", "rows": [ROW]}
    assert server.http.put(path, json=body).status_code == 404
    for change in ({"rows": []}, {"rows": [ROW] * 257}, {"rows": [{**ROW, "p95_ms": -1}]}, {"digest": "x"}, {"extra": 1}):
        assert server.http.put(path, json={**body, **change}).status_code == 422
