"""Source kind x evidence: snapshot, live picture and clip show what the pipeline saw, upright, and a browser plays the clip."""

from __future__ import annotations

import itertools
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.local_api.live_view import Picture
from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.pipeline.camera.event_publisher import EventPublisher
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.recording.frame_recorder import ENCODERS, FrameRecorder
from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.cameras.images import ImagesSource
from edgefleet_agent.sources.cameras.mjpeg import MjpegSource
from edgefleet_agent.sources.packet_ring import PacketRing, write_clip
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.privacy_mask import PrivacyMasks
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.pipeline.spec import EvidenceSpec, MaskSpec, PipelineSpec, SourceSpec
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.agent.fakes.cameras import TcpCamera
from tests.agent.fakes.films import (
    FPS,
    HEIGHT,
    ORIENTATIONS,
    PICTURES,
    TURNS,
    WIDTH,
    WITH_MATRIX,
    film,
    jpeg_with_exif,
    marked_corner,
    number_of,
    seen,
    stored_picture,
)
from tests.agent.fakes.tape import Tape

PLAYED = {"h264": ("yuv420p", "yuvj420p"), "vp9": ("yuv420p",)}
"""What every browser plays."""
needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="requires the program ffmpeg: apt-get install ffmpeg")
needs_gstreamer = pytest.mark.skipif(
    not shutil.which("gst-launch-1.0"), reason="requires the program gst-launch-1.0: apt-get install gstreamer1.0-tools"
)


class Listener:
    def __init__(self) -> None:
        self.faults: list[tuple[str, bool]] = []

    def on_event(self, event: Event) -> None:
        pass

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        self.faults.append((text, over))


class Recorded:
    """Sights and evidence of one pipeline: an event from its third frame to its last but one."""

    def __init__(self, folder: Path, spec: SourceSpec, make: Callable[[SourceSpec], Source], *, frames: int, **more: Any) -> None:
        self.listener = Listener()
        evidence = EvidenceSpec(pre_s=0.15, post_s=0.1)
        pipeline = PipelineSpec(name="hall", source=spec, evidence=evidence, **more)
        publisher = EventPublisher(pipeline, self.listener, None, SystemClock())  # type: ignore[arg-type]  # the two methods
        publisher.start_recording(pipeline, EvidenceFolder(folder / "kept", 1 << 30, 1e9), CameraSwitches())
        masks = PrivacyMasks(pipeline.masks) if pipeline.masks else None
        capture = Capture(spec, publisher.report_source, make=make, ring=publisher.packet_ring, masks=masks)
        self.seen: list[tuple[int, str, tuple[int, int]]] = []
        self.times_s: list[float] = []
        for frame in itertools.islice(capture.frames(), frames):
            self.seen.append(seen(frame))
            self.times_s.append(frame.media_s)
            if len(self.seen) == 3:
                self._show(publisher, frame)
                publisher.publish([self._event(EventPhase.NEW)], frame.media_s, None, frame)
            publisher.record_frame(frame, capture.info.fps)
        self.info = capture.info
        publisher.publish([self._event(EventPhase.END)], self.times_s[-1], None)
        capture.close()
        publisher.close()
        self.clip, self.snapshot = folder / "kept/hall/e1.mp4", folder / "kept/hall/e1.jpg"

    def _event(self, phase: EventPhase) -> Event:
        end_s = self.times_s[-2] if phase is EventPhase.END else None
        return Event(kind="visit", pipeline="hall", rule="visits", id="e1", phase=phase, start_s=self.times_s[2], end_s=end_s)

    def _show(self, publisher: EventPublisher, frame: Frame) -> None:
        jpeg = Picture(1, frame, (), None).jpeg(overlays=False)
        self.live = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def check(made: Recorded, corner: str, size: tuple[int, int], codec: str = "") -> None:
    """Every view of the event shows the mark in the same corner; the clip has the pictures of its time, in their order."""
    assert not made.listener.faults
    assert {one[1:] for one in made.seen} == {(corner, size)}
    assert made.info.width in (0, size[0])
    number = made.seen[2][0]
    for picture in (made.live, cv2.imread(str(made.snapshot))):
        assert (number_of(picture), marked_corner(picture), picture.shape[:2]) == (number, corner, (size[1], size[0]))
    with av.open(str(made.clip)) as clip:
        context = clip.streams.video[0].codec_context
        name, pixels = context.name.removeprefix("lib").removeprefix("vpx-"), context.pix_fmt
    assert pixels in PLAYED[name]
    assert not codec or name == codec
    source = FileSource(SourceSpec(kind="file", uri=str(made.clip), pace="fast"))
    source.open()
    shown = [seen(frame) for frame in source.frames()]
    source.close()
    assert {one[1:] for one in shown} == {(corner, size)}
    expected = [one[0] for one, at_s in zip(made.seen, made.times_s, strict=True) if at_s >= made.times_s[2] - 0.15 - 1e-6]
    numbers = [one[0] for one in shown]
    assert numbers[: len(expected)] == expected[: len(numbers)]
    assert len(numbers) >= len(expected) - 1, "up to the end of the event and a little more"


