"""Compares the number of labels with the number of classes that a model file has, where its shapes show it."""

from __future__ import annotations

from edgefleet_contract.package.formats import ModelFile
from edgefleet_contract.package.manifest import Manifest, Variant


def label_count_fault(model: ModelFile, manifest: Manifest, variant: Variant, labels: int) -> str:
    """The finding about a wrong number of labels; empty if it is right, or the shapes of this family do not show it."""
    possible = _classes(model, manifest, variant)
    if not labels or not possible or labels in possible:
        return ""
    classes = " or ".join(str(each) for each in possible)
    return f"the package has {labels} labels, the file {classes} classes; specify one label per class"


def _classes(model: ModelFile, manifest: Manifest, variant: Variant) -> list[int]:
    family = manifest.head.family
    if family == "classification":
        wide = [side for side in _shape(model, manifest, variant, "scores")[1:] if side != 1]
        return wide if len(wide) == 1 and wide[0] > 1 else []
    if family in ("yolo", "yolox"):
        shape = _shape(model, manifest, variant, "predictions")
        if len(shape) != 3 or min(shape[1:]) <= 5 or shape[2] == 6:
            return []
        columns = shape[2] if family == "yolox" else min(shape[1:])  # cells outnumber columns
        objectness = True if family == "yolox" else manifest.head.params.get("objectness")
        return [columns - beside for beside, fits in ((4, objectness is not True), (5, objectness is not False)) if fits]
    return []


def _shape(model: ModelFile, manifest: Manifest, variant: Variant, role: str) -> tuple[int, ...]:
    """The shape of the output of a role: the one that the manifest names, or the only one."""
    name = {**manifest.head.outputs, **variant.outputs}.get(role)
    found = [tensor for tensor in model.outputs if tensor.name == name] if name else list(model.outputs)
    return tuple(found[0].shape) if len(found) == 1 else ()
