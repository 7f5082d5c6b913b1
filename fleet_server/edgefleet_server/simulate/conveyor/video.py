"""The conveyor as files: H.264 clips that loop without a seam, and the truth of every frame beside each clip."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import av
from av.video.stream import VideoStream

from edgefleet_contract.core.atomic_files import make_folder, move_file
from edgefleet_server.simulate.conveyor.scene import STYLES, Scene

TRUTH_VERSION = 1
MAX_CAMERAS = 64


@dataclass(frozen=True)
class SiteCamera:
    """The two files of one rendered camera."""

    name: str
    video: Path
    truth: Path


def _write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, then sync it and rename it to ``path``."""
    make_folder(path.parent, 0o755)
    partial = path.with_name(f".{path.stem}.{os.getpid()}.partial{path.suffix}")
    try:
        write(partial)
        move_file(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _open_stream(container: av.container.OutputContainer, scene: Scene, crf: int) -> VideoStream:
    stream = container.add_stream("libx264", rate=Fraction(scene.fps).limit_denominator(1001))
    stream.width, stream.height, stream.pix_fmt = scene.width, scene.height, "yuv420p"
    stream.thread_count = 1
    # A key frame a second and no frame that refers forward: readers may join, seek and loop at any key frame.
    stream.gop_size = min(30, max(15, round(scene.fps)))
    stream.max_b_frames = 0
    stream.options = {"crf": str(crf), "preset": "veryfast", "flags": "+cgop"}
    return stream


def write_clip(path: Path, scene: Scene, count: int | None = None, *, crf: int = 24) -> None:
    """Encode ``count`` frames of ``scene`` (one period when not given: then the clip loops) as H.264 in MP4.

    Raises:
        OSError: the folder cannot be written, or this PyAV has no H.264 encoder.
    """

    def encode(partial: Path) -> None:
        with av.open(str(partial), "w", format="mp4", options={"movflags": "+faststart"}) as container:
            stream = _open_stream(container, scene, crf)
            for image, _ in scene.frames(count):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
            container.mux(stream.encode(None))

    try:
        _write_atomically(path, encode)
    except av.codec.codec.UnknownCodecError as error:
        raise OSError("this PyAV was built without libx264; install the 'av' wheel from PyPI") from error


def truth_document(scene: Scene, count: int | None = None) -> dict[str, object]:
    """Expected results of the clip: crossings of the middle (one period), and each frame's parts.

    ``frames[i]`` lists ``{id, label, box_xyxy, visible}`` of frame i; boxes in pixels, right and bottom exclusive.
    """
    total = scene.period if count is None else count
    return {
        "version": TRUTH_VERSION,
        "seed": scene.seed,
        "style": scene.style.name,
        "width": scene.width,
        "height": scene.height,
        "fps": scene.fps,
        "period_frames": scene.period,
        "rightwards": scene.style.rightwards,
        "crossings": [asdict(crossing) for crossing in scene.crossings()],
        "frames": [[asdict(part) for part in scene.truth(index)] for index in range(total)],
    }


def write_truth(path: Path, scene: Scene, count: int | None = None) -> None:
    """Write ``truth_document`` as JSON."""

    def dump(partial: Path) -> None:
        partial.write_text(json.dumps(truth_document(scene, count), separators=(",", ":")), encoding="utf-8")

    _write_atomically(path, dump)


def site_scene(camera: int, *, seconds: float, seed: int, width: int = 640, height: int = 480, fps: float = 15.0) -> Scene:
    """The scene of camera ``camera`` (from 0) of a site: lines differ in parts, belt and, mildly, in light."""
    style = list(STYLES)[camera % len(STYLES)]
    number = seed * 1000 + camera
    return Scene(number, style=style, seconds=seconds, width=width, height=height, fps=fps, variety=0.3, defects=0.3)


def write_site(folder: Path, cameras: int = 3, seconds: float = 20.0, seed: int = 1) -> list[SiteCamera]:
    """Render a site of ``cameras`` conveyor cameras into ``folder``: ``camera-N.mp4`` and ``camera-N.truth.json``.

    Raises:
        ValueError: ``cameras`` is not between 1 and 64, or ``seconds`` not between 5 and 600.
        OSError: the folder cannot be written.
    """
    if not 1 <= cameras <= MAX_CAMERAS:
        raise ValueError(f"cameras must be between 1 and {MAX_CAMERAS}, not {cameras}")
    written = []
    for camera in range(cameras):
        scene = site_scene(camera, seconds=seconds, seed=seed)
        name = f"camera-{camera + 1}"
        files = SiteCamera(name, folder / f"{name}.mp4", folder / f"{name}.truth.json")
        write_clip(files.video, scene)
        write_truth(files.truth, scene)
        written.append(files)
    return written
