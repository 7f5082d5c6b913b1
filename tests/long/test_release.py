"""A whole release, built twice from a clone, and used: installed without Node.js, unpacked as images, started.

EDGEFLEET_RELEASE=FOLDER uses one that is built already. Images: apt-get install mmdebstrap umoci, as root."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from deploy.build_deb import own_version
from tools.release.archives import SUMS
from tools.release.images import missing

pytestmark = [pytest.mark.long, pytest.mark.timeout(7200)]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 600.0
VERSION = own_version()
INSIDE = """
for each in proc dev; do mount --rbind /$each "$0/$each"; done
exec chroot --userspec="$1" "$0" /usr/bin/env -i "${@:2}"
"""
"""In a mount namespace of its own: it is gone with the command."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release of the last commit."""
    if built := os.environ.get("EDGEFLEET_RELEASE"):
        return Path(built)
    folder = tmp_path_factory.mktemp("release")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "clone")], check=True)
    command = [sys.executable, "-m", "tools.release", "--twice", "--compression", "zstd", "--out", str(folder / "out")]
    command += ["--no-images"] if missing() or os.geteuid() else []
    clean = {**os.environ, "PYTHONPATH": str(folder / "clone")}
    done = subprocess.run(command, cwd=folder / "clone", env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    assert "built twice: every byte is equal" in done.stderr
    return folder / "out"


def listening(port: int) -> bool:
    """Whether a program listens on a port."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def healthy(port: int) -> dict[str, object]:
    """`GET /api/v1/health` of a server that starts."""
    end = time.monotonic() + PATIENCE_S
    while not listening(port):
        assert time.monotonic() < end, "the server does not answer"
        time.sleep(0.5)
    with urlopen(f"http://127.0.0.1:{port}/api/v1/health", timeout=PATIENCE_S) as answer:
        found: dict[str, object] = json.load(answer)
        return found


def free_ports() -> list[str]:
    """Options of `serve` with ports that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return ["--port", str(port), "--mqtt-port", "0", "--mqtts-port", "0"]


def test_files_and_checksums(release: Path) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", SUMS], cwd=release, check=True)
    names = {line.split()[1] for line in (release / SUMS).read_text().splitlines()}
    for arch in ("amd64", "arm64"):
        assert f"edgefleet-agent_{VERSION}_{arch}.deb" in names
        assert {
            f"{folder}/edgefleet-agent-{arch}-py311.{end}" for folder, end in (("locks", "txt"), ("sbom", "cdx.json"))
        } <= names
    assert len([name for name in names if name.endswith(".whl")]) == 5
    assert len([name for name in names if name.startswith("edgefleet") and name.endswith(".tar.gz")]) == 6
    dashboard = json.loads((release / "sbom" / "edgefleet-dashboard.cdx.json").read_text())
    parts = {each["name"] for each in dashboard["components"]}
    assert {"react", "react-dom", "vite"} <= parts
    assert not {"vitest", "typescript"} & parts


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="locks are for Python 3.11")
def test_the_server_is_installed_from_the_release_without_node(release: Path, tmp_path: Path) -> None:
    """The commands of docs/releases.md, with a PATH on which calling Node.js or npm fails."""
    for name in ("node", "npm", "npx"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/called\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env = {**clean, "PATH": f"{tmp_path}:{os.environ['PATH']}", "EDGEFLEET_DATA": str(tmp_path / "data")}
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True, env=env)
    lock = "locks/edgefleet-server-amd64-py311.txt"
    pip = [str(tmp_path / "venv/bin/pip"), "install", "--quiet", "--require-hashes", "--find-links", ".", "-r", lock]
    done = subprocess.run(pip, cwd=release, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    program = str(tmp_path / "venv/bin/edgefleet")
    assert subprocess.check_output([program, "--version"], env=env, text=True).startswith(f"edgefleet {VERSION} ")
    ports = free_ports()
    server = subprocess.Popen([program, "serve", *ports], env=env)
    try:
        assert healthy(int(ports[1]))["version"] == VERSION
        with urlopen(f"http://127.0.0.1:{ports[1]}/", timeout=30) as page:
            assert b"<script" in page.read(), "the dashboard"
    finally:
        server.terminate()
        server.wait(60)
    assert not (tmp_path / "called").exists()


class Bundle:
    """An unpacked image; a command in it runs as its user, with its environment, in its folder."""

    def __init__(self, archive: Path, folder: Path) -> None:
        with tarfile.open(archive) as tar:
            tar.extractall(folder / "layout", filter="data")
        subprocess.run(["umoci", "unpack", "--image", f"{folder / 'layout'}:{VERSION}", str(folder / "bundle")], check=True)
        self.tree = folder / "bundle" / "rootfs"
        self.process = json.loads((folder / "bundle" / "config.json").read_text())["process"]

    def command(self, *arguments: str) -> list[str]:
        """The image's entry point with arguments, in its file system."""
        user = f"{self.process['user']['uid']}:{self.process['user']['gid']}"
        inside = ["unshare", "--mount", "--propagation", "slave", "bash", "-ec", INSIDE, str(self.tree), user]
        return [*inside, "--chdir", self.process["cwd"], *self.process["env"], self.process["args"][0], *arguments]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.fixture(params=["edgefleet-agent", "edgefleet-server"])
def bundle(request: pytest.FixtureRequest, release: Path, tmp_path: Path) -> Iterator[Bundle]:
    """Each image, unpacked."""
    archive = release / "oci" / f"{request.param}-{VERSION}-amd64.oci.tar"
    if not archive.is_file() or shutil.which("umoci") is None or os.geteuid():
        pytest.skip("no image: apt-get install mmdebstrap umoci, and run as root")
    made = Bundle(archive, tmp_path)
    yield made
    shutil.rmtree(tmp_path / "bundle")


def test_an_image_starts_and_names_no_machine(bundle: Bundle) -> None:
    program = bundle.process["args"][0]
    assert bundle.run("--version").stdout.startswith(f"{program} {VERSION} (Python 3.11")
    assert bundle.process["user"]["uid"] == 10001
    assert not (bundle.tree / "etc" / "hostname").exists()
    names = [bundle.tree / "etc" / name for name in ("hosts", "mailname", "machine-id", "resolv.conf")]
    words = b" ".join(path.read_bytes() for path in names if path.is_file()).split()
    assert socket.gethostname().encode() not in words
    if program == "edgefleet-agent":
        found = json.loads(bundle.run("doctor", "--profile", "cpu-x86", "--json").stdout)
        works = {check["what"]: check["ok"] for check in found["checks"]}
        assert works["lite_rt on cpu"], found
        assert works["onnx_runtime on cpu"], found
        return
    ports = free_ports()
    server = subprocess.Popen(bundle.command("serve", *ports))
    try:
        health = healthy(int(ports[1]))
        assert health["version"] == VERSION
        assert health["status"] == "ok"
    finally:
        server.terminate()
        server.wait(60)
