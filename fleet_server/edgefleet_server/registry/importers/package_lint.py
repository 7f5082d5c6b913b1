"""Lints a package folder without running it: the manifest against its files, and each file against the
hardware that its variant is for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from edgefleet_contract.capabilities import built_in_capabilities
from edgefleet_contract.model_kinds import FAMILY_TABLE, find_family, find_format
from edgefleet_contract.package.formats import FORMATS, ModelFile, Tensor
from edgefleet_contract.package.manifest import (
    CLASS_TASKS,
    INPUT_TYPES,
    MANIFEST_FILE,
    InputSpec,
    Manifest,
    Variant,
    read_manifest,
)
from edgefleet_contract.package.pixel_scaling import picture_fault
from edgefleet_server.core.errors import EdgefleetError, InputError
from edgefleet_server.registry.importers.edge_tpu_check import edge_tpu_findings
from edgefleet_server.registry.importers.family_guess import decodes_boxes
from edgefleet_server.registry.importers.formats.base import strange_operators
from edgefleet_server.registry.importers.formats.compiled import COMPILED
from edgefleet_server.registry.importers.label_count import class_count_faults, label_lines
from edgefleet_server.registry.importers.picture_inputs import scaling_doubt, scaling_faults
from edgefleet_server.registry.importers.read_model import read_model_file

_MANIFEST_BYTES_MAX = 1024 * 1024
_EDGE_TPU = "custom:edgetpu-custom-op"
_READS = {
    "lite_rt": ("tflite",),
    "onnx_runtime": ("onnx",),
    "open_vino": ("onnx", "tflite", "openvino_ir"),
    "ncs2": ("onnx", "openvino_ir"),
    "hailo": ("hailo_hef",),
    "rknn": ("rknn",),
}
"""Formats of the built-in runtimes."""
OPSET_OLD_DEVICES = 23
_STATIC = ("coral", "intel-npu")
"""Families of profiles whose compilers take fixed shapes only."""


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A finding. level error: devices will refuse the package; warning: the user should check it."""

    level: Literal["error", "warning"]
    where: str
    text: str


def lint(folder: Path, *, edge_tpu: bool = False) -> tuple[Manifest, list[LintFinding]]:
    """The manifest and all findings, in the order of the manifest. edge_tpu: apply the rules of Coral's compiler to every
    TFLite file, not only to those of its profiles.

    Raises:
        InputError: no manifest, or one that is not valid.
    """
    path = folder / MANIFEST_FILE
    if not path.is_file() or path.stat().st_size > _MANIFEST_BYTES_MAX:
        raise InputError(
            f"{folder} has no {MANIFEST_FILE}; specify the folder of one version, for example firmware_models/NAME/VERSION"
        )
    manifest = read_manifest(path.read_text(encoding="utf-8"), str(path))
    found = [
        LintFinding("error", MANIFEST_FILE, f"{name} does not exist; add the file or correct the manifest")
        for name in manifest.paths()
        if not (folder / name).is_file()
    ]
    if manifest.unknown_fields:
        found.append(
            LintFinding("warning", MANIFEST_FILE, f"{', '.join(manifest.unknown_fields)}: unknown field; check the spelling")
        )
    # Which sources there are, only the agent knows.
    unknown = [each for each in manifest.requires if not each.startswith("source:") and each not in built_in_capabilities()]
    if unknown:
        text = f"requires {', '.join(unknown)}: no agent of this version has it, only one with a plug-in; check the spelling"
        found.append(LintFinding("warning", MANIFEST_FILE, text))
    if not manifest.golden:
        found.append(LintFinding("warning", MANIFEST_FILE, "no golden samples; devices cannot verify the results of the model"))
    if not manifest.licence:
        found.append(LintFinding("warning", MANIFEST_FILE, "no licence"))
    if _lacks_labels(folder, manifest):
        text = "no labels; its classes are called class 0, class 1, ...; name them in labels or labels_file"
        found.append(LintFinding("warning", MANIFEST_FILE, text))
    if manifest.head.family not in FAMILY_TABLE.names():
        text = f"{FAMILY_TABLE.unknown(manifest.head.family)}; devices need the plug-in of its head (edgefleet.heads)"
        found.append(LintFinding("warning", MANIFEST_FILE, text))
    elif fault := find_family(manifest.head.family).param_fault(manifest.head.params):
        found.append(LintFinding("error", MANIFEST_FILE, f"head {manifest.head.family}: {fault}"))
    models: dict[str, ModelFile] = {}
    for variant in manifest.variants:
        found += _variant(folder, manifest, variant, models, edge_tpu=edge_tpu)
    faults = class_count_faults(manifest, len(label_lines(folder, manifest)), models)
    return manifest, found + [LintFinding("error", name, text) for name, text in faults.items()]