def live(path: Path, **options: Any) -> SourceSpec:
    return SourceSpec(kind="rtsp", uri=str(path), options=options)


COPIED = {
    ("mp4", "usual"): True,
    ("mp4", "b-frames"): True,
    ("mov", "negative"): True,
    ("mkv", "late"): True,
    ("webm", "usual"): True,
    ("webm-vp8", "usual"): False,
    ("ts", "b-frames"): True,
    ("avi", "usual"): False,
    ("avi", "b-frames"): False,
    ("avi-h264", "b-frames"): False,
    ("avi-mjpeg", "usual"): False,
    ("h264", "usual"): False,
}
"""Whether packets can be kept, by container and times."""
CELLS = [
    (kind, *row, turn)
    for kind, row, turn in itertools.product(("file", "live"), COPIED, TURNS)
    if (turn != "mirrored" or row[0] in WITH_MATRIX) and (kind, row[0]) != ("live", "h264")  # a stream without times is no camera
]
COVER = [cell for number, cell in enumerate(CELLS) if number % 4 == 0]


def check_video(folder: Path, kind: str, container: str, times: str, turn: str) -> None:
    """Packets are kept where they can be: such clips are bit by bit what came."""
    declares = container in WITH_MATRIX
    made = film(folder, container, times, turn if declares else "upright")
    options = {} if declares else {"rotate": {"upright": "0"}.get(turn, turn)}
    if kind == "file":
        shown = Recorded(folder, SourceSpec(kind="file", uri=str(made.path), pace="fast", options=options), FileSource, frames=9)
    else:
        shown = Recorded(folder, live(made.path, **options), Tape, frames=9)
        shown.info = shown.info if not declares else SourceInfo(0, 0, FPS)  # only a picture declares it
    check(shown, TURNS[turn][1], (HEIGHT, WIDTH) if turn in ("90", "270") else (WIDTH, HEIGHT))
    stored = set(packets(made.path))
    assert all(packet in stored for packet in packets(shown.clip)) is COPIED[container, times]


@pytest.mark.parametrize(("kind", "container", "times", "turn"), COVER)
def test_videos(tmp_path: Path, kind: str, container: str, times: str, turn: str) -> None:
    check_video(tmp_path, kind, container, times, turn)


@pytest.mark.long
@pytest.mark.parametrize(("kind", "container", "times", "turn"), CELLS)
def test_videos_in_every_cell(tmp_path: Path, kind: str, container: str, times: str, turn: str) -> None:
    check_video(tmp_path, kind, container, times, turn)


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as video:
        return [bytes(packet)[-8:] for packet in video.demux(video=0) if packet.size]


