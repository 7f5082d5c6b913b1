"""Opens containers with FFmpeg, converts decoded pictures to `Frame`s, and FFmpeg errors to one line of text."""

from __future__ import annotations

import time
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.plane import VideoPlane

from edgefleet_agent.sources.redact import redact
from edgefleet_agent.sources.rotation import UPRIGHT, Turn
from edgefleet_agent.vision.frame import Frame

PIXELS_MAX = 64 * 1024 * 1024
"""Largest picture accepted: a forged header must not request gigabytes."""

_ZERO_COPY = {"yuv420p": False, "yuvj420p": True}


def open_container(address: str, **options: Any) -> InputContainer:
    """Open a file, URL or pipe for reading (options of `av.open`). Its title and other texts may be in any encoding.

    Raises:
        FFmpegError, OSError, ValueError: as `av.open`.
    """
    container: InputContainer = av.open(address, mode="r", metadata_errors="replace", **options)
    return container


def as_frame(picture: VideoFrame, index: int, media_s: float, turn: Turn = UPRIGHT) -> Frame:
    """The picture's planes as decoded (no copy) if they are upright 8-bit 4:2:0, converted once otherwise. turn: makes it
    upright."""
    if picture.format.name not in _ZERO_COPY:
        picture = picture.reformat(format="yuv420p")
    full_range = _ZERO_COPY[picture.format.name] or picture.color_range == 2
    width, height = picture.width, picture.height
    half_width, half_height = (width + 1) // 2, (height + 1) // 2
    y, u, v = picture.planes
    planes = (_view(y, width, height), _view(u, half_width, half_height), _view(v, half_width, half_height))
    if turn != UPRIGHT:
        y_turned, u_turned, v_turned = (turn.apply(plane) for plane in planes)
        planes = (y_turned, u_turned, v_turned)
        height, width = y_turned.shape
    return Frame(index, media_s, time.monotonic(), width, height, "i420", planes, full_range)


def error_text(cause: Exception) -> str:
    """The error text of FFmpeg or the system, in one line without credentials."""
    text = getattr(cause, "strerror", None) or str(cause)
    return redact(" ".join(str(text).split()))[:200]


def _view(plane: VideoPlane, width: int, height: int) -> npt.NDArray[np.uint8]:
    """The plane's pixels in the decoder's own memory; the array keeps that memory alive."""
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
    pixels: npt.NDArray[np.uint8] = rows[:height, :width]
    pixels.flags.writeable = False
    return pixels
