"""Reads a model file of any known format."""

from __future__ import annotations

from pathlib import Path

from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.base import ModelFile
from edgefleet_server.registry.importers.formats.onnx import read_onnx
from edgefleet_server.registry.importers.formats.openvino import read_ir
from edgefleet_server.registry.importers.formats.ort import read_ort
from edgefleet_server.registry.importers.formats.tflite import read_tflite

FILE_BYTES_MAX = 1024**3
"""Largest model file that is read."""


def read_model_file(path: Path) -> ModelFile:
    """Read a `.onnx`, `.ort`, `.tflite` or `.xml` file.

    Raises:
        ManifestError: no such file, another kind of file, or a damaged one.
    """
    readers = {".onnx": read_onnx, ".ort": read_ort, ".tflite": read_tflite, ".xml": read_ir}
    if path.suffix not in readers:
        raise ManifestError(f"{path}: unknown model format; must end in {', '.join(readers)}")
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise ManifestError(f"{path}: exceeds the limit of {FILE_BYTES_MAX} bytes")
        data = path.read_bytes()
    except OSError as cause:
        raise ManifestError(f"{path}: cannot be read: {cause.strerror}") from cause
    return readers[path.suffix](path, data)
