"""Types of the operations about pipelines.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Any, TypedDict

from edgefleet_client.not_required import NotRequired


class NewPipeline(TypedDict):
    """A new version. Without `version`: the one after the latest."""

    note: NotRequired[str]
    spec: NotRequired[dict[str, Any] | None]
    text: NotRequired[str | None]
    version: NotRequired[str | None]


class PipelineCheck(TypedDict):
    """The result of a validation. `spec`: null if the text is not TOML. `effective`: the pipeline that the device of the
    draft would run; null if it would run none, or the document is invalid."""

    effective: dict[str, Any] | None
    name: str
    ok: bool
    problem: PipelineProblem | None
    spec: dict[str, Any] | None
    text: str


class PipelineDocument(TypedDict):
    """The document of a version. `spec`: the same as data. `devices`: devices with a section in the document."""

    created_at: float
    devices: list[str]
    digest: str
    name: str
    note: str
    running_on: int
    signed: bool
    slot: str
    spec: dict[str, Any]
    text: str
    version: str


class PipelineDraft(TypedDict):
    """A pipeline as TOML `text` or as data (`spec`), one of the two. `device`: the device to return the effective pipeline
    for."""

    device: NotRequired[str]
    spec: NotRequired[dict[str, Any] | None]
    text: NotRequired[str | None]


class PipelineList(TypedDict):
    """Fields of PipelineList."""

    items: list[PipelineRow]


class PipelineProblem(TypedDict):
    """One line about an error, its line number in the text, and its path in the data."""

    line: int | None
    path: list[str | int]
    text: str


class PipelineRow(TypedDict):
    """A pipeline and its versions, newest first. `slot`: its slot on a device, which is also the name of its package."""

    latest: str
    name: str
    running_on: int
    slot: str
    versions: list[PipelineVersion]


class PipelineVersion(TypedDict):
    """One version of a pipeline. `signed`: devices accept it."""

    created_at: float
    digest: str
    note: str
    running_on: int
    signed: bool
    version: str
