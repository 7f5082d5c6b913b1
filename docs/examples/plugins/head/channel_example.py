"""The example of the head for the contract tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from edgefleet_agent.plugin_tests.examples import HeadExample
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec


def example(_folder: Path) -> HeadExample:
    """Outputs of a model of this family for one picture."""
    spec = TensorSpec("means", (1, 3), np.dtype(np.float32))
    context = HeadContext(
        outputs={"means": spec}, names={}, params={}, input_width=8, input_height=8, labels=("red", "green", "blue")
    )
    return HeadExample(context, {"means": np.array([[0.9, 0.1, 0.2]], np.float32)})
