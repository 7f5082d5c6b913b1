"""Every command that writes files, on a full and on a read-only disk: it ends with one line, which says what to do."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import COMMANDS as AGENT
from edgefleet_server.__main__ import COMMANDS as SERVER
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.server_process import ServerProcess
from tests.small_disk import SmallDisk, mounted

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "firmware_models/conveyor_inspector/1.1.0"
MODULES = {"edgefleet": "edgefleet_server", "edgefleet-agent": "edgefleet_agent"}

WRITING: dict[str, str] = {
    "infer": "edgefleet-agent infer --package {package} {picture} --draw {disk}/drawn",
    "batch": "edgefleet-agent batch {picture} --package {package} --output {disk}/found.jsonl",
    "enroll": "edgefleet-agent enroll {url} --token {token} --device full --state {disk}/state --config {disk}/agent.toml",
    "init": "edgefleet-agent init --camera {picture} --package {package} --folder {disk}/camera",
    "event export": "edgefleet-agent event export {disk}/events --evidence {evidence}",
    "support-bundle": "edgefleet-agent support-bundle --state {disk} --config {disk}/kept.toml --output {disk}/support.zip",
    "bundle import": "edgefleet-agent bundle import {bundle} --config {disk}/kept.toml",
    "model import": "edgefleet model import {model} --into {disk}/made",
    "model golden": "edgefleet model golden {disk}/package --images {picture}",
    "model sbom": "edgefleet model sbom {package} --out {disk}/model.cdx.json",
    "dossier": "edgefleet dossier --component numpy --stage 24h --out {disk}/numpy.zip --server {url}",
    "bundle export": "edgefleet bundle export conveyor_inspector 1.1.0 --out {disk}/usb --server {url}",
    "token create": "edgefleet token create --out {disk}/token --server {url}",
    "trust key": "edgefleet trust key {disk}/key.pem",
    "trust root": "edgefleet trust root --out {disk}/root.json --server {url}",
    "backup": "edgefleet backup {disk}/fleet.backup --data {data}",
    "restore": "edgefleet restore {backup} --data {disk}/restored",
    "serve": "edgefleet serve --data {disk}/fleet --port 0 --mqtt-port 0 --mqtts-port 0",
    "ca import": "edgefleet ca import --data {disk}/kept",
    "user": "edgefleet user add bob --password-stdin --data {disk}/kept",
    "downgrade-db": "edgefleet downgrade-db 0.2.0 --data {disk}/kept",
    "openapi": "edgefleet openapi {disk}/openapi.json",
}
OTHER = {
    "agent": "analyze try check perf status detect doctor diagnose bench selftest serve run launch outputs environment probe"
    " patch trust certificate sink worker completion",
    "server": "apply channel pipeline sign device group rollout event alert logout audit experiment migrate-db simulate demo"
    " proposal mcp component completion",
}
"""Commands that write no file of their own, those that go on without a disk (`analyze`, `try`, `run`, `serve` of the
agent: see test_event_recorder.py and tests/agent/service/test_full_disk.py), and internal ones, whose callers read
their errors."""


def test_every_command_is_here() -> None:
    named = {"edgefleet login"} | {line.split()[0] + " " + line.split()[1] for line in WRITING.values()}
    missing = [f"edgefleet-agent {name}" for name in AGENT if name not in OTHER["agent"].split()]
    missing += [f"edgefleet {name}" for name in SERVER if name not in OTHER["server"].split()]
    assert sorted(named) == sorted(missing)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("commands") / "fleet").start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def words(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The commands need these: a pushed package, its bundle, a backup, a token, a user."""
    folder = tmp_path_factory.mktemp("words")
    url = server.state()["url"]
    words = {"url": url, "package": str(PACKAGE), "data": str(server.data), "backup": str(folder / "fleet.backup")}
    words["picture"] = str(next(PACKAGE.glob("golden/*.png")))
    words["model"] = str(next(PACKAGE.glob("*.onnx")))
    assert run(f"edgefleet model push {PACKAGE} --server {url}").returncode == 0
    assert run(f"edgefleet bundle export conveyor_inspector 1.1.0 --out {folder} --server {url}").returncode == 0
    words["evidence"] = str(folder / "evidence")
    words["bundle"] = str(folder / "conveyor_inspector-1.1.0")
    back_up(server.data, Path(words["backup"]), FOLDERS, 1e9)
    return words


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with mounted(tmp_path / "disk", "96m") as disk:
        yield disk


