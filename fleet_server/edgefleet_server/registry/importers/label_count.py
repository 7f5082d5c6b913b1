"""Compares the labels of a package with the classes that its model files have, where their shapes or operators show them.

Most heads number classes from 0, without a background. Where a file has one, a label more or less is right only with the head's
parameter for it: `background` of `classification`, `class_offset` of `ssd`. Heads that count the background (`detection_output`,
`ultraface`) need a label for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from edgefleet_contract.package.formats import ModelFile
from edgefleet_contract.package.label_lines import labels_in
from edgefleet_contract.package.manifest import Manifest, Variant
from edgefleet_server.core.errors import InputError

LABELS_BYTES_MAX = 1024 * 1024
BACKGROUND = "background"
_BACKGROUNDS = (BACKGROUND, "__background__", "???")
_IMAGENET = 1001
"""Classes of ImageNet classifiers with a background, whose lists of 1000 labels lack it."""
_ENDED_MAX = 1000
"""Rows of a YOLO model that suppresses by itself."""
_COUNTING = ("detection_output", "ultraface")
"""Families that give the background a number."""


def label_lines(folder: Path, manifest: Manifest) -> tuple[str, ...]:
    """The labels of a package; a file of labels has one a line, without empty lines at its end."""
    path = folder / manifest.labels_file if manifest.labels_file is not None else None
    if manifest.labels or path is None or not path.is_file():
        return tuple(manifest.labels)
    with path.open("rb") as file:
        return labels_in(file.read(LABELS_BYTES_MAX).decode(errors="replace"))


def label_count_fault(model: ModelFile, manifest: Manifest, variant: Variant, labels: int) -> str:
    """The finding about a wrong number of labels; empty if it is right, or nothing in the file shows it."""
    possible = possible_counts(model, manifest, variant)
    if not labels or not possible or labels in possible:
        return ""
    return f"{_counts(labels, possible)}; {_advice(manifest, labels - possible[0], ' = ', 'set', ' in params of the head')}"


def class_count_faults(manifest: Manifest, labels: int, models: Mapping[str, ModelFile]) -> dict[str, str]:
    """The findings about variants whose files have another number of classes than the package has labels or, without labels, than
    the first variant whose number is known. models: the files by the names of their variants."""
    if labels:
        texts = {name: label_count_fault(model, manifest, manifest.variant(name), labels) for name, model in models.items()}
        return {name: text for name, text in texts.items() if text}
    counts = {name: possible_counts(model, manifest, manifest.variant(name)) for name, model in models.items()}
    known = {name: numbers for name, numbers in counts.items() if numbers}
    first = next(iter(known), "")
    return {
        name: f"it has {' or '.join(map(str, numbers))} classes, variant {first!r} {' or '.join(map(str, known[first]))};"
        " make a package of its own of another model"
        for name, numbers in known.items()
        if not set(numbers) & set(known[first])
    }


Fitted = tuple[Manifest, tuple[str, ...], tuple[str, ...]]
"""A manifest, its labels, and notes."""


def fit_labels(model: ModelFile, manifest: Manifest, labels: tuple[str, ...]) -> Fitted:
    """The manifest and the labels of a new package with a background where file and list differ by it, and notes about that.

    Raises:
        InputError: the number of labels is that of another model.
    """
    (variant,) = manifest.variants
    possible = possible_counts(model, manifest, variant)
    if not possible or len(labels) in possible:
        return manifest, labels, ()
    family, more = manifest.head.family, len(labels) - possible[0]
    has_background = labels[0].lower() in _BACKGROUNDS
    if more == -1 and not has_background and family in _COUNTING and len(possible) == 1:
        return manifest, (BACKGROUND, *labels), ("class 0 is the background: its label was added",)
    if more == -1 and not has_background and family == "classification" and possible == [_IMAGENET]:
        note = f"{len(labels)} labels for {possible[0]} classes: the first class is taken for the background (params.background)"
        return _with_param(manifest, "background", True), labels, (note,)
    if more == 1 and len(possible) == 1 and has_background and family not in _COUNTING and possible != [_IMAGENET]:
        if family == "ssd":
            note = f"the first label, {labels[0]!r}, is taken for the background, which the file does not count (class_offset)"
            return _with_param(manifest, "class_offset", int(manifest.head.params.get("class_offset", 0)) + 1), labels, (note,)
        return manifest, labels[1:], (f"the first label, {labels[0]!r}, is left out: the file has no class for the background",)
    advice = "specify one label per class" if has_background else _advice(manifest, more, "=", "add --param")
    other = f"taken for the family {family}; if it is another one, specify it with --head"
    raise InputError(f"{model.path}: {_counts(len(labels), possible)}; {advice} ({other})")


def possible_counts(model: ModelFile, manifest: Manifest, variant: Variant) -> list[int]:
    """The numbers of labels that fit the classes of the file; none if nothing shows them, or the family has no classes."""
    count = _COUNTS.get(manifest.head.family)
    file = _File(model, manifest.head.params, {**manifest.head.outputs, **variant.outputs})
    found = count(file) if count is not None else []
    return [each for each in found if each > 0]


def _counts(labels: int, possible: list[int]) -> str:
    classes = " or ".join(str(each) for each in possible)
    return f"the package has {labels} label{'s' * (labels > 1)}, the file {classes} classes"


def _advice(manifest: Manifest, more: int, equals: str, set_it: str, where: str = "") -> str:
    """Advice about `more` labels than classes. equals, set_it, where: how a parameter is given, in a file or to a command."""
    family, params = manifest.head.family, manifest.head.params
    each = "specify one label per class"
    if more == -1 and family == "classification" and not params.get("background"):
        return f"{each}; if the first class is the background, {set_it} background{equals}true{where}"
    if more == 1 and family == "ssd" and not params.get("class_offset"):
        return f"{each}; if the first label is the background, {set_it} class_offset{equals}1{where}"
    if more == -1 and family in _COUNTING:
        return f"class 0 is the background; put the label {BACKGROUND!r} first"
    return each


def _with_param(manifest: Manifest, name: str, value: Any) -> Manifest:
    return replace(manifest, head=replace(manifest.head, params={**manifest.head.params, name: value}))


@dataclass(frozen=True, slots=True)
class _File:
    """A model file as its package describes it. names: role of the head to name of the output."""

    model: ModelFile
    params: Mapping[str, Any]
    names: Mapping[str, str]

    def shape(self, role: str) -> tuple[int, ...]:
        """The shape of the output of a role: the one that the manifest names, the one called so, or the only one."""
        outputs = self.model.outputs
        found = [tensor for tensor in outputs if tensor.name == self.names.get(role, role)]
        if not found and len(outputs) == 1 and role not in self.names:
            found = list(outputs)
        return tuple(found[0].shape) if len(found) == 1 else ()

    def last(self, role: str) -> int:
        """The last side of that output; of two outputs, of which none is named, the one that has no boxes. 0: unknown."""
        shape = self.shape(role)
        if not shape and role not in self.names and len(self.model.outputs) == 2:
            others = [tensor.shape for tensor in self.model.outputs if tensor.shape[-1:] != (4,)]
            shape = tuple(others[0]) if len(others) == 1 else ()
        return shape[-1] if shape else 0

    def widths(self) -> set[int]:
        """The last sides of all outputs."""
        return {tensor.shape[-1] for tensor in self.model.outputs if tensor.shape}

    def whole(self, param: str, usual: int) -> int:
        """A parameter of the head; `usual` if it is absent or no whole number."""
        value = self.params.get(param, usual)
        return value if isinstance(value, int) else usual


def _classification(file: _File) -> list[int]:
    wide = [side for side in file.shape("scores")[1:] if side != 1]
    return [wide[0] - bool(file.params.get("background"))] if len(wide) == 1 else []


def _columns(file: _File) -> tuple[int, bool]:
    """Columns of a row of a YOLO layout, and whether the tensor has them as rows: cells outnumber columns, and are the open
    side. 0: a layout that has the number of the class."""
    shape = file.shape("predictions")
    known = [side for side in shape[1:] if side > 0]
    if len(shape) != 3 or not known or (shape[1] <= _ENDED_MAX and 0 < shape[2] < shape[1]):
        return 0, False
    columns = min(known)
    return columns, columns == shape[1]


def _yolo(file: _File, extra: int = 0) -> list[int]:
    """extra: columns after the classes. A column of objectness is one of three anchors, or one that the params name."""
    columns, flat = _columns(file)
    objectness = file.params.get("objectness")
    if columns < 5 + extra:
        return []
    if flat:
        return [columns - extra - (5 if objectness is True else 4)]
    return [columns - extra - beside for beside, fits in ((4, objectness is not True), (5, objectness is not False)) if fits]


def _yolo_segmentation(file: _File) -> list[int]:
    shape = file.shape("prototypes")
    if len(shape) != 4 or min(shape[1:]) < 1:
        return []
    return _yolo(file, min(shape[1], shape[3]))


def _yolo_pose(file: _File) -> list[int]:
    points = file.params.get("points")
    count = len(points) if isinstance(points, list) else points if isinstance(points, int) else 0
    return _yolo(file, count * (2 if file.params.get("visibility") is False else 3)) if count else []


def _yolox(file: _File) -> list[int]:
    shape = file.shape("predictions")
    return [shape[2] - 5] if len(shape) == 3 else []


def _detr(file: _File) -> list[int]:
    if "rows" in file.names:
        return []
    boxes = 4 if len(file.model.outputs) == 1 else 0
    return [file.last("logits") - boxes - (file.params.get("activation") == "softmax")]


def _segmentation(file: _File) -> list[int]:
    shape = file.shape("mask")
    side = 1 if file.params.get("layout") == "nchw" else -1
    return [shape[side]] if len(shape) == 4 and shape[side] != 1 else []


def _nanodet(file: _File) -> list[int]:
    sides, widths = 4 * file.whole("bins", 8), file.widths()
    if len(file.model.outputs) == 1:
        return [width - sides for width in widths]
    return list(widths - {sides}) if len(widths) == 2 and sides in widths else []


def _efficientdet(file: _File) -> list[int]:
    ratios, widths = file.params.get("ratios"), file.widths()
    anchors = file.whole("octaves", 3) * (len(ratios) if isinstance(ratios, list) else 3)
    anchors = 1 if len(file.model.outputs) == 2 else anchors
    found = list(widths - {4 * anchors})
    return [found[0] // anchors] if len(widths) == 2 and len(found) == 1 and not found[0] % anchors else []


def _ctc(file: _File) -> list[int]:
    return [file.last("logits") - 1, file.last("logits") - 2]


_COUNTS: Mapping[str, Callable[[_File], list[int]]] = {
    "classification": _classification,
    "ctc": _ctc,
    "dbnet": lambda _file: [1],
    "detection_output": lambda file: [file.model.classes],
    "detr": _detr,
    "efficientdet": _efficientdet,
    "fcos": lambda file: [file.last("scores")],
    "nanodet": _nanodet,
    "segmentation": _segmentation,
    "ssd": lambda file: [file.model.classes + file.whole("class_offset", 0)] if file.model.classes else [],
    "ssd_anchors": lambda file: [file.last("scores") - bool(file.params.get("background", True))],
    "ultraface": lambda file: [file.last("scores")],
    "yolo": _yolo,
    "yolo_obb": lambda file: _yolo(file, 1),
    "yolo_pose": _yolo_pose,
    "yolo_segmentation": _yolo_segmentation,
    "yolox": _yolox,
}
