"""FFmpeg and GStreamer as decoders of their own: what they see, and what becomes of one that hangs or lies."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agent.contract.pipeline import SourceSpec
from agent.errors import MissingError, PipelineError, UnavailableError
from agent.sources.ffmpeg import FfmpegSource
from agent.sources.file import FileSource
from agent.sources.gstreamer import GstreamerSource
from tests.agent.fakes.cameras import RtspCamera, no_rtsp_server

pytestmark = pytest.mark.alone

needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="needs the program ffmpeg: apt-get install ffmpeg")
needs_gstreamer = pytest.mark.skipif(
    not shutil.which("gst-launch-1.0"), reason="needs gst-launch-1.0: apt-get install gstreamer1.0-tools gstreamer1.0-libav"
)
needs_camera = pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one")


def ffmpeg(uri: str, pace: str = "realtime", **options: object) -> FfmpegSource:
    return FfmpegSource(SourceSpec(kind="ffmpeg", uri=uri, pace=pace, options=options))  # type: ignore[arg-type]  # one of two


@needs_ffmpeg
def test_the_same_pictures_as_the_first_decoder(data: Path) -> None:
    clip = str(data / "media/videos/traffic_frames.mp4")
    first, second = FileSource(SourceSpec(kind="file", uri=clip, pace="fast")), ffmpeg(clip, "fast")
    one, other = first.open(), second.open()
    assert (one.width, one.height, one.fps) == (other.width, other.height, pytest.approx(other.fps, abs=0.01))
    count = 0
    for ours, theirs in itertools.zip_longest(first.frames(), second.frames()):
        assert ours.index == theirs.index
        assert all(np.array_equal(a, b) for a, b in zip(ours.planes, theirs.planes, strict=True))
        count += 1
    assert count == 20
    for source in (first, second):
        source.close()


@needs_ffmpeg
@needs_camera
def test_a_camera_by_ffmpeg() -> None:
    with RtspCamera(login=("admin", "p:ss@word")) as camera:
        camera.on()
        source = ffmpeg(camera.url().replace("p:ss@word", "p%3Ass%40word"), width=160, height=120)
        info = source.open()
        assert (info.width, info.height) == (160, 120)
        frames = list(itertools.islice(source.frames(), 5))
        assert [frame.index for frame in frames] == list(range(5))
        camera.freeze()
        with pytest.raises(UnavailableError, match=r"rtsp://\*\*\*@.*(went silent|ended)") as error:
            for _ in source.frames():
                pass
        assert "p:ss" not in str(error.value)
        source.close()


@needs_gstreamer
@needs_camera
def test_a_camera_by_gstreamer() -> None:
    with RtspCamera() as camera:
        camera.on()
        source = GstreamerSource(SourceSpec(kind="gstreamer", uri=camera.url()))
        assert source.open().width == 320
        assert [frame.index for frame in itertools.islice(source.frames(), 5)] == list(range(5))
        camera.kill()
        with pytest.raises(UnavailableError, match=r"ended|went silent"):
            for _ in source.frames():
                pass
        source.close()


def program(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> FfmpegSource:
    """A decoder of our own making under the name of ffmpeg."""
    path = folder / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return ffmpeg("rtsp://me:geheim@127.0.0.1/x", open_timeout_s=1.0, read_timeout_s=0.5)


HEAD = "printf 'YUV4MPEG2 W4 H2 F10:1 Ip A1:1 C420jpeg\\n'"
FRAME = "printf 'FRAME\\n111111112233'"


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("sleep 60", "went silent|gives no picture"),
        ("exit 1", "ended"),
        ("echo rtsp://me:geheim@127.0.0.1/x: refused >&2; sleep 0.2; exit 1", r"\*\*\*@127.0.0.1/x: refused"),
        ("head -c 100000 /dev/zero", "gives"),
        ("printf 'YUV4MPEG2 W999999 H999999 F10:1\\n'; sleep 60", "refused"),
        ("printf 'YUV4MPEG2 W4 H2 F10:0\\n'; sleep 60", "no YUV4MPEG2"),
        ("printf 'YUV4MPEG2 W4 H2 F10:1 C444\\n'; sleep 60", "as 444"),
        (f"{HEAD}; {FRAME}; {FRAME}; sleep 60", "went silent"),
        (f"{HEAD}; {FRAME}; printf 'FRAME\\n1'; exit 0", "ended"),
    ],
)
def test_a_decoder_that_hangs_dies_or_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, says: str) -> None:
    source = program(tmp_path, script, monkeypatch)
    with pytest.raises(UnavailableError, match=says) as error:
        everything(source)
    process = source._process
    source.close()
    assert process is None or process.poll() is not None
    assert "geheim" not in str(error.value)


def everything(source: FfmpegSource) -> None:
    source.open()
    for _ in source.frames():
        pass


def test_frames_of_a_small_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = program(tmp_path, f"{HEAD}; printf 'FRAME Ip\\n111111112233'; {FRAME}; sleep 60", monkeypatch)
    info = source.open()
    assert (info.width, info.height, info.fps) == (4, 2, 10.0)
    frames = source.frames()
    frame = next(frames)
    assert frame.planes[0].tolist() == [[49] * 4] * 2
    assert [plane.tolist() for plane in frame.planes[1:]] == [[[50, 50]], [[51, 51]]]
    source.close()
    assert list(frames) in ([], [frame])


def test_without_the_program_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="apt-get install ffmpeg"):
        ffmpeg("rtsp://127.0.0.1/x").open()


@pytest.mark.parametrize(
    ("uri", "options"),
    [
        ("-y", {}),
        ("", {}),
        ("file:///etc/passwd", {}),
        ("concat://x", {}),
        ("rtsp://c/x", {"hwaccel": "warp"}),
        ("rtsp://c/x", {"decoder": "h264 -i /etc/passwd"}),
        ("rtsp://c/x", {"device": "/etc/passwd"}),
        ("rtsp://c/x", {"width": 640}),
        ("rtsp://c/x", {"arguments": "-y"}),
    ],
)
def test_what_cannot_be_given_to_ffmpeg(uri: str, options: dict[str, object]) -> None:
    with pytest.raises(PipelineError):
        ffmpeg(uri, **options)


@pytest.mark.parametrize("options", [{"decoder": "x ! filesink location=/etc/passwd"}, {"codec": "av1"}, {"convert": "a,b"}])
def test_what_cannot_be_given_to_gstreamer(options: dict[str, object]) -> None:
    with pytest.raises(PipelineError):
        GstreamerSource(SourceSpec(kind="gstreamer", uri="rtsp://c/x", options=options))


def test_hardware_decoders_are_asked_for_before_the_input() -> None:
    words = ffmpeg("rtsp://c/x", hwaccel="vaapi", device="/dev/dri/renderD128", decoder="h264_v4l2m2m").arguments()
    place: Callable[[str], int] = words.index
    assert place("-hwaccel") < place("-hwaccel_device") < place("-c:v") < place("-i")
    assert "file" not in words[place("-protocol_whitelist") + 1]
    if shutil.which("ffmpeg"):
        known = subprocess.run(["ffmpeg", "-v", "error", "-hwaccels"], capture_output=True, text=True, check=True).stdout
        assert "vaapi" in known
