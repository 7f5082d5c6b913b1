"""The programs of another version, installed beside the working tree, and a fleet of both."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.processes import Child
from tests.corpus.folder import ROOT, version_today
from tests.system.site import Deployment

PARTS = ("contract", "client", "agent", "fleet_server")
BUILD_S_MAX = 300.0


def source_of(version: str, folder: Path) -> Path:
    """The source of a version: the working tree while it is that version; later its tag, unpacked to `folder`.

    Skips the test where the clone lacks the tag.
    """
    if version == version_today():
        return ROOT
    tag = ["git", "rev-parse", "--verify", "--quiet", f"v{version}^{{commit}}"]
    if subprocess.run(tag, cwd=ROOT, capture_output=True, timeout=BUILD_S_MAX).returncode:
        pytest.skip(f"this clone has no tag v{version}: git fetch --tags")
    archive = folder.with_suffix(".tar")
    command = ["git", "archive", "--output", str(archive), f"v{version}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=BUILD_S_MAX)
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder


def install(version: str, folder: Path) -> dict[str, str]:
    """Build the wheels of a version and unpack them; the environment in which Python imports edgefleet from there.

    The libraries are those of the running environment: no package registry is needed.
    """
    source, wheels, target = source_of(version, folder / "source"), folder / "wheels", folder / "site"
    environment = {**os.environ, "EDGEFLEET_UI": "skip"}
    parts = [part for part in PARTS if (source / part).is_dir()]  # older versions have no client
    for part in parts:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
        done = subprocess.run(command, cwd=source / part, env=environment, capture_output=True, text=True, timeout=BUILD_S_MAX)
        assert done.returncode == 0, done.stderr
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target)
    installed = {"PYTHONPATH": str(target)}
    for module in (f"edgefleet_{part.removeprefix('fleet_')}" for part in parts):
        assert imported_from(module, installed).is_relative_to(target), f"{module} does not come from {target}"
    return installed


def imported_from(module: str, environment: dict[str, str]) -> Path:
    """The file of a module, as a process with these variables imports it."""
    command = [sys.executable, "-c", f"import {module}; print({module}.__file__)"]
    done = subprocess.run(
        command, env={**os.environ, **environment}, cwd="/", check=True, capture_output=True, text=True, timeout=60.0
    )
    return Path(done.stdout.strip())


class MixedDeployment(Deployment):
    """A deployment whose server and agents run in environments of their own."""

    def __init__(self, folder: Path, server: dict[str, str], agent: dict[str, str]) -> None:
        super().__init__(folder)
        self._server_environment, self._agent_environment = server, agent

    def start_server(self) -> None:
        argv = [sys.executable, "-m", "edgefleet_server", "serve", "--data", str(self.folder / "server")]
        argv += ["--port", str(self.port), "--mqtt-port", "0", "--mqtts-port", "0"]
        self._children["server"] = Child("server", argv, self.folder / "server.log", self._server_environment)
        self.wait("server and broker", lambda: self._health().get("broker", {}).get("state") == "up")

    def enrol_agent(self, name: str, pipeline: str, factory: Path) -> None:
        """Write an agent's files, enrol it with its own version's command and start it."""
        files = site.write_agent(
            self.folder / "agents", device=name, pipeline=pipeline, factory=factory, broker_url="", labels={}
        )
        self.agents[name] = files
        token = str(self.rest.post("/enrolment-tokens", {"device": name})["token"])
        argv = [sys.executable, "-m", "edgefleet_agent", "enroll", self.url, "--token", "-", "--config", str(files.config)]
        environment = {**os.environ, **self._agent_environment}
        done = subprocess.run(argv, input=f"{token}\n", env=environment, capture_output=True, text=True, timeout=60.0)
        assert done.returncode == 0, done.stderr
        self.start_agent(name)

    def start_agent(self, name: str) -> None:
        files = self.agents[name]
        argv = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(files.config)]
        self._children[name] = Child(name, argv, files.log, self._agent_environment)
