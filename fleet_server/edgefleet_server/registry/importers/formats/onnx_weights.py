"""Finds the files beside an ONNX file that hold its weights (external data)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TypeGuard

from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.protobuf_reader import fields, text, whole

_DEPTH_MAX = 8
"""Graphs in each other: bodies of loops and branches."""


def weight_files(path: Path, graph: memoryview) -> tuple[Path, ...]:
    """The files that hold weights of the graph in the file `path`, each once, in the order of their names.

    Raises:
        ManifestError: one is missing, too short, or not in the folder of `path`.
    """
    ends: dict[str, int] = {}
    try:
        for tensor in _tensors(graph, _DEPTH_MAX):
            entries = {text(entry, 1): text(entry, 2) for number, entry in fields(tensor) if number == 13 and _is_part(entry)}
            if entries and whole(tensor, 14) == 1:
                offset, length = (int(entries.get(key, "0")) for key in ("offset", "length"))
                place = entries.get("location", "")
                if min(offset, length) < 0:
                    raise ManifestError(f"{path}: its weights are in {place!r}, at a place that no file has; export it again")
                ends[place] = max(ends.get(place, 0), offset + length)
    except (IndexError, ValueError, struct.error) as cause:
        raise ManifestError(f"{path}: not a whole ONNX file; export it again") from cause
    return tuple(_found(path, place, ends[place]) for place in sorted(ends))


def _found(path: Path, place: str, end: int) -> Path:
    """The file at `place`, relative to `path`, which has to reach to byte `end`."""
    parts = PurePosixPath(place).parts
    file = path.parent / place
    what = f"{path}: its weights are in {place!r}"
    if not parts or "\0" in place or "\\" in place or ".." in parts or PurePosixPath(place).is_absolute():
        raise ManifestError(f"{what}, which is not a file beside it; save the model as one file, or with its data beside it")
    if not file.is_file():
        raise ManifestError(f"{what}, which does not exist; put that file beside it, or save the model as one file")
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise ManifestError(f"{what}, which is a link to another folder; copy that file beside it")
    length = file.stat().st_size
    if end > length:
        raise ManifestError(f"{what}, which has {length} bytes of {end}; copy that file again, or save the model as one file")
    return file


def _tensors(graph: memoryview, depth: int) -> Iterator[memoryview]:
    """The tensors of a graph: its initializers, and those in attributes of its nodes, graphs in them included.

    Raises:
        ValueError, IndexError: not protobuf, or too many graphs in each other.
    """
    if not depth:
        raise ValueError("too deep")
    for number, value in fields(graph):
        if number == 5 and _is_part(value):
            yield value
        elif number == 1 and _is_part(value):
            for kind, attribute in fields(value):
                if kind != 5 or not _is_part(attribute):
                    continue
                for field, inner in fields(attribute):
                    if field in (5, 10) and _is_part(inner):
                        yield inner
                    elif field in (6, 11) and _is_part(inner):
                        yield from _tensors(inner, depth - 1)


def _is_part(value: int | memoryview) -> TypeGuard[memoryview]:
    return isinstance(value, memoryview)
