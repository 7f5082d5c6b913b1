"""The service in a booted Debian: installed from our .deb, enrolled, updated over MQTT, with many power cuts during updates.

python -m pytest -m long tests/long/test_booted.py            # 100 cuts; EDGEFLEET_CUTS=10 for fewer
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.build_deb import Kind, pack_update, unpack_wheels
from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import write_site
from tests.fleet_server.fakes.server_process import ROOT
from tests.services.booted import Booted, why_not
from tests.system.site import Deployment

pytestmark = [
    pytest.mark.alone,
    pytest.mark.long(minutes=60),
    pytest.mark.timeout(5400),
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
]

CUTS = int(os.environ.get("EDGEFLEET_CUTS", "100"))
EXPOSURE_MAX = 3.0
DEVICE = "box"
SETTINGS = """
device = "box"
pipelines = "/etc/edgefleet/pipelines"
telemetry_s = 1.0
threads = 1

[factory]
detector = "/usr/share/edgefleet/1.0.0"

[link]
reconnect_min_s = 0.1
reconnect_max_s = 0.5
report_s = 0.2
"""


@pytest.fixture(scope="module")
def deb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Debian package, built as an operator builds it; EDGEFLEET_DEB=FILE: one that is built already."""
    if built := os.environ.get("EDGEFLEET_DEB"):
        return Path(built)
    out = tmp_path_factory.mktemp("deb")
    command = [
        sys.executable,
        str(ROOT / "deploy" / "build_deb.py"),
        "--extras",
        "onnx",
        "--compression",
        "none",
        "--out",
        str(out),
    ]
    subprocess.run(command, check=True, cwd=ROOT)
    return next(out.glob("*.deb"))


@pytest.fixture
def box(tmp_path: Path, deployment: Deployment, deb: Path) -> Iterator[Booted]:
    """A device with a camera and a factory package, installed and enrolled by the script that people use."""
    (camera,) = write_site(tmp_path / "site", cameras=1, seconds=6.0, seed=5)
    box = Booted(tmp_path, "edgefleet-test")
    shutil.copytree(site.model_folder("1.0.0"), box.tree / "usr/share/edgefleet/1.0.0")
    shutil.copy(camera.video, box.tree / "usr/share/edgefleet/camera.mp4")
    shutil.copy(deb, box.tree / "root" / deb.name)
    shutil.copy(ROOT / "deploy" / "install-agent.sh", box.tree / "root")
    box.boot()
    try:
        box.run("mkdir", "-p", "/etc/edgefleet/pipelines")
        (box.tree / "etc/edgefleet/agent.toml").write_text(SETTINGS)
        pipeline = site.conveyor_pipeline(Path("/usr/share/edgefleet/camera.mp4"))
        (box.tree / "etc/edgefleet/pipelines/line.toml").write_text(pipeline)
        token = deployment.rest.post("/enrolment-tokens", {})["token"]
        box.run("sh", "/root/install-agent.sh", f"/root/{deb.name}", deployment.url, "--token", token)
        yield box
    finally:
        box.cut_power()


def status(box: Booted) -> dict[str, Any]:
    """Output of `edgefleet-agent status` inside; empty while it does not answer."""
    output = box.run("edgefleet-agent", "status", "--json", check=False).stdout
    return dict(json.loads(output)) if output.strip() else {}


def runs(box: Booted) -> str:
    """The version that the worker really runs."""
    running = status(box).get("slots", {}).get("detector", {}).get("running") or {}
    return str(running.get("version", ""))


def offer(deployment: Deployment, folder: Path, version: str) -> None:
    """Push another version of the inspector, and roll it out to all at once."""
    package = shutil.copytree(site.model_folder("1.1.0"), folder / version)
    manifest = package / "model.toml"
    manifest.write_text(manifest.read_text().replace('version = "1.1.0"', f'version = "{version}"', 1))
    push(deployment.rest, package)
    _roll_out(deployment, site.MODEL, version, "detector")


def _roll_out(deployment: Deployment, package: str, version: str, slot: str) -> None:
    body = {
        "name": version,
        "package": package,
        "version": version,
        "slot": slot,
        "selector": {"all": True},
        "waves": [{"name": "all", "percent": 100.0}],
        "gate": {"error_percent_max": 100.0, "reported_min": 1, "offline_s": 600.0, "soak_s": 0.1},
        "policy": {"trial_s": 2.0, "trial_frames_min": 3, "shadow_s": 0.0},
        "wave_timeout_s": 600.0,
        "start": True,
    }
    deployment.rest.post("/rollouts", body)


