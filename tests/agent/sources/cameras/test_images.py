"""Folders of pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from edgefleet_agent.sources.cameras.images import ImagesSource
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.pipeline.spec import SourceSpec


def picture(path: Path, width: int = 32, shade: int = 0) -> None:
    assert cv2.imwrite(str(path), np.full((24, width, 3), shade, np.uint8))


def test_order_gaps_and_sizes(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        picture(tmp_path / f"shot{number}.png", width=30 + number, shade=number)
    (tmp_path / "shot3.jpg").write_bytes(b"not a picture")
    (tmp_path / "notes.txt").write_text("not one either")
    source = ImagesSource(SourceSpec(kind="images", uri=str(tmp_path), pace="fast", options={"rate": 4}))
    info = source.open()
    assert (info.width, info.frames, info.fps) == (31, 4, 4.0)
    frames = list(source.frames())
    assert [(frame.index, frame.media_s, frame.width) for frame in frames] == [(0, 0.0, 31), (1, 0.25, 32), (3, 0.75, 40)]
    assert [int(frame.planes[0][0, 0, 0]) for frame in frames] == [1, 2, 10]


def test_real_pictures(data: Path) -> None:
    source = ImagesSource(SourceSpec(kind="images", uri=str(data / "media/images"), pace="fast"))
    assert source.open().frames == len(list(source.frames())) == 20


@pytest.mark.parametrize("holds", ["nothing", "garbage"])
def test_no_pictures(holds: str, tmp_path: Path) -> None:
    if holds == "garbage":
        (tmp_path / "a.jpg").write_bytes(b"\xff\xd8garbage")
    with pytest.raises(MediaError, match="no image that can be decoded"):
        ImagesSource(SourceSpec(kind="images", uri=str(tmp_path), pace="fast")).open()
