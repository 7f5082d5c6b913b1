"""The names and types of the heads' parameters, which the server checks without the heads."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import COUNT, FAMILIES, FLAG, NUMBER, NUMBERS, TEXT, WHOLE, WHOLES
from tests.agent.vision.heads.shapes import PARAMS, usual_shapes


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_families_have_the_parameters_of_the_heads(family: str) -> None:
    known: set[str] = set()
    refused = 0
    for shapes in usual_shapes(family, 64, 64, 3):
        outputs = {f"out{number}": TensorSpec(f"out{number}", shape, np.dtype(np.float32)) for number, shape in enumerate(shapes)}
        picture = TensorSpec("picture", (1, 3, 64, 64), np.dtype(np.float32))
        context = HeadContext(outputs, {}, {"colour": 1}, 64, 64, ("a", "b", "c"), picture)
        with pytest.raises(ManifestError) as refusal:
            plugins.load("heads", family, ManifestError)(context)
        if found := re.search("unknown param 'colour'; known are (.+)", str(refusal.value)):
            refused += 1
            known |= set(found[1].split(", ")) - {"none"}
    assert refused > 0
    names = FAMILIES[family].params
    assert names is None or known == set(names)


WRONG = {
    FLAG: ["perhaps", 1, [True]],
    NUMBER: ["0.5", True, [1], float("nan")],
    WHOLE: ["3", True, 1.5],
    TEXT: [1, True, ["a"]],
    NUMBERS: [1, ["1"], [True], "[1, 2]"],
    WHOLES: [8, [8.5], ["8"]],
    COUNT: ["17", 1.5, True, [1]],
}


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_values_of_another_type_are_refused_with_the_type(family: str) -> None:
    """By the family, as the server does, and by the head when it is loaded."""
    known = FAMILIES[family]
    types = dict(known.params) if isinstance(known.params, Mapping) else {"out0": "a table"}
    required = {"threshold": 0.5} if family == "reconstruction" else {}
    first = next(iter(usual_shapes(family, 64, 64, 3)))
    outputs = {f"out{number}": TensorSpec(f"out{number}", shape, np.dtype(np.float32)) for number, shape in enumerate(first)}
    picture = TensorSpec("picture", (1, 3, 64, 64), np.dtype(np.float32))
    for name, kind in types.items():
        for value in WRONG.get(str(kind), [7, "other", True]):
            params = {**required, name: value}
            assert known.param_fault(params).startswith(f"param {name!r} must be "), (name, value)
            with pytest.raises(ManifestError, match=f"param {name!r}"):
                plugins.load("heads", family, ManifestError)(HeadContext(outputs, {}, params, 64, 64, ("a", "b", "c"), picture))


@pytest.mark.parametrize("key", ["scale", "unit", "names", "softmax"])
def test_entries_of_tables_are_checked(key: str) -> None:
    assert FAMILIES["regression"].param_fault({"age": {key: {}}}).startswith(f"param 'age': param {key!r} must be ")


@settings(max_examples=20)
@given(st.data())
def test_the_values_that_heads_take_are_of_their_types(data: st.DataObject) -> None:
    for family, values in PARAMS.items():
        assert FAMILIES[family].param_fault(data.draw(values)) == ""


def test_a_whole_number_without_limit() -> None:
    """Its range is checked by the head, which knows it."""
    assert FAMILIES["yolo"].param_fault({"iou": 10**400}) == ""
