"""Picture inputs of model files: how the importer describes them, and whether a manifest scales the pixels of a quantized one as
its file needs it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from edgefleet_contract.package.formats import ModelFile, Tensor
from edgefleet_contract.package.manifest import InputSpec
from edgefleet_contract.package.pixel_scaling import (
    LIMITS,
    Quantization,
    Scaling,
    feeds_pixels,
    find_scaling,
    in_color,
    picture_fault,
    stores,
    with_scaling,
)
from edgefleet_server.core.errors import ManifestError

REPORTING = ("lite_rt",)
"""Runtimes that report the quantization of an input."""
_SCALE_TOLERANCE = 1e-5


def is_nhwc(tensor: Tensor) -> bool:
    """Whether the channels of a picture are its last dimension."""
    return tensor.shape[3] in (1, 3)


def picture_of(model: ModelFile) -> Tensor:
    """The picture input of a model file.

    Raises:
        ManifestError: it has none, or several, or one that no picture fits by its type or its batch.
    """
    pictures = [tensor for tensor in model.inputs if len(tensor.shape) == 4 and (is_nhwc(tensor) or tensor.shape[1] in (1, 3))]
    if len(pictures) != 1:
        shapes = ", ".join(f"{tensor.name} {list(tensor.shape)}" for tensor in model.inputs)
        raise ManifestError(f"{model.path}: no picture input, or several, among {shapes or 'none'}; make a package by hand")
    if fault := picture_fault(pictures[0].name, pictures[0].shape, pictures[0].dtype):
        raise ManifestError(f"{model.path}: {fault}")
    return pictures[0]


def with_size(model: ModelFile, given: Sequence[int]) -> tuple[ModelFile, str]:
    """`model` with a picture input of fixed size, and a note if that was open: the shape that is given, else what the exporter
    wrote into the file.

    Raises:
        ManifestError: no picture input; its size is open and not known; or it is another than `given`.
    """
    picture = picture_of(model)
    shape, stated = picture.shape, model.exported
    if given and (len(given) != 4 or any(have not in (-1, want) for have, want in zip(shape[1:], given[1:], strict=True))):
        text = f"--input-shape {','.join(map(str, given))} does not fit it"
        raise ManifestError(f"{model.path}: input {picture.name} is {list(shape)}; {text}")
    if given and given[0] != 1:
        raise ManifestError(f"--input-shape {','.join(map(str, given))}: devices feed one picture a run; specify a batch of 1")
    if min(shape[1:]) > 0:
        return model, ""
    size = tuple(given)
    if not size and stated.width:
        sides = (stated.height, stated.width)
        size = (1, *sides, shape[3]) if is_nhwc(picture) else (1, shape[1], *sides)
    if not size:
        example = ",".join(str(side) if side > 0 else "640" for side in (1, *shape[1:]))
        raise ManifestError(
            f"{model.path}: input {picture.name} {list(shape)} has an open size; specify it, for example --input-shape {example}"
        )
    fixed = replace(picture, shape=(shape[0], *size[1:]))
    inputs = tuple(fixed if tensor is picture else tensor for tensor in model.inputs)
    note = f"{picture.name} takes pictures of any size; this package feeds {' x '.join(map(str, size[1:]))}"
    return replace(model, inputs=inputs), note


def quantization_of(tensor: Tensor) -> Quantization:
    """The quantization of a tensor of a file."""
    return Quantization(tensor.dtype, tensor.scale, tensor.zero_point)


def picture_spec(usual: InputSpec, picture: Tensor, given: Scaling | None = None) -> tuple[InputSpec, tuple[str, ...]]:
    """The input of a picture tensor, and notes about the scaling of its pixels. usual: preprocessing of the family. given: the
    scaling that the user gives; None takes that of the file, or else the usual one that fits the tensor."""
    nhwc = is_nhwc(picture)
    gray = (picture.shape[3] if nhwc else picture.shape[1]) == 1
    spec = msgspec.structs.replace(
        usual,
        name=picture.name,
        shape=[1, *picture.shape[1:]],
        dtype=picture.dtype,
        layout="nhwc" if nhwc else "nchw",
        color="gray" if gray else usual.color,
    )
    stored = quantization_of(picture)
    if given is not None:
        return _given_spec(spec, picture, given.gray() if gray else given), ()
    stated = in_color(Scaling.of(picture.mean, picture.std), spec.color) if picture.mean else None
    if picture.dtype.startswith("float"):
        if stated is None and gray and len(usual.mean or usual.std) > 1:
            stated = Scaling.of(usual.mean, usual.std).gray()
        return (spec if stated is None else with_scaling(spec, stated, stored)), ()
    found = find_scaling(spec, stored, stated)
    scaled = with_scaling(spec, found.scaling, stored)
    if found.source == "unknown":
        return scaled, ((f"{_not_plain(picture)}; set mean and std as the model was trained",) if stored.known else ())
    if found.scaling is None:
        return scaled, ()
    why = "as the file states" if found.source == "stated" else "compare with how the model was trained"
    return scaled, (f"{_not_plain(picture)}: it is fed with {_text(found.scaling)}; {why}",)


def _given_spec(spec: InputSpec, picture: Tensor, given: Scaling) -> InputSpec:
    """The input with the scaling that the user gives, which is written unless plain pixels are known to be right.

    Raises:
        ManifestError: the quantization of an integer input is not known.
    """
    stored = quantization_of(picture)
    if not picture.dtype.startswith("float") and not stored.known:
        raise ManifestError(
            f"input {picture.name} is {picture.dtype}, and the file does not show its quantization; leave out --mean and --std,"
            " or write them into model.toml with scale and zero_point"
        )
    plain = stored.known and feeds_pixels(given, stored) and find_scaling(spec, stored).source == "pixel"
    return with_scaling(spec, None if plain else given, stored)


def scaling_faults(spec: InputSpec, tensor: Tensor, runtimes: Sequence[str]) -> list[str]:
    """The faults in the mean, std, scale and zero point of a picture input, which a device refuses."""
    if spec.kind != "image" or not (spec.mean or spec.std):
        return []
    channels = 1 if spec.color == "gray" else 3
    sizes = {len(values) for values in (spec.mean, spec.std)} - {0}
    if not sizes <= {1, channels} or not all(map(math.isfinite, spec.mean)) or not all(0 < each < math.inf for each in spec.std):
        return [f"input {tensor.name}: mean and std need 1 or {channels} finite numbers, std above 0"]
    if spec.dtype.startswith("float"):
        return []
    if not 0 <= spec.scale < math.inf:
        return [f"input {tensor.name}: scale is {spec.scale:g}; specify that of the file, a number above 0"]
    if not tensor.scale and not spec.scale:
        return [f"input {tensor.name} has mean and std, and no quantization is known of it; specify scale and zero_point"]
    given = f"scale {spec.scale:g} and zero_point {spec.zero_point}"
    if tensor.scale and spec.scale:
        same = math.isclose(spec.scale, tensor.scale, rel_tol=_SCALE_TOLERANCE) and spec.zero_point == tensor.zero_point
        real = f"{tensor.scale:g} and {tensor.zero_point}"
        return [] if same else [f"input {tensor.name}: the manifest says {given}, the file has {real}; correct the manifest"]
    silent = [runtime for runtime in runtimes if runtime not in REPORTING]
    if silent and not spec.scale:
        text = f"specify scale = {tensor.scale!r} and zero_point = {tensor.zero_point}, which {silent[0]} does not report"
        return [f"input {tensor.name} has mean and std; {text}"]
    return []


def scaling_doubt(spec: InputSpec, tensor: Tensor, usual: InputSpec, others: Sequence[InputSpec]) -> str:
    """The finding about a quantized picture input that cannot store what mean and std give, or without them, whose plain pixels
    mean no usual scaling; empty without one. usual: preprocessing of the family. others: inputs of the package, whose mean and
    std are those of the model."""
    stored = quantization_of(tensor)
    if spec.kind != "image" or not stored.known:
        return ""
    if spec.mean or spec.std:
        given = Scaling.of(spec.mean, spec.std)
        return "" if not min(given.std) > 0 or stores(given, stored) else _clipped(tensor, given)
    known = [Scaling.of(each.mean, each.std) for each in others if each.kind == "image" and (each.mean or each.std)]
    known = [each for each in known if min(each.std) > 0]
    if any(feeds_pixels(each, stored) for each in known):
        return ""
    stated = known[0] if known else None
    if stated is None and tensor.mean:
        stated = in_color(Scaling.of(tensor.mean, tensor.std), spec.color)
    own = Scaling.of(usual.mean, usual.std)
    if (spec.color == "bgr") != (usual.color == "bgr"):
        own = own.reversed()
    as_fed = msgspec.structs.replace(usual, color=spec.color, mean=list(own.mean), std=list(own.std))
    as_fed = as_fed if usual.mean or usual.std else msgspec.structs.replace(usual, color=spec.color)
    found = find_scaling(as_fed, stored, stated)
    if found.scaling is not None:
        more = f", scale = {stored.scale!r}, zero_point = {stored.zero_point}"
        return f"input {_not_plain(tensor)}; set {_toml(found.scaling)}{more}, or as the model was trained"
    return f"input {_not_plain(tensor)}; set mean and std as the model was trained" if found.source == "unknown" else ""


def _clipped(tensor: Tensor, given: Scaling) -> str:
    """The finding about a scaling whose values are beyond the range of the tensor."""
    reals = [(pixel - mean) / std for mean, std in given.channels() for pixel in (0, 255)]
    low, high = ((limit - tensor.zero_point) * tensor.scale for limit in LIMITS[tensor.dtype])
    made = f"{_text(given)} make {min(reals):.3g} to {max(reals):.3g}"
    return f"input {tensor.name} stores {low:.3g} to {high:.3g}, and {made}; set mean and std as the model was trained"


def fed_as(spec: InputSpec) -> str:
    """The note about a quantized input with mean and std."""
    scaling = _text(Scaling.of(spec.mean, spec.std))
    return f"{spec.name or 'its input'} is fed with {scaling}, quantized by scale {spec.scale:g} and zero point {spec.zero_point}"


def _not_plain(tensor: Tensor) -> str:
    return f"{tensor.name} has scale {tensor.scale:g} and zero point {tensor.zero_point}, which are not those of plain pixels"


def _text(scaling: Scaling) -> str:
    mean, std = (", ".join(f"{each:g}" for each in values) for values in (scaling.mean, scaling.std))
    return f"mean {mean} and std {std}"


def _toml(scaling: Scaling) -> str:
    return f"mean = {list(scaling.mean)}, std = {list(scaling.std)}"