@pytest.mark.parametrize("rotate", ["auto", "0", "90", "180", "270"])
@pytest.mark.parametrize("turn", ORIENTATIONS)
def test_a_folder_of_pictures(tmp_path: Path, turn: str, rotate: str) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(PICTURES):
        (pictures / f"{number}.jpg").write_bytes(jpeg_with_exif(number, ORIENTATIONS[turn]))
    spec = SourceSpec(kind="images", uri=str(pictures), pace="fast", options={"rate": 10, "rotate": rotate})
    upright = turn if rotate == "auto" else {"0": "upright"}.get(rotate, rotate)
    size = (HEIGHT, WIDTH) if upright in ("90", "270") else (WIDTH, HEIGHT)
    check(Recorded(tmp_path, spec, ImagesSource, frames=PICTURES), TURNS[upright][1], size)


@contextmanager
def mjpeg_camera(orientation: int) -> Iterator[TcpCamera]:
    """Sends numbered pictures, again and again."""

    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
        for number in itertools.cycle(range(PICTURES)):
            data = jpeg_with_exif(number, orientation)
            head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            connection.sendall(head.encode() + data + b"\r\n")
            time.sleep(0.02)

    with TcpCamera(serve) as camera:
        yield camera


@pytest.mark.parametrize(
    ("orientation", "rotate", "upright"), [(1, "auto", "upright"), (1, "90", "90"), (6, "auto", "90"), (6, "0", "upright")]
)
def test_mjpeg(tmp_path: Path, orientation: int, rotate: str, upright: str) -> None:
    with mjpeg_camera(orientation) as camera:
        spec = SourceSpec(kind="mjpeg", uri=f"http://127.0.0.1:{camera.port}/", options={"rate": 25, "rotate": rotate})
        made = Recorded(tmp_path, spec, MjpegSource, frames=PICTURES)
    size = (HEIGHT, WIDTH) if upright == "90" else (WIDTH, HEIGHT)
    made.info = SourceInfo(0, 0, 25.0)  # only a picture declares it
    check(made, TURNS[upright][1], size)


@pytest.mark.parametrize("rotate", ["0", "90"])
@pytest.mark.parametrize(
    ("decode", "container"),
    [
        pytest.param("ffmpeg", "ts", marks=needs_ffmpeg),
        pytest.param("ffmpeg", "avi-mjpeg", marks=needs_ffmpeg),
        pytest.param("gstreamer", "ts", marks=needs_gstreamer),
    ],
)
def test_decoder_programs(tmp_path: Path, decode: str, container: str, rotate: str) -> None:
    made = film(tmp_path, container)
    shown = Recorded(tmp_path, live(made.path, decode=decode, rotate=rotate), Tape, frames=PICTURES - 2)
    turn = {"0": "upright"}.get(rotate, rotate)
    check(shown, TURNS[turn][1], (HEIGHT, WIDTH) if turn == "90" else (WIDTH, HEIGHT))


def test_masked_frames_of_a_turned_video(tmp_path: Path) -> None:
    """The mask lies where it is drawn: in the turned picture."""
    made = film(tmp_path, "mp4", turn="90")
    mask = MaskSpec(name="foot", polygon=[[0.0, 0.75], [1.0, 0.75], [1.0, 1.0], [0.0, 1.0]])
    spec = SourceSpec(kind="file", uri=str(made.path), pace="fast")
    shown = Recorded(tmp_path, spec, FileSource, frames=PICTURES, masks=[mask])
    check(shown, "top right", (HEIGHT, WIDTH))
    assert shown.live[-20:].max() < 30
    assert shown.live[:60].min(axis=2).mean() > 30


