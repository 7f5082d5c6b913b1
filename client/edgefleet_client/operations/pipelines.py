"""Operations about pipelines.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgefleet_client.pages import followed
from edgefleet_client.schemas.pipelines import (
    NewPipeline,
    PipelineCheck,
    PipelineDocument,
    PipelineDraft,
    PipelineList,
    PipelineRow,
)
from edgefleet_client.transport import Transport


class PipelinesOperations:
    """Operations about pipelines."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_pipelines(self, *, after: str | None = None, limit: int | None = None) -> PipelineList:
        """Every pipeline of the fleet with its versions, by name. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: PipelineList = self._transport.ask("GET", ("pipelines",), query=query)
        return answer

    def iterate_pipelines(self) -> Iterator[PipelineRow]:
        """Every item of `list_pipelines`, one request a page."""
        return followed(lambda at: self.list_pipelines(after=at, limit=1000))

    def create_pipeline(self, body: NewPipeline) -> tuple[bool, PipelineDocument]:
        """Validate a document, store it as a new version, and sign it. If its content equals the latest version, returns
        that one. Returns (whether it is new, the object). Role: operator."""
        answer: tuple[bool, PipelineDocument] = self._transport.create("POST", ("pipelines",), json=body)
        return answer

    def check_pipeline(self, body: PipelineDraft) -> PipelineCheck:
        """Validate a document without storing it: returns its first problem with its place, and the document as text and as
        data. Role: viewer."""
        answer: PipelineCheck = self._transport.ask("POST", ("pipelines", "check"), json=body)
        return answer

    def get_pipeline(self, name: str, *, version: str | None = None) -> PipelineDocument:
        """The document of a version; without `version`, of the latest one. Role: viewer."""
        query = {"version": version}
        answer: PipelineDocument = self._transport.ask("GET", ("pipelines", name), query=query)
        return answer
