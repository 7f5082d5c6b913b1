"""Settings that are changed while the server runs: what is taken, what is refused and how that reads."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings
from edgefleet_server.domain.policy.runtime_settings import ADJUSTABLE, DAY_S, HOUR_S, Value, adjusted, checked, text_of
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.rollout.templates import TEMPLATES
from edgefleet_server.domain.terms import Retry

START = Settings(data=Path("/nowhere"))


def test_each_is_a_field_whose_own_default_it_takes() -> None:
    """Else "back to usual" would be refused."""
    known = {each.name for each in fields(Settings)}
    for name, about in ADJUSTABLE.items():
        assert name in known
        usual = getattr(START, name)
        assert (
            adjusted(START, {name: checked(name, text_of(usual) if about.kind in ("labels", "keys") else usual, START)}) == START
        )


def test_what_a_rollout_has_by_default_is_what_the_engine_has() -> None:
    assert (START.error_percent_max, START.confidence_percent) == (
        RolloutGate().error_percent_max,
        RolloutGate().confidence_percent,
    )
    assert (START.offline_s, START.soak_s, START.tries_max) == (RolloutGate().offline_s, RolloutGate().soak_s, Retry().tries_max)
    assert START.template in TEMPLATES


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("telemetry_retention_s", 60.0, "Telemetry samples: 60 s: must be between 1 h and 90 d"),
        ("events_retention_s", 9e99, "must be between 1 h and 3650 d"),
        ("tries_max", 2.5, "2.5 is not an integer; must be between 1 and 10"),
        ("requests_per_minute", 1, "1 per minute: must be between 120 per minute and 1,000,000 per minute"),
        ("block_bytes_per_s", "fast", "'fast' is not a number; must be between 1 Mbit/s and 100000 Mbit/s"),
        ("error_percent_max", math.nan, "is not a number"),
        ("error_percent_max", math.inf, "is not a number"),
        ("error_percent_max", True, "is not a number"),
        ("second_person", "env=production, everything", "'everything' is not a label"),
        ("second_person", 5, "must be a text"),
        ("template", "reckless", "must be one of careful, standard"),
        ("smtp_url", "mail.example", "must be smtp://host:25"),
        ("mail_from", "nobody", "must be an email address"),
        ("mail_from", "a@b\r\nBcc: x@y", "must be an email address"),
        ("port", 80, "set it at server startup"),
        ("colour", "red", "not a setting that can be changed here"),
    ],
)
def test_what_cannot_be_is_refused_in_words(name: str, value: Value, expected: str) -> None:
    with pytest.raises(InputError) as refused:
        checked(name, value, START)
    assert expected in str(refused.value)


def test_the_start_stands_above_what_is_stored() -> None:
    start = Settings(data=Path("/nowhere"), telemetry_retention_s=2 * DAY_S, pinned=frozenset({"telemetry_retention_s"}))
    with pytest.raises(InputError, match="set at startup by --keep-samples-hours"):
        checked("telemetry_retention_s", HOUR_S, start)
    found = adjusted(
        start, {"telemetry_retention_s": HOUR_S, "soak_s": 60, "second_person": "env=prod, tier=1", "gone_by_now": 1}
    )
    assert (found.telemetry_retention_s, found.soak_s) == (2 * DAY_S, 60.0)
    assert found.second_person == {"env": "prod", "tier": "1"}


@given(st.sampled_from(sorted(ADJUSTABLE)), st.one_of(st.floats(), st.integers(), st.text(max_size=600)))
def test_any_value_is_taken_or_refused(name: str, value: Value) -> None:
    try:
        stored = checked(name, value, START)
    except InputError:
        return
    adjusted(START, {name: stored})