def test_a_ten_bit_stream_is_encoded(tmp_path: Path) -> None:
    path = tmp_path / "ten.mp4"
    with av.open(str(path), "w") as target:
        stream = target.add_stream("libx264", rate=FPS, options={"crf": "14", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p10le"  # type: ignore[union-attr]
        for number in range(PICTURES):
            picture = av.VideoFrame.from_ndarray(stored_picture(number), format="rgb24")
            target.mux(stream.encode(picture))  # type: ignore[union-attr]
        target.mux(stream.encode(None))  # type: ignore[union-attr]
    spec = SourceSpec(kind="file", uri=str(path), pace="fast")
    check(Recorded(tmp_path, spec, FileSource, frames=PICTURES), "top left", (WIDTH, HEIGHT))


def frames(count: int = PICTURES, width: int = WIDTH, height: int = HEIGHT) -> Iterator[Frame]:
    for number in range(count):
        bgr = np.ascontiguousarray(stored_picture(number, width, height)[..., ::-1])
        yield Frame(number, number / FPS, 0.0, width, height, "bgr", (bgr,))


@pytest.mark.parametrize("encoder", [one for one in ENCODERS if one.name in av.codecs_available], ids=lambda one: one.name)
def test_each_encoder(tmp_path: Path, encoder: Any) -> None:
    ring, faults = PacketRing(60.0, 1 << 26), []
    recorder = FrameRecorder(ring, lambda text, over: faults.append((text, over)), [encoder])
    for frame in frames():
        recorder.add(frame, FPS)
    recorder.close()
    clip = ring.cut(0.0, 10.0)
    if not encoder.played:
        assert [over for _, over in faults] == [False]
        assert "clips are mpeg4, which browsers do not play" in faults[0][0]
    else:
        assert not faults
    assert clip is not None
    write_clip(clip, tmp_path / "clip.mp4")
    source = FileSource(SourceSpec(kind="file", uri=str(tmp_path / "clip.mp4"), pace="fast"))
    source.open()
    assert [seen(frame)[0] for frame in source.frames()] == list(range(PICTURES))
    source.close()


def test_an_encoder_that_does_not_work_gives_way_to_the_next() -> None:
    ring = PacketRing(60.0, 1 << 26)
    broken = ENCODERS[0].__class__("h264_nvenc_of_another_machine", {})
    recorder = FrameRecorder(ring, encoders=[broken, *ENCODERS])
    for frame in frames(3):
        recorder.add(frame, FPS)
    assert ring.cut(0.0, 1.0) is not None
    with pytest.raises(MediaError, match=r"frames cannot be encoded for clips .*set `clips = false`"):
        FrameRecorder(ring, encoders=[broken]).add(next(frames()), FPS)


def test_photographs_give_clips_of_a_size_that_browsers_play() -> None:
    ring = PacketRing(60.0, 1 << 26)
    recorder = FrameRecorder(ring)
    recorder.add(next(frames(1, 6001, 401)), 1.0)
    clip = ring.cut(0.0, 1.0)
    assert clip is not None
    assert (clip.format.stream.width, clip.format.stream.height) == (3840, 256)


def test_a_camera_that_comes_back_with_another_codec(tmp_path: Path) -> None:
    """Clips of either side of the loss: of its packets, then of frames, and of packets again."""
    ring = PacketRing(600.0, 1 << 26)
    recorder = FrameRecorder(ring)
    base_s = 0.0
    for container in ("mp4", "avi-mjpeg", "mkv"):
        feed = ring.connect()
        assert ring.wants_frames, "until its packets are known"
        source = FileSource(SourceSpec(kind="file", uri=str(film(tmp_path, container).path), pace="fast"))
        source.ring, feed.base_s = feed, base_s
        source.open()
        for frame in source.frames():
            assert ring.wants_frames is (container == "avi-mjpeg")
            if ring.wants_frames:
                recorder.add(replace(frame, media_s=base_s + frame.media_s), FPS)
        source.close()
        base_s += 10.0
    for number in range(3):
        clip = ring.cut(10.0 * number - 5.0, 10.0 * number + 3.0, (10.0 * number, 10.0 * number + 1.0))
        assert clip is not None
        assert clip.start_s == pytest.approx(10.0 * number)
        write_clip(clip, tmp_path / "clip.mp4")
        source = FileSource(SourceSpec(kind="file", uri=str(tmp_path / "clip.mp4"), pace="fast"))
        source.open()
        assert [seen(frame)[0] for frame in source.frames()] == list(range(PICTURES))
        source.close()
