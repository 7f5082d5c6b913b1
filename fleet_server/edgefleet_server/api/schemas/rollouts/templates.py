"""Bodies of the templates and defaults of rollouts. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, PolicySpec, TermsSpec, WaveSpec
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.rollout.templates import TEMPLATES


class RolloutTemplate(BaseModel):
    """A predefined plan, with the fields of a rollout request."""

    name: str
    title: str
    waves: list[WaveSpec]
    gate: GateSpec
    policy: PolicySpec
    terms: TermsSpec


class RolloutDefaults(BaseModel):
    """The values of fields that a request for a rollout leaves out. `waves`: proposed ones, each request has its own."""

    waves: list[WaveSpec]
    gate: GateSpec
    policy: PolicySpec
    terms: TermsSpec
    wave_timeout_s: float
    priority: int


def table_defaults() -> RolloutDefaults:
    """The defaults of a server without settings of its own."""
    return RolloutDefaults(
        waves=[WaveSpec(name=name, percent=percent) for name, percent in defaults.WAVES],
        gate=GateSpec(),
        policy=PolicySpec(),
        terms=TermsSpec(),
        wave_timeout_s=defaults.WAVE_TIMEOUT_S,
        priority=defaults.PRIORITY,
    )


class TemplateList(BaseModel):
    """`default`: the name of the default template. `defaults`: of a request without a template."""

    default: str
    defaults: RolloutDefaults = Field(default_factory=table_defaults)
    items: Annotated[list[RolloutTemplate], Field(max_length=len(TEMPLATES))]
