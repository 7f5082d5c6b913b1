"""Creates a package folder from a model file or a Triton model repository."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_contract.core.fault_text import name_text
from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.text_format import read_text_format, to_plain
from edgefleet_contract.model_kinds import FAMILY_TABLE, find_family, find_format, known_suffixes
from edgefleet_contract.package.constant_inputs import known_constant
from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_contract.package.label_lines import labels_in
from edgefleet_contract.package.manifest import INPUT_TYPES, HeadSpec, InputSpec, Manifest, Variant
from edgefleet_contract.package.pixel_scaling import Scaling
from edgefleet_server.core.errors import InputError, ManifestError
from edgefleet_server.registry.importers.family_guess import guess, outputs_for
from edgefleet_server.registry.importers.formats.base import check_runnable
from edgefleet_server.registry.importers.formats.compiled import check_described
from edgefleet_server.registry.importers.label_count import fit_labels
from edgefleet_server.registry.importers.package_folder import package_folder, write_package
from edgefleet_server.registry.importers.package_names import LABELS_FILE, file_names, package_name
from edgefleet_server.registry.importers.picture_inputs import is_nhwc, picture_of, picture_spec, with_size
from edgefleet_server.registry.importers.read_model import read_model_file
from edgefleet_server.registry.importers.triton_ensemble import Joined, import_ensemble, is_ensemble

TEXT_BYTES_MAX = 1024 * 1024
_FAMILY_OF_TASK = {
    "detect": "yolo",
    "segment": "yolo_segmentation",
    "pose": "yolo_pose",
    "obb": "yolo_obb",
    "classify": "classification",
}
"""Task that an exporter wrote into a file to the family of its models."""
_EDGE_TPU = "custom:edgetpu-custom-op"
_CONFIG = "config.pbtxt"
_TRITON_FILES = ("model.onnx", "model.xml", "model.tflite")


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Options of the import; empty ones are read from the model. scaling: of the pixels, in the order of the input's color.
    input_shape: of the picture, where the file leaves its size open."""

    name: str = ""
    version: str = ""
    family: str = ""
    labels: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""
    scaling: Scaling | None = None
    input_shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """A written package. notes: facts that the user should check."""

    folder: Path
    manifest: Manifest
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A model of a repository that could not be imported, while others could."""

    source: Path
    text: str


def import_model(
    source: Path, into: Path, request: ImportRequest, on_progress: Callable[[int, int], None] = lambda _done, _total: None
) -> list[Imported | Joined | Refused]:
    """Packages under `into` from a model file, from one model of a Triton repository, or from all of one. on_progress: called
    with (models done, models in all) of a repository.

    Raises:
        InputError: there is nothing that can be imported, the package exists, or the labels are those of another model; the text
        gives the remedy.
    """
    if source.is_file():
        return [_write(read_model_file(source), into, request)]
    if (source / _CONFIG).is_file():
        return [_triton(source, into, request)]
    models = sorted(path.parent for path in source.glob(f"*/{_CONFIG}"))
    if models:
        return _repository(models, into, request, on_progress)
    files = sorted(path for path in source.glob("*") if path.suffix in known_suffixes())
    if len(files) == 1:
        return [_write(read_model_file(files[0]), into, request)]
    what = f"{len(files)} model files; specify one of them" if files else "no model file and no config.pbtxt"
    raise InputError(f"{source}: {what}")


def read_labels(path: Path) -> tuple[str, ...]:
    """Read labels, one per line; none from an empty file.

    Raises:
        InputError: it cannot be read.
    """
    try:
        data = path.read_bytes()[: TEXT_BYTES_MAX + 1]
        if len(data) > TEXT_BYTES_MAX:
            raise InputError(f"{path}: exceeds the limit of {TEXT_BYTES_MAX} bytes")
        return labels_in(data.decode())
    except OSError as cause:
        raise InputError(f"{path}: cannot be read: {cause.strerror}") from cause
    except UnicodeDecodeError as cause:
        raise InputError(f"{path}: not UTF-8 text; specify a file with one label per line") from cause


def _repository(
    models: list[Path], into: Path, request: ImportRequest, on_progress: Callable[[int, int], None]
) -> list[Imported | Joined | Refused]:
    """Import all models of a repository; a model that cannot be imported does not affect the others.

    Raises:
        InputError: none can be imported.
    """

    def take(model: Path) -> Imported | Joined | Refused:
        try:
            return _triton(model, into, request)
        except InputError as cause:
            return Refused(model, str(cause))

    made: list[Imported | Joined | Refused] = []
    for model in models:
        on_progress(len(made), len(models))
        made.append(take(model))
    refused = [each for each in made if isinstance(each, Refused)]
    if len(refused) == len(made):
        raise InputError(refused[0].text)
    return made


def _triton(folder: Path, into: Path, request: ImportRequest) -> Imported | Joined:
    """Import the newest version of one model: labels and names from its config, tensors from its file."""
    path = folder / _CONFIG
    config = to_plain(read_text_format(_text(path), str(path)))
    kind = str((config.get("platform") or config.get("backend") or [""])[0])
    if is_ensemble(config):
        names = {each.parent.name: package_name(each.parent.name) for each in folder.parent.glob(f"*/{_CONFIG}")}
        name = package_name(request.name or str((config.get("name") or [folder.name])[0]))
        return import_ensemble(config, folder, into, name, request.version or "1.0.0", names)
    versions = sorted((each for each in folder.iterdir() if each.name.isdigit()), key=lambda each: int(each.name))
    files = [version / name for version in versions for name in _TRITON_FILES if (version / name).is_file()]
    if not files:
        known = ", ".join(_TRITON_FILES)
        raise InputError(f"{folder}: no version folder has one of {known} ({kind or 'its backend'} cannot be taken over)")
    model = read_model_file(files[-1])
    named = {str(entry["name"][0]) for side in ("input", "output") for entry in config.get(side, []) if entry.get("name")}
    real = {tensor.name for tensor in (*model.inputs, *model.outputs)}
    if not named <= real:
        raise InputError(f"{path}: names {sorted(named - real)}, which {files[-1].name} does not have; it has {sorted(real)}")
    labels = [str(entry["label_filename"][0]) for entry in config.get("output", []) if entry.get("label_filename")]
    completed = replace(
        request,
        name=request.name or str((config.get("name") or [folder.name])[0]),
        version=request.version or f"{int(files[-1].parent.name)}.0.0",
        labels=request.labels or (read_labels(folder / Path(labels[0]).name) if labels else ()),
    )
    return _write(model, into, completed)


def _write(model: ModelFile, into: Path, request: ImportRequest) -> Imported:
    check_runnable(model)
    check_described(model)
    manifest, notes = make_manifest(model, request)
    folder = package_folder(into, manifest)
    labels = request.labels or model.labels
    if labels:
        manifest, labels, fitted = fit_labels(model, manifest, labels)
        notes = (*fitted, *notes)
    with tempfile.TemporaryDirectory() as scratch:
        files = dict(zip(manifest.variants[0].files, model.files, strict=True))
        if labels:
            listed = Path(scratch) / LABELS_FILE
            listed.write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")
            files[LABELS_FILE] = listed
        write_package(folder, manifest, files, notes)
    return Imported(folder, manifest, notes)


def make_manifest(model: ModelFile, request: ImportRequest) -> tuple[Manifest, tuple[str, ...]]:
    """The manifest of a package with one model file, and notes with facts that the user should check.

    Raises:
        ManifestError: no picture input, or the family cannot be determined.
        InputError: the head has no such parameter, or one of another type.
    """
    model, sized = with_size(model, request.input_shape)
    picture = picture_of(model)
    request, stated = _completed(request, model)
    labels = request.labels or model.labels
    size = (picture.shape[2], picture.shape[1]) if is_nhwc(picture) else (picture.shape[3], picture.shape[2])
    found = guess(model, size[0], size[1], len(labels))
    if request.family and request.family != found.family:
        found = outputs_for(request.family, model, len(labels))
    if not found.family:
        shapes = ", ".join(f"{tensor.name} {list(tensor.shape)}" for tensor in model.outputs)
        raise ManifestError(
            f"{model.path}: no family is known for outputs {shapes}; specify --head, one of {', '.join(FAMILY_TABLE.names())}"
            + "".join(f"; {each}" for each in found.notes)
        )
    family = find_family(found.family)
    if fault := family.param_fault(request.params):
        raise InputError(f"--param: head {found.family}: {fault}")
    edge = _EDGE_TPU in model.operators
    others, notes = _others(model, picture, size)
    spec, scaled = picture_spec(family.input, picture, request.scaling)
    if _kind(model) == "ort":
        notes = (*notes, "a .ort file fits the version of ONNX Runtime, and may fit only the kind of CPU, that it was saved with")
    notes = (
        *((sized,) if sized else ()),
        *stated,
        *found.notes,
        *notes,
        *scaled,
        f"pictures are fed as is usual for {found.family}; compare with how the model was trained",
    )
    variant = Variant(
        name="edgetpu-int8" if edge else f"{_kind(model)}-{precision_of(model)}",
        format=model.format,
        precision="int8" if edge else precision_of(model),
        files=file_names(model),
        runtimes=["onnx_runtime"] if _kind(model) == "ort" else list(find_format(model.format).runtimes),
        profiles=["coral"] if edge else [],
        options={"lite_rt": {"device": "edgetpu"}} if edge else {},
    )
    manifest = Manifest(
        name=package_name(request.name or model.path.stem),
        version=request.version or "1.0.0",
        task=family.task,
        licence=request.licence,
        head=HeadSpec(family=found.family, outputs=found.outputs, params={**found.params, **request.params}),
        inputs=[spec, *others],
        labels_file=LABELS_FILE if labels else None,
        variants=[variant],
        provenance={"imported_from": name_text(model.path.name)},
    )
    if request.name and manifest.name != request.name:
        notes = (*notes, f"called {manifest.name}: names have a to z, 0 to 9, - and _")
    if manifest.lacks_labels:
        notes = (*notes, "no labels; specify --labels, otherwise the classes are called class 0, class 1, ...")
    return manifest, notes


def _completed(request: ImportRequest, model: ModelFile) -> tuple[ImportRequest, tuple[str, ...]]:
    """`request` with the family and the licence that the exporter wrote into the file, and notes about them."""
    family = _FAMILY_OF_TASK.get(model.exported.task, "")
    if not request.family and family in FAMILY_TABLE.names():
        request = replace(request, family=family)
    if not request.licence and model.exported.licence:
        note = f"the file states the licence {model.exported.licence}; check that you may use it"
        return replace(request, licence=model.exported.licence), (note,)
    return request, ()


def _kind(model: ModelFile) -> str:
    """Name of the variant: the format, and `ort` for files that only ONNX Runtime reads."""
    return "ort" if model.path.suffix == ".ort" else model.format.removesuffix("_ir")


def precision_of(model: ModelFile) -> str:
    """Precision of the weights of the file, and int8 if its operators quantize them. Of a file whose weights are not known: that
    of its inputs and outputs."""
    kinds = {model.weights} if model.weights else {tensor.dtype for tensor in (*model.inputs, *model.outputs)}
    quantized = kinds & {"uint8", "int8"} or model.operators & {"QLinearConv", "QuantizeLinear", "FakeQuantize"}
    return "int8" if quantized else "f16" if "float16" in kinds else "f32"


def _others(model: ModelFile, picture: Tensor, size: tuple[int, int]) -> tuple[list[InputSpec], tuple[str, ...]]:
    """Inputs other than the image: constants that are known by name for a picture of `size` (width, height), or else states, each
    connected to the output of the same shape with the most similar name."""
    others, notes = [], []
    for tensor in model.inputs:
        if tensor is picture:
            continue
        if constant := known_constant(tensor.name, tensor.shape, tensor.dtype, *size):
            others.append(constant)
            notes.append(f"{tensor.name} is always {', '.join(map(str, constant.value))}, for boxes in pixels of its picture")
            continue
        alike = [each for each in model.outputs if each.shape == tensor.shape and each.dtype == tensor.dtype]
        if not alike:
            raise ManifestError(
                f"{model.path}: input {tensor.name} {list(tensor.shape)} is fed by no output; write model.toml by hand"
            )
        if tensor.dtype not in INPUT_TYPES:
            known = ", ".join(INPUT_TYPES)
            raise ManifestError(f"{model.path}: input {tensor.name} is {tensor.dtype}; export it with one of {known}")
        best = max(alike, key=lambda each: len(_common_end(each.name, tensor.name)))
        spec = {"name": tensor.name, "shape": list(tensor.shape), "dtype": tensor.dtype, "feedback": best.name}
        others.append(msgspec.convert({"kind": "tensor", **spec}, ensure_decoder(InputSpec)))
        notes.append(f"{tensor.name} is taken for a state that {best.name} feeds")
    return others, tuple(notes)


def _common_end(first: str, second: str) -> str:
    count = 0
    while count < min(len(first), len(second)) and first[-1 - count] == second[-1 - count]:
        count += 1
    return first[len(first) - count :]


def _text(path: Path) -> str:
    try:
        return path.read_bytes()[:TEXT_BYTES_MAX].decode()
    except (OSError, UnicodeDecodeError) as cause:
        raise InputError(f"{path}: cannot be read as text") from cause
