"""The contract of heads (`edgefleet_agent.vision.heads.base`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.plugin_tests.examples import HeadExample, example, installed
from edgefleet_agent.vision.heads.base import Head
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import ManifestError


@pytest.fixture(params=installed("heads"))
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[type[Head], HeadExample]:
    """Each installed head with its example."""
    family = plugins.load("heads", request.param)
    assert issubclass(family, Head)
    return family, example("heads", request.param, tmp_path)


def test_outputs_are_decoded_and_left_as_they_are(case: tuple[type[Head], HeadExample]) -> None:
    family, given = case
    outputs = {name: array.copy() for name, array in given.outputs.items()}
    for array in outputs.values():
        array.flags.writeable = False
    head = family(given.context)
    first, second = head.decode(outputs, 0.5), head.decode(outputs, 0.5)
    assert isinstance(first, get_args(Result))
    assert type(first) is type(second)
    assert all(np.array_equal(array, given.outputs[name]) for name, array in outputs.items())


def test_unknown_params_and_missing_outputs_are_refused_at_load(case: tuple[type[Head], HeadExample]) -> None:
    family, given = case
    with pytest.raises(ManifestError, match="flux"):
        family(replace(given.context, params={**given.context.params, "flux": 1}))
    with pytest.raises(ManifestError):
        family(replace(given.context, outputs={}))
