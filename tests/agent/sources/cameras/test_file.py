"""Files: exact frames, exact times, and errors for damaged files."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MediaError, PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

VISITORS = "one-by-one-person-detection.mp4"
VIDEOS = [
    VISITORS,
    "car-detection.mp4",
    "person-bicycle-car-detection.gif",
    "worker-zone-detection.gif",
    "traffic_frames.mp4",
]


def frames(path: Path, **fields: Any) -> Iterator[Frame]:
    source = FileSource(SourceSpec(kind="file", uri=str(path), **{"pace": "fast", **fields}))
    source.open()
    try:
        yield from source.frames()
    finally:
        source.close()


def mean_rgb(frame: Frame) -> npt.NDArray[np.float64]:
    """Mean colour of the planes, in full range."""
    flat = np.concatenate([plane.reshape(-1) for plane in frame.planes])
    even = frame.height // 2 * 2, frame.width // 2 * 2
    if (frame.height, frame.width) != even:  # OpenCV requires even sizes; the last row or column does not matter here
        y, u, v = (plane[: even[0] // d, : even[1] // d] for plane, d in zip(frame.planes, (1, 2, 2), strict=True))
        flat = np.concatenate([y.reshape(-1), u.reshape(-1), v.reshape(-1)])
    picture = cv2.cvtColor(flat.reshape(even[0] * 3 // 2, even[1]), cv2.COLOR_YUV2RGB_I420)
    return np.asarray(picture.reshape(-1, 3).mean(axis=0), np.float64)


@pytest.fixture(scope="session")
def expected(data: Path) -> dict[str, Any]:
    videos: dict[str, Any] = json.loads((data / "media/videos/expected.json").read_text())["videos"]
    return videos


@pytest.mark.parametrize("name", VIDEOS)
def test_every_frame_with_its_time_and_colours(name: str, data: Path, expected: dict[str, Any]) -> None:
    truth = expected[name]
    count = 0
    for frame in frames(data / "media/videos" / name):
        assert frame.index == count
        if "fps" in truth:
            assert frame.media_s == pytest.approx(frame.index / truth["fps"], abs=1e-3)
        mean = truth["mean_rgb_of_frame"].get(str(frame.index))
        if mean is not None:
            assert mean_rgb(frame) == pytest.approx(mean, abs=truth["mean_rgb_tolerance"])
        count += 1
    assert count == truth["frames"]


def test_planes_are_the_decoders_own(data: Path) -> None:
    """The planes are not copied, and are read-only."""
    frame = next(frames(data / "media/videos" / VISITORS))
    assert not frame.planes[0].flags.owndata
    assert not frame.planes[0].flags.writeable


def test_loop_continues_counting(data: Path) -> None:
    seen = []
    for frame in frames(data / "media/videos/traffic_frames.mp4", loop=True):
        seen.append((frame.index, frame.media_s))
        if len(seen) == 50:
            break
    assert [index for index, _ in seen] == list(range(50))
    assert [time_s for _, time_s in seen] == pytest.approx([index / 30 for index in range(50)], abs=1e-3)


def test_fewer_frames_a_second(data: Path) -> None:
    indices = [frame.index for frame in frames(data / "media/videos/traffic_frames.mp4", fps=10.0)]
    assert indices == [0, 3, 6, 9, 12, 15, 18]


def test_realtime_follows_the_clock(data: Path) -> None:
    """Frames may be late on a busy machine, including the first one; none is early."""
    started_s = time.monotonic()
    times = [(frame.captured_at_s, frame.media_s) for frame in frames(data / "media/videos/traffic_frames.mp4", pace="realtime")]
    assert len(times) > 10
    for captured_at_s, media_s in times:
        assert captured_at_s - started_s >= media_s - times[0][1]


def test_a_file_cut_off_is_reported_after_its_frames(data: Path, tmp_path: Path) -> None:
    content = (data / "media/videos" / VISITORS).read_bytes()
    half = tmp_path / "half.mp4"
    half.write_bytes(content[: len(content) // 2])
    seen: list[int] = []
    with pytest.raises(MediaError, match=r"half\.mp4: is truncated after 6\d\.\d s of 139\.4 s"):
        seen.extend(frame.index for frame in frames(half))
    assert seen[:600] == list(range(600))


def test_damage_in_the_middle_costs_only_its_frames(data: Path, tmp_path: Path) -> None:
    """Frames after the damage keep their own numbers and times."""
    content = bytearray((data / "media/videos" / VISITORS).read_bytes())
    content[600_000:640_000] = bytes(40_000)
    damaged = tmp_path / "damaged.mp4"
    damaged.write_bytes(content)
    seen = list(frames(damaged))
    assert 1300 < len(seen) < 1394
    assert (seen[-1].index, seen[-1].media_s) == (1393, pytest.approx(139.3))


@pytest.mark.parametrize("content", [b"", b"\x00\x00\x00\x20ftyp", b"text" * 100])
def test_what_is_no_video(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.mp4"
    path.write_bytes(content)
    with pytest.raises(MediaError, match="cannot be decoded as video"):
        next(frames(path))


def test_a_playlist_reaches_nothing_else(data: Path, tmp_path: Path) -> None:
    """A playlist that names other files or addresses is not followed."""
    path = tmp_path / "list.m3u8"
    path.write_text("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n")
    with pytest.raises(MediaError):
        next(frames(path))


@pytest.mark.parametrize("options", [{"threads": "2"}, {"threads": -1}, {"threads": True}, {"speed": 2}])
def test_options_it_does_not_take(options: dict[str, Any]) -> None:
    with pytest.raises(PipelineError, match="source of kind 'file': "):
        FileSource(SourceSpec(kind="file", uri="a.mp4", options=options))


@pytest.mark.parametrize("uri", ["http://127.0.0.1:9/a.mp4", "concat:a.mp4|b.mp4"])
def test_what_is_no_file(uri: str) -> None:
    with pytest.raises(MediaError, match="no such file"):
        FileSource(SourceSpec(kind="file", uri=uri)).open()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match='is a folder; specify a video file, or kind = "images" for a folder of pictures'):
        FileSource(SourceSpec(kind="file", uri=str(tmp_path))).open()