def record(box: Booted) -> dict[str, Any]:
    return dict(json.loads((box.tree / "var/lib/edgefleet/slots/detector.json").read_text()))


def version_of(box: Booted, digest: str) -> str:
    manifest = (box.tree / "var/lib/edgefleet/packages" / digest / "model.toml").read_text()
    return next(line.split('"')[1] for line in manifest.splitlines() if line.startswith("version"))


def test_installed_enrolled_hardened_and_updated(deployment: Deployment, box: Booted, tmp_path: Path) -> None:
    deployment.wait("the factory version runs", lambda: deployment.running_version(DEVICE) == "1.0.0")
    output = box.run("systemd-analyze", "security", "edgefleet-agent.service", "--no-pager").stdout
    exposure = float(output.strip().splitlines()[-1].split(":")[1].split()[0])
    print(f"systemd-analyze security: {exposure}")
    assert exposure <= EXPOSURE_MAX
    assert "edgefleet" in box.run("ps", "-o", "user=", "-C", "python").stdout
    main_pid = box.run("systemctl", "show", "-P", "MainPID", "edgefleet-agent").stdout.strip()
    offer(deployment, tmp_path, "2.0.0")
    deployment.wait(
        "the update is committed", lambda: runs(box) == "2.0.0" and deployment.slot(DEVICE).get("phase") == "committed"
    )
    lines = box.run("journalctl", "-o", "json", "EDGEFLEET_SLOT=detector", "EDGEFLEET_PHASE=committed").stdout.splitlines()
    assert json.loads(lines[-1])["EDGEFLEET_DEVICE"] == DEVICE
    assert json.loads(lines[-1])["PRIORITY"] == "6"
    worker = box.run("pgrep", "-f", "edgefleet_agent worker").stdout.split()[0]
    box.run("kill", "-9", worker)
    deployment.wait("the worker comes back alone", lambda: runs(box) == "2.0.0")
    assert box.run("systemctl", "show", "-P", "MainPID", "edgefleet-agent").stdout.strip() == main_pid
    box.run("kill", "-STOP", main_pid)
    deployment.wait("a hung supervisor is replaced by the watchdog", lambda: _new_main(box, main_pid))
    deployment.wait("and runs what it ran", lambda: runs(box) == "2.0.0")
    box.run("dpkg", "--remove", "edgefleet-agent")
    assert not (box.tree / "opt/edgefleet").exists()
    assert (box.tree / "var/lib/edgefleet/identity").is_dir(), "a removal keeps what the device is"


def _new_main(box: Booted, before: str) -> bool:
    return box.run("systemctl", "show", "-P", "MainPID", "edgefleet-agent").stdout.strip() not in (before, "0")


def agent_package(folder: Path, version: str, broken: bool) -> Path:
    """The built agent under another version; a broken one starts its trial and then exits."""
    site = folder / f"site-{version}"
    unpack_wheels(ROOT / "build" / "wheelhouse" / "amd64-py3.11", site)
    (info,) = site.glob("edgefleet_agent-*.dist-info/METADATA")
    info.write_text(re.sub("^Version: .*$", f"Version: {version}", info.read_text(), count=1, flags=re.MULTILINE))
    info.parent.rename(info.parent.with_name(f"edgefleet_agent-{version}.dist-info"))
    if broken:
        code = site / "edgefleet_agent" / "cli" / "run.py"
        code.write_text(code.read_text().replace('    """Run until SIGTERM or SIGINT."""', "    raise SystemExit(3)"))
    return pack_update(Kind(version, "amd64", "3.11"), site, folder)


