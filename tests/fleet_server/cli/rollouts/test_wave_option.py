"""The waves as text: the last word is read, since a typing error in it would update every device."""

from __future__ import annotations

import pytest

from edgefleet_server.cli.rollouts.plan_options import WAVES, waves_of
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.rollout.templates import TEMPLATES
from edgefleet_server.domain.rollout.waves import takes_rest


@pytest.mark.parametrize("text", ["abc", "10%", "1", "1,25%", "none", "", "1,", "5%,25%,99%", "1,25%!", "100", "restt"])
def test_last_wave_with_a_size_is_refused(text: str) -> None:
    last = text.split(",")[-1].rstrip("!")
    with pytest.raises(InputError) as refused:
        waves_of(text)
    assert str(refused.value) == (
        f"--waves {text!r}: {last!r} is the last wave and would take all remaining devices;"
        " end with a wave rest, for example 10%,rest"
    )


@pytest.mark.parametrize(
    ("text", "count"), [(WAVES, 3), ("1,25%!,rest", 3), ("rest", 1), ("all", 1), ("10%, 100%", 2), ("1,rest!", 2)]
)
def test_last_wave_that_takes_the_rest(text: str, count: int) -> None:
    waves = waves_of(text)
    assert len(waves) == count
    assert set(waves[-1]) == {"name", "approval"}
    assert waves[-1]["approval"] is text.endswith("!")


def test_templates_end_with_the_rest() -> None:
    for template in TEMPLATES.values():
        last = template.waves[-1]
        assert takes_rest(last.percent, last.count, last.labels), template.name
