"""Bodies of the REST API v1 about model packages. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, RolloutState


class ModelVariant(BaseModel):
    name: str
    format: str
    precision: str
    runtimes: list[str]
    profiles: list[str]
    length_bytes: int


class ModelVersion(BaseModel):
    """`requires`: capabilities that a device needs. `labels_file`: the package's file with the labels, if they are not in
    `labels`."""

    name: str
    version: str
    digest: str
    title: str
    task: str
    description: str
    licence: str
    created_at: float
    length_bytes: int
    labels: list[str]
    labels_file: str | None = None
    card: dict[str, Any]
    epoch: int
    variants: list[ModelVariant]
    requires: list[str] = Field(default_factory=list)
    golden_count: int
    running_on: int


class ModelRow(BaseModel):
    """A model and its versions, newest version first."""

    name: str
    title: str
    task: str
    latest: str
    versions: list[ModelVersion]


class ModelList(CursorPage):
    items: list[ModelRow]


class ModelFile(BaseModel):
    path: str
    length: int
    sha256: str


class HeadInfo(BaseModel):
    family: str
    params: dict[str, Any]


class RolloutRef(BaseModel):
    id: int
    name: str
    state: RolloutState
    created_at: float


class ModelDetail(ModelVersion):
    files: list[ModelFile]
    provenance: dict[str, Any]
    head: HeadInfo
    rollouts: list[RolloutRef]
