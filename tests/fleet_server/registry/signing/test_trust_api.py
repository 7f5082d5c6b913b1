"""Signatures over REST: status, accepted metadata, refused rollouts."""

from __future__ import annotations

import json
from pathlib import Path

from edgefleet_server.registry.signing.keys import load_signer, new_key, public_pem, sign, write_secret
from edgefleet_server.registry.signing.signed_targets import next_targets
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, order


def test_an_unsigned_package_is_not_rolled_out(server: ServerProcess, device: MakeDevice, tmp_path: Path) -> None:
    write_secret(tmp_path / "targets.pem", new_key())
    signer = load_signer(tmp_path / "targets.pem")
    targets = server.http.get("/trust/targets.json").content
    body = {"role": "targets", "public_key": public_pem(signer)}
    assert server.http.post("/trust/rotate", json=body).status_code == 422, "without its signature everything would be unsigned"
    server.post("/trust/rotate", {**body, "targets": sign(next_targets(targets, []), signer).decode()})
    pushed = server.push(tar(files())).json()
    device("d1")
    request = order(pushed["name"], pushed["version"], [{"name": "all", "percent": 100}])
    refused = server.http.post("/rollouts", json=request)
    assert (refused.status_code, "not signed" in refused.json()["detail"]) == (409, True)
    status = server.get("/trust")
    assert [row["digest"] for row in status["waiting"]] == [pushed["digest"]]
    assert {role["role"]: role["online"] for role in status["roles"]}["targets"] is False
    for garbage in ("", "{}", "[]", json.dumps({"signed": {}, "signatures": []})):
        assert server.http.post("/trust/targets", json={"metadata": garbage}).status_code == 422
    assert server.http.get("/trust/nobody.json").status_code == 404  # it could be the name of a team
    assert server.http.get("/trust/No-Body.json").status_code == 422
    assert server.http.post("/trust/rotate", json={"role": "root", "public_key": "x"}).status_code == 422