def test_the_agent_updates_itself_and_falls_back_from_a_broken_one(deployment: Deployment, box: Booted, tmp_path: Path) -> None:
    """One update commits, one crashes in its trial, one is cut by power in its trial: it is known after the boot what runs."""
    deployment.wait("the factory version runs", lambda: runs(box) == "1.0.0")
    main_pid = box.run("systemctl", "show", "-P", "MainPID", "edgefleet-agent").stdout.strip()
    for version, phase, running in (
        ("100.1.0", "committed", "100.1.0"),
        ("100.2.0", "rolled_back", "100.1.0"),
        ("100.3.0", "committed", "100.3.0"),
    ):
        _offer_agent(deployment, tmp_path, version, broken=version == "100.2.0")
        deployment.wait(f"{version} is {phase}", lambda phase=phase, running=running: _agent_slot(box, phase, running), 300.0)
        deployment.wait("the camera is analysed again", lambda: runs(box) == "1.0.0")
    assert "100.3.0" in box.run("journalctl", "-u", "edgefleet-agent", "-n", "200", "-o", "cat").stdout
    assert main_pid != "0"
    box.cut_power()
    box.boot()
    deployment.wait("the same version after a power cut", lambda: _agent_slot(box, "committed", "100.3.0"))
    _offer_agent(deployment, tmp_path, "100.4.0", broken=False)
    deployment.wait("100.4.0 is on trial", lambda: _agent_phase(box) == "trial", 300.0)
    box.cut_power()
    box.boot()
    deployment.wait("the trial has ended", lambda: _agent_phase(box) in ("committed", "rolled_back"), 300.0)
    expected = "100.4.0" if _agent_phase(box) == "committed" else "100.3.0"
    deployment.wait(f"{expected} runs", lambda: _agent_slot(box, _agent_phase(box), expected))
    deployment.wait("the camera is analysed again", lambda: runs(box) == "1.0.0")


def _offer_agent(deployment: Deployment, folder: Path, version: str, *, broken: bool) -> None:
    push(deployment.rest, agent_package(folder, version, broken))
    _roll_out(deployment, "edgefleet-agent", version, "edgefleet-agent")


def _agent_phase(box: Booted) -> str:
    return str(status(box).get("slots", {}).get("edgefleet-agent", {}).get("phase", ""))


def _agent_slot(box: Booted, phase: str, running: str) -> bool:
    """Whether the agent's own slot is at `phase`, and this version of the agent runs."""
    slot = status(box).get("slots", {}).get("edgefleet-agent", {})
    return slot.get("phase") == phase and (slot.get("running") or {}).get("version") == running


def test_power_cut_at_random_points_of_updates(deployment: Deployment, box: Booted, tmp_path: Path) -> None:
    deployment.wait("the factory version runs", lambda: runs(box) == "1.0.0")
    chance = random.Random(2026)
    ended: Counter[str] = Counter()
    version, cuts = 1, 0
    offer(deployment, tmp_path, f"2.0.{version}")
    while cuts < CUTS:
        time.sleep(chance.uniform(0.0, 4.0))
        box.cut_power()
        cuts += 1
        held = record(box)
        committed = held.get("last_good") or held["factory"]
        trial = (held.get("trial") or {}).get("digest")
        assert held["active"] in (committed, trial), "what runs is committed, or on trial beside what is committed"
        assert held["active"] not in held.get("quarantine", {})
        good = {version_of(box, digest) for digest in (committed, trial) if digest}
        box.boot()
        good.add(f"2.0.{version}")  # what was not on trial yet may be by now
        deployment.wait(f"cut {cuts}: back on one of {good}", lambda good=good: runs(box) in good)
        slot = status(box)["slots"]["detector"]
        phase, reason = str(slot["phase"]), str(slot.get("reason", ""))
        print(f"cut {cuts} of {CUTS}: {runs(box)} runs, {phase} {reason}", flush=True)
        if phase in ("committed", "rolled_back", "refused") and _is_about(held, f"2.0.{version}", box):
            ended[f"{phase} {reason}".strip()] += 1
            version += 1
            offer(deployment, tmp_path, f"2.0.{version}")
    print(f"{cuts} cuts in {version} updates; those that ended: {dict(ended)}")
    deployment.wait("the last one ends", lambda: status(box)["slots"]["detector"]["phase"] in ("committed", "rolled_back"))


def _is_about(_held: dict[str, Any], version: str, box: Booted) -> bool:
    """Whether the last attempt that ended on the disk is that of `version`."""
    digest = (record(box).get("ended") or {}).get("digest", "")
    folder = box.tree / "var/lib/edgefleet/packages" / digest
    return folder.is_dir() and version_of(box, digest) == version
