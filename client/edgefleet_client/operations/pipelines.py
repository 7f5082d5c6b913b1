"""Operations about pipelines.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from edgefleet_client.schemas.pipelines import NewPipeline, PipelineCheck, PipelineDocument, PipelineDraft, PipelineList
from edgefleet_client.transport import Transport


class PipelinesOperations:
    """Operations about pipelines."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_pipelines(self) -> PipelineList:
        """Every pipeline of the fleet with its versions. Role: viewer."""
        answer: PipelineList = self._transport.ask("GET", ("pipelines",))
        return answer

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
