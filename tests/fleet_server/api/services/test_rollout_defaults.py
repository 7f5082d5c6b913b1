"""Unset fields of a request are filled from the server's settings; set fields stay unchanged. All defaults are one table."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import pytest

from edgefleet_server.api.schemas.rollouts.experiments import ChooseRequest
from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, PolicySpec, RateSpec, RetrySpec
from edgefleet_server.api.schemas.rollouts.rollouts import RolloutRequest
from edgefleet_server.api.services.rollout_defaults import filled, proposed
from edgefleet_server.cli.rollouts import experiment, rollout
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.core.settings import Settings
from edgefleet_server.domain.rollout.forecast import COMPARED_S
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.rollout.templates import TEMPLATES
from edgefleet_server.domain.terms import Rate, Retry

OURS = Settings(data=Path("/nowhere"), soak_s=900.0, offline_s=200.0, error_percent_max=3.0, confidence_percent=95.0, tries_max=5)
WHAT = {"name": "n", "package": "spotter", "version": "1.0.0", "selector": {"all": True}, "waves": [{"name": "all"}]}


def test_each_number_is_the_request_s_or_the_server_s() -> None:
    body = RolloutRequest.model_validate({**WHAT, "gate": {"soak_s": 1.0}, "terms": {"retry": {"back_off_s": 5.0}}})
    found = filled(body, OURS)
    gate = found.gate
    assert (gate.soak_s, gate.offline_s, gate.error_percent_max, gate.confidence_percent) == (1.0, 200.0, 3.0, 95.0)
    assert (found.terms.retry.tries_max, found.terms.retry.back_off_s) == (5, 5.0)
    filled_request = filled(RolloutRequest.model_validate({**WHAT, "terms": {"retry": {"tries_max": 1}}}), OURS)
    assert filled_request.terms.retry.tries_max == 1
    assert RolloutRequest.model_validate(WHAT).gate.soak_s == defaults.SOAK_S, "the schema's own default is nobody's to change"


def test_an_experiment_has_a_gate_and_no_terms() -> None:
    assert filled(ChooseRequest(arm="a"), OURS).gate.soak_s == 900.0


def test_the_default_soak_compares_devices() -> None:
    """A wave of the defaults that ended before a comparison would promise what nothing checks."""
    assert defaults.SOAK_S >= 2 * COMPARED_S
    assert proposed(Settings(data=Path("/nowhere"))).gate.regressions is not None


def test_schema_engine_and_standard_template_have_the_same_defaults() -> None:
    spec, engine, standard = GateSpec(), RolloutGate(), TEMPLATES[defaults.TEMPLATE]
    for name in set(asdict(engine)) - {"regressions"}:
        assert getattr(spec, name) == getattr(engine, name), name
    assert {**asdict(standard.gate), "tolerated_percent": None} == GateSpec().model_dump()
    assert standard.gate.tolerated == engine.tolerated
    assert (standard.trial_s, PolicySpec().trial_s) == (defaults.TRIAL_S, defaults.TRIAL_S)
    assert RetrySpec().model_dump() == asdict(Retry())
    assert RateSpec(per_minute=1).model_dump() == asdict(Rate(1))


def test_the_form_of_the_dashboard_gets_the_settings_of_the_server() -> None:
    found = proposed(OURS)
    assert (found.gate.soak_s, found.gate.offline_s, found.gate.error_percent_max) == (900.0, 200.0, 3.0)
    assert (found.terms.retry.tries_max, found.policy, found.wave_timeout_s) == (5, PolicySpec(), defaults.WAVE_TIMEOUT_S)
    standard = TEMPLATES[defaults.TEMPLATE].waves
    assert [(wave.name, wave.percent) for wave in found.waves] == [(wave.name, wave.percent) for wave in standard]


@pytest.mark.parametrize(
    ("command", "action", "expected"),
    [
        (rollout, "create", [f"seconds (default: {defaults.SOAK_S:g})", f"steps (default: {defaults.ERROR_PERCENT_MAX:g})"]),
        (rollout, "create", [f"seconds (default: {defaults.OFFLINE_S:g})", "approval (default: 5%,25%,rest)"]),
        (experiment, "create", [f"seconds (default: {defaults.SOAK_S:g})", "at the end (default: 10%,rest)"]),
    ],
)  # fmt: skip
def test_the_help_of_commands_names_them(
    command: ModuleType, action: str, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([action, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for each in expected:
        assert each in text
