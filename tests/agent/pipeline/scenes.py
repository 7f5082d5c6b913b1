"""Rendered scenes as video files, and a small model with known answers: the mean colour of a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from tests.agent.serving.onnx_file import chain, one_node

WIDTH, HEIGHT, FPS = 320, 240, 10
RED, BLUE, GRAY = (230, 30, 30), (30, 40, 230), (120, 120, 120)
Patch = tuple[tuple[int, int, int], float, float, float, float]
"""Colour, and left, top, width, height in pixels."""
COLOURS = ("red", "green", "blue")


def film(path: Path, seconds: float, patches: Callable[[float], Sequence[Patch]]) -> Path:
    """A video of patches on grey; later ones cover earlier ones."""
    with av.open(str(path), "w") as target:
        stream = target.add_stream("mpeg4", rate=FPS, options={"b": "4000000"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.time_base = Fraction(1, FPS)
        for number in range(round(seconds * FPS)):
            picture = np.full((HEIGHT, WIDTH, 3), GRAY, np.uint8)
            for colour, left, top, wide, high in patches(number / FPS):
                picture[max(0, round(top)) : round(top + high), max(0, round(left)) : round(left + wide)] = colour
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number
            for packet in stream.encode(frame):
                target.mux(packet)
        for packet in stream.encode(None):
            target.mux(packet)
    return path


def mean_colour(folder: Path, task: str = "classification", batch: str | int = "n") -> Path:
    """A package whose model averages red, green and blue: scores of three classes, or an embedding of three numbers."""
    folder.mkdir(parents=True)
    model = one_node("GlobalAveragePool", "FP32", {"image": (batch, 3, 16, 16)}, {"mean": (batch, 3, 1, 1)})
    (folder / "mean.onnx").write_bytes(model)
    labels = "" if task == "embedding" else f"labels = {list(COLOURS)}\n"
    first = -1 if batch == "n" else batch
    (folder / "model.toml").write_text(
        f'name = "mean-colour"\nversion = "1.0.0"\ntask = "{task}"\n{labels}'
        f'[head]\nfamily = "{task}"\n'
        '[[variants]]\nname = "f32"\nformat = "onnx"\nfiles = ["mean.onnx"]\nruntimes = ["onnx_runtime"]\n'
        f'[[inputs]]\nname = "image"\nshape = [{first}, 3, 16, 16]\ndtype = "float32"\nlayout = "nchw"\nfit = "stretch"\n'
        "std = [255.0]\n"
    )
    return folder


def stripes(folder: Path, places: int = 4, side: int = 16) -> Path:
    """A package whose model reads coloured stripes as text: R and B are letters, green is the blank between two."""
    folder.mkdir(parents=True)
    across = np.kron(np.eye(places, dtype=np.float32), np.full((side // places, 1), 20.0 * places / side, np.float32))
    steps = [
        ("MatMul", ["image", "across"], "columns"),
        ("MatMul", ["down", "columns"], "means"),
        ("Reshape", ["means", "flat"], "classes"),
        ("Transpose", ["classes"], "places"),
        ("Reshape", ["places", "line"], "logits"),
    ]
    constants = {
        "across": across,
        "down": np.full((1, side), 1.0 / side, np.float32),
        "flat": np.array([3, places], np.int64),
        "line": np.array([1, places, 3], np.int64),
    }
    model = chain(steps, constants, {"image": (1, 3, side, side)}, {"logits": (1, places, 3)})
    (folder / "stripes.onnx").write_bytes(model)
    (folder / "model.toml").write_text(
        'name = "stripes"\nversion = "1.0.0"\ntask = "text"\nlabels = ["R", "B"]\n'
        '[head]\nfamily = "ctc"\nparams = {blank = 1}\n'
        '[[variants]]\nname = "f32"\nformat = "onnx"\nfiles = ["stripes.onnx"]\nruntimes = ["onnx_runtime"]\n'
        f'[[inputs]]\nname = "image"\nshape = [1, 3, {side}, {side}]\ndtype = "float32"\nlayout = "nchw"\nfit = "stretch"\n'
        "mean = [0.0]\nstd = [255.0]\n"
    )
    return folder
