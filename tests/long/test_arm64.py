"""The arm64 Debian package, on an emulated processor (qemu-user): installed, a model's answers, an update over MQTT.

apt-get install debootstrap qemu-user-static binfmt-support; python -m pytest -m long tests/long/test_arm64.py

What it cannot show: a board's kernel, its accelerators, systemd there (the emulator has no place for it), speed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import write_site
from edgefleet_server.simulate.processes import Child
from tests.fleet_server.fakes.server_process import ROOT
from tests.services.booted import debian_tree, why_not
from tests.system.site import Deployment
from tests.system.test_delivery import roll_out, version

HANDLER = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
INSTALL = "apt-get install qemu-user-static binfmt-support"
MOUNT = "mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc && update-binfmts --import"


def no_emulator() -> str:
    """Reason why arm64 programs cannot run on this machine, with the command that enables them; empty if they can."""
    if HANDLER.is_file():
        return ""
    return f"nothing runs arm64 here: {MOUNT if shutil.which('update-binfmts') else INSTALL}"


WHY_NOT = why_not() or no_emulator()
pytestmark = [
    pytest.mark.alone,
    pytest.mark.long(minutes=15),
    pytest.mark.timeout(3600),
    pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "-"),
]

PATIENCE_S = 600.0
SETTINGS = """
device = "board"
pipelines = "/etc/edgefleet/pipelines"
profile = "cpu-arm64"
telemetry_s = 2.0
threads = 1

[factory]
detector = "/usr/share/edgefleet/1.0.0"
"""


INSIDE = """
for each in proc dev; do mount --rbind /$each "$0/$each"; done
exec chroot "$0" "$@"
"""
"""In a mount namespace of its own: it is gone with the command. Not /sys: what it says of this machine's processor kills
libraries that look there for an ARM (cpuinfo, under XNNPACK and ONNX Runtime)."""


class Board:
    """An arm64 tree with our package installed; `run` executes a command inside."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        subprocess.run(["cp", "-a", "--reflink=auto", str(debian_tree("arm64")), str(self.tree)], check=True)
        out = folder / "deb"
        command = [sys.executable, str(ROOT / "deploy" / "build_deb.py"), "--arch", "arm64", "--compression", "none"]
        subprocess.run([*command, "--out", str(out)], check=True, cwd=ROOT)
        (deb,) = out.glob("*_arm64.deb")
        shutil.move(deb, self.tree / "root" / deb.name)
        self.run("dpkg", "-i", f"/root/{deb.name}")
        shutil.copytree(site.model_folder("1.0.0"), self.tree / "usr/share/edgefleet/1.0.0")

    def inside(self, *command: str) -> list[str]:
        return ["unshare", "--mount", "--propagation", "slave", "sh", "-ec", INSIDE, str(self.tree), *command]

    def run(self, *command: str) -> str:
        done = subprocess.run(self.inside(*command), capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    made = Board(tmp_path_factory.mktemp("board"))
    yield made
    shutil.rmtree(made.tree)


def test_it_is_arm64_and_its_runtimes_compute(board: Board) -> None:
    assert board.run("uname", "-m").strip() == "aarch64"
    for runtime in ("lite_rt", "onnx_runtime"):
        found = json.loads(board.run("edgefleet-agent", "doctor", "--runtime", runtime, "--json"))
        assert found["ok"], found
        assert any(runtime in check["what"] and "inference" in check.get("detail", "") for check in found["checks"]), found


@pytest.mark.parametrize("backend", ["lite_rt", "onnx_runtime"])
def test_a_model_finds_what_it_finds_elsewhere(board: Board, backend: str) -> None:
    package = "/usr/share/edgefleet/1.0.0"
    arguments = ["infer", "--package", package, "--backend", backend, "--json", f"{package}/golden/1.png"]
    there = json.loads(board.run("edgefleet-agent", *arguments))[0]["detections"]
    own = [argument.replace(package, str(site.model_folder("1.0.0"))) for argument in arguments]
    output = subprocess.run([sys.executable, "-m", "edgefleet_agent", *own], capture_output=True, text=True, check=True).stdout
    here = json.loads(output)[0]["detections"]
    assert [found["label"] for found in there] == [found["label"] for found in here]
    for one, other in zip(there, here, strict=True):
        assert one["box"] == pytest.approx(other["box"], abs=2.0)
        assert one["score"] == pytest.approx(other["score"], abs=0.05)


def test_it_is_enrolled_and_updated(board: Board, tmp_path: Path) -> None:
    (camera,) = write_site(tmp_path / "site", cameras=1, seconds=6.0, seed=5)
    shutil.copy(camera.video, board.tree / "usr/share/edgefleet/camera.mp4")
    (board.tree / "etc/edgefleet/agent.toml").write_text(SETTINGS)
    pipeline = site.conveyor_pipeline(Path("/usr/share/edgefleet/camera.mp4"))
    (board.tree / "etc/edgefleet/pipelines/line.toml").write_text(pipeline)
    deployment, agent = Deployment(tmp_path), None
    try:
        deployment.start_server()
        token = deployment.rest.post("/enrolment-tokens", {})["token"]
        board.run("edgefleet-agent", "enroll", deployment.url, "--token", token)
        agent = Child("board", board.inside("edgefleet-agent", "run"), tmp_path / "board.log")
        deployment.wait("it runs what it came with", lambda: deployment.running_version("board") == "1.0.0", PATIENCE_S)
        version(tmp_path, "2.0.0", deployment)
        roll_out(deployment, "2.0.0")
        deployment.wait("it is judged", lambda: deployment.slot("board").get("phase") in ("committed", "refused"), PATIENCE_S)
        found = deployment.slot(
            "board"
        )  # fetched, verified and tested; the package's budget of 200 ms is for boards, not for an emulator
        assert found["phase"] == "committed" or found["reason"] == "over_latency", found
        assert deployment.device("board")["hardware"]["arch"] == "aarch64"
    finally:
        if agent is not None:
            agent.stop()
        deployment.stop()
