"""Packages delivered by other transports: a USB stick without network, and HTTPS."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.deltas import Deltas
from edgefleet_server.registry.identity.download_tickets import DownloadTickets
from edgefleet_server.registry.identity.entitlements import Entitlements
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.fleet_server.fakes.server_process import ROOT
from tests.import_path import import_path
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


def typed(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": import_path()}
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)


def slot(config: Path) -> dict[str, Any]:
    """The detector slot from `edgefleet-agent status`; empty while it does not respond."""
    output = typed("edgefleet_agent", "status", "--json", "--config", str(config)).stdout
    return dict(json.loads(output)["slots"].get("detector", {})) if output else {}


def runs(config: Path) -> tuple[str, str]:
    """Version that the worker runs, and stage."""
    found = slot(config)
    return str((found.get("running") or {}).get("version", "")), str(found.get("phase", ""))


def version(folder: Path, name: str, deployment: Deployment, ballast: bytes = b"") -> None:
    """Push another version of the inspector. `ballast`: content of an additional file of every variant."""
    package = shutil.copytree(site.model_folder("1.1.0"), folder / name)
    manifest = package / "model.toml"
    text = manifest.read_text().replace('version = "1.1.0"', f'version = "{name}"', 1)
    if ballast:
        (package / "ballast.bin").write_bytes(ballast)
        text = re.sub(r"^files = \[(.*)\]$", r'files = [\1, "ballast.bin"]', text, flags=re.MULTILINE)
        assert "ballast.bin" in text
    manifest.write_text(text)
    push(deployment.rest, package)


def roll_out(deployment: Deployment, name: str) -> None:
    """Start a rollout to all devices in one wave."""
    body = {
        "name": name,
        "package": site.MODEL,
        "version": name,
        "slot": site.SLOT,
        "selector": {"all": True},
        "waves": [{"name": "all", "percent": 100.0}],
        "gate": {"error_percent_max": 100.0, "reported_min": 1, "offline_s": 600.0, "soak_s": 0.1},
        "policy": {"trial_s": 1.0, "trial_frames_min": 1, "shadow_s": 0.0},
        "wave_timeout_s": 600.0,
        "start": True,
    }
    deployment.rest.post("/rollouts", body)


@pytest.mark.long
def test_by_stick_without_a_line_and_by_https(deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path) -> None:
    deployment.add_agent("press", site.conveyor_pipeline(cameras[0].video), site.model_folder("1.0.0"))
    config = deployment.agents["press"].config
    deployment.wait("it runs what it came with", lambda: deployment.running_version("press") == "1.0.0")
    for name in ("2.0.0", "2.1.0"):
        version(tmp_path, name, deployment)
    stick = tmp_path / "stick"
    for name in ("2.0.0", "2.1.0"):
        packed = typed(
            "edgefleet_server",
            "bundle",
            "export",
            "conveyor_inspector",
            name,
            "--out",
            str(stick / name),
            "--server",
            deployment.url,
        )
        assert packed.returncode == 0, packed.stderr
    deployment.kill9("server")

    imported = typed("edgefleet_agent", "bundle", "import", str(stick / "2.0.0"), "--config", str(config), "--json")
    assert imported.returncode == 0, imported.stderr
    found = json.loads(imported.stdout)
    assert (found["package"], found["version"], found["slot"]) == (
        "conveyor_inspector",
        "2.0.0",
        "detector",
    )
    deployment.wait("it takes the stick's version", lambda: runs(config) == ("2.0.0", "committed"))

    place = stick / "2.1.0" / "conveyor_inspector-2.1.0"
    own = next(path for path in (place / "blobs").iterdir() if b'version = "2.1.0"' in path.read_bytes())
    data = bytearray(own.read_bytes())
    data[1000] ^= 1
    own.write_bytes(data)
    assert typed("edgefleet_agent", "bundle", "import", str(stick / "2.1.0"), "--config", str(config)).returncode == 0
    deployment.wait("the damaged block is missed", lambda: slot(config).get("phase") == "fetching")
    assert runs(config)[0] == "2.0.0", "what runs goes on running"
    cut = stick / "cut"
    shutil.copytree(place, cut)
    (cut / "blobs" / own.name).write_bytes(data[:1000])
    refused = typed("edgefleet_agent", "bundle", "import", str(cut), "--config", str(config))
    assert refused.returncode == 2
    assert "is incomplete" in refused.stderr

    deployment.start_server()
    deployment.wait("the line brings what the stick did not", lambda: runs(config) == ("2.1.0", "committed"))

    deployment.stop_agent("press")
    with config.open("a") as settings:  # [link] is the file's last table
        settings.write(f'blobs = "{deployment.url}"\n')
    deployment.start_agent("press")
    version(tmp_path, "2.2.0", deployment)
    roll_out(deployment, "2.2.0")
    deployment.wait("the next one comes by HTTPS", lambda: runs(config)[0] == "2.2.0")
    log = deployment.agents["press"].log
    assert "fetching models from 127.0.0.1" in log.read_text()
    assert "fetching over MQTT for" not in log.read_text()
    ticket_is_bound_to_its_device(deployment)


def ticket_is_bound_to_its_device(deployment: Deployment) -> None:
    """A download ticket is valid for its device, its blob, and until the device is blocked."""
    data = deployment.folder / "server"
    blobs, database = BlobStore(data / "blobs"), Database(data / "fleet.db")
    digest = str(slot(deployment.agents["press"].config)["running"]["digest"])
    token = (
        DownloadTickets(database, Entitlements(database, blobs, Deltas(blobs)), data / "authority" / "ticket.key")
        .grant("press", digest, time.time())
        .token
    )
    database.close()
    other = next(path.name for path in (data / "blobs").glob("[0-9a-f][0-9a-f]/*") if path.name != digest)

    def shown(token: str, blob: str) -> int:
        headers = {"Authorization": f"Edgefleet-Ticket {token}", "Range": "bytes=0-9"} if token else {}
        return httpx.get(f"{deployment.url}/api/v1/device-blobs/{blob}", headers=headers).status_code

    assert shown(token, digest) == 206
    assert [shown(token, other), shown("", digest), shown(token.replace("press", "lathe"), digest)] == [403, 403, 403]
    deployment.rest.put("/devices/press/block", {"reason": "stolen"})
    assert shown(token, digest) == 403


@pytest.mark.long
def test_a_delta_takes_from_the_older_version_what_it_shares(
    deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path
) -> None:
    deployment.add_agent("press", site.conveyor_pipeline(cameras[0].video), site.model_folder("1.0.0"))
    config = deployment.agents["press"].config
    deployment.wait("it runs what it came with", lambda: deployment.running_version("press") == "1.0.0")
    ballast = random.Random(5).randbytes(6_000_000)
    sent = []
    for name, content in (("2.0.0", ballast), ("2.1.0", ballast[:2_500_000] + b"a new head" + ballast[2_500_000:])):
        before = deployment.rest.get("/health")["blocks"]["sent_bytes"]
        version(tmp_path, name, deployment, content)
        roll_out(deployment, name)
        deployment.wait(f"{name} is committed", lambda name=name: runs(config) == (name, "committed"))
        sent.append(deployment.rest.get("/health")["blocks"]["sent_bytes"] - before)
    assert sent[0] > 6_000_000
    assert sent[1] < 0.2 * sent[0], sent
