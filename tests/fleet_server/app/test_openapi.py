"""The committed document is the one that the code makes, and the models mirror the wire."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from pydantic import BaseModel

from edgefleet_contract.wire import messages
from edgefleet_server.api.schemas.fleet.devices import PipelineGauges, RunningModel, ShadowGauges, StageLatency, TelemetryPoint
from edgefleet_server.app.openapi import document

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


def test_document_is_current() -> None:
    """`edgefleet openapi docs/openapi.json` was run after the last change of the API."""
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_every_route_is_named() -> None:
    """Operation ids are ours (no generated ones with underscores of paths and methods), and unique."""
    paths = json.loads(document())["paths"]
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(names) == len(set(names))
    assert not [name for name in names if "api_v1" in name]


@pytest.mark.parametrize(
    ("mirror", "wire"),
    [
        (TelemetryPoint, messages.Telemetry),
        (PipelineGauges, messages.PipelineGauges),
        (ShadowGauges, messages.ShadowGauges),
        (StageLatency, messages.StageLatency),
        (RunningModel, messages.Running),
    ],
)
def test_mirrors_have_the_fields_of_the_wire(mirror: type[BaseModel], wire: type[msgspec.Struct]) -> None:
    """A field added to a message has to be added to the API, or the dashboard would not see it."""
    assert set(mirror.model_fields) == {field.name for field in msgspec.structs.fields(wire)} - {"unknown_fields"}
