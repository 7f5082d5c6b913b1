"""Videos that were stored sideways: the picture in models, snapshots and clips is upright, with any decoder."""

from __future__ import annotations

import gc
import itertools
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import as_frame
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.cameras.mjpeg import MjpegSource
from edgefleet_agent.sources.cameras.rtsp import RtspSource
from edgefleet_agent.sources.live.decoder_options import DecoderChoice, decoder_choice
from edgefleet_agent.sources.live.decoder_process import DecoderProcess
from edgefleet_agent.sources.live.live_source import COMMON
from edgefleet_agent.sources.packet_ring import PacketRing, write_clip
from edgefleet_agent.sources.rotation import StreamRotation
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import to_bgr
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

WIDTH, HEIGHT = 64, 48
CORNERS = {"top left": (0, 0), "top right": (0, 1), "bottom right": (1, 1), "bottom left": (1, 0)}
needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="requires the program ffmpeg: apt-get install ffmpeg")


def film(path: Path, counter_clockwise: int, *, hflip: bool = False, codec: str = "mpeg4") -> Path:
    """A video with red in its top left corner as stored, with a display rotation of that many degrees."""
    with av.open(str(path), "w") as target:
        stream = target.add_stream(codec, rate=10)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        if counter_clockwise or hflip:
            stream.set_display_rotation(counter_clockwise, hflip=hflip)
        picture = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
        picture[:16, :16] = (230, 20, 20)
        for number in range(12):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return path


def source(path: Path, **options: Any) -> FileSource:
    return FileSource(SourceSpec(kind="file", uri=str(path), pace="fast", options=options))


def first(path: Path, **options: Any) -> Frame:
    """The first frame, which keeps its pixels when the file is closed."""
    opened = source(path, **options)
    opened.open()
    try:
        return next(iter(opened.frames()))
    finally:
        opened.close()


def corner(frame: Frame) -> str:
    """Name of the corner with the red patch."""
    bgr = to_bgr(frame).astype(int)
    ys, xs = np.nonzero(bgr[..., 2] - bgr[..., 1] > 80)
    assert 200 <= len(ys) <= 320, "a patch of 16 x 16"
    place = (int(ys.mean() > frame.height / 2), int(xs.mean() > frame.width / 2))
    return next(name for name, known in CORNERS.items() if known == place)


def size(frame: Frame) -> tuple[int, int]:
    return frame.width, frame.height


SHOWN = [
    (0, False, (WIDTH, HEIGHT), "top left"),
    (-90, False, (HEIGHT, WIDTH), "top right"),
    (180, False, (WIDTH, HEIGHT), "bottom right"),
    (90, False, (HEIGHT, WIDTH), "bottom left"),
    (0, True, (WIDTH, HEIGHT), "top right"),
]


