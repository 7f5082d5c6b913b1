"""The guides of docs/devices, followed here: server, token, a device that enrolls, its model and its pipeline from the fleet.

Not done: building, copying and installing the package. `install-agent.sh` and the package have their own tests; its words after
the package go to `edgefleet-agent enroll`, as in that script.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.encoding import toml
from tests.agent.fakes.cameras import RtspCamera, no_rtsp_server
from tests.test_guides import BLOCK, ROOT, Reader, _wait_for_status, free_port

FOLDER = ROOT / "docs/devices"
GUIDES = sorted(path.stem for path in FOLDER.glob("*.md"))
MODELS = ROOT / "fleet_server/edgefleet_server/model_tools/catalogue/entries"
ADDRESS = "rtsp://192.168.1.20/stream1"
ROOTS_BLOCK = re.compile(r"```console\n(# .*?)```", re.DOTALL)
FOLLOWED = [pytest.param(name, name, marks=[] if name == "pc" else [pytest.mark.long]) for name in GUIDES]
"""`make test` follows the guide of this machine; the others have the same steps, with other models."""
QUICK = " --trial 2 --soak-s 1"


def guide(name: str) -> str:
    """The text of a guide."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def commands(name: str) -> list[str]:
    """Lines of the guide's blocks of commands, in their order."""
    return [line for block in BLOCK.finditer(guide(name)) if block["language"] == "sh" for line in block["text"].splitlines()]


def keep_downloads(data: Path, home: Path) -> None:
    """Put what the catalogue would download where `model fetch` keeps it."""
    cache = home / ".cache/edgefleet/models"
    cache.mkdir(parents=True)
    for name in ("ssd_mobilenet_v1_coco", "mobilenet_v2_imagenet", "yolox_nano"):
        entry = (MODELS / f"{name}.toml").read_text(encoding="utf-8")
        digests = set(re.findall(r'^sha256 = "([0-9a-f]{64})"', entry, re.MULTILINE))
        listed = subprocess.run(["sha256sum", *_files(data, name)], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            digest, file = line.split(maxsplit=1)
            if digest in digests:
                shutil.copyfile(file, cache / digest)


def _files(data: Path, name: str) -> list[str]:
    folders = {
        "ssd_mobilenet_v1_coco": "tflite/ssd_mobilenet_v1_coco_quant",
        "mobilenet_v2_imagenet": "tflite/mobilenet_v2_1.0_224_quant",
        "yolox_nano": "onnx/yolox_nano",
    }
    labels = data / "models/tflite/ssd_mobilenet_v1_coco_quant/coco_labels.txt"
    return [str(path) for path in sorted((data / "models" / folders[name]).iterdir())] + [str(labels)]


class Site:
    """A server for all guides, and one workstation, on this machine."""

    def __init__(self, folder: Path, data: Path) -> None:
        self.data, self.server, self.port = data, Reader(folder), free_port()
        fleet = folder / "fleet"
        keep_downloads(data, folder)
        (folder / "password").write_text("correct horse battery staple\n", encoding="utf-8")
        self.server.environment["EDGEFLEET_DATA"] = str(fleet)
        self.server.types("edgefleet user add ada --role admin --password-stdin < password")
        options = f"--tls-self-signed --device-host localhost --port {self.port} --mqtt-port 0 --mqtts-port 0"
        self.server.types(f"edgefleet serve {options} &")
        _wait_for_status(self.server, "grep 'listens on' lasting.log")
        del self.server.environment["EDGEFLEET_DATA"]
        shutil.copyfile(fleet / "authority/authority.crt", folder / "authority.crt")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("site"), data)
    yield made
    made.server.close()


@pytest.fixture(scope="module")
def camera() -> Iterator[RtspCamera]:
    if no_rtsp_server():
        pytest.skip(no_rtsp_server())
    with RtspCamera(login=("user", "password")) as made:
        made.on()
        yield made


