"""Picture files to frames."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_contract.core.errors import MediaError


@pytest.mark.parametrize("ending", [".png", ".bmp", ".jpg", ".webp"])
def test_common_kinds(tmp_path: Path, ending: str) -> None:
    picture = np.full((30, 40, 3), (20, 120, 220), np.uint8)
    cv2.imwrite(str(tmp_path / f"a{ending}"), picture)
    frame = read_picture(tmp_path / f"a{ending}")
    assert (frame.width, frame.height, frame.layout) == (40, 30, "bgr")
    assert np.abs(frame.planes[0].astype(int) - picture).max() <= 4


def test_grey_and_transparent_pictures_become_bgr(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((5, 5), 7, np.uint8))
    cv2.imwrite(str(tmp_path / "clear.png"), np.full((5, 5, 4), 7, np.uint8))
    for name in ("grey.png", "clear.png"):
        assert read_picture(tmp_path / name).planes[0].shape == (5, 5, 3)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "use JPEG, PNG"),
        (b"not a picture", "use JPEG, PNG"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "damaged or not complete"),
        (b"\xff\xd8\xff\xe0" + bytes(100), "damaged or not complete"),
    ],
)
def test_an_invalid_picture_is_reported_in_one_line(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(MediaError, match=rf"a\.png: .*{reason}") as raised:
        read_picture(tmp_path / "a.png")
    assert "\n" not in str(raised.value)


def test_missing_or_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(MediaError, match="cannot be read"):
            read_picture(path)


def test_a_small_file_of_a_huge_picture_is_refused(tmp_path: Path) -> None:
    """A picture of one colour is compressed to a thousandth: the pixels are limited, not the bytes alone."""
    side = 12_000
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + side)) for _ in range(side)) + packer.flush()
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")]
    data = b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    path = tmp_path / "huge.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(MediaError, match=r"huge\.png: more than 100 megapixels; shrink it"):
        read_picture(path)
