"""Reads a model file of any known format."""

from __future__ import annotations

import logging
import mmap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.model_kinds import format_of
from edgefleet_contract.package.formats import Format, ModelFile
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.compiled import read_compiled
from edgefleet_server.registry.importers.formats.onnx import read_onnx
from edgefleet_server.registry.importers.formats.openvino import read_ir
from edgefleet_server.registry.importers.formats.ort import read_ort
from edgefleet_server.registry.importers.formats.tflite import read_tflite

FILE_BYTES_MAX = 1024**3
"""Largest model file that is read."""

_READERS: dict[str, Callable[[Path, bytes | mmap.mmap], ModelFile]] = {
    ".onnx": read_onnx,
    ".ort": read_ort,
    ".tflite": read_tflite,
    ".xml": read_ir,
    ".hef": read_compiled,
    ".rknn": read_compiled,
}

log = logging.getLogger(__name__)


def read_model_file(path: Path) -> ModelFile:
    """Read a file of a built-in format, or of that of an installed plug-in.

    Raises:
        ManifestError: no such file, an unknown format or one without a reader, or a damaged file.
    """
    name, known = format_of(path, ManifestError)
    built_in = _READERS.get(path.suffix)
    if built_in is None and known.read is None:
        raise ManifestError(f"{path}: the plug-in of format {name!r} has no reader of such files; write model.toml by hand")
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise ManifestError(f"{path}: exceeds the limit of {FILE_BYTES_MAX} bytes")
        return built_in(path, _mapped(path)) if built_in is not None else _read_by_plug_in(path, path.read_bytes(), name, known)
    except OSError as cause:
        raise ManifestError(f"{path}: cannot be read: {cause.strerror}") from cause


def _mapped(path: Path) -> bytes | mmap.mmap:
    """The content of a file: its weights are not read, and take no memory."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""


def _read_by_plug_in(path: Path, data: bytes, name: str, known: Format) -> ModelFile:
    """Read a file with the reader of a plug-in, whose every fault is a ManifestError."""
    assert known.read is not None
    try:
        model: object = known.read(path, data)
    except EdgefleetError:
        raise
    except Exception as cause:
        log.debug("%s", path, exc_info=cause)
        text = f"{path}: format {name!r} cannot read it ({fault_text(cause)}); check the file and the plug-in"
        raise ManifestError(text) from cause
    if not isinstance(model, ModelFile):
        raise ManifestError(f"{path}: the reader of format {name!r} returns no ModelFile; correct the plug-in")
    return replace(model, format=name, files=model.files or (path,))
