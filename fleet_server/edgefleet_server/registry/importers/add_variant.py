"""Adds a file to an existing package: the Edge TPU twin of a TFLite file, or another format of the same model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_contract.package.manifest import MANIFEST_FILE, InputSpec, Manifest, Variant, read_manifest
from edgefleet_contract.package.pixel_scaling import Scaling, find_scaling, with_scaling
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.importers.formats.base import check_runnable
from edgefleet_server.registry.importers.formats.compiled import check_described
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, make_manifest
from edgefleet_server.registry.importers.label_count import label_lines
from edgefleet_server.registry.importers.manifest_text import table_lines
from edgefleet_server.registry.importers.package_folder import StagedPackage, check_new
from edgefleet_server.registry.importers.package_lint import lint
from edgefleet_server.registry.importers.picture_inputs import fed_as, quantization_of
from edgefleet_server.registry.importers.read_model import read_model_file


def add_variant(source: Path, package: Path, request: ImportRequest) -> Imported:
    """Add the model file `source` as the last variant to the package in `package`: in place, or as a new package beside it if the
    request has a version. Edits of model.toml by the user are kept.

    Raises:
        InputError: the file does not fit the package, or is in it already; then nothing has changed.
    """
    _, before = _read(package)
    if not source.is_file():
        raise InputError(f"{source}: give one model file; {package} is a package, and takes one variant at a time")
    model = read_model_file(source)
    check_runnable(model)
    check_described(model)
    folder = package.parent / request.version if request.version and request.version != before.version else package
    if folder != package:
        check_new(folder)
    with StagedPackage(folder, replaces=folder == package) as staged:
        return _add(model, package, folder, request, staged)


def _add(model: ModelFile, package: Path, folder: Path, request: ImportRequest, staged: StagedPackage) -> Imported:
    text, before = _read(package)  # again: another command may have added a variant before this one held the folder
    labels = label_lines(package, before)
    one, _ = make_manifest(model, replace(request, family=request.family or before.head.family, labels=labels or request.labels))
    variant = _variant(before, one, model, request.scaling)
    if folder != package:
        text = _renumbered(text, before.version, request.version)
    text = text.rstrip("\n") + "\n\n" + "\n".join(table_lines("[[variants]]", to_plain(variant))) + "\n"
    after = read_manifest(text, str(package / MANIFEST_FILE))
    own = {str(path.relative_to(package)): path for path in package.rglob("*") if path.is_file()}
    staged.write(text, {**own, **dict(zip(variant.files, model.files, strict=True))})
    faults = [each.text for each in lint(staged.path)[1] if each.level == "error" and each.where == variant.name]
    if faults:
        raise InputError(f"{model.path}: does not fit {before.id}: {faults[0]}")
    staged.settle()
    notes = ["its input is of another size than that of the package: is it the same model?"] if _resized(before, variant) else []
    scaled = [each for each in variant.inputs if each.dtype not in {old.dtype for old in before.inputs}]
    notes += ["its pixels are scaled otherwise than those of the package; compare with how it was converted"] if scaled else []
    notes += [fed_as(each) for each in variant.inputs if each.scale]
    return Imported(folder, after, tuple(notes))


def _read(package: Path) -> tuple[str, Manifest]:
    path = package / MANIFEST_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        raise InputError(f"{path}: cannot be read as text") from cause
    return text, read_manifest(text, str(path))


def _variant(before: Manifest, one: Manifest, model: ModelFile, given: Scaling | None) -> Variant:
    """Variant as a separate import makes it, with the differences to the inputs and outputs of the package."""
    (variant,) = one.variants
    if variant.name in {each.name for each in before.variants}:
        raise InputError(
            f"{model.path}: {before.id} has a variant {variant.name!r} already; take that one out of {MANIFEST_FILE}"
        )
    taken = [name for name in variant.files if name in before.paths()]
    if taken:
        raise InputError(f"{model.path}: {before.id} has a file {taken[0]!r} already; give this one another name")
    if one.head.family != before.head.family:
        raise InputError(f"{model.path}: looks like {one.head.family}, and {before.id} is {before.head.family}")
    real = {tensor.name for tensor in model.outputs}
    named = before.head.outputs
    outputs = {} if set(named.values()) <= real else one.head.outputs
    if outputs.keys() != named.keys() and not set(named.values()) <= real:
        raise InputError(f"{model.path}: its outputs {', '.join(sorted(real))} are not those of {before.id}; add it by hand")
    return msgspec.structs.replace(variant, inputs=_inputs(before.inputs, one.inputs, model, given), outputs=outputs)


def _resized(before: Manifest, variant: Variant) -> bool:
    return bool(variant.inputs) and {tuple(each.shape[1:]) for each in variant.inputs} != {
        tuple(each.shape[1:]) for each in before.inputs
    }


def _inputs(before: list[InputSpec], now: list[InputSpec], model: ModelFile, given: Scaling | None) -> list[InputSpec]:
    """The inputs of the variant; empty if they equal those of the package, whose preprocessing then applies."""
    if len(before) != len(now):
        return now
    tensors = {tensor.name: tensor for tensor in model.inputs}
    inputs = [_input(old, new, tensors[new.name], given) for old, new in zip(before, now, strict=True)]
    return [] if inputs == before else inputs


def _input(old: InputSpec, new: InputSpec, tensor: Tensor, given: Scaling | None) -> InputSpec:
    """The input of the package with name, shape, order and type of the new file. The scaling of pixels is the one that the user
    gives, or that of the package, if it is known and the file can store its values."""
    shape = old.shape if old.shape[1:] == new.shape[1:] else new.shape
    spec = msgspec.structs.replace(old, name=new.name if old.name else "", shape=shape, layout=new.layout, dtype=new.dtype)
    spec = msgspec.structs.replace(spec, value=new.value)
    floats = old.dtype.startswith("float")
    known = Scaling.of(old.mean, old.std) if given is None and (floats or old.mean or old.std) else None
    if known is not None and new.dtype.startswith("float"):
        return msgspec.structs.replace(spec, scale=0.0, zero_point=0)
    found = find_scaling(spec, quantization_of(tensor), known) if known is not None else None
    if found is not None and found.source == "stated":
        return with_scaling(spec, found.scaling, quantization_of(tensor))
    return msgspec.structs.replace(spec, mean=new.mean, std=new.std, scale=new.scale, zero_point=new.zero_point)


def _renumbered(text: str, old: str, new: str) -> str:
    line = f'version = "{old}"'
    if text.count(line) != 1:
        raise InputError(f"{MANIFEST_FILE}: its line {line} was not found; change the version by hand")
    return text.replace(line, f'version = "{new}"')