def started(line: str, environment: dict[str, str], out: int, cwd: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(line)
    everything = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), **environment}
    return subprocess.run(
        [sys.executable, "-m", MODULES[program], *arguments],
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        env=everything,
        cwd=cwd,
        timeout=120,
        input="password-1\n",
    )


def run(line: str, environment: dict[str, str] | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(line)
    if program == "edgefleet" and cwd == ROOT:
        return template().run(arguments, {**os.environ, **(environment or {})}, "password-1\n")
    return started(line, environment or {}, subprocess.PIPE, cwd)


def refused(done: subprocess.CompletedProcess[str]) -> None:
    """The command ended with one line that says what to do."""
    shown = f"{done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-3000:]}"
    assert done.returncode in (1, 2, 4, 6), shown
    assert "Traceback" not in done.stderr, shown
    assert "Exception ignored" not in done.stderr, shown
    (line,) = [text for text in done.stderr.splitlines() if text.startswith(("edgefleet: ", "edgefleet-agent: "))]
    assert ";" in line, line
    assert "Errno" not in line, line


@pytest.mark.parametrize("fault", ["full", "read-only"])
@pytest.mark.parametrize("name", WRITING)
def test_a_command_that_writes(name: str, fault: str, words: dict[str, str], disk: SmallDisk, server: ServerProcess) -> None:
    (disk.folder / "kept.toml").write_text(f'device = "full"\nstate = "{disk.folder}/state"\n', encoding="utf-8")
    (disk.folder / "state").mkdir()
    if name == "model golden":
        shutil.copytree(PACKAGE, disk.folder / "package")
    if name in ("ca import", "user", "downgrade-db"):
        assert run(f"edgefleet restore {words['backup']} --data {disk.folder}/kept").returncode == 0
    token = server.post("/enrolment-tokens", {"life_s": 3600.0})["token"] if name == "enroll" else ""
    words = {**words, "disk": str(disk.folder), "token": token}
    if fault == "full":
        disk.fill()
    else:
        disk.remount("ro")
    refused(run(WRITING[name].format(**words)))


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_login(fault: str, tmp_path: Path, disk: SmallDisk) -> None:
    assert run(f"edgefleet user add operator --role admin --password-stdin --data {tmp_path}/fleet").returncode == 0
    server = ServerProcess(tmp_path / "fleet").start()
    try:
        if fault == "full":
            disk.fill()
        else:
            disk.remount("ro")
        line = f"edgefleet login operator --password-stdin --server {server.state()['url']}"
        refused(run(line, {"XDG_CONFIG_HOME": str(disk.folder / "config")}))
        assert run(line, {"XDG_CONFIG_HOME": str(tmp_path / "config")}).returncode == 0
    finally:
        server.stop()


@pytest.mark.parametrize(
    "line",
    [
        "edgefleet-agent detect --json",
        "edgefleet openapi",
        "edgefleet completion bash",
        "edgefleet-agent infer --package {package} {picture} --json",
    ],
)
def test_output_to_a_full_disk(line: str, words: dict[str, str], disk: SmallDisk) -> None:
    with (disk.folder / "out.txt").open("w") as out:
        disk.fill()
        done = started(line.format(**words), {}, out.fileno(), ROOT)
    assert done.returncode == 6, done.stderr
    program = line.split()[0]
    assert done.stderr.splitlines() == [f"{program}: no space left on a disk that this command writes to; free some space"]


@pytest.mark.parametrize(
    "line",
    [
        "edgefleet-agent selftest {package}",
        "edgefleet model validate {package}",
        "edgefleet model push {package} --server {url}",
    ],
)
def test_without_a_temporary_folder(line: str, words: dict[str, str], disk: SmallDisk) -> None:
    """A command that needs temporary files ends with one line; any other works."""
    disk.fill()
    done = run(line.format(**words), {"TMPDIR": str(disk.folder)}, disk.folder)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0 or len(done.stderr.splitlines()) == 1, done.stderr


def test_a_token_that_cannot_be_written_is_revoked(server: ServerProcess, disk: SmallDisk) -> None:
    before = {row["id"] for row in server.get("/enrolment-tokens")["items"]}
    disk.fill()
    done = run(f"edgefleet token create --out {disk.folder}/token --server {server.state()['url']}", {}, ROOT)
    assert done.returncode == 6, done.stderr
    made = [row for row in server.get("/enrolment-tokens")["items"] if row["id"] not in before]
    assert all(row["revoked_at"] is not None for row in made)
    assert not (disk.folder / "token").exists()
