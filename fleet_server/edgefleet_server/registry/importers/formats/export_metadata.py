"""Reads the metadata that exporters write beside a network.

Ultralytics writes the same keys (`names`, `task`, `imgsz`, `license`, ...) into the `metadata_props` of an ONNX file and into the
zip behind a TFLite file, values as Python writes them. PaddleOCR's models for text have `character`: their alphabet, one a line.
No runtime reads them, so that damaged ones are left out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from edgefleet_contract.package.formats import ExportFacts, ModelFile, Tensor

TEXT_MAX = 256 * 1024
"""Characters of one value."""
LABELS_MAX = 65536
SIDE_MAX = 16384
TASKS = ("detect", "segment", "pose", "obb", "classify")
LICENCES = ("AGPL-3.0", "GPL-3.0", "Apache-2.0", "MIT", "BSD-3-Clause")
"""SPDX identifiers with which the text of a licence may begin."""
_ULTRALYTICS = "Ultralytics"
_PIXELS: dict[str, Any] = {"mean": (0.0,), "std": (255.0,)}
"""Scaling of all models of Ultralytics."""


def with_metadata(model: ModelFile, entries: Mapping[str, Any]) -> ModelFile:
    """`model` with what the exporter's `entries` say: labels, task, size of the picture, licence and scaling of pixels."""
    values = {key: _value(value) for key, value in entries.items()}
    task, licence, author = (str(values.get(key, "")) for key in ("task", "license", "author"))
    width, height = _size(values.get("imgsz"))
    facts = ExportFacts(
        task if task in TASKS else "", width, height, next((each for each in LICENCES if licence.startswith(each)), "")
    )
    inputs = model.inputs
    if author == _ULTRALYTICS or str(values.get("description", "")).startswith(_ULTRALYTICS):
        inputs = tuple(_scaled(tensor) for tensor in inputs)
    labels = model.labels or _names(values.get("names")) or _characters(entries.get("character"))
    return replace(model, labels=labels, inputs=inputs, exported=facts)


def mapping_in(text: str) -> dict[str, Any]:
    """The mapping that a whole text stands for, as JSON or Python writes it; empty for any other text."""
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):
        found = _value(text.strip())
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}


def _scaled(tensor: Tensor) -> Tensor:
    return replace(tensor, **_PIXELS) if len(tensor.shape) == 4 and not tensor.mean else tensor


def _value(value: Any) -> Any:
    """The value that a text stands for, or the text itself."""
    if not isinstance(value, str) or len(value) > TEXT_MAX or value[:1] not in "[{(":
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


def _names(names: Any) -> tuple[str, ...]:
    """Labels of a list, or of a mapping from every class number."""
    if isinstance(names, dict):
        numbered = {int(key): value for key, value in names.items() if str(key).isdecimal()}
        names = [numbered.get(number) for number in range(len(names))]
    fits = isinstance(names, list) and 0 < len(names) <= LABELS_MAX
    if not fits or not all(isinstance(name, str) and name.strip() and name.isprintable() for name in names):
        return ()
    return tuple(name.strip() for name in names)


def _characters(alphabet: Any) -> tuple[str, ...]:
    """Labels of an alphabet, one character a line."""
    lines = alphabet.split("\n") if isinstance(alphabet, str) else []
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines) if 0 < len(lines) <= LABELS_MAX and all(map(_is_character, lines)) else ()


def _is_character(line: str) -> bool:
    """Whether a line stands for a character, the wide space among them."""
    return line == "\u3000" or (bool(line) and line == line.strip() and line.isprintable())


def _size(size: Any) -> tuple[int, int]:
    """Width and height of `imgsz`, which is one side or height and width."""
    sides = size if isinstance(size, list | tuple) else [size, size]
    if len(sides) != 2 or not all(isinstance(side, int) and 0 < side <= SIDE_MAX for side in sides):
        return 0, 0
    return sides[1], sides[0]
