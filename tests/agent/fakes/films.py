"""Small videos of every kind: container, codec, times and turn. Each picture carries its number, and a mark in one corner."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import to_bgr

WIDTH, HEIGHT = 96, 64
PATCH = 24
PICTURES = 14
FPS = 10
TICKS = 1000
SHADE_FIRST, SHADE_STEP = 40, 12
CORNERS = {(0, 0): "top left", (0, 1): "top right", (1, 1): "bottom right", (1, 0): "bottom left"}

CODECS = {
    "mp4": "libx264",
    "mov": "libx264",
    "mkv": "libx264",
    "ts": "libx264",
    "avi": "mpeg4",
    "avi-h264": "libx264",
    "avi-mjpeg": "mjpeg",
    "webm": "libvpx-vp9",
    "webm-vp8": "libvpx",
    "h264": "libx264",
}
"""Containers, with the codec in them. `h264` is a stream without any container, and without times."""
SHIFTS_S = {"usual": 0.0, "b-frames": 0.0, "negative": -0.3, "late": 5.0, "gaps": 0.0}
"""Times of the first picture."""
WITH_MATRIX = ("mp4", "mov", "mkv", "webm")
"""Containers that declare a turn."""
TURNS = {
    "upright": ((0, False), "top left"),
    "90": ((-90, False), "top right"),
    "180": ((180, False), "bottom right"),
    "270": ((90, False), "bottom left"),
    "mirrored": ((0, True), "top right"),
}
"""Turns clockwise: arguments of `set_display_rotation`, and the corner with the mark when it is shown."""


@dataclass(frozen=True, slots=True)
class Film:
    """A video file. times_s: of its pictures, from the first."""

    path: Path
    times_s: list[float]


def stored_picture(number: int, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """A picture (rgb) as a camera stores it: its number as a shade of grey, and a red mark in its top left corner."""
    picture = np.full((height, width, 3), SHADE_FIRST + SHADE_STEP * (number % PICTURES), np.uint8)
    picture[:PATCH, :PATCH] = (235, 15, 15)
    return picture


def film(
    folder: Path, container: str = "mp4", times: str = "usual", turn: str = "upright", pictures: int = PICTURES, fps: int = FPS
) -> Film:
    """Write a video."""
    suffix = container.split("-")[0]
    path = folder / f"{container}-{times}-{turn}.{suffix}"
    numbers = list(range(pictures))
    steps = [number + (3 * (number > 5) if times == "gaps" else 0) for number in numbers]
    with av.open(str(path), "w", options={"avoid_negative_ts": "disabled"} if times == "negative" else {}) as target:
        stream = target.add_stream(CODECS[container], rate=fps)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        if CODECS[container] == "mjpeg":
            stream.pix_fmt = "yuvj420p"
        context = stream.codec_context
        context.max_b_frames = 2 if times == "b-frames" else 0
        context.gop_size = 6
        if CODECS[container] == "libx264":
            context.options = {"preset": "veryfast", "crf": "14", **({} if times == "b-frames" else {"tune": "zerolatency"})}
        elif CODECS[container].startswith("libvpx"):
            context.options = {"deadline": "realtime", "cpu-used": "8", "lag-in-frames": "0", "b": "2000000"}
        else:
            context.options = {"b": "2000000"}
        degrees, mirrored = TURNS[turn][0]
        if degrees or mirrored:
            stream.set_display_rotation(degrees, hflip=mirrored)
        for number, step in zip(numbers, steps, strict=True):
            picture = VideoFrame.from_ndarray(stored_picture(number), format="rgb24")
            picture.pts, picture.time_base = round((SHIFTS_S[times] + step / fps) * TICKS), Fraction(1, TICKS)
            target.mux(stream.encode(picture))
        target.mux(stream.encode(None))
    constant = suffix in ("avi", "h264")  # they have no times of their own
    return Film(
        path, [(number if constant and times != "gaps" else step) / fps for number, step in zip(numbers, steps, strict=True)]
    )


def damaged(made: Film, start: float = 0.4, share: float = 1 / 12) -> Film:
    """The video with random bytes over a part of it."""
    data = bytearray(made.path.read_bytes())
    first, count = int(len(data) * start), int(len(data) * share)
    data[first : first + count] = np.random.default_rng(7).bytes(count)
    path = made.path.with_stem(f"{made.path.stem}-damaged")
    path.write_bytes(data)
    return Film(path, made.times_s)


def marked_corner(picture: np.ndarray) -> str:
    """Name of the corner with the red mark of a picture (bgr)."""
    plain = picture.astype(int)
    ys, xs = np.nonzero(plain[..., 2] - plain[..., 1] > 80)
    assert len(ys) > 100, "there is a mark"
    height, width = picture.shape[:2]
    return CORNERS[int(ys.mean() > height / 2), int(xs.mean() > width / 2)]


def number_of(picture: np.ndarray) -> int:
    """The number of a picture (bgr), from the shade of its middle."""
    height, width = picture.shape[:2]
    middle = picture[height // 2 - 4 : height // 2 + 4, width // 2 - 4 : width // 2 + 4]
    return round((float(middle.mean()) - SHADE_FIRST) / SHADE_STEP)


def seen(frame: Frame) -> tuple[int, str, tuple[int, int]]:
    """Number, marked corner, and width and height of a frame."""
    picture = to_bgr(frame)
    return number_of(picture), marked_corner(picture), (frame.width, frame.height)


def jpeg_with_exif(number: int, orientation: int, quality: int = 95) -> bytes:
    """A JPEG picture whose EXIF data declare this orientation (1 to 8)."""
    _, encoded = cv2.imencode(".jpg", stored_picture(number)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    data = encoded.tobytes()
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    exif = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


ORIENTATIONS = {"upright": 1, "90": 6, "180": 3, "270": 8, "mirrored": 2}
"""EXIF's numbers of the turns."""
