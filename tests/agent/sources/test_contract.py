"""Contract of every source. A new kind adds a row to `SOURCES`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.sources.base import Source
from edgefleet_contract.core.errors import MediaError, PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

MakeSpec = Callable[[Path, Path], SourceSpec]
VIDEOS = Path("media/videos")


def folder_of_pictures(folder: Path) -> Path:
    """20 pictures of one size."""
    dice = np.random.default_rng(3)
    for number in range(20):
        assert cv2.imwrite(str(folder / f"{number}.png"), dice.integers(0, 255, (60, 81, 3), np.uint8))
    return folder


SOURCES: dict[str, MakeSpec] = {
    "file": lambda data, _: SourceSpec(kind="file", uri=str(data / VIDEOS / "traffic_frames.mp4"), pace="fast"),
    "file (GIF)": lambda data, _: SourceSpec(
        kind="file", uri=str(data / VIDEOS / "person-bicycle-car-detection.gif"), pace="fast"
    ),
    "file (loop)": lambda data, _: SourceSpec(kind="file", uri=str(data / VIDEOS / "traffic_frames.mp4"), pace="fast", loop=True),
    "images": lambda _, tmp: SourceSpec(kind="images", uri=str(folder_of_pictures(tmp)), pace="fast"),
    "images (loop)": lambda _, tmp: SourceSpec(kind="images", uri=str(folder_of_pictures(tmp)), pace="fast", loop=True),
    "synthetic": lambda *_: SourceSpec(kind="synthetic", pace="fast", options={"duration_s": 4, "width": 161, "height": 91}),
    "synthetic (live)": lambda *_: SourceSpec(kind="synthetic", options={"width": 320, "height": 180, "rate": 200}),
}


@pytest.fixture(params=list(SOURCES))
def source(request: pytest.FixtureRequest, data: Path, tmp_path: Path) -> Source:
    spec = SOURCES[request.param](data, tmp_path)
    made: Source = plugins.load("sources", spec.kind)(spec)
    return made


def test_frames_are_as_announced(source: Source) -> None:
    info = source.open()
    assert info.width > 0
    assert info.height > 0
    assert info.fps > 0
    for number, frame in enumerate(source.frames()):
        assert (frame.width, frame.height) == (info.width, info.height)
        if frame.layout == "i420":
            half = ((info.height + 1) // 2, (info.width + 1) // 2)
            assert [plane.shape for plane in frame.planes] == [(info.height, info.width), half, half]
        assert all(plane.dtype == np.uint8 for plane in frame.planes)
        if number == 50:
            break
    source.close()


def test_indices_and_times_rise(source: Source) -> None:
    source.open()
    before = (-1, -1.0, 0.0)
    for frame in source.frames():
        now = (frame.index, frame.media_s, frame.captured_at_s)
        assert now[0] > before[0]
        assert now[1] > before[1]
        assert now[2] >= before[2]
        before = now
        if frame.index == 60:
            break
    source.close()


def test_frames_live_as_long_as_they_are_held(source: Source) -> None:
    """A mailbox holds a frame while the decoder continues."""
    source.open()
    held = []
    for frame in source.frames():
        held.append((frame, frame.planes[0].copy()))
        if len(held) == 15:
            break
    assert all(np.array_equal(frame.planes[0], before) for frame, before in held)
    source.close()


def test_close_from_another_thread_ends_the_frames(source: Source) -> None:
    source.open()
    seen = threading.Event()

    def close_soon() -> None:
        seen.wait()
        source.close()

    closer = threading.Thread(target=close_soon)
    closer.start()
    for count, _ in enumerate(source.frames()):
        seen.set()
        assert count < 10_000
    closer.join()


def test_close_without_frames(source: Source) -> None:
    source.open()
    source.close()
    source.close()
    assert list(source.frames()) == []


@pytest.mark.parametrize("kind", ["camera", "file", "images"])
def test_a_missing_source_is_reported_in_one_line(kind: str, tmp_path: Path) -> None:
    made: Source = plugins.load("sources", kind)(SourceSpec(kind=kind, uri=str(tmp_path / "nothing")))
    with pytest.raises((MediaError, UnavailableError)) as error:
        made.open()
    assert "\n" not in str(error.value)
    made.close()


@pytest.mark.parametrize("kind", plugins.TABLES["sources"])
def test_an_option_that_the_kind_does_not_have(kind: str) -> None:
    uri = {"rtsp": "rtsp://camera/main", "mjpeg": "http://camera/"}.get(kind, "/nothing")
    with pytest.raises(PipelineError, match="'flux' is unknown; known are"):
        plugins.load("sources", kind)(SourceSpec(kind=kind, uri=uri, options={"flux": 1}))
