"""Files whose times begin again, jump, or are damaged: every picture at a continuous time, and nothing counted that never was."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import pytest

from edgefleet_agent.recording.clip_writer import store_clip
from edgefleet_agent.sources.cameras.continuous_times import ContinuousTimes
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.films import FPS, PICTURES, film, seen

TICK = Fraction(1, 100)
HOUR = 360_000


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0, 0, 0), (10, 10, 0), (20, 20, 0)], [0, 10, 20]),
        ([(0, 0, 0), (1000, 1000, 0), (0, 0, 0), (10, 10, 0)], [0, 1000, 1010, 1020]),  # begins again
        ([(0, 0, 0), (10, 10, 0), (HOUR, HOUR, 0), (HOUR + 10, HOUR + 10, 0)], [0, 10, 20, 30]),
        ([(0, 0, HOUR), (HOUR, HOUR, 10)], [0, HOUR]),  # the picture is shown that long
        ([(0, 0, 0), (900, 900, 0)], [0, 900]),  # a pause
        ([(0, 0, 0), (6000, 6000, 0), (12000, 12000, 0), (18000, 18000, 0)], [0, 10, 6010, 12010]),  # a time lapse
        ([(0, 0, 0), (10, 7 * HOUR, 0), (20, 20, 0)], [0, None, 20]),  # one packet with damaged times
        ([(0, None, 0), (30, None, 0), (10, None, 0), (20, None, 0)], [0, 30, 10, 20]),  # refer to later ones
        ([(None, None, 0), (None, None, 0)], [None, None]),
    ],
)
def test_where_packets_are_placed(rows: list[tuple[int | None, int | None, int]], expected: list[int | None]) -> None:
    times = ContinuousTimes(TICK, 0.1)
    assert [times.place(*row)[0] for row in rows] == expected


def read(path: Path, ring: PacketRing | None = None) -> tuple[FileSource, list[int], list[float]]:
    """The source after its end, the numbers of its pictures, and their times."""
    source = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast"))
    source.ring = ring.connect() if ring is not None else None
    source.open()
    numbers, times = [], []
    for frame in source.frames():
        numbers.append(seen(frame)[0])
        times.append(frame.media_s)
    source.close()
    return source, numbers, times


@pytest.mark.parametrize("times", ["usual", "b-frames"])
def test_joined_transport_streams(tmp_path: Path, times: str) -> None:
    part, joined = film(tmp_path, "ts", times).path, tmp_path / "joined.ts"
    joined.write_bytes(part.read_bytes() * 3)
    ring = PacketRing(60.0, 1 << 26)
    source, numbers, shown_s = read(joined, ring)
    assert (numbers, source.lost) == ([*range(PICTURES)] * 3, 0)
    assert shown_s == pytest.approx([number / FPS for number in range(3 * PICTURES)], abs=2e-3)
    for start_s, end_s in ((1.0, 2.5), (1.45, 4.0), (3.0, 3.8)):
        clip = ring.cut(start_s, end_s)
        assert clip is not None
        store_clip(clip, tmp_path / "clip.mp4")
        _, clipped, _ = read(tmp_path / "clip.mp4")
        expected = [number for number, at_s in zip(numbers, shown_s, strict=True) if start_s <= at_s <= end_s]
        assert clipped[: len(expected)] == expected


def test_a_jump_forwards_loses_no_picture(tmp_path: Path) -> None:
    whole, jumps = film(tmp_path, "mkv").path, tmp_path / "jumps.mkv"
    with av.open(str(whole)) as source, av.open(str(jumps), "w") as target:
        copy = target.add_stream_from_template(source.streams.video[0])
        for number, packet in enumerate(packet for packet in source.demux(video=0) if packet.size):
            assert packet.pts is not None
            later = 3_600_000 if number >= 6 else 0
            packet.pts, packet.dts, packet.stream = packet.pts + later, packet.pts + later, copy
            target.mux(packet)
    read_back, numbers, times = read(jumps)
    assert (numbers, read_back.lost) == ([*range(PICTURES)], 0)
    assert times[-1] == pytest.approx((PICTURES - 1) / FPS, abs=5e-3)


def test_one_damaged_time_costs_at_most_its_picture(tmp_path: Path) -> None:
    path = film(tmp_path, "ts", pictures=30).path
    data = bytearray(path.read_bytes())
    heads = [at for at in range(0, len(data), 188) if b"\x00\x00\x01\xe0" in data[at : at + 188]]
    at = data.index(b"\x00\x00\x01\xe0", heads[12]) + 9  # the time of the 13th picture
    data[at : at + 5] = b"\x2f\xab\xcd\xef\x01"
    path.write_bytes(data)
    ring = PacketRing(60.0, 1 << 26)
    source, numbers, times = read(path, ring)
    assert sorted(numbers) == sorted(number % PICTURES for number in range(30))
    assert source.lost <= 2
    assert times[-1] == pytest.approx(2.9, abs=0.25)
    clip = ring.cut(0.0, 10.0)
    assert clip is not None
    store_clip(clip, tmp_path / "clip.mp4")
    assert len(read(tmp_path / "clip.mp4")[1]) >= 28


@pytest.mark.parametrize("container", ["avi", "avi-mjpeg"])
def test_empty_chunks_of_an_avi_file_repeat_the_picture_before(tmp_path: Path, container: str) -> None:
    path = film(tmp_path, container, "gaps").path
    source, numbers, times = read(path)
    assert (numbers, source.lost) == ([*range(PICTURES)], 0)
    assert times == pytest.approx([(number + 3 * (number > 5)) / FPS for number in range(PICTURES)], abs=2e-3)


def test_an_avi_file_without_the_end_of_its_index(tmp_path: Path) -> None:
    """Pictures that were cut off count as lost."""
    path = film(tmp_path, "avi-h264", pictures=100).path
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 3 // 5])
    source, numbers, _ = read(path)
    assert 40 < len(numbers) < 70
    assert len(numbers) + source.lost == 100


def test_the_rate_of_an_avi_file_with_many_empty_chunks(tmp_path: Path) -> None:
    path = tmp_path / "sparse.avi"
    with av.open(str(path), "w") as target:
        stream = target.add_stream("mjpeg", rate=10)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuvj420p"  # type: ignore[union-attr]
        stream.codec_context.time_base = Fraction(1, 1000)  # a chunk for every millisecond
        for number in range(PICTURES):
            picture = av.VideoFrame(96, 64, "yuvj420p")
            picture.pts, picture.time_base = number * 100, Fraction(1, 1000)
            target.mux(stream.encode(picture))  # type: ignore[union-attr]
    source = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast"))
    info = source.open()
    assert (info.fps, info.frames) == (10.0, PICTURES)
    assert len(list(source.frames())) == PICTURES
    assert source.lost == 0
    source.close()
