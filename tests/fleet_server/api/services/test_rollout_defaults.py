"""Unset fields of a request are filled from the server's settings; set fields stay unchanged."""

from __future__ import annotations

from pathlib import Path

from edgefleet_server.api.schemas.rollouts.experiments import ChooseRequest
from edgefleet_server.api.schemas.rollouts.rollouts import RolloutRequest
from edgefleet_server.api.services.rollout_defaults import filled
from edgefleet_server.core.settings import Settings

OURS = Settings(data=Path("/nowhere"), soak_s=600.0, offline_s=300.0, error_percent_max=3.0, confidence_percent=95.0, tries_max=5)
WHAT = {"name": "n", "package": "spotter", "version": "1.0.0", "selector": {"all": True}, "waves": [{"name": "all"}]}


def test_each_number_is_the_request_s_or_the_server_s() -> None:
    body = RolloutRequest.model_validate({**WHAT, "gate": {"soak_s": 1.0}, "terms": {"retry": {"back_off_s": 5.0}}})
    found = filled(body, OURS)
    gate = found.gate
    assert (gate.soak_s, gate.offline_s, gate.error_percent_max, gate.confidence_percent) == (1.0, 300.0, 3.0, 95.0)
    assert (found.terms.retry.tries_max, found.terms.retry.back_off_s) == (5, 5.0)
    filled_request = filled(RolloutRequest.model_validate({**WHAT, "terms": {"retry": {"tries_max": 1}}}), OURS)
    assert filled_request.terms.retry.tries_max == 1
    assert RolloutRequest.model_validate(WHAT).gate.soak_s == 10.0, "the schema's own default is nobody's to change"


def test_an_experiment_has_a_gate_and_no_terms() -> None:
    assert filled(ChooseRequest(arm="a"), OURS).gate.soak_s == 600.0
