"""An agent of a released version under a server of today, and the reverse: all that a device and its server do together."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera, write_site
from tests.corpus.folder import folders
from tests.long.installations import MixedDeployment, install

pytestmark = [pytest.mark.long, pytest.mark.timeout(1200)]

DEVICE = "line-1"
DELTA = "1.2.0"
TODAY: dict[str, str] = {}
"""The environment of the working tree: nothing of it is changed."""


@pytest.fixture(scope="module", params=[path.name for path in folders()])
def released(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a recorded version."""
    return install(request.param, tmp_path_factory.mktemp("installation"))


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> SiteCamera:
    return write_site(tmp_path_factory.mktemp("site"), cameras=1, seconds=6.0, seed=3)[0]


@pytest.fixture(params=["old agent", "old server"])
def fleet(
    request: pytest.FixtureRequest, released: dict[str, str], camera: SiteCamera, tmp_path: Path
) -> Iterator[MixedDeployment]:
    """A server and an enrolled agent, one of them of the recorded version."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") is None:
        pytest.skip("no mosquitto: apt-get install mosquitto")
    server, agent = (TODAY, released) if request.param == "old agent" else (released, TODAY)
    deployment = MixedDeployment(tmp_path, server, agent)
    try:
        deployment.start_server()
        deployment.enrol_agent(DEVICE, site.conveyor_pipeline(camera.video), site.model_folder(site.FIRST))
        yield deployment
    finally:
        deployment.stop()


def rollout(fleet: MixedDeployment, version: str) -> int:
    """Roll a version out and wait until every device has committed it."""
    body: dict[str, Any] = {
        "name": version,
        "package": site.MODEL,
        "version": version,
        "slot": site.SLOT,
        "selector": {"all": True},
        "waves": [{"name": "all"}],
        "gate": {"error_percent_max": 0.0, "reported_min": 1, "offline_s": 60.0, "soak_s": 0.5},
        "policy": {"trial_s": 2.0, "trial_frames_min": 5, "shadow_s": 0.0},
        "wave_timeout_s": 300.0,
        "start": True,
    }
    number = int(fleet.rest.post("/rollouts", body)["id"])
    fleet.wait(f"the rollout of {version}", lambda: fleet.rest.get(f"/rollouts/{number}")["state"] != "running")
    assert fleet.rest.get(f"/rollouts/{number}")["state"] == "completed", fleet.last_words()
    (attempt,) = fleet.rest.get(f"/rollouts/{number}/attempts")["items"]
    assert attempt["state"] == "committed"
    assert fleet.running_version(DEVICE) == version
    return number


def sent_bytes(fleet: MixedDeployment) -> float:
    """Bytes of models that the server has sent."""
    text = httpx.get(f"{fleet.url}/metrics").text
    found = re.findall(r"^edgefleet_block\w*bytes_total(?:\{[^}]*\})? ([0-9.e+]+)$", text, re.MULTILINE)
    assert found, text
    return sum(float(value) for value in found)


def ignored(data: bytes) -> bytes:
    """Bytes as a field that no protobuf of ONNX has; TFLite ignores everything behind its tables."""
    length, encoded = len(data), bytearray()
    while length > 127:
        encoded.append(length & 127 | 128)
        length >>= 7
    return b"\xc2\x3e" + bytes([*encoded, length]) + data


def with_longer_model(folder: Path, version: str, more: bytes) -> Path:
    """The demo's second version as `version`, with `more` bytes at the end of its models, which runtimes ignore. The server
    offers deltas for files from half a megabyte on."""
    made = folder / version
    shutil.copytree(site.model_folder(site.SECOND), made)
    manifest = made / "model.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace(f'version = "{site.SECOND}"', f'version = "{version}"'), encoding="utf-8")
    for model in made.glob("model.int8.*"):
        model.write_bytes(model.read_bytes() + more)
    return made


def test_versions_work_together(fleet: MixedDeployment, tmp_path: Path) -> None:
    fleet.wait("the first version", lambda: fleet.running_version(DEVICE) == site.FIRST)

    noise = ignored(random.Random(1).randbytes(1_000_000))
    push(fleet.rest, site.model_folder(site.FIRST))
    push(fleet.rest, with_longer_model(tmp_path, site.SECOND, noise))
    before = sent_bytes(fleet)
    first = rollout(fleet, site.SECOND)
    whole = sent_bytes(fleet) - before

    push(fleet.rest, with_longer_model(tmp_path, DELTA, noise + ignored(bytes(1000))))
    before = sent_bytes(fleet)
    second = rollout(fleet, DELTA)
    assert sent_bytes(fleet) - before < 0.4 * whole, "it takes from the version that it has what both share"

    fleet.rest.post(f"/rollouts/{second}/rollback", {"reason": "as it was"})
    fleet.wait("the rollback", lambda: fleet.running_version(DEVICE) == site.SECOND)
    assert first != second

    fleet.wait("events", lambda: bool(fleet.rest.get("/events", device=DEVICE)["items"]))
    fleet.wait("telemetry", lambda: bool(fleet.rest.get(f"/devices/{DEVICE}/telemetry")["points"]))

    sent = fleet.rest.post(f"/devices/{DEVICE}/commands", {"op": "pipelines"})["id"]
    fleet.wait("an answer", lambda: fleet.rest.get(f"/devices/{DEVICE}/commands/{sent}")["state"] == "done")

    fleet.kill9(DEVICE)
    fleet.wait("the loss", lambda: fleet.device(DEVICE)["online"] is False)
    fleet.start_agent(DEVICE)
    fleet.wait("the agent's return", lambda: fleet.device(DEVICE)["online"] is True)
    fleet.wait("the same version", lambda: fleet.running_version(DEVICE) == site.SECOND)
    fleet.nothing_is_lost_or_doubled([DEVICE])