class Follower:
    """A person who follows one guide, and the device that they install."""

    def __init__(self, site: Site, camera: RtspCamera, folder: Path) -> None:
        self.site, self.camera = site, camera
        self.reader = Reader(site.server.folder)
        self.reader.environment |= site.server.environment
        self.device = folder
        self.printed: dict[str, str] = {}

    def run_agent(self) -> None:
        self.reader.types(f"edgefleet-agent run --config {self.device}/agent.toml")

    def types(self, line: str) -> None:
        """Do what a line of the guide does, on this machine."""
        text = line.replace("fleet.example.com:8443", f"localhost:{self.site.port}")
        if text.startswith("export "):
            self.reader.environment |= dict(word.split("=", 1) for word in text.split()[1:])
        elif text.startswith(("scp ", "mkdir ")):
            assert all((ROOT / word).is_file() for word in text.split() if word.startswith("deploy/"))
        elif text.startswith("python3 deploy/build_deb.py"):
            self._check_build(text)
        elif " install-agent.sh " in text:
            self._install(text)
        elif text.startswith("ssh "):
            self.printed[line] = self.reader.types(text.split(maxsplit=2)[2].removeprefix("sudo "))
        else:
            self._ask(line, text)

    def _ask(self, line: str, text: str) -> None:
        if text.startswith("edgefleet login"):
            text += " --password-stdin < password"
        elif text.startswith("edgefleet rollout create"):
            text = text.replace(" --trial 60", "") + QUICK
        elif text.startswith("edgefleet model fetch") and (self.reader.folder / "firmware_models" / text.split()[3]).is_dir():
            return  # an earlier guide has fetched it
        elif text.startswith("edgefleet device list"):
            _wait_for_status(self.reader, f"{text} | grep -w {self.device.name} | grep -w online")
        self.printed[line] = self.reader.types(text)

    def _check_build(self, text: str) -> None:
        script = shlex.split(text)[1:]
        refused = subprocess.run([sys.executable, *script, "--help"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert refused.returncode == 0, refused.stderr
        options = {word for word in script if word.startswith("--")}
        assert options <= set(re.findall(r"--[\w-]+", refused.stdout))

    def _install(self, text: str) -> None:
        words = text.rstrip('"').split(".deb ", 1)[1]
        named = next(out for line, out in self.printed.items() if line.startswith("edgefleet token create"))
        shown = re.sub(r"sha256 [0-9a-f]{64}", "sha256 HEX", named.splitlines()[0]).replace("127.0.0.1", "localhost")
        assert shown == f"edgefleet-agent enroll {words}", "the line that the server prints has the words of the guide"
        found = re.search(r"[0-9a-f]{64}", named)
        assert found is not None
        files = f"--config {self.device}/agent.toml --state {self.device}/state"
        self.reader.types(f"edgefleet-agent enroll {words.replace('HEX', found[0])} {files}")
        self.run_agent()

    def types_as_root(self, line: str) -> None:
        """Do what a line for root does on the device, in its folder."""
        if line.startswith("systemctl restart"):
            self.reader.stop()
            self.run_agent()
        else:
            self.reader.types(line.replace("-o edgefleet ", "").replace("/etc/edgefleet", str(self.device)))


@pytest.fixture
def follower(site: Site, camera: RtspCamera, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Follower]:
    name = next(line for line in commands(request.param) if "token create" in line).split("--device ")[1].split()[0]
    folder = tmp_path / name
    folder.mkdir()
    made = Follower(site, camera, folder)
    yield made
    made.reader.close()


@pytest.mark.system
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("follower", "name"), FOLLOWED, ids=GUIDES, indirect=["follower"])
def test_a_guide_is_followed(follower: Follower, name: str) -> None:
    device = follower.device.name
    _, _, last = guide(name).partition("## 6. The camera")
    assert last
    for line in commands(name):
        if line.startswith("edgefleet pipeline check"):
            root = ROOTS_BLOCK.search(last)
            assert root is not None
            for each in root[1].splitlines():
                follower.types_as_root(each.removeprefix("# "))
            _wait_for_status(follower.reader, f"edgefleet device list | grep -w {device} | grep -w online")
            saved = next(block for block in BLOCK.finditer(last) if block["file"])
            text = saved["text"].replace(ADDRESS, follower.camera.url().replace("user:password@", ""))
            (follower.reader.folder / saved["file"]).write_text(text, encoding="utf-8")
        follower.types(line)
    created = next(out for line, out in follower.printed.items() if line.startswith("edgefleet rollout create"))
    shown = follower.printed[f"edgefleet device show {device}"]
    assert re.search(r"rollout \d+ completed: canary 1/1 passed", created), created
    fetched = next(line.split()[-1] for line in commands(name) if line.startswith("edgefleet model fetch"))
    assert re.search(rf"^slot +\w+: {fetched}@1\.0\.0 on \w+ cpu$", shown, re.MULTILINE), shown
    assert re.search(r"^slot +pipeline-entrance: pipeline-entrance@", shown, re.MULTILINE), shown


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_short_and_whole(name: str) -> None:
    text = guide(name)
    assert text.count("\n") <= 135
    steps = (
        "server",
        "## 1. ",
        "## 2. ",
        "token create",
        "build_deb.py",
        "install-agent.sh",
        "device list",
        "push",
        "pipeline set",
    )
    places = [text.index(step) for step in steps]
    assert places == sorted(places)
    assert ("**Not verified on hardware**" in " ".join(text.split())) == (name != "pc")


@pytest.mark.parametrize("name", GUIDES)
def test_pipelines_are_those_that_are_explained(name: str) -> None:
    for block in BLOCK.finditer(guide(name)):
        if block["language"] == "toml":
            assert toml.parse(block["text"], name)["source"]["credentials"] == "entrance"
