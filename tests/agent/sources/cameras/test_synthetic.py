"""The test pattern."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.sources.cameras.synthetic import BOX, SyntheticSource
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec


def spec(**options: object) -> SourceSpec:
    return SourceSpec(kind="synthetic", pace="fast", options={"duration_s": 2, "rate": 10, "width": 160, "height": 90, **options})


def test_boxes_are_where_they_say_and_the_same_every_time() -> None:
    first, second = (SyntheticSource(spec(boxes=1)) for _ in range(2))
    (box,) = first.boxes
    for frame, again in zip(first.frames(), second.frames(), strict=True):
        left, top = box.corner(frame.media_s, 160, 90)
        rows, columns = np.nonzero(frame.planes[0] == BOX)
        assert (columns.min(), rows.min()) == (left, top)
        assert (columns.max() + 1, rows.max() + 1) == (left + box.width, top + box.height)
        assert np.array_equal(frame.planes[0], again.planes[0])
    assert frame.index == 19


def test_fast_without_an_end_is_refused() -> None:
    with pytest.raises(PipelineError, match="set the option duration_s"):
        SyntheticSource(spec(duration_s=0))


@pytest.mark.parametrize("options", [{"width": 1}, {"rate": "much"}, {"boxes": 2.5}, {"boxes": True}])
def test_hostile_options(options: dict[str, object]) -> None:
    with pytest.raises(PipelineError, match=f"option '{next(iter(options))}'"):
        SyntheticSource(spec(**options))
