"""Four kinds of source side by side with faults at random: the local page shows state and reason of the present fault.

A real agent captures an RTSP camera, an HTTP camera of JPEG pictures, a looped video and a looped folder of pictures, and looks
for motion. Each source gets a random fault, is observed, repaired, and observed again, independently of the others.
`EDGEFLEET_CAMERA_FAULTS_S` sets the duration in seconds.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import threading
import time
import urllib.request
from abc import ABC, abstractmethod
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from edgefleet_server.simulate.processes import Child
from tests.agent.fakes.cameras import RtspCamera, TcpCamera, free_port, no_rtsp_server

pytestmark = [
    pytest.mark.long(minutes=11),
    pytest.mark.alone,
    pytest.mark.timeout(5400),
    pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one"),
]

DURATION_S = float(os.environ.get("EDGEFLEET_CAMERA_FAULTS_S", "600"))
SHOWN_WITHIN_S = 12.0
"""Longest time from a fault to its state and reason, and from the repair to frames: a silence of three seconds, an attempt that
waits for five, and the interval of status."""
HELD_S = 6.0
"""Time for which the state and the reason have to stay."""
LOST, STALLED = {"source_lost"}, {"stalled", "source_lost"}

Shown = tuple[str, str]
"""State and reason of a source on the page."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and what has to be shown: one of these states, and a reason that matches. Running: it heals by itself."""

    name: str
    states: set[str]
    reason: str


class TestedSource(ABC):
    """A source with its faults."""

    __test__ = False
    faults: tuple[Fault, ...]

    @abstractmethod
    def table(self) -> str:
        """The table [source] of its pipeline."""

    @abstractmethod
    def inject(self, fault: str) -> None:
        """Make the fault happen."""

    @abstractmethod
    def repair(self, fault: str) -> None:
        """End the fault."""

    @abstractmethod
    def close(self) -> None:
        """Release what it holds."""


class Rtsp(TestedSource):
    faults = (
        Fault("killed", LOST, "does not respond .Connection refused.; check power"),
        Fault("frozen", STALLED, "stopped sending; retrying|accepts the connection, but sends no video|the source hangs"),
        Fault("another codec", {"running"}, ""),
        Fault("another size", {"running"}, ""),
        Fault("another password", LOST, "rejects the user name or password"),
        Fault("garbage", LOST, "responds with something other than video|cannot be read|closes the connection"),
    )

    def __init__(self) -> None:
        self._camera = RtspCamera(login=("admin", "first"))
        self._url = self._camera.url()
        self._stranger = RtspCamera(login=("admin", "second"))
        self._stranger.port = self._camera.port
        self._garbage: TcpCamera | None = None
        self._camera.on()

    def table(self) -> str:
        return f'kind = "rtsp"\nuri = "{self._url}"'

    def inject(self, fault: str) -> None:
        if fault == "frozen":
            self._camera.freeze()
            return
        self._camera.kill()
        if fault == "another codec":
            self._camera.on(codec="jpeg")
        elif fault == "another size":
            self._camera.on(width=480, height=272)
        elif fault == "another password":
            self._stranger.on()
        elif fault == "garbage":
            self._garbage = TcpCamera(lambda connection: connection.sendall(os.urandom(5000)), self._camera.port)
            self._garbage.__enter__()

    def repair(self, fault: str) -> None:
        if fault == "frozen":
            self._camera.thaw()
            return
        self._stranger.kill()
        self._camera.kill()
        if self._garbage is not None:
            self._garbage.__exit__(None, None, None)
            self._garbage = None
        self._camera.on()

    def close(self) -> None:
        self._camera.kill()
        self._stranger.kill()


