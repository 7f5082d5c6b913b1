"""Bodies of the REST API v1 about pipelines. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX
from edgefleet_server.api.schemas.fields import StrictModel, Version

Text = Annotated[str, Field(max_length=PIPELINE_BYTES_MAX)]


class PipelineVersion(BaseModel):
    """One version of a pipeline. `signed`: devices would take it."""

    version: str
    digest: str
    note: str
    created_at: float
    running_on: int
    signed: bool


class PipelineRow(BaseModel):
    """A pipeline and its versions, newest first. `slot`: where it runs on a device, and what its package is called."""

    name: str
    slot: str
    latest: str
    running_on: int
    versions: list[PipelineVersion]


class PipelineList(BaseModel):
    items: list[PipelineRow]


class PipelineDocument(PipelineVersion):
    """A version as it is written. `spec`: the same as data. `devices`: those that have a section of their own."""

    name: str
    slot: str
    text: str
    spec: dict[str, Any]
    devices: list[str]


class PipelineDraft(StrictModel):
    """A pipeline as TOML `text` or as data (`spec`), one of the two. `device`: of which one it is of interest what would run."""

    text: Text | None = None
    spec: dict[str, Any] | None = None
    device: Annotated[str, Field(max_length=64)] = ""


class PipelineProblem(BaseModel):
    """One line about what is wrong, the line of the text that it stands in, and the path to it in the data."""

    text: str
    line: int | None
    path: list[str | int]


class PipelineCheck(BaseModel):
    """What a document says. `spec`: null where it is no TOML. `effective`: what the device of the draft would run; null where
    it would not run, or the document is not valid."""

    ok: bool
    name: str
    text: str
    spec: dict[str, Any] | None
    effective: dict[str, Any] | None
    problem: PipelineProblem | None


class NewPipeline(StrictModel):
    """A new version. Without `version`: the one after the latest."""

    text: Text | None = None
    spec: dict[str, Any] | None = None
    version: Version | None = None
    note: Annotated[str, Field(max_length=500)] = ""
