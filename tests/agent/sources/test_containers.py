"""Container x times x turn: every picture once, in order, at its time, upright, and as many as there are.

`make test` covers every container with every row of times, and with every turn; all cells together are `long`.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.films import CODECS, HEIGHT, PICTURES, SHIFTS_S, TURNS, WIDTH, WITH_MATRIX, Film, damaged, film, seen

OPTIONS = {"auto": None, "0": "upright", "90": "90", "180": "180", "270": "270"}
"""The option `rotate`, and the turn that it gives whatever the file declares."""
CONSTANT = ("avi", "avi-h264", "avi-mjpeg", "h264")
"""Containers that store no times of their own: pictures come in even steps, from 0."""


def exists(container: str, times: str, turn: str) -> bool:
    """Whether there is such a file: AVI and streams have no gaps and no start, only some containers declare a turn."""
    if container in CONSTANT and times in ("gaps", "negative", "late"):
        return False
    if times == "b-frames" and container in ("webm", "webm-vp8", "avi-mjpeg"):
        return False
    if times == "negative" and container == "ts":
        return False
    return turn == "upright" or container in WITH_MATRIX


CELLS = [
    (container, times, turn, option)
    for container, times, turn, option in itertools.product(CODECS, SHIFTS_S, TURNS, OPTIONS)
    if exists(container, times, turn)
]
COVER = [
    cell
    for cell in CELLS
    if cell[2:] == ("upright", "auto") or (cell[1] == "usual" and cell[3] == "auto") or cell[1:3] == ("b-frames", "270")
]


def read(made: Film, **fields: Any) -> tuple[FileSource, list[Frame], list[tuple[int, str, tuple[int, int]]]]:
    """The source after its end, its frames, and what is on them."""
    source = FileSource(SourceSpec(kind="file", uri=str(made.path), **{"pace": "fast", **fields}))
    source.open()
    frames, shown = [], []
    for frame in source.frames():
        frames.append(frame)
        shown.append(seen(frame))
    source.close()
    return source, frames, shown


def check(folder: Path, container: str, times: str, turn: str, option: str) -> None:
    made = film(folder, container, times, turn)
    source, frames, shown = read(made, options={"rotate": option})
    upright = OPTIONS[option] or turn
    size = (HEIGHT, WIDTH) if upright in ("90", "270") else (WIDTH, HEIGHT)
    first = 3 if times == "negative" and container in ("mp4", "mov") else 0  # their edit lists begin at 0
    assert shown == [(number, TURNS[upright][1], size) for number in range(first, PICTURES)]
    assert [frame.media_s for frame in frames] == pytest.approx(made.times_s[: PICTURES - first], abs=2e-3)
    assert [frame.index for frame in frames] == list(range(PICTURES - first))
    assert source.lost == 0
    again = FileSource(source.spec)
    info = again.open()
    again.close()
    assert (info.width, info.height) == size


@pytest.mark.parametrize(("container", "times", "turn", "option"), COVER)
def test_every_picture_once_at_its_time_and_upright(tmp_path: Path, container: str, times: str, turn: str, option: str) -> None:
    check(tmp_path, container, times, turn, option)


@pytest.mark.long
def test_all_cells(tmp_path: Path) -> None:
    faults = {cell: fault_of(tmp_path, cell) for cell in CELLS}
    assert not {cell: fault for cell, fault in faults.items() if fault}


def fault_of(folder: Path, cell: tuple[str, str, str, str]) -> str:
    try:
        check(folder, *cell)
    except AssertionError as error:
        return str(error)[:300]
    return ""


@pytest.mark.parametrize(
    ("container", "times"),
    [("mp4", "usual"), ("mp4", "b-frames"), ("mkv", "b-frames"), ("ts", "b-frames"), ("avi", "b-frames"), ("avi-mjpeg", "usual")],
)
def test_pictures_lost_to_damage_are_counted(tmp_path: Path, container: str, times: str) -> None:
    """Random bytes over a part of the file: whatever demuxer and decoder make of it, no picture is forgotten."""
    made = damaged(film(tmp_path, container, times, pictures=77))
    source = FileSource(SourceSpec(kind="file", uri=str(made.path), pace="fast"))
    source.open()
    frames = list(source.frames())
    source.close()
    assert source.lost >= 5
    assert 77 <= len(frames) + source.lost <= 79, "a damaged picture may come after its turn"


@pytest.mark.parametrize("container", ["mp4", "avi", "ts", "h264"])
def test_a_single_picture(tmp_path: Path, container: str) -> None:
    source, frames, shown = read(film(tmp_path, container, pictures=1))
    assert (len(frames), shown[0][0], frames[0].media_s, source.lost) == (1, 0, 0.0, 0)


@pytest.mark.parametrize(
    ("container", "times"), [("mp4", "b-frames"), ("avi-h264", "b-frames"), ("ts", "late"), ("h264", "usual")]
)
def test_rounds_follow_each_other(tmp_path: Path, container: str, times: str) -> None:
    source = FileSource(SourceSpec(kind="file", uri=str(film(tmp_path, container, times).path), pace="fast", loop=True))
    source.open()
    frames = list(itertools.islice(source.frames(), 3 * PICTURES))
    source.close()
    assert [frame.index for frame in frames] == list(range(3 * PICTURES))
    assert [frame.media_s for frame in frames] == pytest.approx([number / 10 for number in range(3 * PICTURES)], abs=5e-2)
    assert source.lost == 0


@pytest.mark.parametrize("container", ["avi", "mp4", "mkv"])
def test_a_title_may_be_in_any_encoding(tmp_path: Path, container: str) -> None:
    """Titles of AVI files and names of cameras are often in that of their country."""
    path, title = tmp_path / f"clip.{container}", b"TITLE-OF-CLIP"
    with av.open(str(path), "w") as target:
        target.metadata["title"] = title.decode()
        stream = target.add_stream("mpeg4", rate=10)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for _ in range(10):
            target.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")))
        target.mux(stream.encode())
    data = path.read_bytes()
    assert title in data
    path.write_bytes(data.replace(title, b"caf\xe9 \xfc\xff \xb2\xe2\xca\xd4 "[: len(title)].ljust(len(title))))
    source = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast"))
    assert source.open().width == 64
    assert len(list(source.frames())) == 10
    source.close()
