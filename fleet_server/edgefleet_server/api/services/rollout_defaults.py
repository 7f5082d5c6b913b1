"""Fills the unset fields of a rollout request from the server's settings."""

from __future__ import annotations

from typing import Final, TypeVar

from edgefleet_server.api.schemas.rollouts.experiments import ChooseRequest, ExperimentRequest
from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, TermsSpec
from edgefleet_server.api.schemas.rollouts.rollouts import PreviewRequest, RolloutRequest
from edgefleet_server.api.schemas.rollouts.templates import RolloutDefaults, table_defaults
from edgefleet_server.core.settings import Settings

GATE: Final = ("error_percent_max", "confidence_percent", "offline_s", "soak_s")

Planned = TypeVar("Planned", PreviewRequest, RolloutRequest, ExperimentRequest, ChooseRequest)


def filled(body: Planned, settings: Settings) -> Planned:
    """The request with its unset fields filled from the server's settings."""
    more: dict[str, object] = {"gate": _gate(body.gate, settings)}
    terms: TermsSpec | None = getattr(body, "terms", None)  # experiments have none of their own
    if terms is not None:
        more["terms"] = _terms(terms, settings)
    return body.model_copy(update=more)


def proposed(settings: Settings) -> RolloutDefaults:
    """The values of fields that a request leaves out."""
    found = table_defaults()
    return found.model_copy(update={"gate": _gate(found.gate, settings), "terms": _terms(found.terms, settings)})


def _gate(gate: GateSpec, settings: Settings) -> GateSpec:
    return gate.model_copy(update={name: getattr(settings, name) for name in GATE if name not in gate.model_fields_set})


def _terms(terms: TermsSpec, settings: Settings) -> TermsSpec:
    if "tries_max" in terms.retry.model_fields_set:
        return terms
    return terms.model_copy(update={"retry": terms.retry.model_copy(update={"tries_max": settings.tries_max})})
