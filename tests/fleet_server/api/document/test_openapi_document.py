"""The OpenAPI document has for each operation what a client needs: answers, examples, tags, optional bodies."""

from __future__ import annotations

import re
from typing import Any

from edgefleet_server.api.document.examples import BODIES, NAMES, PATHS
from edgefleet_server.api.document.openapi_document import TAGS
from edgefleet_server.api.error_responses import PROBLEM_JSON
from tests.corpus.rest_calls import JSON, document, operations
from tests.corpus.schemas import Schemas

SPEC = document()
OPERATIONS = operations(SPEC)
NEEDS_ONE = {"create_pipeline": "text or spec", "check_pipeline": "text or spec", "change_user": "something to change"}
"""Operations whose body has no required field, and what it needs all the same."""


def body_of(operation: dict[str, Any]) -> dict[str, Any] | None:
    body: dict[str, Any] | None = operation.get("requestBody", {}).get("content", {}).get(JSON)
    return body


def test_every_error_is_documented_as_a_problem() -> None:
    wrong = [
        (name, status)
        for name, (_, _, operation) in OPERATIONS.items()
        for status, response in operation["responses"].items()
        if int(status) >= 400 and set(response["content"]) != {PROBLEM_JSON}
    ]
    assert wrong == []
    assert not SPEC["components"]["schemas"].keys() & {"HTTPValidationError", "ValidationError"}


def test_every_operation_has_the_answers_that_can_occur() -> None:
    for name, (method, path, operation) in OPERATIONS.items():
        needed = {"429", "500", "503"}
        needed |= {"401", "403"} if operation["security"] else set()
        needed |= {"404", "422"} if "{" in path or "requestBody" in operation else set()
        needed |= {"409", "422", "507"} if method != "GET" else set()
        needed |= {"400", "413"} if "requestBody" in operation else set()
        assert needed <= operation["responses"].keys(), name


def test_every_tag_is_described() -> None:
    used = {tag for _, _, operation in OPERATIONS.values() for tag in operation["tags"]}
    assert used == set(TAGS) == {tag["name"] for tag in SPEC["tags"]}


def test_a_body_without_required_fields_may_be_left_out() -> None:
    for name, (_, _, operation) in OPERATIONS.items():
        if (body := body_of(operation)) is not None:
            schema = SPEC["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
            needed = bool(schema.get("required")) or name in NEEDS_ONE
            assert operation["requestBody"].get("required", False) == needed, name


def test_every_body_and_every_parameter_of_a_path_has_an_example_that_fits() -> None:
    schemas, faults, names = Schemas(SPEC), [], set()
    for name, (_, _, operation) in OPERATIONS.items():
        if (body := body_of(operation)) is not None:
            names.add(name)
            faults += [f"{name}: {fault}" for fault in schemas.faults(body["example"], body["schema"])]
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "path" or parameter.get("required"):
                found = schemas.faults(parameter["example"], parameter["schema"])
                faults += [f"{name} {parameter['name']}: {fault}" for fault in found]
    assert faults == []
    assert names == set(BODIES)
    assert set(PATHS) == {part[1:-1] for _, path, _ in OPERATIONS.values() for part in re.findall(r"{\w+}", path)}
    assert set(NAMES) <= set(TAGS)
