"""The guides, followed to the letter: their files are written, their commands run in their order, in an empty folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.encoding import toml
from tests.agent.cli.test_analyze import VISITORS, beginning
from tests.agent.fakes.cameras import RtspCamera, no_rtsp_server
from tests.packages import assemble

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(?:Save this as `(?P<file>[\w./-]+)`:\n\n)?```(?P<language>sh|toml)\n(?P<text>.*?)```", re.DOTALL)
YOLOX_NANO = ("models/onnx/yolox_nano/yolox_nano.onnx", "models/tflite/ssd_mobilenet_v1_coco_quant/coco_labels.txt")
LASTING = ("edgefleet-agent run", "edgefleet serve", "edgefleet-agent try rtsp://")
"""Commands that end only when they are stopped."""
PAGE = 'from urllib.request import urlopen; print(urlopen("http://127.0.0.1:{}/api/try/latest.jpg").headers["Content-Type"])'


class Reader:
    """A person who types what a guide says, in `folder`, with the programs of this environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("EDGEFLEET_", "XDG_"))}
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = {**clean, "PATH": programs, "HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
        self.running: list[subprocess.Popen[bytes]] = []

    def types(self, text: str) -> str:
        """Run a block of commands, and return what it prints. A command that lasts stays running."""
        if text.startswith(LASTING):
            with (self.folder / "lasting.log").open("ab") as log:
                command = ["bash", "-c", f"exec {text.rstrip(' &')}"]
                self.running.append(
                    subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=subprocess.STDOUT)
                )
            return ""
        done = subprocess.run(
            ["bash", "-ec", text], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=240, check=False
        )
        assert done.returncode == 0, f"{text}{done.stdout}{done.stderr}"
        return done.stdout

    def stop(self) -> None:
        """End what was started last."""
        process = self.running.pop()
        process.terminate()
        process.wait(120)

    def close(self) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            process.wait(120)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    made = Reader(tmp_path)
    try:
        yield made
    finally:
        made.close()


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def cached_model(data: Path, home: Path) -> None:
    """Put YOLOX-nano where `model fetch` keeps what it has downloaded."""
    entry = (ROOT / "fleet_server/edgefleet_server/model_tools/catalogue/entries/yolox_nano.toml").read_text(encoding="utf-8")
    digests = re.findall(r'^sha256 = "([0-9a-f]{64})"', entry, re.MULTILINE)
    cache = home / ".cache/edgefleet/models"
    cache.mkdir(parents=True)
    for file, digest in zip(YOLOX_NANO, digests, strict=True):
        shutil.copyfile(data / file, cache / digest)


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    """A camera that shows moving test pictures, with a password."""
    if no_rtsp_server():
        pytest.skip(no_rtsp_server())
    with RtspCamera(login=("user", "password")) as made:
        made.on()
        yield made


@pytest.mark.system
def test_count_people_over_a_line(reader: Reader, data: Path, camera: RtspCamera) -> None:
    """Typed as printed; the camera's address and the port of the page are those of here."""
    guide = (ROOT / "docs/count-people.md").read_text(encoding="utf-8")
    folder, port = reader.folder, free_port()
    cached_model(data, folder)
    beginning(data / "media/videos" / VISITORS, folder / "visitors.mp4", 100)  # the first visitor comes
    printed: dict[str, str] = {}
    for block in BLOCK.finditer(guide):
        if block["language"] == "toml":
            shown = toml.parse(block["text"].replace("rtsp://user:password@192.168.1.20/stream1", camera.url()), "guide")
            assert shown == toml.parse((folder / "pipelines/entrance.toml").read_text(encoding="utf-8"), "file")
            continue
        for line in block["text"].splitlines():
            text = line.replace("rtsp://user:password@192.168.1.20/stream1", camera.url())
            text = text.replace(" --page", f" --page 127.0.0.1:{port}")
            if text.startswith("export "):
                reader.environment |= dict(word.split("=", 1) for word in text.split()[1:])
                continue
            if text.startswith("edgefleet-agent status"):
                _wait_for_status(reader, text, b"entrance")
            elif text.startswith("edgefleet-agent run"):
                settings = folder / "agent.toml"
                settings.write_text(settings.read_text(encoding="utf-8").replace(":8002", f":{port}"), encoding="utf-8")
            printed[line] = reader.types(text)
            if "--page" in text:
                _wait_for_status(reader, f"{sys.executable} -c '{PAGE.format(port)}'", b"image/jpeg")
                reader.stop()
    assert len(printed) == 8
    tried, checked, analyzed = (_printed(printed, command) for command in ("try visitors", "check", "analyze"))
    assert re.search(r"person #1 crosses forward \(forward 1\)$", tried, re.MULTILINE), tried
    assert ": valid" in checked
    assert re.search(r"person 1 forward \(count 1\)$", analyzed, re.MULTILINE), analyzed
    assert (folder / "pipelines/entrance.toml").stat().st_mode & 0o077 == 0


