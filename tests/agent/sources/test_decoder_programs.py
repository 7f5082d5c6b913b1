"""FFmpeg and GStreamer as separate decoders: pictures, command lines, and programs that hang or give invalid output."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import av
import numpy as np
import pytest

from edgefleet_agent.sources.av_frames import as_frame
from edgefleet_agent.sources.cameras.rtsp import RtspSource
from edgefleet_agent.sources.live.decoder_options import DecoderChoice
from edgefleet_agent.sources.live.decoder_process import DecoderProcess
from edgefleet_agent.sources.packet_ring import PacketRing, write_clip
from edgefleet_contract.core.errors import MissingError, PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import RtspCamera, TcpCamera, no_rtsp_server
from tests.agent.sources.live.test_live_source import mjpeg, pictures

pytestmark = pytest.mark.alone

needs_programs = {
    "ffmpeg": pytest.mark.skipif(not shutil.which("ffmpeg"), reason="requires the program ffmpeg: apt-get install ffmpeg"),
    "gstreamer": pytest.mark.skipif(
        not shutil.which("gst-launch-1.0"), reason="needs gst-launch-1.0: apt-get install gstreamer1.0-tools gstreamer1.0-libav"
    ),
}
PROGRAMS = [pytest.param(name, marks=mark) for name, mark in needs_programs.items()]
needs_camera = pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one")
PATIENT = {"open_timeout_s": 15.0, "read_timeout_s": 30.0}
"""Long time-outs: on a busy machine the test's camera pauses, too."""
PASSWORD = "p-ss_w0rd"


@pytest.fixture(scope="module", autouse=True)
def read_from_disk() -> None:
    """Starts both programs once: the first start reads two hundred libraries, which takes many seconds from a cold disk."""
    for words in (["ffmpeg", "-hide_banner", "-decoders"], ["gst-inspect-1.0"]):
        if shutil.which(words[0]):
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=250, check=False)


def rtsp(url: str, program: str, **options: object) -> RtspSource:
    return RtspSource(SourceSpec(kind="rtsp", uri=url, options={"decode": program, **PATIENT, **options}))


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    with RtspCamera(login=("admin", PASSWORD)) as camera:
        camera.on()
        yield camera


def apart(one: float, other: float) -> float:
    return abs(one - other)


def decodes_the_same(choice: DecoderChoice, path: str) -> None:
    """Assert that a program's pictures and their times are those of the decoder in this process."""
    with av.open(path) as video:
        ours = {round(frame.time * 1e6): frame for frame in itertools.islice(video.decode(video=0), 40) if frame.time is not None}
    with av.open(path) as video:
        stream = video.streams.video[0]
        elsewhere = DecoderProcess(choice, stream, Path(path).name)

        def hand_on() -> None:
            for packet in itertools.islice(video.demux(stream), 60):
                if packet.size and packet.pts is not None and stream.time_base is not None:
                    packet.pts = round(packet.pts * stream.time_base * 1_000_000)
                    elsewhere.put(packet)

        feeder = threading.Thread(target=hand_on)
        feeder.start()
        for picture in itertools.islice(elsewhere.pictures(), 15):
            assert picture.time is not None
            nearest = min(ours, key=partial(apart, picture.time * 1e6))
            assert apart(nearest, picture.time * 1e6) <= 1000
            same = zip(as_frame(ours[nearest], 0, 0.0).planes, as_frame(picture, 0, 0.0).planes, strict=True)
            assert all(np.array_equal(one, other) for one, other in same)
        feeder.join()
        elsewhere.close()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("clip", ["traffic_frames.mp4", "one-by-one-person-detection.mp4"])
def test_the_same_pictures_as_the_first_decoder_each_at_its_own_time(data: Path, program: str, clip: str) -> None:
    """Both clips have pictures that refer to later ones: their packets come in another order."""
    decodes_the_same(DecoderChoice(program), str(data / "media/videos" / clip))


@needs_camera
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_camera_its_clips_and_no_password_in_the_list_of_processes(camera: RtspCamera, program: str, tmp_path: Path) -> None:
    source = rtsp(camera.url(), program)
    ring = PacketRing(60.0, 1 << 26)
    source.ring = ring.connect()
    info = source.open()
    assert (info.width, info.height, info.codec) == (320, 240, "h264")
    frames = list(itertools.islice(source.frames(), 40))
    assert [frame.index for frame in frames] == list(range(40))
    steps = [later.media_s - earlier.media_s for earlier, later in itertools.pairwise(frames[5:])]
    assert steps == pytest.approx([1 / 15] * len(steps), abs=0.002)
    commands = processes()
    assert any(b"pipe:0" in words or b"fdsrc" in words for words in commands)
    assert not any(PASSWORD.encode() in words and b"gst_camera.py" not in words for words in commands)
    clip = ring.cut(0.5, 2.0)
    assert clip is not None
    write_clip(clip, tmp_path / "clip.mp4")
    with av.open(str(tmp_path / "clip.mp4")) as written:
        assert sum(1 for _ in written.decode(video=0)) >= 20
    source.close()


def processes() -> list[bytes]:
    """The arguments of all processes, which every user of the machine can read."""
    return [arguments(folder) for folder in Path("/proc").glob("[0-9]*")]


def arguments(folder: Path) -> bytes:
    with contextlib.suppress(OSError):  # it ended meanwhile
        return (folder / "cmdline").read_bytes()
    return b""