@pytest.mark.parametrize(("counter_clockwise", "hflip", "expected", "red"), SHOWN)
def test_a_video_is_seen_as_players_show_it(
    tmp_path: Path, counter_clockwise: int, hflip: bool, expected: tuple[int, int], red: str
) -> None:
    frame = first(film(tmp_path / "phone.mp4", counter_clockwise, hflip=hflip))
    assert (size(frame), corner(frame)) == (expected, red)
    assert [plane.shape for plane in frame.planes] == [
        (frame.height, frame.width),
        *[(frame.height // 2, frame.width // 2)] * 2,
    ]


@needs_ffmpeg
@pytest.mark.parametrize(("counter_clockwise", "hflip", "expected", "red"), SHOWN)
def test_ffmpeg_shows_the_same(tmp_path: Path, counter_clockwise: int, hflip: bool, expected: tuple[int, int], red: str) -> None:
    path = film(tmp_path / "phone.mp4", counter_clockwise, hflip=hflip)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-c:v", "mpeg4", "-q:v", "2", str(tmp_path / "shown.avi")], check=True
    )
    shown = first(tmp_path / "shown.avi", rotate="0")
    assert (size(shown), corner(shown)) == (expected, red)


@pytest.mark.parametrize("stored", [0, 90])
@pytest.mark.parametrize(
    ("rotate", "expected", "red"),
    [
        ("0", (WIDTH, HEIGHT), "top left"),
        ("90", (HEIGHT, WIDTH), "top right"),
        (90, (HEIGHT, WIDTH), "top right"),
        ("180", (WIDTH, HEIGHT), "bottom right"),
        (270, (HEIGHT, WIDTH), "bottom left"),
    ],
)
def test_the_option_precedes_the_display_matrix(
    tmp_path: Path, stored: int, rotate: str | int, expected: tuple[int, int], red: str
) -> None:
    """Degrees clockwise, of the picture as it is stored."""
    frame = first(film(tmp_path / "phone.mp4", stored), rotate=rotate)
    assert (size(frame), corner(frame)) == (expected, red)


@pytest.mark.parametrize("rotate", ["45", 45, "sideways", ""])
def test_other_turns_are_refused(tmp_path: Path, rotate: str | int) -> None:
    with pytest.raises(PipelineError, match=rf"rotate '{rotate}': must be one of 'auto', '0', '90', '180', '270'"):
        source(tmp_path / "x.mp4", rotate=rotate)
    for kind, uri in ((RtspSource, "rtsp://h/x"), (MjpegSource, "http://h/x")):
        with pytest.raises(PipelineError, match="rotate"):
            kind(SourceSpec(kind="live", uri=uri, options={"rotate": rotate}))
    with pytest.raises(PipelineError, match="use a value like 'auto'"):
        source(tmp_path / "x.mp4", rotate=True)


@pytest.mark.parametrize(("stored", "rotate"), [(90, "auto"), (0, "90"), (90, "0"), (90, "180")])
def test_clips_are_shown_as_the_pipeline_saw_them(tmp_path: Path, stored: int, rotate: str) -> None:
    path = film(tmp_path / "phone.mp4", stored, codec="libx264")
    opened = source(path, rotate=rotate)
    ring = PacketRing(60.0, 1 << 24)
    opened.ring = ring.connect()
    opened.open()
    seen = list(opened.frames())
    opened.close()
    clip = ring.cut(0.0, 1.0)
    assert clip is not None
    write_clip(clip, tmp_path / "clip.mp4")
    shown = first(tmp_path / "clip.mp4")
    assert (size(shown), corner(shown)) == (size(seen[0]), corner(seen[0]))


@needs_ffmpeg
@pytest.mark.parametrize(("rotate", "red"), [("auto", "bottom left"), ("0", "top left"), ("90", "top right")])
def test_a_stream_with_a_display_matrix_is_turned_alike_by_the_program_ffmpeg(tmp_path: Path, rotate: str, red: str) -> None:
    """H.264 can declare the rotation in the stream."""
    plain, path = film(tmp_path / "plain.mp4", 0, codec="libx264"), tmp_path / "held.mp4"
    turned = ["-c", "copy", "-bsf:v", "h264_metadata=display_orientation=insert:rotate=90"]
    subprocess.run(["ffmpeg", "-v", "error", "-i", str(plain), *turned, str(path)], check=True)
    assert corner(first(path, rotate=rotate)) == red
    choice = decoder_choice(SourceSpec(kind="rtsp"), {**COMMON, "decode": "ffmpeg", "rotate": rotate})
    assert choice is not None
    assert corner(by_program(path, choice, rotate)) == red


@pytest.mark.parametrize("angle", [0, 90])
def test_pictures_are_freed_at_once(tmp_path: Path, angle: int) -> None:
    """Decoded pictures are the largest objects of the worker: none but the first waits for a garbage collection."""
    opened = source(film(tmp_path / "film.mp4", angle))
    opened.open()
    frames = opened.frames()
    next(frames)
    gc.collect()
    gc.disable()
    try:
        for _ in frames:
            pass
        held = [one for one in gc.get_objects() if isinstance(one, av.sidedata.sidedata.SideDataContainer)]
        assert len(held) <= 3, "of twelve"
    finally:
        gc.enable()
        opened.close()


def by_program(path: Path, choice: DecoderChoice, rotate: str) -> Frame:
    """The first frame decoded by a program, as in live sources."""
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        elsewhere = DecoderProcess(choice, stream, "film")

        def hand_on() -> None:
            for number, packet in enumerate(packet for packet in video.demux(stream) if packet.size):
                packet.pts = number * 100_000
                elsewhere.put(packet)

        feeder = threading.Thread(target=hand_on)
        feeder.start()
        (picture,) = itertools.islice(elsewhere.pictures(), 1)
        frame = as_frame(picture, 0, 0.0, StreamRotation(rotate).turn(picture))
        feeder.join()
        elsewhere.close()
    return frame
