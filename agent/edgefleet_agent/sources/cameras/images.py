"""A folder of pictures as a source: one frame each, in the order of their names."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.sources.frame_pacing import Pacer
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.sources.rotation import AUTO, rotate_option
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.pipeline.spec import SourceSpec

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
PICTURES_MAX = 1_000_000
RATE = 1.0
OPTIONS: dict[str, Value] = {"rate": RATE, "rotate": AUTO}


class ImagesSource(Source):
    """Kind `images`: `uri` is a folder. Options: `rate` (1), pictures a second of media time, which is the pace of `realtime`;
    `rotate` (see `rotation`; `auto`: as the EXIF data of each picture say).

    Numbers in names count as numbers: `2.jpg` comes before `10.jpg`. A picture that cannot be decoded is skipped and its time
    stays empty, so that coverage shows it. Pictures may differ in size.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        options = read_options(spec, OPTIONS, {"rate": (0.001, 240.0)})
        self._rate: float = options["rate"]
        self._rotate = rotate_option(spec, options["rotate"])
        self._folder = Path(spec.uri)
        self._paths: list[Path] = []

    def open(self) -> SourceInfo:
        """List the folder and read the first picture.

        Raises:
            MediaError: no folder, no pictures, or not one that can be decoded.
        """
        try:
            paths = [path for path in self._folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file()]
        except OSError as cause:
            raise MediaError(f"{self._folder}: cannot be listed: {cause.strerror}; specify a folder of images") from cause
        self._paths = sorted(paths, key=_natural)[:PICTURES_MAX]
        for path in self._paths:
            try:
                first = read_picture(path, self._rotate)
            except MediaError:
                continue
            return SourceInfo(first.width, first.height, self._rate, 0 if self.spec.loop else len(self._paths), "pictures")
        raise MediaError(f"{self._folder}: contains no image that can be decoded; supported are {', '.join(sorted(SUFFIXES))}")

    def frames(self) -> Iterator[Frame]:
        """The pictures, repeatedly with `loop`.

        Raises:
            MediaError: a whole round without a picture that can be decoded.
        """
        pacer = Pacer(self.closing) if self.spec.pace == "realtime" else None
        index = 0
        while not self.closing.is_set() and self._paths:
            count = 0
            for path in self._paths:
                if self.closing.is_set():
                    return
                try:
                    picture = read_picture(path, self._rotate)
                except MediaError:
                    index, self.lost = index + 1, self.lost + 1
                    continue
                media_s = index / self._rate
                if pacer and not pacer.wait_for(media_s):
                    return
                yield replace(picture, index=index, media_s=media_s, captured_at_s=time.monotonic())
                count, index = count + 1, index + 1
            if not count:
                raise MediaError(f"{self._folder}: no image can be decoded any more; add images to the folder")
            if not self.spec.loop:
                return

    def close(self) -> None:
        """End `frames` soon."""
        self.stop()
        self._paths = []


def _natural(path: Path) -> list[tuple[int, str]]:
    """2 before 10: runs of digits compare by their value."""
    return [(int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name)]
