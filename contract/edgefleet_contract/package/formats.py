"""Formats of model files: suffixes, the runtimes that read them, and facts of one file that a reader returns.

A plug-in adds a format with an entry point in the group `edgefleet.formats`, whose object is a `Format`; it is named in the
manifest as the entry point is. The functions of `edgefleet_contract.model_kinds` find both kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tensor:
    """One input or output. -1 in `shape` is open; scale 0: not quantized. mean, std: scaling of pixels that the file states, one
    number or one for each channel; empty: it states none."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    scale: float = 0.0
    zero_point: int = 0
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportFacts:
    """Facts that an exporter wrote into a file; empty: none. task: `detect`, `segment`, `pose`, `obb` or
    `classify`. width, height: pixels of the picture. licence: SPDX identifier."""

    task: str = ""
    width: int = 0
    height: int = 0
    licence: str = ""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The facts of a model file. format: its name. operators: each kind once, custom ones as `custom:NAME`. files: all files of
    the model, `path` first. faults: reasons why a runtime will refuse the file. opset: of an ONNX file, 0 for others. weights:
    type of most of the numbers that the file stores, `float32`; empty: the reader does not say. classes: class numbers of an
    operator that post-processes detections, 0: none says it."""

    path: Path
    format: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    operators: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    faults: tuple[str, ...] = field(default=())
    opset: int = 0
    weights: str = ""
    classes: int = 0
    exported: ExportFacts = ExportFacts()


Reader = Callable[[Path, bytes], ModelFile]
"""Returns the facts of a file with this content, without a runtime. Raises ManifestError for a file that is not of the format."""


@dataclass(frozen=True)
class Format:
    """A format. suffixes: of the file that the runtime opens, with the dot, the usual one first. runtimes: those that an imported
    model names, best first. read: for `edgefleet model import` and `validate`; None: these commands check the suffix alone."""

    suffixes: tuple[str, ...]
    runtimes: tuple[str, ...]
    read: Reader | None = None


FORMATS: dict[str, Format] = {
    "onnx": Format((".onnx", ".ort"), ("onnx_runtime", "open_vino")),
    "tflite": Format((".tflite",), ("lite_rt",)),
    "openvino_ir": Format((".xml",), ("open_vino",)),
    "hailo_hef": Format((".hef",), ("hailo",)),
    "rknn": Format((".rknn",), ("rknn",)),
}
"""The built-in formats. Their readers are part of the server."""
