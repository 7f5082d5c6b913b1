"""Fills the unset fields of a rollout request from the server's settings."""

from __future__ import annotations

from typing import Final, TypeVar

from edgefleet_server.api.schemas.rollouts.experiments import ChooseRequest, ExperimentRequest
from edgefleet_server.api.schemas.rollouts.rollout_terms import TermsSpec
from edgefleet_server.api.schemas.rollouts.rollouts import PreviewRequest, RolloutRequest
from edgefleet_server.core.settings import Settings

GATE: Final = ("error_percent_max", "confidence_percent", "offline_s", "soak_s")

Planned = TypeVar("Planned", PreviewRequest, RolloutRequest, ExperimentRequest, ChooseRequest)


def filled(body: Planned, settings: Settings) -> Planned:
    """The request with its unset fields filled from the server's settings."""
    gate = {name: getattr(settings, name) for name in GATE if name not in body.gate.model_fields_set}
    more: dict[str, object] = {"gate": body.gate.model_copy(update=gate)}
    terms: TermsSpec | None = getattr(body, "terms", None)  # experiments have none of their own
    if terms is not None and "tries_max" not in terms.retry.model_fields_set:
        retry = terms.retry.model_copy(update={"tries_max": settings.tries_max})
        more["terms"] = terms.model_copy(update={"retry": retry})
    return body.model_copy(update=more)