def has_ended(pid: int) -> bool:
    """Waits until the process has ended and was reaped. Returns whether it has."""
    for _ in range(300):
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("program", PROGRAMS)
def test_pictures_one_by_one_keep_their_shades(program: str) -> None:
    """JPEG has full range, which the frame declares or the program has converted."""
    with TcpCamera(pictures(*[64] * 1200, pause_s=0.05)) as camera:  # for longer than a program may take to its first picture
        source = mjpeg(camera, rate=20.0, decode=program, **PATIENT)
        assert source.open().codec == "mjpeg"
        for number, frame in enumerate(itertools.islice(source.frames(), 6)):
            expected_luma = number if frame.full_range else 16 + number * 219 / 255
            assert frame.planes[0].mean() == pytest.approx(expected_luma, abs=1.5)
        source.close()


@needs_camera
@needs_programs["ffmpeg"]
def test_a_camera_that_freezes_is_reported_and_its_decoder_ends(camera: RtspCamera) -> None:
    source = rtsp(camera.url(), "ffmpeg", read_timeout_s=3.0)
    source.open()
    pid = source.decoder_pid
    frames = source.frames()
    next(frames)
    camera.freeze()
    with pytest.raises(UnavailableError, match=r"rtsp://\*\*\*@.*(stopped sending|closed)") as error:
        for _ in frames:
            pass
    assert PASSWORD not in str(error.value)
    assert has_ended(pid)


@needs_camera
@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_decoder_that_hangs_or_dies_is_started_again_and_the_camera_stays(
    camera: RtspCamera, program: str, how: signal.Signals
) -> None:
    source = rtsp(camera.url(), program)
    ring = PacketRing(120.0, 1 << 26)
    source.ring = ring.connect()
    source.open()
    frames = source.frames()
    before = list(itertools.islice(frames, 5))[-1]
    killed = source.decoder_pid
    os.kill(killed, how)
    after = next(frame for frame in frames if source.decoder_pid not in (0, killed))
    later = list(itertools.islice(frames, 5))[-1]
    assert has_ended(killed)
    # Frame numbers follow the camera: pictures dropped by the decoder are missing, and counted as missing.
    assert after.index > before.index
    assert later.index == pytest.approx((later.media_s - before.media_s) * 15 + before.index, abs=2)
    clip = ring.cut(before.media_s, later.media_s)
    assert clip is not None  # of one connection, without a gap
    shown = [packet.media_s for packet in clip.packets]
    assert max(b - a for a, b in itertools.pairwise(sorted(shown))) < 0.2
    assert shown[-1] == pytest.approx(later.media_s, abs=0.2)
    source.close()


def program(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs a test script as the program `ffmpeg`."""
    path = folder / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@needs_camera
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("exec sleep 60", "the decoder ffmpeg hangs"),
        ("exit 1", "the decoder ffmpeg ended"),
        ("echo no such decoder >&2; sleep 0.2; exit 1", "no such decoder"),
        ("exec head -c 100000 /dev/zero", "the decoder ffmpeg (ended|hangs)"),
    ],
)
def test_a_decoder_that_hangs_dies_or_lies_from_the_start(
    camera: RtspCamera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, expected: str
) -> None:
    program(tmp_path, script, monkeypatch)
    source = rtsp(camera.url(), "ffmpeg", open_timeout_s=0.5)
    with pytest.raises(UnavailableError, match=expected) as error:
        source.open()
    assert PASSWORD not in str(error.value)


@needs_camera
def test_a_missing_program_is_reported_with_its_package(
    camera: RtspCamera, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="apt-get install ffmpeg"):
        rtsp(camera.url(), "ffmpeg").open()


@pytest.mark.parametrize(
    "options",
    [
        {"decode": "vlc"},
        {"decode": "ffmpeg", "hwaccel": "warp"},
        {"decode": "ffmpeg", "decoder": "h264 -i /etc/passwd"},
        {"decode": "ffmpeg", "hwaccel": "vaapi", "device": "/etc/passwd"},
        {"decode": "ffmpeg", "device": "/dev/dri/renderD128"},
        {"decode": "ffmpeg", "convert": "nvvidconv"},
        {"decode": "gstreamer", "hwaccel": "vaapi"},
        {"decode": "gstreamer", "decoder": "x ! filesink location=/etc/passwd"},
        {"decode": "gstreamer", "convert": "a,b"},
        {"decoder": "h264_v4l2m2m"},
    ],
)
def test_what_cannot_be_given_to_a_program(options: dict[str, object]) -> None:
    with pytest.raises(PipelineError):
        RtspSource(SourceSpec(kind="rtsp", uri="rtsp://c/x", options=options))


def test_hardware_decoders_are_named_before_the_input() -> None:
    choice = DecoderChoice("ffmpeg", hwaccel="vaapi", device="/dev/dri/renderD128", decoder="h264_v4l2m2m")
    words = choice.command("h264", 640, 480).words
    place = words.index
    assert place("-hwaccel") < place("-hwaccel_device") < place("-c:v") < place("-i")
    assert words[place("-protocol_whitelist") + 1] == "pipe"
    if shutil.which("ffmpeg"):
        known = subprocess.run(["ffmpeg", "-v", "error", "-hwaccels"], capture_output=True, text=True, check=True).stdout
        assert "vaapi" in known


def test_a_vendors_elements_stand_in_the_chain() -> None:
    words = DecoderChoice("gstreamer", decoder="nvv4l2decoder", convert="nvvidconv").command("hevc", 640, 480).words
    chain = " ".join(words)
    assert "h265parse ! nvv4l2decoder ! nvvidconv ! video/x-raw,format=I420" in chain
