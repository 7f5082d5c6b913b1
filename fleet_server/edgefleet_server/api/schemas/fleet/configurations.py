"""Bodies of the REST API v1 about configurations: what the files of `edgefleet apply` manage. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, StrictModel

RESOURCES_MAX: Final = 5_000


class ConfigurationResource(StrictModel):
    """An object that a configuration manages. `made`: an apply created it, so that an apply may delete it. `digest`: of its last
    applied definition. `id`: of a rollout or an alert rule."""

    kind: Literal["channel", "group", "alert", "recipient", "rollout"]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    made: bool
    digest: Annotated[str, Field(max_length=64)] = ""
    id: int | None = None


class ConfigurationRequest(StrictModel):
    """`revision`: that of the configuration which is changed; 0 = a new one. Another revision is refused, so that two changes at
    once do not overwrite each other."""

    revision: Annotated[int, Field(ge=0, le=2**31 - 2)]
    resources: Annotated[list[ConfigurationResource], Field(max_length=RESOURCES_MAX)]


class Configuration(BaseModel):
    """The objects that one set of files manages."""

    name: str
    revision: int
    resources: list[ConfigurationResource]
    changed_at: float
    changed_by: str


class ConfigurationList(CursorPage):
    items: list[Configuration]
