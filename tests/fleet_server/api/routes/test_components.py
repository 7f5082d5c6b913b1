"""Components over REST and as commands, of devices that report what is installed, with a real server and broker."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.wire.environment_bill import EnvironmentBill
from edgefleet_server.__main__ import main
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

BILL = EnvironmentBill(
    agent="0.3.0", python="3.11.2", system="debian", system_version="12", packages=[("libressl", "3.0.6"), ("numpy", "1.26.4")]
)


@pytest.mark.system
def test_a_component_is_found_by_version_and_its_dossier_exported(
    server: ServerProcess, device: MakeDevice, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = server.state()["url"]
    made = VirtualDevice("press-01", server.mqtt_port)
    made.bill = BILL
    made.labels = {"site": "lyon"}
    made.start().wait_online()
    device("press-02")
    try:
        found = eventually("the bill", lambda: server.get("/components/libressl", version="<3.0.7")["items"], 60.0)
    finally:
        made.stop()
    assert [(each["device"], each["version"], each["use"]) for each in found] == [("press-01", "3.0.6", "installed")]
    assert server.get("/components/libressl", version=">=3.0.7")["items"] == []
    everything = server.get("/components")
    assert everything["coverage"] == {"devices": 2, "unknown": 1, "incomplete": 0}
    named = {(each["name"], each["kind"]): each for each in everything["items"]}
    assert named["debian", "system"]["devices"] == 1
    assert named["fastapi", "library"]["on_server"]
    response = server.http.get("components/numpy", params={"version": "<<2"})
    assert response.status_code == 422, response.text
    upload = {"package": ("package.tar", tar(files()), "application/x-tar")}
    assert server.http.post("models", files=upload).status_code == 201
    bill = server.http.get("models/spotter/1.0.0/sbom")
    assert bill.headers["content-type"].startswith("application/vnd.cyclonedx+json")

    assert main(["component", "find", "libressl", "--version", "<3.0.7", "--server", url]) == 0
    shown = capsys.readouterr()
    assert "press-01" in shown.out
    assert "1 of 2 devices have not reported" in shown.err
    assert main(["component", "list", "numpy", "--json", "--server", url]) == 0
    assert {each["name"] for each in json.loads(capsys.readouterr().out)["items"]} >= {"numpy"}
    out = tmp_path / "sbom.json"
    assert main(["model", "sbom", "spotter", "1.0.0", "--out", str(out), "--server", url]) == 0
    assert out.read_bytes() == bill.content

    archives = []
    for stage in ("24h", "24h", "72h"):
        out = tmp_path / f"{stage}.zip"
        arguments = ["--component", "libressl", "--version", "<3.0.7", "--stage", stage, "--out", str(out), "--server", url]
        assert main(["dossier", *arguments]) == 0
        archives.append(out.read_bytes())
    assert archives[0] == archives[1]
    with zipfile.ZipFile(io.BytesIO(archives[2])) as opened:
        dossier: dict[str, Any] = json.loads(opened.read("dossier.json"))
        names = opened.namelist()
    assert dossier["affected"]["devices_now"] == 1
    assert f"bills/devices/{found[0]['evidence']}.json" in names
    entries = server.get("/audit", action="create_dossier")["items"]
    assert len(entries) == 3
    assert "libressl" in entries[0]["detail"]
