"""Reads TensorFlow Lite files: FlatBuffer tables with the numbers of schema.fbs; labels from the appended metadata."""

from __future__ import annotations

import math
import struct
import zipfile
import zlib
from collections import Counter
from dataclasses import replace
from mmap import mmap
from pathlib import Path
from typing import Any

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_contract.package.label_lines import labels_in
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.base import weights_of
from edgefleet_server.registry.importers.formats.export_metadata import mapping_in, with_metadata
from edgefleet_server.registry.importers.formats.flatbuffers_reader import FlatTable, root
from edgefleet_server.registry.importers.formats.tflite_metadata import post_processed_classes, stated_scaling

_DTYPES = {0: "float32", 1: "float16", 2: "int32", 3: "uint8", 4: "int64", 5: "string", 6: "bool", 7: "int16", 9: "int8"}
_DTYPES |= {10: "float64", 12: "uint64", 15: "uint32", 16: "uint16"}
_CUSTOM = 32
_LABEL_BYTES_MAX = 1024 * 1024
_PACKED_MAX = 100
"""Files of the zip that are read."""


def read_tflite(path: Path, data: bytes | mmap) -> ModelFile:
    """Tensors of the main graph, operators, labels packed into the file, and reasons why LiteRT will refuse it.

    Raises:
        ManifestError: not a TFLite file, or a damaged one.
    """
    try:
        if data[4:8] != b"TFL3":
            raise ValueError("no TFL3")
        model = root(data)
        graph = model.tables(2)[0]
        tensors = graph.tables(0)
        stated = stated_scaling(model)
        inputs = tuple(
            replace(_tensor(tensors[int(index)]), **(stated[place] if place < len(stated) else {}))
            for place, index in enumerate(graph.numbers(1, "i"))
        )
        outputs = tuple(_tensor(tensors[int(index)]) for index in graph.numbers(2, "i"))
        operators = frozenset(_operator(code) for code in model.tables(1))
        faults = tuple(fault for tensor in tensors if (fault := _fault(tensor)))[:1]  # one such tensor suffices
        classes = post_processed_classes(model, graph)
        weights = weights_of(_stored_numbers(model, tensors))
    except (struct.error, IndexError, ValueError) as cause:
        raise ManifestError(f"{path}: not a whole TFLite file; convert it again") from cause
    labels, entries = _packed(path)
    found = ModelFile(path, "tflite", inputs, outputs, operators, labels, (path,), faults, classes=classes, weights=weights)
    return with_metadata(found, entries)


def _tensor(table: FlatTable) -> Tensor:
    shape = table.numbers(7, "i") or table.numbers(0, "i")
    quantization = table.table(4)
    scales = quantization.numbers(2, "f") if quantization else []
    zeros = quantization.numbers(3, "q") if quantization else []
    kind = table.number(1, "b")
    one = len(scales) == 1
    return Tensor(
        table.text(3),
        tuple(int(side) for side in shape),
        _DTYPES.get(kind, f"type {kind}"),
        scales[0] if one else 0.0,
        int(zeros[0]) if one and zeros else 0,
    )


def _stored_numbers(model: FlatTable, tensors: list[FlatTable]) -> Counter[str]:
    """The count of numbers in tensors whose values are in the file, by type."""
    stored = [buffer.length(0) or buffer.number(2, "Q") for buffer in model.tables(4)]
    counts: Counter[str] = Counter()
    for tensor in tensors:
        place = tensor.number(2, "I")
        if 0 < place < len(stored) and stored[place]:
            counts[_DTYPES.get(tensor.number(1, "b"), "")] += math.prod(int(side) for side in tensor.numbers(0, "i"))
    return counts


def _operator(code: FlatTable) -> str:
    number = max(code.number(0, "b"), code.number(3, "i"))
    return f"custom:{code.text(1)}" if number == _CUSTOM else f"builtin {number}"


def _fault(tensor: FlatTable) -> str:
    quantization = tensor.table(4)
    rank = len(tensor.numbers(0, "i"))
    if quantization is None or len(quantization.numbers(2, "f")) < 2 or 0 <= quantization.number(6, "i") < rank:
        return ""
    return f"tensor {tensor.text(3)!r}: quantized_dimension is out of range (a file for the micro runtime?); convert it again"


def _packed(path: Path) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Labels and metadata of the zip behind the model. Metadata is a file of one mapping, as JSON or Python writes it; labels are
    the first other text file."""
    labels: tuple[str, ...] = ()
    try:
        with zipfile.ZipFile(path) as archive:
            for each in archive.infolist()[:_PACKED_MAX]:
                if not each.filename.endswith((".txt", ".json")) or each.file_size > _LABEL_BYTES_MAX:
                    continue
                text = archive.read(each).decode()
                entries = mapping_in(text)
                if entries:
                    return (), entries
                if each.filename.endswith(".txt"):
                    labels = labels or labels_in(text)
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, RuntimeError):  # RuntimeError: it is encrypted
        return (), {}
    return labels, {}
