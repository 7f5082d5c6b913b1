"""A running fleet through new keys: three real agents and simulated devices, while the certificate authority is rotated, root
keys go to people and one is replaced, and the server is killed after each step. No device is lost, and none is visited: their
processes run all the time, with their settings and files as they were.

    python -m pytest -m long tests/long/test_key_rotation.py -s
"""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from edgefleet_server.registry.signing.keys import load_signer, new_key, sign, write_secret
from edgefleet_server.registry.signing.root_changes import RoleKeys, next_root
from edgefleet_server.registry.signing.signed_targets import next_targets
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path

pytestmark = [pytest.mark.long(minutes=12), pytest.mark.timeout(3600)]

DEVICES = int(os.environ.get("EDGEFLEET_DEVICES", "200"))
AGENTS = ("press-1", "press-2", "press-3")
PEOPLE = ("anna", "ben", "cleo", "dora", "targets")
PATIENCE_S = 600.0


class Fleet:
    """The server, the agents, and the process of the simulated devices."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = ServerProcess(folder / "fleet", "--tls-self-signed", plain_devices=False)
        self.programs: dict[str, subprocess.Popen[bytes]] = {}

    def start_server(self) -> None:
        self.server.start()
        self.use_authority()

    def use_authority(self) -> None:
        """Trust the authority of the server's HTTPS, which a rotation replaces."""
        context = ssl.create_default_context(cafile=self.server.data / "authority/trusted.pem")
        self.server.http.close()
        self.server.http = httpx.Client(
            base_url=f"{self.server.state()['enrolment']['url']}/api/v1", verify=context, timeout=120.0
        )

    def kill_server(self) -> None:
        print("kill -9 of the server", flush=True)
        self.server.kill()
        self.start_server()

    def start_devices(self) -> None:
        enrolment = self.server.state()["enrolment"]
        token = self.folder / "fleet.token"
        token.write_text(self.server.post("/enrolment-tokens", {"devices_max": DEVICES + len(AGENTS)})["token"])
        for name in AGENTS:
            config = self.folder / name / "agent.toml"
            config.parent.mkdir()
            config.write_text(
                f'device = "{name}"\nstate = "state"\n[enroll]\nurl = "{enrolment["url"]}"\ntoken_file = "{token}"\n'
                f'ca_sha256 = "{enrolment["ca_sha256"]}"\n[link]\nreconnect_min_s = 0.1\nreconnect_max_s = 2.0\n'
            )
            self._start(name, "edgefleet_agent", "run", "--config", str(config))
        words = ["--devices", str(DEVICES), "--server", enrolment["url"], "--ca-sha256", enrolment["ca_sha256"]]
        words += ["--state", str(self.folder / "identities"), "--telemetry-s", "10", "--token-file", str(token)]
        self._start("simulated", "edgefleet_server", "simulate", *words)
        eventually("all online", self.all_online, PATIENCE_S)

    def _start(self, name: str, module: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.programs[name] = subprocess.Popen(
                [sys.executable, "-m", module, *words],
                cwd=ROOT,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": import_path()},
            )

    def all_online(self) -> bool:
        return bool(self.server.get("/overview")["online"] == DEVICES + len(AGENTS))

    def rotation(self) -> dict[str, Any]:
        report: dict[str, Any] = self.server.get("/certificates/rotation")
        return report

    def have_only(self, fingerprint: str) -> bool:
        """Whether all devices trust this authority and no other."""
        files = [json.loads((self.folder / name / "state/identity/identity.json").read_bytes()) for name in AGENTS]
        files += [json.loads(file.read_bytes()) for file in (self.folder / "identities").glob("*.json")]
        return len(files) == DEVICES + len(AGENTS) and all(each.get("authorities") == [fingerprint] for each in files)

    def change_root(self, folder: Path, people: tuple[str, ...], signers: tuple[str, ...], targets: str = "") -> int:
        """Another root, as `edgefleet trust init --offline` and `trust change-root` send it: its version."""
        keys = {name: load_signer(folder / f"{name}.pem") for name in (*people, *signers, *((targets,) if targets else ()))}
        named = RoleKeys([keys[name].public_key for name in people], 2)
        packages = RoleKeys([keys[targets].public_key], 1) if targets else RoleKeys()
        root = next_root(self.server.http.get("/trust/root.json").content, named, packages, time.time())
        body = {"metadata": sign(root, *(keys[name] for name in signers)).decode()}
        if targets:
            body["targets"] = sign(next_targets(self.server.http.get("/trust/targets.json").content, []), keys[targets]).decode()
        self.server.post("/trust/root", body)
        return int(root.version)

    def agents_trust(self, version: int) -> bool:
        """Whether all agents have verified this root."""
        texts = [(self.folder / name / "state/trust/anchor.json").read_text() for name in AGENTS]
        return all(int(json.loads(json.loads(text)["root"])["signed"]["version"]) == version for text in texts)

    def runs(self) -> bool:
        return all(program.poll() is None for program in self.programs.values())

    def stop(self) -> None:
        for program in self.programs.values():
            program.kill()
            program.wait()
        self.server.stop()


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    fleet = Fleet(tmp_path)
    try:
        fleet.start_server()
        fleet.start_devices()
        yield fleet
    finally:
        fleet.stop()


def test_a_fleet_gets_new_keys(fleet: Fleet) -> None:
    settings = {name: (fleet.folder / name / "agent.toml").read_bytes() for name in AGENTS}
    began_s = time.monotonic()
    old = fleet.rotation()["authorities"][0]["fingerprint"]
    at_first = fleet.server.post("/certificates/rotation", {})
    new = at_first["authorities"][-1]["fingerprint"]
    assert at_first["missing"] == DEVICES + len(AGENTS)
    fleet.kill_server()
    refused = fleet.server.http.post("/certificates/rotation/finish", json={})
    if fleet.rotation()["missing"]:
        assert refused.status_code == 409, refused.text
    eventually("all have renewed", lambda: fleet.rotation()["missing"] == 0, PATIENCE_S)
    fleet.kill_server()
    eventually("all online", fleet.all_online, PATIENCE_S)
    print(f"renewed after {time.monotonic() - began_s:.0f} s", flush=True)

    fleet.server.post("/certificates/rotation/finish", {})
    fleet.kill_server()
    eventually("all online with the new authority", fleet.all_online, PATIENCE_S)
    eventually("the old authority is forgotten", lambda: fleet.have_only(new), PATIENCE_S)
    fleet.kill_server()
    eventually("all online", fleet.all_online, PATIENCE_S)
    print(f"rotated after {time.monotonic() - began_s:.0f} s", flush=True)
    keys = fleet.folder / "people"
    keys.mkdir()
    for name in PEOPLE:
        write_secret(keys / f"{name}.pem", new_key())
    offline = fleet.change_root(keys, ("anna", "ben", "cleo"), ("anna", "ben"), "targets")
    fleet.kill_server()
    assert {role["role"]: role["online"] for role in fleet.server.get("/trust")["roles"]}["root"] is False
    eventually("the agents follow to keys that people keep", lambda: fleet.agents_trust(offline), PATIENCE_S)
    replaced = fleet.change_root(keys, ("anna", "ben", "dora"), ("anna", "ben"))  # cleo has lost hers
    fleet.kill_server()
    eventually("the agents follow to the replaced key", lambda: fleet.agents_trust(replaced), PATIENCE_S)
    eventually("all online", fleet.all_online, PATIENCE_S)
    print(f"root replaced after {time.monotonic() - began_s:.0f} s", flush=True)

    authorities = [each["fingerprint"] for each in fleet.rotation()["authorities"]]
    assert authorities == [new] != [old]
    assert fleet.runs()
    assert settings == {name: (fleet.folder / name / "agent.toml").read_bytes() for name in AGENTS}
