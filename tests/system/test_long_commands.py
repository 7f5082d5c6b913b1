"""Long commands to one device: a snapshot, the live view, an event's clip, a benchmark."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.agent.fakes.moving_boxes import PIPELINE
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path
from tests.packages import assemble

pytestmark = pytest.mark.system

MASKED = """
[[masks]]
name = "door"
polygon = [[0.0, 0.0], [0.25, 0.0], [0.25, 0.25], [0.0, 0.25]]
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": import_path()}


@dataclass
class Site:
    """A server, and a device with a masked camera that uploads only on request."""

    server: ServerProcess
    folder: Path

    def typed(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the operator CLI."""
        command = [sys.executable, "-m", "edgefleet_server", *arguments, "--server", self.server.state()["url"]]
        return subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=240)

    def run_command(self, op: str, deadline_s: float = 60.0, **args: Any) -> dict[str, Any]:
        """Send a command to the device and wait for its result."""
        row = self.server.post("/devices/cam-1/commands", {"op": op, "args": args, "deadline_s": deadline_s})

        def ended() -> dict[str, Any] | None:
            found: dict[str, Any] = self.server.get(f"/devices/cam-1/commands/{row['id']}")
            return found if found["state"] != "pending" else None

        return eventually(f"an answer to {op}", ended, 90.0)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("long_commands")
    package = assemble(data, folder / "packages", "mobilenet_v2", copy=True)
    device = folder / "device"
    (device / "pipelines").mkdir(parents=True)
    (device / "pipelines/boxes.toml").write_text(PIPELINE + MASKED)
    server = ServerProcess(folder / "data").start()
    (device / "agent.toml").write_text(
        f'device = "cam-1"\nbroker = "{server.state()["mqtt_url"]}"\nstate = "state"\npipelines = "pipelines"\n'
        f'[factory]\nsorter = "{package}"\n[evidence]\nupload_bytes_per_day = 20_000_000\n'
    )
    with (device / "agent.log").open("wb") as log:
        command = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(device / "agent.toml")]
        agent = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=ENVIRONMENT)
    try:
        made = Site(server, folder)
        eventually("events of the camera", lambda: server.get("/events", device="cam-1", kind="line")["items"], 60.0)
        yield made
    finally:
        agent.send_signal(signal.SIGTERM)
        agent.wait(120)
        server.stop()


def pixels(data: bytes) -> Any:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def test_a_picture_of_now_shows_nothing_of_what_is_masked(site: Site) -> None:
    before = [item["id"] for item in site.server.get("/devices/cam-1/snapshots")["items"]]
    done = site.typed("device", "snapshot", "cam-1", "-o", "now.jpg")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "now.jpg: boxes, 640x360\n"
    picture = pixels((site.folder / "now.jpg").read_bytes())
    assert picture.shape == (360, 640, 3)
    assert picture[4:80, 4:150].max() < 30, "the mask is burned in"
    assert picture[150:].max() > 100
    overlaid = site.typed("device", "snapshot", "cam-1", "--overlays", "--pipeline", "boxes", "-o", "with.jpg")
    assert overlaid.returncode == 0, overlaid.stderr
    yellow = pixels((site.folder / "with.jpg").read_bytes())[180, 318:323].astype(int)
    assert (yellow[:, 2] - yellow[:, 0]).max() > 100, "the line is drawn"
    stored = [item for item in site.server.get("/devices/cam-1/snapshots")["items"] if item["id"] not in before]
    assert len(stored) == 2
    answer = site.server.http.get(f"/devices/cam-1/snapshots/{stored[1]['id']}")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.content == (site.folder / "now.jpg").read_bytes()
    assert not list((site.folder / "device/state/evidence/_requested").iterdir()), "it is of no use on the device any more"


def test_live_view(site: Site) -> None:
    path = "/devices/cam-1/live/boxes"
    first = site.server.http.get(path)
    assert (first.status_code, first.headers["cache-control"]) == (200, "no-store")
    assert pixels(first.content)[4:80, 4:150].max() < 30
    assert site.server.http.get(path).content == first.content, "all who ask within a second get the same"
    eventually("another picture", lambda: site.server.http.get(path).content != first.content)
    entries = [entry for entry in site.server.get("/audit")["items"] if entry["action"] == "view_live"]
    assert [entry["target"] for entry in entries] == [path], "a live view is one audit entry, not one per picture"
    refused = site.server.http.get("/devices/cam-1/live/attic")
    assert (refused.status_code, refused.json()["detail"]) == (409, "cam-1: no pipeline 'attic'; known are boxes")
    assert site.server.http.get("/devices/nobody/live/boxes").status_code == 404
    assert site.server.get("/devices/cam-1/snapshots")["items"] == [
        item for item in site.server.get("/devices/cam-1/snapshots")["items"] if not item["id"].startswith("live-")
    ]


def test_a_clip_is_uploaded_on_request(site: Site) -> None:
    def settled() -> list[str]:
        items = site.server.get("/events", device="cam-1", kind="line", limit=200)["items"]
        return [item["event"]["id"] for item in items if item["event"].get("data", {}).get("clip")]

    event = eventually("an event with a clip", settled, 60.0)[-1]
    assert site.server.http.get(f"/devices/cam-1/events/{event}/clip").status_code == 404, "nothing is uploaded by itself"
    eventually("the clip is written", (site.folder / f"device/state/evidence/boxes/{event}.mp4").is_file, 60.0)
    done = site.typed("device", "clip", "cam-1", event, "-o", "event.mp4")
    assert done.returncode == 0, done.stderr
    clip = cv2.VideoCapture(str(site.folder / "event.mp4"))
    shown, picture = clip.read()
    assert shown
    assert picture[4:80, 4:150].max() < 40, "masked as well"
    assert site.run_command("clip", event=event, kind="snapshot")["state"] == "done"
    assert site.server.http.get(f"/devices/cam-1/events/{event}/snapshot").status_code == 200
    refused = site.typed("device", "clip", "cam-1", "no-such-event")
    assert (refused.returncode != 0, refused.stderr) == (
        True,
        "edgefleet: cam-1: no event no-such-event on this device; it may have been deleted to make room for newer ones\n",
    )


def test_a_measurement_on_the_device(site: Site) -> None:
    assert site.typed("model", "push", str(site.folder / "packages/mobilenet_v2/1.0.0")).returncode == 0
    done = site.typed("device", "bench", "cam-1", "--seconds", "0.3")
    assert done.returncode == 0, done.stderr
    assert "mobilenet_v2@1.0.0 on cam-1" in done.stdout
    path = "/models/mobilenet_v2/1.0.0/measurements"
    stored = eventually("the figures in the registry", lambda: site.server.get(path, best=True)["items"])
    profile = site.server.get("/devices/cam-1")["profile"]  # that of the machine that runs this
    assert [(row["machine"], row["profile"], row["p95_ms"] > 0) for row in stored] == [("cam-1", profile, True)]
    answer = site.run_command("bench", digest="f" * 64, seconds=0.3)
    assert (answer["state"], answer["detail"]) == ("failed", f"the descriptor of {'f' * 64} is not on this device")


@pytest.mark.parametrize(
    ("op", "args", "why"),
    [
        ("snapshot", {"pipeline": 7}, "no pipeline '7'; known are boxes"),
        ("snapshot", {"overlays": "yes"}, "overlays: must be true or false"),
        ("clip", {"event": "../../etc/passwd"}, "event: must be the id of an event, as shown by `edgefleet event list`"),
        ("clip", {"event": "e", "kind": "picture"}, "kind: must be clip or snapshot"),
        ("bench", {"seconds": 1e9}, "seconds: must be a number from 0.1 to 60"),
        ("bench", {"slot": "attic"}, "slot: must be one of sorter"),
        ("bench", {"digest": "../.."}, "digest: must be the SHA-256 of a package descriptor, as shown by `edgefleet model show`"),
        ("dance", {}, "unknown command dance; known are identify, "),
    ],
)
def test_what_cannot_be_is_one_line(site: Site, op: str, args: dict[str, Any], why: str) -> None:
    answer = site.run_command(op, **args)
    assert answer["state"] == "failed"
    assert answer["detail"].startswith(why)
    assert "\n" not in answer["detail"]


def test_a_command_that_comes_twice_is_done_once(site: Site) -> None:
    """The server repeats pending commands whenever it publishes to the device."""
    row = site.server.post("/devices/cam-1/snapshots", {"pipeline": "boxes"})
    for _ in range(3):
        site.server.post("/devices/cam-1/commands", {"op": "identify"})
    eventually("the picture", lambda: site.server.http.get(f"/devices/cam-1/snapshots/{row['id']}").status_code == 200)
    came = [item for item in site.server.get("/devices/cam-1/snapshots")["items"] if item["id"] == row["id"]]
    time.sleep(0.5)
    again = [item for item in site.server.get("/devices/cam-1/snapshots")["items"] if item["id"] == row["id"]]
    assert came == again


def test_logs_checks_and_a_support_bundle_of_a_real_agent(site: Site) -> None:
    shown = site.typed("device", "logs", "cam-1", "--search", "edgefleet-agent")
    assert (shown.returncode, "device cam-1" in shown.stdout) == (0, True), shown.stderr
    assert site.server.get("/devices/cam-1/logs", source="worker")["limited"] is False
    journal = site.server.http.get("/devices/cam-1/logs", params={"source": "journal"})
    assert journal.status_code in (200, 409), "a machine without a journal says so"
    for check, row in (("network", "connection to mqtt://"), ("disk", "writing"), ("cameras", "boxes"), ("selftest", "sorter: ")):
        answer = site.run_command("diagnose", 240.0, check=check)
        assert answer["state"] == "done", answer["detail"]
        assert [each for each in answer["result"]["checks"] if each["what"].startswith(row) and each["ok"]], answer
    assert site.run_command("diagnose", check="rm -rf /")["detail"].startswith("check: must be one of cameras, disk, doctor")
    made = site.typed("device", "support-bundle", "cam-1", "-o", "support.zip")
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(site.folder / "support.zip") as archive:
        assert "device cam-1" in archive.read("log.txt").decode()
        assert "pipelines/boxes.toml" in archive.namelist()
    assert not list((site.folder / "device/state/evidence/_requested").iterdir()), "nothing is left on the device"