class Mjpeg(TestedSource):
    faults = (
        Fault("off", LOST, "does not respond .Connection refused.; check power"),
        Fault("frozen", STALLED, "stopped sending; retrying|accepts the connection, but sends no video"),
        Fault("401", LOST, "rejects the user name or password"),
        Fault("403", LOST, "denies access to this user"),
        Fault("404", LOST, "has no such stream"),
        Fault("garbage", STALLED, "something other than video|nothing in it can be decoded|but sends no video|cannot be read"),
        Fault("another size", {"running"}, ""),
    )

    def __init__(self) -> None:
        self.mode = ""
        self._port = free_port()
        self._server: ThreadingHTTPServer | None = None
        self._on()

    def table(self) -> str:
        return f'kind = "mjpeg"\nuri = "http://127.0.0.1:{self._port}/stream"'

    def inject(self, fault: str) -> None:
        self.mode = fault
        if fault == "off":
            self.close()

    def repair(self, fault: str) -> None:
        self.mode = ""
        if fault == "off":
            self._on()

    def close(self) -> None:
        self.mode = "off"
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _on(self) -> None:
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Send pictures until the connection ends or the mode changes to one that needs another connection."""
        mode = self.mode
        if mode.isdigit():
            handler.send_error(int(mode))
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=part")
        handler.end_headers()
        number = 0
        while not self.mode.isdigit() and self.mode != "off":
            number += 1
            if self.mode == "frozen":
                time.sleep(0.1)
                continue
            size = (480, 272) if self.mode == "another size" else (320, 240)
            data = os.urandom(4000) if self.mode == "garbage" else _jpeg(number, size)
            try:
                handler.wfile.write(
                    b"--part\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data) + data + b"\r\n"
                )
            except OSError:
                return
            time.sleep(0.1)


class LoopedVideo(TestedSource):
    faults = (
        Fault("missing", LOST, "no such file; specify a video file"),
        Fault("garbage", LOST, "cannot be decoded as video|no frame can be decoded"),
        Fault("another size", {"running"}, ""),
    )

    def __init__(self, folder: Path) -> None:
        self._file, self._whole, self._other = folder / "clip.mp4", folder / "whole.mp4", folder / "other.mp4"
        _write_video(self._whole, (320, 240))
        _write_video(self._other, (480, 272))
        shutil.copyfile(self._whole, self._file)

    def table(self) -> str:
        return f'kind = "file"\nuri = "{self._file}"\nloop = true\npace = "realtime"'

    def inject(self, fault: str) -> None:
        if fault == "missing":
            self._file.unlink()
        elif fault == "garbage":
            self._place(os.urandom(5000))
        else:
            self._place(self._other.read_bytes())

    def repair(self, fault: str) -> None:
        self._place(self._whole.read_bytes())

    def close(self) -> None:
        pass

    def _place(self, data: bytes) -> None:
        beside = self._file.with_name("beside")
        beside.write_bytes(data)
        beside.replace(self._file)


class LoopedPictures(TestedSource):
    faults = (
        Fault("missing", LOST, "cannot be listed: No such file or directory|no image can be decoded"),
        Fault("empty", LOST, "contains no image that can be decoded|no image can be decoded"),
        Fault("garbage", LOST, "contains no image that can be decoded|no image can be decoded"),
        Fault("another size", {"running"}, ""),
    )

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "pictures"
        self._write((320, 240))

    def table(self) -> str:
        return f'kind = "images"\nuri = "{self._folder}"\nloop = true\npace = "realtime"\n[source.options]\nrate = 5'

    def inject(self, fault: str) -> None:
        if fault == "missing":
            shutil.rmtree(self._folder)
        elif fault == "empty":
            for path in self._folder.iterdir():
                path.unlink()
        elif fault == "garbage":
            for path in self._folder.iterdir():
                path.write_bytes(os.urandom(500))
        else:
            self._write((480, 272))

    def repair(self, fault: str) -> None:
        self._write((320, 240))

    def close(self) -> None:
        pass

    def _write(self, size: tuple[int, int]) -> None:
        self._folder.mkdir(exist_ok=True)
        for number in range(8):
            (self._folder / f"{number}.jpg").write_bytes(_jpeg(number, size))


class Page:
    """The status of the agent's local API."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/status"

    def shown(self, pipeline: str) -> Shown:
        """State and reason of a pipeline; empty where the agent does not answer."""
        try:
            with urllib.request.urlopen(self._url, timeout=5) as answer:
                status: dict[str, Any] = json.load(answer)
        except OSError:
            return "", ""
        faults = [each["text"] for each in status["faults"] if each["pipeline"] == pipeline]
        state = next((each["gauges"]["state"] for each in status["pipelines"] if each["name"] == pipeline), "")
        return state, " | ".join(faults)

    def wait(self, pipeline: str, states: set[str], reason: str) -> tuple[float, Shown]:
        """Seconds until one of these states and the reason (none, if empty) are shown, and what is shown at the end."""
        began_s = time.monotonic()
        while True:
            state, text = self.shown(pipeline)
            spent_s = time.monotonic() - began_s
            if (state in states and bool(re.search(reason, text)) and bool(text) == bool(reason)) or spent_s > SHOWN_WITHIN_S:
                return spent_s, (state, text)
            time.sleep(0.3)