def _printed(printed: dict[str, str], command: str) -> str:
    return next(text for line, text in printed.items() if line.startswith(f"edgefleet-agent {command}"))


def test_from_nothing_to_a_camera_in_ten_lines() -> None:
    """The commands of the guide up to the running service, its installation included."""
    guide = (ROOT / "docs/count-people.md").read_text(encoding="utf-8").partition("## Change it")[0]
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", guide, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) <= 10
    first_camera = next(number for number, line in enumerate(lines, 1) if "rtsp://" in line)
    assert first_camera <= 5


EXAMPLE = ROOT / "docs/examples/people-over-a-line"


def test_the_example_of_people_over_a_line(reader: Reader, data: Path) -> None:
    """Copied as its comment says, with the model there; its line counts as the guide's, and its labels fit the bare model."""
    folder = reader.folder
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    assemble(data, folder / "firmware_models", "yolox_nano")
    checked = reader.types("edgefleet-agent check agent.toml")
    assert checked == "agent.toml: settings of entrance, pipeline entrance, package yolox_nano@1.0.0: valid\n"
    beginning(data / "media/videos" / VISITORS, folder / "visitors.mp4", 100)
    package = "--package firmware_models/yolox_nano/1.0.0"
    events = reader.types(f"edgefleet-agent analyze visitors.mp4 --pipeline pipelines/entrance.toml {package} --json")
    rows = [json.loads(line) for line in events.splitlines()]
    assert [row["direction"] for row in rows if row["kind"] == "line"] == ["in"]
    assert rows[-1]["counts"] == {"crossings": {"in": 1}, "total": {"total": 1, "in": 1, "out": 0}}
    model = f"{data}/{YOLOX_NANO[0]}"
    tried = reader.types(f"edgefleet-agent try visitors.mp4 --model {model} --labels labels.txt --classes person --json")
    assert json.loads(tried.splitlines()[-1])["visits"] == {"person": 1}


def _wait_for_status(reader: Reader, command: str, text: bytes = b"") -> None:
    """Wait until the command succeeds and prints `text`."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        tried = ["bash", "-c", command]
        done = subprocess.run(tried, cwd=reader.folder, env=reader.environment, capture_output=True, check=False)
        if done.returncode == 0 and text in done.stdout:
            return
        time.sleep(0.5)
    raise AssertionError((reader.folder / "lasting.log").read_text(encoding="utf-8")[-3000:])


@pytest.mark.system
def test_a_server_for_a_company(reader: Reader) -> None:
    """Name, ports and folders are those of here, both devices run on this machine, and passwords come from a file; all else is
    typed as printed. What the first two lines install is installed."""
    guide = (ROOT / "docs/company-server.md").read_text(encoding="utf-8")
    quick, _, rest = guide.partition("## From your own machine")
    typed = "".join(block["text"] for block in BLOCK.finditer(quick)).splitlines()
    on_a_device = re.findall(r"```text\n(.*?)```", quick, re.DOTALL)[0].splitlines()
    assert len(typed) + 2 * len(on_a_device) <= 10
    assert [line.split()[0] for line in typed[:2]] == ["apt-get", "python3"]
    (reader.folder / "password").write_text("correct horse battery staple\n", encoding="utf-8")
    fleet, port = str(reader.folder / "fleet"), free_port()
    here = {
        "scp root@fleet.example.com:/var/lib/edgefleet-server": f"cp {fleet}",
        "fleet.example.com": "localhost",
        "/var/lib/edgefleet-server": fleet,
        "--port 8443 --mqtt-port 0": f"--port {port} --mqtt-port 0 --mqtts-port 0",
        ":8443": f":{port}",
    }
    printed = {}
    for line in (*typed[2:], *"".join(block["text"] for block in BLOCK.finditer(rest)).splitlines()):
        text = line
        for old, new in here.items():
            text = text.replace(old, new)
        if text.startswith("export "):
            reader.environment.pop("EDGEFLEET_DATA", None)  # of the server, if this is another machine
            words = [word.split("=", 1) for word in text.split()[1:]]
            reader.environment |= {name: value for name, value in words if name != "PATH"}
            continue
        if text.startswith(("edgefleet user add", "edgefleet login")):
            text += " --password-stdin < password"
        elif text.startswith("edgefleet device list"):
            _wait_for_status(reader, text, b"line-1")
            _wait_for_status(reader, f"test $({text} | grep -c online) = 2")
        printed[line] = reader.types(text)
        if text.startswith("for device in"):
            for number, row in enumerate(printed[line].splitlines(), 1):
                assert re.sub(r"^echo \S+", "echo tUVx…", row).split()[:5] == on_a_device[0].split()[:5], row
                reader.types(f"{row} --config {number}/agent.toml --state {number}/state")
                reader.types(f"{on_a_device[1]} --config {number}/agent.toml")
    assert len(printed) == 9
    assert printed["edgefleet device list"].count("online") == 2
    assert " --ca-sha256 " in printed["edgefleet token create --label site=lyon"]
    assert (reader.folder / "fleet.tar").stat().st_size > 10_000
