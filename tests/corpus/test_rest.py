"""Recorded calls of the REST API: today's document still has the operations, takes the requests and describes the responses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.corpus import rest_calls, server_data
from tests.corpus.folder import newest, read_json
from tests.corpus.schemas import Schemas
from tests.corpus.test_complete import require


def recorded_calls(recorded: Path) -> dict[str, dict[str, Any]]:
    return {path.stem: read_json(path) for path in sorted((recorded / server_data.REST).glob("*.json"))}


def test_operations_keep_their_names_and_addresses(recorded: Path) -> None:
    today = rest_calls.operations(rest_calls.document())
    calls = recorded_calls(recorded)
    assert len(calls) > 90
    for name, call in calls.items():
        method, template, _ = today[name]
        assert (method, template) == (call["method"], call["template"]), name
        template.format(**call["path"])


def test_recorded_requests_are_accepted(recorded: Path) -> None:
    faults = []
    document = rest_calls.document()
    schemas, today = Schemas(document), rest_calls.operations(document)
    for name, call in recorded_calls(recorded).items():
        if call["request"] is not None:
            content = today[name][2]["requestBody"]["content"][rest_calls.JSON]
            faults += [f"{name}: {fault}" for fault in schemas.faults(call["request"], content["schema"])]
    assert faults == []


def test_recorded_responses_fit_the_document(recorded: Path) -> None:
    """No field that a client read then is gone or of another type."""
    faults, checked = [], 0
    document = rest_calls.document()
    schemas, today = Schemas(document), rest_calls.operations(document)
    for name, call in recorded_calls(recorded).items():
        content = today[name][2]["responses"][str(call["status"])].get("content", {})
        schema = content.get(rest_calls.JSON, {}).get("schema")
        if schema is not None:
            faults += [f"{name}: {fault}" for fault in schemas.faults(call["response"], schema)]
            checked += 1
    assert checked > 80
    assert faults == []


@pytest.mark.parametrize(
    ("value", "schema", "fault"),
    [
        ({"a": 1}, {"type": "object", "properties": {"b": {}}}, "there is no a"),
        ({}, {"type": "object", "properties": {"a": {}}, "required": ["a"]}, "a is missing"),
        ({"a": "1"}, {"type": "object", "properties": {"a": {"type": "integer"}}}, "is no integer"),
        (["x"], {"type": "array", "items": {"enum": ["y"]}}, "is none of"),
        (None, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "is no string"),
    ],
)
def test_a_fault_is_found(value: Any, schema: dict[str, Any], fault: str) -> None:
    found = list(Schemas({"components": {"schemas": {}}}).faults(value, schema))
    assert len(found) == 1
    assert fault in found[0]


def test_every_operation_is_recorded() -> None:
    require("operation of the REST API", rest_calls.expected(), recorded_calls(newest()))
    strange = set(rest_calls.NOT_RECORDED) - set(rest_calls.operations(rest_calls.document()))
    assert not strange, f"tests/corpus/rest_calls.py leaves out operations that do not exist: {strange}"