def _lacks_labels(folder: Path, manifest: Manifest) -> bool:
    if manifest.task not in CLASS_TASKS or manifest.labels or manifest.labels_file is None:
        return manifest.lacks_labels
    return (folder / manifest.labels_file).is_file() and not label_lines(folder, manifest)


def _variant(
    folder: Path, manifest: Manifest, variant: Variant, models: dict[str, ModelFile], *, edge_tpu: bool
) -> list[LintFinding]:
    """Findings about one variant; adds its file to `models`."""

    def error(text: str) -> LintFinding:
        return LintFinding("error", variant.name, text)

    found = [
        error(f"{runtime} does not read {variant.format}; remove it from runtimes")
        for runtime in variant.runtimes
        if variant.format not in _READS.get(runtime, (variant.format,))
    ]
    try:
        known = find_format(variant.format)
    except EdgefleetError as cause:
        return [*found, error(str(cause))]
    path = folder / variant.files[0]
    if path.suffix == ".ort" and "open_vino" in variant.runtimes:
        found.append(error("open_vino does not read .ort files; remove it from runtimes"))
    if path.suffix not in known.suffixes:
        return [*found, error(f"{path.name} is no {variant.format}; the first file is the one that the runtime opens")]
    if not path.is_file():
        return found
    if variant.format not in FORMATS and known.read is None:
        return found
    try:
        model = read_model_file(path)
    except EdgefleetError as cause:
        return [*found, error(str(cause))]
    models[variant.name] = model
    found += [error(text) for text in _files(folder, model, variant)]
    found += [error(fault) for fault in model.faults]
    found += [error(text) for text in _operators(model, variant)]
    if model.format not in COMPILED:  # what is in those only their runtimes tell
        found += [error(text) for text in _inputs(model, variant.inputs or manifest.inputs)]
    found += _scaling(model, manifest, variant)
    found += _outputs(model, manifest, variant)
    found += _shapes(model, manifest, variant)
    found += [error(text) for text in _decoding(model, manifest)]
    if variant.format == "tflite" and (edge_tpu or _is_for(variant, "coral")) and not model.faults:
        found += [LintFinding(level, variant.name, text) for level, text in edge_tpu_findings(path)]
    if model.opset > OPSET_OLD_DEVICES:
        text = (
            f"opset {model.opset}: ONNX Runtime 1.23, the last for Python 3.10 (JetPack 6), reads up to {OPSET_OLD_DEVICES};"
            " export it with an older one"
        )
        found.append(LintFinding("warning", variant.name, text))
    return found


def _files(folder: Path, model: ModelFile, variant: Variant) -> list[str]:
    """Findings about files with weights that the variant does not list: devices would not get them."""
    used = [path.relative_to(folder).as_posix() for path in model.files if path.is_relative_to(folder)]
    return [f"its weights are in {name}, which it does not list; add it to files" for name in used if name not in variant.files]


def _operators(model: ModelFile, variant: Variant) -> list[str]:
    problems = strange_operators(model)
    coral = _is_for(variant, "coral")
    if _EDGE_TPU in model.operators and not coral:
        problems.append('compiled for the Edge TPU, which other devices refuse; add profiles = ["coral"]')
    if coral and _EDGE_TPU not in model.operators:
        problems.append("not compiled for the Edge TPU; run edgetpu_compiler on the full-int8 file")
    if coral:
        problems += [
            f"tensor {tensor.name} is {tensor.dtype}; an Edge TPU model takes whole numbers, quantize inputs too"
            for tensor in model.inputs
            if tensor.dtype not in ("uint8", "int8")
        ]
    return problems


