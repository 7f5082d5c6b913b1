"""Videos with damage, and turned ones, through a whole pipeline: coverage and boxes of events are those of what is shown."""

from __future__ import annotations

import itertools
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.__main__ import main
from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.sources.base import Source
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.cameras.mjpeg import MjpegSource
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import TcpCamera
from tests.agent.fakes.films import damaged, film, jpeg_with_exif
from tests.agent.fakes.tape import PacedTape

PIPELINE = """
name = "gate"
[source]
kind = "file"
[[stages]]
name = "moves"
kind = "motion"
options = {min_area = 0.004}
[[stages]]
name = "follow"
kind = "track"
[[lines]]
name = "gate"
points = [[0.0, 0.5], [1.0, 0.5]]
[[rules]]
name = "gate"
kind = "line"
line = "gate"
anchor = "center"
[evidence]
pre_s = 1.0
post_s = 1.0
"""


def analyze(video: Path, folder: Path, capsys: pytest.CaptureFixture[str], schedule: str = "") -> list[dict[str, Any]]:
    """Events and the summary."""
    pipeline = folder / "gate.toml"
    pipeline.write_text(PIPELINE + schedule)
    code = main(["analyze", str(video), "--pipeline", str(pipeline), "--evidence", str(folder / "kept"), "--json"])
    assert code == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("container", "times"), [("mp4", "b-frames"), ("avi", "b-frames")])
def test_damaged_pictures_lower_the_coverage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], container: str, times: str
) -> None:
    whole = film(tmp_path, container, times, pictures=77)
    *_, summary = analyze(whole.path, tmp_path, capsys)
    assert (summary["frames"], summary["coverage"], summary["dropped"]) == (77, 1.0, {})
    *_, summary = analyze(damaged(whole).path, tmp_path, capsys)
    lost = summary["dropped"]["damaged"]
    assert 77 <= summary["frames"] + lost <= 79
    assert summary["coverage"] == round(summary["frames"] / (summary["frames"] + lost), 4) < 0.95


def test_of_few_analyzed_frames_as_few_are_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = damaged(film(tmp_path, "mp4", pictures=77))
    *_, summary = analyze(made.path, tmp_path, capsys)
    *_, rare = analyze(made.path, tmp_path, capsys, "[schedule]\nfps = 2.0\n")
    assert rare["dropped"]["damaged"] == pytest.approx(summary["dropped"]["damaged"] / 5, abs=1)
    assert rare["coverage"] == pytest.approx(summary["coverage"], abs=0.06)


def lost_of(spec: SourceSpec, make: Callable[[SourceSpec], Source], count: int) -> tuple[int, list[Frame]]:
    """Losses while `count` frames came, and the frames."""
    capture = Capture(spec, lambda *_: None, make=make)
    frames = list(itertools.islice(capture.frames(), count))
    lost = capture.take_lost()
    capture.close()
    assert capture.take_lost() == 0
    return lost, frames


@pytest.mark.parametrize("container", ["mp4", "ts"])
def test_live_sources_count_what_they_cannot_decode(tmp_path: Path, container: str) -> None:
    made = damaged(film(tmp_path, container, pictures=77, fps=50))
    lost, frames = lost_of(SourceSpec(kind="rtsp", uri=str(made.path)), PacedTape, 50)
    assert lost >= 5
    assert frames[-1].index == 49 + lost


def test_mjpeg_cameras_count_what_they_cannot_decode() -> None:
    """Every fifth picture is garbage."""

    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
        for number in range(60):
            data = jpeg_with_exif(number % 14, 1) if number % 5 else b"\xff\xd8" + bytes(600) + b"\xff\xd9"
            head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            connection.sendall(head.encode() + data + b"\r\n")
            time.sleep(0.03)
        connection.recv(1)

    with TcpCamera(serve) as camera:
        spec = SourceSpec(kind="mjpeg", uri=f"http://127.0.0.1:{camera.port}/", options={"rate": 33})
        lost, _ = lost_of(spec, MjpegSource, 30)
    assert 4 <= lost <= 9, "about one of four"


def crossing(path: Path, degrees: int = -90) -> None:
    """A bright square goes from the left to the right of the stored picture; turned by 90 degrees clockwise, as the file declares
    by default, it goes down."""
    with av.open(str(path), "w") as target:
        stream = target.add_stream("libx264", rate=10, options={"crf": "14", "preset": "veryfast"})
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = 320, 192, "yuv420p"
        stream.set_display_rotation(degrees)
        for number in range(60):
            picture = np.full((192, 320, 3), 60, np.uint8)
            if number >= 10:
                left = 10 + 5 * (number - 10)
                picture[40:72, left : left + 32] = 220
            target.mux(stream.encode(VideoFrame.from_ndarray(picture, format="rgb24")))
        target.mux(stream.encode(None))


@pytest.mark.parametrize(("degrees", "options"), [(-90, ""), (0, "[source.options]\nrotate = 90\n")])
def test_boxes_of_events_lie_on_the_turned_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], degrees: int, options: str
) -> None:
    """Turned as the file declares, or as the pipeline's own source is turned, whose place the file takes."""
    crossing(tmp_path / "held.mp4", degrees)
    *events, summary = analyze(tmp_path / "held.mp4", tmp_path, capsys, options)
    assert len(events) == 1
    (event,) = events
    picture = cv2.imread(str(tmp_path / "kept" / event["data"]["snapshot"]), cv2.IMREAD_GRAYSCALE)
    assert picture.shape == (320, 192)
    ys, xs = np.nonzero(picture > 160)
    shown = (xs.min(), ys.min(), xs.max(), ys.max())
    assert event["box"] == pytest.approx(shown, abs=14)
    assert summary["coverage"] == 1.0
    source = FileSource(SourceSpec(kind="file", uri=str(tmp_path / "kept" / event["data"]["clip"]), pace="fast"))
    info = source.open()
    source.close()
    assert (info.width, info.height) == (192, 320)
