"""The names of the heads' parameters, which the server checks without the heads."""

from __future__ import annotations

import re

import numpy as np
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from tests.agent.vision.heads.shapes import usual_shapes


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