def _inputs(model: ModelFile, specs: list[InputSpec]) -> list[str]:
    real = {tensor.name: tensor for tensor in model.inputs}
    if len(specs) != len(real):
        return [f"the manifest has {len(specs)} inputs, the file {len(real)}: {', '.join(real)}"]
    problems = [
        f"input {tensor.name} is {tensor.dtype}, which no frame can be made into; export it with one of {', '.join(INPUT_TYPES)}"
        for tensor in model.inputs
        if tensor.dtype and tensor.dtype not in INPUT_TYPES
    ]
    for spec in specs:
        tensor = real.get(spec.name) if spec.name else next(iter(real.values()))
        if tensor is None:
            problems.append(f"no input {spec.name!r}; the file has {', '.join(real)}")
            continue
        if (
            spec.kind == "image"
            and tensor.dtype in INPUT_TYPES
            and (fault := picture_fault(tensor.name, tensor.shape, tensor.dtype))
        ):
            problems.append(fault)
        if tensor.dtype and tensor.dtype != spec.dtype:
            problems.append(f"input {tensor.name} is {tensor.dtype}, the manifest says {spec.dtype}")
        if spec.shape and not _fits(spec.shape, tensor):
            problems.append(f"input {tensor.name} is {list(tensor.shape)}, the manifest says {spec.shape}")
    return problems


def _scaling(model: ModelFile, manifest: Manifest, variant: Variant) -> list[LintFinding]:
    """Findings about how pixels are scaled for quantized inputs."""
    real = {tensor.name: tensor for tensor in model.inputs}
    try:
        usual = find_family(manifest.head.family).input
    except EdgefleetError:  # reported as a finding about the family
        usual = InputSpec()
    others = [spec for specs in (manifest.inputs, *(each.inputs for each in manifest.variants)) for spec in specs]
    found = []
    for spec in variant.inputs or manifest.inputs:
        tensor = real.get(spec.name) if spec.name else next(iter(real.values()), None)
        if tensor is None or tensor.dtype != spec.dtype:
            continue
        found += [LintFinding("error", variant.name, text) for text in scaling_faults(spec, tensor, variant.runtimes)]
        if doubt := scaling_doubt(spec, tensor, usual, others):
            found.append(LintFinding("warning", variant.name, doubt))
    return found


def _outputs(model: ModelFile, manifest: Manifest, variant: Variant) -> list[LintFinding]:
    real = [tensor.name for tensor in model.outputs]
    if not real:
        return []
    named = {**manifest.head.outputs, **variant.outputs}
    text = f"the file has {', '.join(real)}"
    twice = sorted({name for name in real if real.count(name) > 1})
    return [
        LintFinding("error", variant.name, f"two outputs are called {name!r}; export the model with names of their own")
        for name in twice
    ] + [
        LintFinding("error", variant.name, f"no output {name!r} for {role!r}; {text}")
        for role, name in named.items()
        if name not in real
    ]


def _decoding(model: ModelFile, manifest: Manifest) -> list[str]:
    """Findings about an UltraFace file whose box encoding differs from the manifest: it would detect faces everywhere."""
    if manifest.head.family != "ultraface" or _EDGE_TPU in model.operators or not model.operators:
        return []
    decoded = manifest.head.params.get("decoded", True)
    if decoded is True and not decodes_boxes(model):
        return ["its boxes are deltas, nothing in it decodes them; set params = { decoded = false } of the head"]
    if decoded is False and decodes_boxes(model):
        return ["it decodes its boxes itself; take decoded = false out of the params of the head"]
    return []


def _shapes(model: ModelFile, manifest: Manifest, variant: Variant) -> list[LintFinding]:
    """Findings about inputs of open size. That of a picture is decided by the manifest, but not for compilers that need it."""
    fixed = any(_is_for(variant, family) for family in _STATIC)
    pictures = [each for each in variant.inputs or manifest.inputs if each.kind == "image"]
    found = []
    for tensor in model.inputs:
        decided = any(each.name in ("", tensor.name) and _fits(each.shape, tensor) for each in pictures)
        if (-1 in tensor.shape[1:] and not decided) or (fixed and -1 in tensor.shape):
            text = f"input {tensor.name} has open dimensions {list(tensor.shape)}; export it with fixed ones"
            found.append(LintFinding("error" if fixed else "warning", variant.name, text))
    return found


def _fits(shape: list[int], tensor: Tensor) -> bool:
    pairs = zip(shape, tensor.shape, strict=False)
    return len(shape) == len(tensor.shape) and all(want in (-1, have) or have == -1 for want, have in pairs)


def _is_for(variant: Variant, family: str) -> bool:
    return any(name == family or name.startswith(f"{family}-") for name in variant.profiles)
