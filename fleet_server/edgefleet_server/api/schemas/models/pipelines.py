"""Bodies of the REST API v1 about pipelines. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX
from edgefleet_server.api.schemas.fields import CursorPage, StrictModel, Version

Text = Annotated[str, Field(max_length=PIPELINE_BYTES_MAX)]


class PipelineVersion(BaseModel):
    """One version of a pipeline. `signed`: devices accept it."""

    version: str
    digest: str
    note: str
    created_at: float
    running_on: int
    signed: bool


class PipelineRow(BaseModel):
    """A pipeline and its versions, newest first. `slot`: its slot on a device, which is also the name of its package."""

    name: str
    slot: str
    latest: str
    running_on: int
    versions: list[PipelineVersion]


class PipelineList(CursorPage):
    items: list[PipelineRow]


class PipelineDocument(PipelineVersion):
    """The document of a version. `spec`: the same as data. `devices`: devices with a section in the document."""

    name: str
    slot: str
    text: str
    spec: dict[str, Any]
    devices: list[str]


class PipelineDraft(StrictModel):
    """A pipeline as TOML `text` or as data (`spec`), one of the two. `device`: the device to return the effective pipeline
    for."""

    text: Text | None = None
    spec: dict[str, Any] | None = None
    device: Annotated[str, Field(max_length=64)] = ""


class PipelineProblem(BaseModel):
    """One line about an error, its line number in the text, and its path in the data."""

    text: str
    line: int | None
    path: list[str | int]


class PipelineCheck(BaseModel):
    """The result of a validation. `spec`: null if the text is not TOML. `effective`: the pipeline that the device of the draft
    would run; null if it would run none, or the document is invalid."""

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
