"""Live video from a real device over a real server to a viewer."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import pytest

from edgefleet_contract.wire.live_video import PartKind
from tests.agent.fakes.moving_boxes import PIPELINE
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.fleet_server.fakes.video_viewer import watch
from tests.import_path import import_path

pytestmark = pytest.mark.system

MASK = """
[[masks]]
name = "door"
polygon = [[0.0, 0.0], [0.25, 0.0], [0.25, 0.25], [0.0, 0.25]]
"""
STREET = """
name = "street"
[source]
kind = "file"
uri = "{clip}"
pace = "realtime"
[[stages]]
name = "moves"
kind = "motion"
"""


@dataclass
class Site:
    """A server, and a device with two cameras: `street`, a recording of real packets; `boxes`, whose pictures are masked."""

    server: ServerProcess
    clip: Path

    @property
    def url(self) -> str:
        return str(self.server.state()["url"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("live_video")
    clip = data / "media/videos/car-detection.mp4"
    (folder / "pipelines").mkdir()
    (folder / "pipelines/boxes.toml").write_text(PIPELINE + MASK)
    (folder / "pipelines/street.toml").write_text(STREET.format(clip=clip))
    server = ServerProcess(folder / "data").start()
    broker = server.state()["mqtt_url"]
    (folder / "agent.toml").write_text(f'device = "cam-1"\nbroker = "{broker}"\nstate = "state"\npipelines = "pipelines"\n')
    environment = {**os.environ, "PYTHONPATH": import_path()}
    with (folder / "agent.log").open("wb") as log:
        command = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(folder / "agent.toml")]
        agent = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment)
    try:
        eventually("the camera runs", lambda: server.get("/events", device="cam-1", kind="line")["items"], 60.0)
        yield Site(server, clip)
    finally:
        agent.send_signal(signal.SIGTERM)
        agent.wait(120)
        server.stop()


def test_packets_of_a_camera_reach_its_viewers(site: Site) -> None:
    """They are those of the camera, in its own times; a second viewer joins the same stream and begins with a key frame."""
    with watch(site.url, "cam-1", "street") as first:
        first.read(20.0, parts=8)
        with watch(site.url, "cam-1", "street") as second:
            second.read(10.0, parts=8)
        first.read(3.0)
    for viewer in (first, second):
        form = next(text for text in viewer.texts if text["type"] == "format")
        assert form == {"type": "format", "mime": 'video/mp4; codecs="avc1.428016"', "width": 768, "height": 432}
        assert viewer.kinds[:2] == [PartKind.INIT, PartKind.KEY]
    pictures, times = first.pictures()
    assert len(pictures) > 20
    steps = [late - early for early, late in itertools.pairwise(times)]
    assert max(steps) == pytest.approx(0.08, abs=0.002), "12.5 pictures a second, none is missing"
    with av.open(str(site.clip)) as source:
        known = [picture.to_ndarray(format="bgr24")[::16, ::16] for picture in source.decode(video=0)]
    shown = pictures[5][::16, ::16]
    assert any((shown == one).all() for one in known), "not encoded anew"
    assert -1.0 < min(first.lags_s) < 60.0, "times are of one clock; `benchmarks` measure the delay"


def test_masks_hold(site: Site) -> None:
    with watch(site.url, "cam-1", "boxes") as viewer:
        viewer.read(30.0, parts=12)
    form = next(text for text in viewer.texts if text["type"] == "format")
    assert form["encoded"] is True
    pictures, _ = viewer.pictures()
    assert all(picture[4:80, 4:150].max() < 40 for picture in pictures), "the mask is in every picture"
    assert max(picture[150:].max() for picture in pictures) > 100


def test_the_end_and_the_audit_log(site: Site) -> None:
    """A stream without viewers ends; the entries say who watched which camera, how long and how many bytes."""
    with watch(site.url, "cam-1", "street") as viewer:
        viewer.read(20.0, parts=3)

    def entries() -> list[dict[str, str]]:
        found = site.server.get("/audit")["items"]
        return [one for one in found if one["action"] == "view_live" and one["target"].endswith("/street/video")]

    eventually("an entry of the end", lambda: '"bytes"' in str(entries()[0]["detail"]))
    assert entries()[0]["target"] == "/devices/cam-1/live/street/video"
    began_s = time.monotonic()
    with watch(site.url, "cam-1", "attic") as viewer:
        viewer.read(20.0)
    assert viewer.end == {"type": "end", "reason": "cam-1: no pipeline 'attic'; known are boxes, street", "stills": True}
    assert time.monotonic() - began_s < 10.0
    with watch(site.url, "nobody", "street") as viewer:
        viewer.read(10.0)
    assert viewer.end is not None
    assert "nobody" in viewer.end["reason"]
