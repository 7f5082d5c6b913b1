"""Every head takes outputs of any shape, type and value: it refuses them at load with the name and shape of an output, or decodes
them to a sound result."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, TensorSpec
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from tests.agent.vision.heads.shapes import PARAMS, usual_shapes
from tests.agent.vision.heads.soundness import assert_sound

SIZES = [(64, 32), (32, 32), (128, 128), (33, 17), (1, 1), (0, 0)]
DTYPES = ["float32", "float16", "float64", "int8", "uint8", "int16", "int32", "int64", "uint64", "bool", "complex64", "object"]
ELEMENTS_MAX = 200_000
SECONDS_MAX = 5.0

SIDES = st.sampled_from([-1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 17, 32, 35, 56, 84, 85])
SCALES = st.sampled_from([0.0, 0.0, 1 / 255, 0.1, 1e-30, 3e38, math.inf, math.nan, -1.0])


@st.composite
def shapes(draw: st.DrawFn, family: str, size: tuple[int, int], labels: int, *, wild: bool) -> list[tuple[int, ...]]:
    """Shapes of all outputs: usual ones of the family, if `wild` with changes, or any."""
    if wild and draw(st.integers(0, 5)) == 0:
        return draw(st.lists(st.lists(SIDES, max_size=5).map(tuple), max_size=5))
    found = [list(shape) for shape in draw(st.sampled_from(usual_shapes(family, *size, labels)))]
    for _ in range(draw(st.integers(1, 2)) if wild else 0):
        if not found:
            break
        shape = found[draw(st.integers(0, len(found) - 1))]
        match draw(st.sampled_from(["side", "drop", "add", "open", "zero", "output", "twice", "order", "undeclared"])):
            case "side" if shape:
                shape[draw(st.integers(0, len(shape) - 1))] = draw(SIDES)
            case "drop" if shape:
                del shape[draw(st.integers(0, len(shape) - 1))]
            case "add":
                shape.insert(draw(st.integers(0, len(shape))), draw(SIDES))
            case "open" if shape:
                shape[draw(st.integers(0, len(shape) - 1))] = -1
            case "zero" if shape:
                shape[draw(st.integers(0, len(shape) - 1))] = 0
            case "output":
                found.remove(shape)
            case "twice":
                found.append(list(shape))
            case "order":
                found.reverse()
            case "undeclared":
                shape.clear()
    return [tuple(shape) for shape in found]


@st.composite
def contexts(draw: st.DrawFn, family: str, params: st.SearchStrategy[dict[str, Any]]) -> HeadContext:
    """Any outputs of a model, and what its package says about them; half of them are usual ones."""
    wild, size = draw(st.booleans()), draw(st.sampled_from(SIZES))
    labels = tuple(f"label {number}" for number in range(draw(st.sampled_from([0, 0, 1, 2, 3, 17, 80]))))
    specs = {}
    for number, shape in enumerate(draw(shapes(family, size, len(labels), wild=wild))):
        dtype = draw(st.sampled_from(["float32", "float32", "int8", "uint8", *(DTYPES if wild else ())]))
        quantized = dtype in ("int8", "uint8", "int16", "int32")
        zero_point = draw(st.sampled_from([0, 0, -128, 2**31 - 1])) if quantized else 0
        name = f"out{number}"
        specs[name] = TensorSpec(
            name, shape, np.dtype(dtype), draw(SCALES if wild else st.just(1 / 255)) if quantized else 0.0, zero_point
        )
    roles = st.sampled_from(["boxes", "scores", "classes", "count", "logits", "predictions", "detections", "mask"])
    names = (
        {} if not wild else draw(st.one_of(st.just({}), st.dictionaries(roles, st.sampled_from([*specs, "absent"]), max_size=2)))
    )
    picture = next(iter(specs.values()), TensorSpec("none", (1, 3, 32, 32), np.dtype(np.float32)))
    given_input = TensorSpec("picture", picture.shape, picture.dtype, picture.scale, picture.zero_point)
    return HeadContext(specs, names, draw(params), *size, labels, draw(st.sampled_from([None, given_input, given_input])))


def values(spec: TensorSpec, shape: tuple[int, ...], seed: int, kind: str) -> Array:
    """Values of a run: those of a usual one, extreme ones, or both mixed."""
    random = np.random.default_rng(seed)
    if spec.dtype.kind not in "fiu":
        return np.zeros(shape, spec.dtype)
    if spec.dtype.kind == "f":
        usual = random.uniform(-2, 2, shape) if kind != "large" else random.uniform(-1, 1, shape) * 3e38
        extreme = random.choice([math.nan, math.inf, -math.inf, 0.0, 1.0, 65504.0], shape)
        limits = np.finfo(spec.dtype)
        usual = np.clip(usual, float(limits.min), float(limits.max))
    else:
        limits = np.iinfo(spec.dtype)
        usual = random.integers(limits.min, limits.max, shape, spec.dtype, endpoint=True)
        extreme = random.choice(np.array([limits.min, limits.max, 0, 1], spec.dtype), shape)
    share = {"usual": 0.0, "mixed": 0.1, "large": 0.0, "extreme": 1.0}[kind]
    return np.where(random.random(shape) < share, extreme, usual).astype(spec.dtype)


def made(family: str, context: HeadContext) -> Head | None:
    """The head; None if it refuses the outputs with the name and shape of one of them."""
    kind: type[Head] = plugins.load("heads", family, ManifestError)
    try:
        return kind(context)
    except ManifestError as refusal:
        text = str(refusal)
        known = [f"{spec.name!r}" in text and str(list(spec.shape)) in text for spec in context.outputs.values()]
        assert any(known) or not known or "param" in text, text
        return None


def run(head: Head, context: HeadContext, data: st.DataObject) -> None:
    """Decode outputs of exactly the shapes of `context`, with any number for an open side."""
    tensors = dict(context.outputs)
    if head.needs_input and context.input is not None:
        tensors[context.input.name] = context.input
    seed, kind = data.draw(st.integers(0, 2**32 - 1)), data.draw(st.sampled_from(["usual", "mixed", "large", "extreme"]))
    outputs, opened = {}, False
    for spec in tensors.values():
        sides = spec.shape
        if not sides and data.draw(st.booleans()):
            sides = tuple(data.draw(st.lists(st.integers(-1, 8), max_size=4)))
        opened |= sides != spec.shape or min(sides, default=1) < 1 or not sides
        shape = tuple(side if side >= 0 else data.draw(st.sampled_from([1, 1, 1, 0, 2, 4, 7, 30])) for side in sides)
        assume(math.prod(shape) <= ELEMENTS_MAX)
        outputs[spec.name] = values(spec, shape, seed, kind)
    for array in outputs.values():
        array.flags.writeable = False
    min_score = data.draw(st.sampled_from([0.0, 0.01, 0.5, 0.9, 1.0]))
    began_s = time.monotonic()
    try:
        result = head.decode(outputs, min_score)
    except ManifestError as refusal:
        text = str(refusal)
        event("refused in a run")
        assert opened, text
        assert any(f"{name!r}" in text and str(list(array.shape)) in text for name, array in outputs.items()), text
        return
    event("decoded")
    assert time.monotonic() - began_s < SECONDS_MAX
    assert_sound(result, min_score, (context.input_width, context.input_height))


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_any_outputs_are_refused_at_load_or_decoded(family: str, data: st.DataObject) -> None:
    context = data.draw(contexts(family, PARAMS[family]))
    head = made(family, context)
    if head is not None:
        assert head.classes >= 0
        run(head, context, data)


VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.lists(st.floats(), max_size=3)
)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_any_params_are_refused_or_used(family: str, data: st.DataObject) -> None:
    keys = st.sampled_from([*PARAM_NAMES.get(family, ()), "scale", "zero_point", "flux"])
    context = data.draw(contexts(family, st.dictionaries(keys, VALUES, max_size=3)))
    head = made(family, context)
    if head is not None:
        run(head, context, data)


PARAM_NAMES: Mapping[str, tuple[str, ...]] = {
    "classification": ("softmax", "scale", "zero_point", "background"),
    "ctc": ("blank", "softmax"),
    "dbnet": ("threshold", "unclip"),
    "detr": ("activation", "boxes_max", "corners", "normalized"),
    "efficientdet": ("strides", "scale", "octaves", "ratios", "activation", "iou"),
    "fcos": ("iou",),
    "heatmap": ("sigmoid", "object"),
    "landmarks": ("object",),
    "nanodet": ("strides", "bins", "middle", "iou"),
    "reconstruction": ("threshold", "cell", "layout", "scale"),
    "regression": ("out0", "out1"),
    "segmentation": ("layout",),
    "ssd": ("class_offset",),
    "ssd_anchors": ("strides", "scales", "ratios", "reduced", "variances", "activation", "background", "rows_first", "iou"),
    "ultraface": ("decoded", "iou"),
    "yolo": ("strides", "objectness", "normalized", "iou"),
    "yolo_obb": ("strides", "objectness", "normalized", "iou"),
    "yolo_pose": ("strides", "objectness", "normalized", "iou", "points", "visibility"),
    "yolo_segmentation": ("strides", "objectness", "normalized", "iou", "boxes_max"),
    "yolox": ("iou", "strides"),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("fine", [False, True])
def test_claims_of_huge_outputs_take_no_memory(family: str, fine: bool) -> None:
    """Shapes are claims of a file: what they would need is not allocated before they are checked."""
    sides = [1, 2**31 - 1, 2**31 - 1, 4]
    contexts_made = []
    for rank in (2, 3, 4):
        for count in (1, 2, 4, 6, 10):
            specs = {f"out{n}": TensorSpec(f"out{n}", tuple(sides[:rank]), np.dtype(np.float32)) for n in range(count)}
            picture = TensorSpec("picture", tuple(sides[:rank]), np.dtype(np.float32))
            strides = {"strides": [1] * 32} if fine and "strides" in PARAM_NAMES.get(family, ()) else {}
            required = {"threshold": 0.1} if family == "reconstruction" else {}
            contexts_made.append(HeadContext(specs, {}, {**strides, **required}, 8192, 8192, ("a", "b"), picture))
    tracemalloc.start()
    try:
        for context in contexts_made:
            assert made(family, context) is None
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()
