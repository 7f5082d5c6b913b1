"""docs/fleet-as-code.md and docs/client.md, followed to the letter."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import edgefleet_client
from edgefleet_client import FleetClient
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.test_guides import Reader
from tests.test_guides import reader as reader

pytestmark = pytest.mark.system

SAVED = re.compile(r"Save this as `([\w./-]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_the_fleet_as_code(server: ServerProcess, device: MakeDevice, reader: Reader) -> None:
    guide = (ROOT / "docs/fleet-as-code.md").read_text(encoding="utf-8")
    device("line-1")
    eventually("online", lambda: server.get("/overview")["online"] == 1)
    server.http.patch("/devices/line-1", json={"labels": {"site": "lyon"}}).raise_for_status()
    url = str(server.state()["url"])
    reader.environment["EDGEFLEET_SERVER"] = url
    package = "firmware_models/conveyor_inspector/1.0.0"
    shutil.copytree(ROOT / package, reader.folder / package)
    for name, text in SAVED.findall(guide):
        (reader.folder / name).parent.mkdir(exist_ok=True)
        (reader.folder / name).write_text(text, encoding="utf-8")
    first, second = COMMANDS.findall(guide)
    printed = reader.types(first)
    shown = guide.partition("```text\n")[2].partition("```")[0]
    assert printed.startswith(shown), printed
    assert "8 to create, 0 to change, 0 to delete" in printed
    assert "rollout inspection: created" in printed
    with FleetClient(url) as fleet:
        fleet.devices.put_group("lines", {"selector": {"labels": {"site": "lyon"}}, "note": "by hand"})
    drift = guide.partition("## Drift")[2].partition("```text\n")[2].partition("```")[0].replace(" by otto", "")
    assert drift in reader.types("edgefleet apply -f fleet --plan")
    reader.types(second)
    assert '"applied": true' in (reader.folder / "applied.json").read_text()
    assert "nothing to do" in reader.types("edgefleet apply -f fleet --plan")


def test_the_client(server: ServerProcess, device: MakeDevice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The examples run; of those that sign in elsewhere, the names exist."""
    page = (ROOT / "docs/client.md").read_text(encoding="utf-8")
    device("line-1")
    monkeypatch.setenv("EDGEFLEET_SERVER", str(server.state()["url"]))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package.tar").write_bytes(tar(files()))
    first, sign_in, stream, package = PYTHON.findall(page)
    known: dict[str, object] = {}
    exec(first, known)
    known["fleet"] = fleet = FleetClient.from_environment()
    exec(package, known)
    assert known["is_new"] is True
    assert [group["name"] for group in fleet.devices.list_groups()["items"]] == ["lines"]
    compile(sign_in, "sign in", "exec")
    compile(stream, "stream", "exec")
    named = set(re.findall(r"`(\w+Error)`", page))
    assert named == {name for name in edgefleet_client.__all__ if name.endswith("Error")}
    for method in re.findall(r"`(iterate_\w+)`", page):
        assert any(hasattr(getattr(fleet, tag), method) for tag in ("devices", "rollouts", "audit", "alerts")), method
    fleet.close()
