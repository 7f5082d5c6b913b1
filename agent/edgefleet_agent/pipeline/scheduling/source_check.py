"""Checks the source of a pipeline before anything starts."""

from __future__ import annotations

from edgefleet_agent.core import plugins
from edgefleet_agent.sources.credentials import with_credentials
from edgefleet_agent.sources.options import SourceOptionError
from edgefleet_contract.core.errors import MissingError, PipelineError
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec


def check_source(spec: PipelineSpec) -> None:
    """Check the source's kind and options; opens nothing.

    Raises:
        PipelineError: they are wrong; the text begins with file and line. MissingError: a library is not installed.
    """
    kind = spec.source.kind
    if kind == EVENTS:
        return
    cameras, sensors = plugins.names("sources"), plugins.names("sensors")
    if kind not in (*cameras, *sensors):
        known = ", ".join((*cameras, *sensors, EVENTS))
        raise PipelineError(f"{spec.at('source', 'kind')}: unknown source {kind!r}; known are {known}")
    table = "sensors" if kind in sensors else "sources"
    try:
        plugins.load(table, kind)(with_credentials(spec.source))
    except MissingError as cause:
        raise MissingError(f"{spec.at('source', 'kind')}: {cause}") from cause
    except PipelineError as cause:
        key = ("options", cause.option) if isinstance(cause, SourceOptionError) else ("kind",)
        raise PipelineError(f"{spec.at('source', *key)}: {cause}") from cause