def _jpeg(number: int, size: tuple[int, int]) -> bytes:
    return cv2.imencode(".jpg", _picture(number, size))[1].tobytes()


def _picture(number: int, size: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    cv2.rectangle(picture, (number * 11 % size[0], 80), (number * 11 % size[0] + 50, 150), (255, 255, 255), -1)
    return picture


def _write_video(path: Path, size: tuple[int, int]) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for number in range(20):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(_picture(number, size), "bgr24")))
        container.mux(stream.encode())


def _pipeline(name: str, source: TestedSource) -> str:
    return f'name = "{name}"\n[source]\n{source.table()}\n[[stages]]\nname = "moves"\nkind = "motion"\n'


def _run(name: str, source: TestedSource, page: Page, chance: random.Random, until_s: float, rows: list[str]) -> None:
    """Inject, observe and repair until the time is over."""
    while time.monotonic() < until_s:
        fault = chance.choice(source.faults)
        source.inject(fault.name)
        time.sleep(3.0 if fault.states == {"running"} else 0.0)
        spent_s, shown = page.wait(name, fault.states, fault.reason)
        bad = [] if spent_s <= SHOWN_WITHIN_S else [f"{shown} instead of {sorted(fault.states)} {fault.reason!r}"]
        time.sleep(chance.uniform(0.5, HELD_S))
        state, text = page.shown(name)
        if not bad and (state not in fault.states or not re.search(fault.reason, text)):
            bad.append(f"{(state, text)} after a while")
        source.repair(fault.name)
        time.sleep(3.0 if fault.states == {"running"} else 0.0)
        back_s, shown = page.wait(name, {"running"}, "")
        if back_s > SHOWN_WITHIN_S:
            bad.append(f"{shown} after the repair")
        rows.append(f"{name:10} {fault.name:18} shown {spent_s:5.1f} s, back {back_s:5.1f} s {'; '.join(bad)}".rstrip())
        if bad:
            rows.append("BAD")
        time.sleep(chance.uniform(0.5, 3.0))


def test_each_state_and_reason_is_that_of_the_present_fault(tmp_path: Path) -> None:
    sources: dict[str, TestedSource] = {
        "rtsp": Rtsp(),
        "mjpeg": Mjpeg(),
        "video": LoopedVideo(tmp_path),
        "pictures": LoopedPictures(tmp_path),
    }
    port, seed = free_port(), random.SystemRandom().randrange(10**6)
    (tmp_path / "pipelines").mkdir()
    for name, source in sources.items():
        (tmp_path / "pipelines" / f"{name}.toml").write_text(_pipeline(name, source))
    config = tmp_path / "agent.toml"
    config.write_text(
        f'device = "cameras"\nstate = "{tmp_path / "state"}"\npipelines = "{tmp_path / "pipelines"}"\n'
        f'[local_api]\nhttp = "127.0.0.1:{port}"\n'
    )
    agent = Child("agent", [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(config)], tmp_path / "agent.log")
    rows: list[str] = []
    try:
        page, start_s = Page(port), time.monotonic() + 60.0
        for name in sources:
            while page.shown(name)[0] != "running":
                assert time.monotonic() < start_s, (page.shown(name), agent.tail())
                time.sleep(0.3)
        until_s = time.monotonic() + DURATION_S
        threads = [
            threading.Thread(target=_run, args=(name, source, page, random.Random(f"{seed} {name}"), until_s, rows), daemon=True)
            for name, source in sources.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        agent.stop()
        for source in sources.values():
            source.close()
    print(f"seed {seed}", *rows, sep="\n")
    seen = {row.split(" shown")[0] for row in rows if row != "BAD"}
    assert len(rows) >= DURATION_S / 40 * len(sources)
    assert "BAD" not in rows, seen
