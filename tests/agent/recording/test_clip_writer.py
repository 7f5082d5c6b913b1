"""Clips of streams that browsers do not play as they are: codecs with decoders of other names, damaged packets, pictures of more
than one size, and times that stand still."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.frame import VideoFrame

from edgefleet_agent.recording.clip_writer import store_clip
from edgefleet_agent.recording.frame_recorder import FrameRecorder
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.packet_ring import PacketClip, PacketRing
from edgefleet_agent.sources.parameter_sets import ParameterSets
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.films import FPS, HEIGHT, PICTURES, WIDTH, film, number_of, stored_picture
from tests.agent.fakes.tape import PacedTape


def cut(path: Path, start_s: float = 0.0, end_s: float = 100.0) -> PacketClip:
    """The clip of a file, of its packets."""
    source, ring = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast")), PacketRing(600.0, 1 << 26)
    source.ring = ring.connect()
    source.open()
    for _ in source.frames():
        assert not ring.wants_frames
    source.close()
    clip = ring.cut(start_s, end_s)
    assert clip is not None
    return clip


def pictures(path: Path) -> list[np.ndarray]:
    """The pictures (bgr) of a clip, each of whose packets decodes; their times rise."""
    found, last = [], -1
    with av.open(str(path)) as clip:
        stream = clip.streams.video[0]
        for packet in clip.demux(stream):
            for picture in stream.decode(packet):
                assert picture.pts is not None
                assert picture.pts > last
                last = picture.pts
                found.append(picture.to_ndarray(format="bgr24"))
    return found


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as video:
        return [bytes(packet)[-8:] for packet in video.demux(video=0) if packet.size]


@pytest.mark.skipif("libsvtav1" not in av.codecs_available, reason="this FFmpeg has no encoder of AV1")
def test_av1_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "film.mkv"
    with av.open(str(path), "w") as target:
        stream = target.add_stream("libsvtav1", rate=FPS, options={"preset": "12"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"  # type: ignore[union-attr]
        for number in range(PICTURES):
            target.mux(stream.encode(VideoFrame.from_ndarray(stored_picture(number), format="rgb24")))  # type: ignore[union-attr]
        target.mux(stream.encode(None))  # type: ignore[union-attr]
    store_clip(cut(path), tmp_path / "clip.mp4")
    assert packets(tmp_path / "clip.mp4") == packets(path)
    assert len(pictures(tmp_path / "clip.mp4")) == PICTURES


def of_sizes(path: Path, *sizes: tuple[int, int]) -> None:
    """A transport stream whose pictures change their size."""
    parts = []
    for number, (width, height) in enumerate(sizes):
        part = path.with_stem(f"part{number}")
        with av.open(str(part), "w") as target:
            stream = target.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "14", "tune": "zerolatency"})
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"  # type: ignore[union-attr]
            for shade in range(PICTURES):
                picture = VideoFrame.from_ndarray(stored_picture(shade, width, height), format="rgb24")
                target.mux(stream.encode(picture))  # type: ignore[union-attr]
            target.mux(stream.encode(None))  # type: ignore[union-attr]
        parts.append(part.read_bytes())
    path.write_bytes(b"".join(parts))


def test_a_change_of_size_is_encoded_anew_in_one_size(tmp_path: Path) -> None:
    of_sizes(tmp_path / "film.ts", (WIDTH, HEIGHT), (HEIGHT, WIDTH))
    clip = cut(tmp_path / "film.ts", 0.75)
    assert clip.resized
    assert not clip.plays
    store_clip(clip, tmp_path / "clip.mp4")
    shown = pictures(tmp_path / "clip.mp4")
    assert {picture.shape for picture in shown} == {(HEIGHT, WIDTH, 3)}
    assert [number_of(picture) for picture in shown] == [*range(8, PICTURES), *range(PICTURES)]
    assert shown[-1][:, :20].max() < 30, "undistorted, between borders"
    assert cut(tmp_path / "film.ts", 0.0, 1.1).plays
    assert cut(tmp_path / "film.ts", 1.4).plays


@pytest.mark.parametrize("times", ["usual", "b-frames"])
def test_damaged_packets_are_encoded_anew(tmp_path: Path, times: str) -> None:
    whole, broken, rng = film(tmp_path, "mkv", times, pictures=28).path, tmp_path / "broken.mkv", random.Random(5)
    with av.open(str(whole)) as source, av.open(str(broken), "w") as target:
        copy = target.add_stream_from_template(source.streams.video[0])
        for number, packet in enumerate(packet for packet in source.demux(video=0) if packet.size):
            data = rng.randbytes(packet.size) if number % 6 == 4 else bytes(packet)
            made = av.Packet(data)
            made.pts, made.dts, made.time_base, made.is_keyframe = packet.pts, packet.dts, packet.time_base, packet.is_keyframe
            made.stream = copy
            target.mux(made)
    clip = cut(broken, 0.3)
    assert any(packet.damaged for packet in clip.packets)
    assert not clip.plays
    store_clip(clip, tmp_path / "clip.mp4")
    assert 10 <= len(pictures(tmp_path / "clip.mp4")) <= 25
    assert cut(whole).plays


def test_a_clip_in_which_nothing_decodes(tmp_path: Path) -> None:
    clip = cut(film(tmp_path, "mp4").path)
    broken = tuple(
        packet.__class__(
            b"\0\0\0\x04ABCD", packet.pts, packet.dts, packet.duration, packet.keyframe, packet.media_s, damaged=True
        )
        for packet in clip.packets
    )
    unusable = PacketClip(clip.format, broken, clip.zero, clip.start_s, clip.end_s)
    with pytest.raises(MediaError, match=r"clip.mp4: nothing of that time can be decoded"):
        store_clip(unusable, tmp_path / "clip.mp4")


def test_a_camera_whose_times_stand_still(tmp_path: Path) -> None:
    """Clips are made of its frames, at their times of arrival."""
    path = film(tmp_path, "ts", pictures=40, fps=50).path
    data, first = bytearray(path.read_bytes()), b""
    for at in range(0, len(data), 188):
        head = data.find(b"\0\0\1\xe0", at, at + 188)
        if head >= 0:
            assert data[head + 7] == 0x80, "of display only"
            first = first or bytes(data[head + 9 : head + 14])
            data[head + 9 : head + 14] = first
    path.write_bytes(data)
    ring = PacketRing(60.0, 1 << 26)
    source, recorder, times = PacedTape(SourceSpec(kind="rtsp", uri=str(path))), FrameRecorder(ring), []
    source.ring = ring.connect()
    source.open()
    for frame in source.frames():
        times.append(frame.media_s)
        if ring.wants_frames:
            recorder.add(frame, 50.0)
        if len(times) == 30:
            break
    source.close()
    assert ring.wants_frames
    assert times[-1] - times[1] >= 0.02 * 28 * 0.9
    clip = ring.cut(times[14], times[29])
    assert clip is not None
    assert clip.plays
    store_clip(clip, tmp_path / "clip.mp4")
    assert len(pictures(tmp_path / "clip.mp4")) >= 14


def test_a_clock_that_is_set_back_is_encoded_anew(tmp_path: Path) -> None:
    clip = cut(film(tmp_path, "mp4").path)
    hour = round(3600 / clip.format.time_base)
    moved = tuple(
        packet.__class__(
            packet.data, packet.pts - hour, (packet.dts or 0) - hour, packet.duration, packet.keyframe, packet.media_s
        )
        for packet in clip.packets[6:]
    )
    joined = PacketClip(clip.format, (*clip.packets[:6], *moved), clip.zero, clip.start_s, clip.end_s)
    assert not joined.plays
    store_clip(joined, tmp_path / "clip.mp4")
    assert [number_of(picture) for picture in pictures(tmp_path / "clip.mp4")] == list(range(PICTURES))


@pytest.mark.parametrize(
    ("codec", "header", "packet", "expected"),
    [
        ("h264", b"\0\0\0\1\x67a", b"\0\0\0\1\x09\x10\0\0\0\1\x67abc\0\0\1\x68de\0\0\1\x65fgh", b"\x67abc"),
        ("h264", b"\1abc", b"\0\0\0\4\x67abc\0\0\0\2\x68d\0\0\0\3\x65ef", b"\x67abc"),
        ("h264", b"", b"\0\0\1\x65fgh\0\0\1\x67abc", b""),
        ("hevc", b"", b"\0\0\1\x40\1v\0\0\1\x42\1s\0\0\1\x26\1p", b"\x42\1s"),
        ("vp9", b"", b"\0\0\1\x67abc", b""),
        ("h264", b"\1", b"\0\0\0\0\0\0\0\0", b""),
        ("h264", b"", b"\0\0\1", b""),
    ],
)
def test_parameter_sets(codec: str, header: bytes, packet: bytes, expected: bytes) -> None:
    assert ParameterSets(codec, header).of(packet) == expected


def test_a_clip_that_is_encoded_anew_has_the_same_times(tmp_path: Path) -> None:
    clip = cut(film(tmp_path, "mkv", "gaps").path)
    first, *others = clip.packets
    damaged = first.__class__(first.data, first.pts, first.dts, first.duration, True, first.media_s, True, b"")
    store_clip(PacketClip(clip.format, (damaged, *others), clip.zero, clip.start_s, clip.end_s), tmp_path / "clip.mp4")
    with av.open(str(tmp_path / "clip.mp4")) as stored:
        shown_s = [float((frame.pts or 0) * (frame.time_base or Fraction(0))) for frame in stored.decode(video=0)]
    assert shown_s == pytest.approx([(number + 3 * (number > 5)) / FPS for number in range(PICTURES)], abs=5e-3)
