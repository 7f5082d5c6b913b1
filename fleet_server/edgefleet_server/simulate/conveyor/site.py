"""The demo site on disk: rendered cameras, pipelines, and one configuration per agent."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from edgefleet_server.cli.client import Client
from edgefleet_server.core.errors import InputError, UnavailableError

MARKER = "edgefleet-demo.txt"
MODEL = "conveyor_inspector"
SLOT = "detector"
ENROL_S_MAX = 60.0
FIRST, SECOND = "1.0.0", "1.1.0"

PIPELINE = """\
name = "conveyor"

[source]
kind = "file"
uri = {video}
pace = "realtime"
loop = true

[[stages]]
name = "inspect"
kind = "detect"
model = "slot:{slot}"
min_score = 0.5

[[stages]]
name = "follow"
kind = "track"
from = "inspect"

[[lines]]
name = "gate"
points = [[0.5, 0.0], [0.5, 1.0]]

[[rules]]
name = "parts"
kind = "line"
line = "gate"
"""


@dataclass(frozen=True, slots=True)
class AgentFiles:
    """Paths of one demo agent's files."""

    device: str
    config: Path
    log: Path


def model_folder(version: str) -> Path:
    """The package folder of the demo's model: in the checkout, or in the installed wheel.

    Raises:
        InputError: this installation has no such version.
    """
    checkout = Path(__file__).resolve().parents[4] / "firmware_models" / MODEL / version
    installed = Path(str(files("edgefleet_server.simulate"))) / "firmware_models" / MODEL / version
    for folder in (checkout, installed):
        if (folder / "model.toml").is_file():
            return folder
    raise InputError(f"{MODEL} {version} is not in this installation; run the demo from a checkout (make demo)")


def prepare_folder(folder: Path) -> None:
    """Empty `folder`, if it is a folder of the demo.

    Raises:
        InputError: the folder contains other files.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise InputError(f"{folder} is not empty and not a demo folder; choose another with --data")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / MARKER).write_text("Made by `edgefleet demo`, emptied at its next start.\n", encoding="utf-8")


def conveyor_pipeline(video: Path) -> str:
    """The demo's pipeline, as TOML: parts are inspected, followed and counted at the middle of the picture."""
    return PIPELINE.format(video=_quoted(video), slot=SLOT)


def write_agent(
    folder: Path, *, device: str, pipeline: str, factory: Path, broker_url: str, labels: dict[str, str]
) -> AgentFiles:
    """Write configuration and pipeline (TOML) of one agent. Its state begins empty, with `factory` as its factory package."""
    home = folder / device
    pipelines = home / "pipelines"
    pipelines.mkdir(parents=True)
    (pipelines / "pipeline.toml").write_text(pipeline, encoding="utf-8")
    config = home / "agent.toml"
    lines = [
        f"device = {json.dumps(device)}",
        f"state = {_quoted(home / 'state')}",
        f"broker = {json.dumps(broker_url)}",
        f"pipelines = {_quoted(pipelines)}",
        "telemetry_s = 2.0",
        "threads = 1",
        "",
        "[factory]",
        f"{SLOT} = {_quoted(factory)}",
        "",
        "[labels]",
        *(f"{key} = {json.dumps(value)}" for key, value in labels.items()),
        "",
        "[link]",
        "reconnect_min_s = 0.2",
        "reconnect_max_s = 2.0",
        "resend_s = 3.0",
        "",
    ]
    config.write_text("\n".join(lines), encoding="utf-8")
    return AgentFiles(device, config, home / "agent.log")


def enrol(files: AgentFiles, server: Client) -> None:
    """Enrol an agent at the server in the same way as a real device: by a token and `edgefleet-agent enroll`.

    Raises:
        UnavailableError: the enrolment failed; the text is the agent's.
    """
    token = str(server.identity.create_enrolment_token({"device": files.device})["token"])
    argv = [
        sys.executable,
        "-m",
        "edgefleet_agent",
        "enroll",
        server.url,
        "--token",
        "-",
        "--again",
        "--config",
        str(files.config),
    ]
    done = subprocess.run(argv, input=f"{token}\n", capture_output=True, text=True, timeout=ENROL_S_MAX, check=False)
    if done.returncode != 0:
        raise UnavailableError(f"{files.device} could not enrol: {done.stderr.strip()[-300:]}")


def _quoted(path: Path) -> str:
    """A path as a TOML string; JSON's escapes are TOML's."""
    return json.dumps(str(path.resolve()))
