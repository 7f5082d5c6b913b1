"""Fragments of real packets decode again to the same pictures at the same times, whatever the codec and the rotation."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from edgefleet_agent.live_video.byte_budget import ByteBudget
from edgefleet_agent.live_video.fragments import Fragmenter
from edgefleet_agent.pipeline.camera.event_publisher import LIVE_BYTES_MAX, LIVE_KEEP_S
from edgefleet_agent.sources.packet_follower import WAITING_MAX, PacketFollower
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.wire.live_video import PartKind, VideoFormat, VideoPart, pack_part, unpack_part

CLIPS = ("car-detection", "traffic_frames", "one-by-one-person-detection")


def encoded(codec: str, path: Path, options: dict[str, str], pictures: int = 40) -> Path:
    """A short file of a codec."""
    with av.open(str(path), "w") as target:
        stream = target.add_stream(codec, rate=10, options=options)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        stream.codec_context.gop_size = 10
        for number in range(pictures):
            picture = np.full((180, 320, 3), 30, np.uint8)
            picture[:, number * 5 : number * 5 + 30] = 220
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return path


def messages(path: Path, rotate: str = "auto") -> Iterator[VideoFormat | VideoPart]:
    """The messages for a file's packets."""
    ring = PacketRing(LIVE_KEEP_S, LIVE_BYTES_MAX)
    with ring.follow() as follower, av.open(str(path)) as source:
        stream = source.streams.video[0]
        feed, fragmenter = ring.connect(), None
        feed.begin(stream, rotate)
        for packet in source.demux(stream):
            if packet.size and packet.pts is not None:
                feed.add(packet, float(packet.pts * stream.time_base))
            while (followed := follower.next(0.0)) is not None:
                fragmenter = fragmenter or Fragmenter(followed, 1_000.0)
                yield from fragmenter.add(followed)


def shown(parts: list[VideoFormat | VideoPart]) -> list[tuple[float, bytes]]:
    """Times and pictures that a player shows."""
    data = b"".join(part.data for part in parts if isinstance(part, VideoPart))
    with av.open(io.BytesIO(data)) as stream:
        return [(float(one.pts * one.time_base), one.to_ndarray(format="gray").tobytes()) for one in stream.decode(video=0)]


@pytest.mark.parametrize("name", CLIPS)
def test_pictures_of_real_cameras_stay_the_same(data: Path, name: str) -> None:
    path = data / "media/videos" / f"{name}.mp4"
    sent = list(messages(path))
    form, first = sent[:2]
    assert isinstance(form, VideoFormat)
    assert isinstance(first, VideoPart)
    assert (first.kind, form.matrix, form.encoded) == (PartKind.INIT, [1.0, 0.0, 0.0, 1.0], False)
    parts = [part for part in sent if isinstance(part, VideoPart)]
    assert parts[1].kind is PartKind.KEY
    assert max(len(part.data) for part in parts) < 200_000
    assert all(unpack_part(pack_part(part)) == part for part in parts)
    with av.open(str(path)) as source:
        stream = source.streams.video[0]
        known = [(float(one.pts * stream.time_base), one.to_ndarray(format="gray").tobytes()) for one in source.decode(stream)]
    found = shown(sent)[:-4]  # of the last ones, those to which they refer may be missing
    assert len(known) - len(found) <= 10, "the last fragment waits for the packet after it"
    assert [picture for _, picture in found] == [picture for _, picture in known[: len(found)]]
    assert [at - found[0][0] for at, _ in found] == pytest.approx([at - known[0][0] for at, _ in known[: len(found)]], abs=0.002)


@pytest.mark.parametrize(
    ("codec", "options", "mime", "rotate", "matrix"),
    [
        ("libx264", {"bf": "2"}, "avc1.", "0", [1, 0, 0, 1]),
        ("libx264", {"bf": "0"}, "avc1.", "90", [0, 1, -1, 0]),
        ("libx265", {"x265-params": "log-level=none"}, "hvc1.1.6.", "180", [-1, 0, 0, -1]),
        ("libx265", {"x265-params": "log-level=none"}, "hvc1.1.6.", "auto", [1, 0, 0, 1]),
        ("libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, "vp09.00.", "270", [0, -1, 1, 0]),
    ],
)
def test_codecs_and_rotations(
    tmp_path: Path, codec: str, options: dict[str, str], mime: str, rotate: str, matrix: list[int]
) -> None:
    """The rotation is sent beside the stream, which has none: browsers differ in whether they apply it."""
    path = encoded(codec, tmp_path / "clip.mp4", options)
    sent = list(messages(path, rotate))
    form = sent[0]
    assert isinstance(form, VideoFormat)
    assert form.mime.startswith(f'video/mp4; codecs="{mime}')
    assert (form.width, form.height, form.matrix) == (320, 180, matrix)
    found = shown(sent)
    assert len(found) >= 36
    with av.open(io.BytesIO(b"".join(part.data for part in sent if isinstance(part, VideoPart)))) as stream:
        assert next(stream.decode(video=0)).rotation == 0


def test_codec_that_no_browser_plays_is_refused(tmp_path: Path) -> None:
    path = encoded("mpeg4", tmp_path / "clip.mp4", {})
    ring = PacketRing(LIVE_KEEP_S, LIVE_BYTES_MAX)
    with ring.follow() as follower, av.open(str(path)) as source:
        feed = ring.connect()
        feed.begin(source.streams.video[0], copied=("mpeg4",))
        for packet in source.demux(video=0):
            if packet.size:
                feed.add(packet, 0.0)
        first = follower.next(0.0)
        assert first is not None
        fragmenter = Fragmenter(first, 0.0)

        def add_all() -> None:
            while (followed := follower.next(0.0)) is not None:
                list(fragmenter.add(followed))

        with pytest.raises(MediaError, match="none that browsers play"):
            add_all()


def test_slow_reader_loses_packets_up_to_a_key_frame(data: Path) -> None:
    ring = PacketRing(LIVE_KEEP_S, LIVE_BYTES_MAX)
    with av.open(str(data / "media/videos/one-by-one-person-detection.mp4")) as source:
        stream = source.streams.video[0]
        feed = ring.connect()
        feed.begin(stream)
        with ring.follow() as follower:
            assert ring.followed
            for packet in source.demux(stream):
                if packet.size:
                    feed.add(packet, float((packet.pts or 0) * stream.time_base))
            assert follower.lost > 0
            first = follower.next(0.0)
            assert first is not None
            assert first.packet.keyframe
            left = 1
            while follower.next(0.0) is not None:
                left += 1
            assert left <= WAITING_MAX
        assert not ring.followed
        with ring.follow() as later:
            earliest = later.next(0.0)
            assert earliest is not None
            assert earliest.packet.keyframe, "the packets since the last key frame are there at once"


def test_closed_reader_wakes() -> None:
    follower = PacketFollower()
    follower.close()
    assert follower.next(60.0) is None


def test_budget_of_an_hour() -> None:
    budget = ByteBudget(1000)
    assert budget.take(600, 0.0)
    assert budget.take(400, 100.0)
    assert not budget.take(1, 3599.0)
    assert budget.take(600, 3601.0)
    assert not budget.take(1, 3602.0)
    assert budget.take(400, 3701.0)
    budget.bytes_max = 0
    assert budget.take(10**9, 3702.0), "0 is no limit"
