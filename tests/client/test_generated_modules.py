"""The generated modules are what the generator makes, and have every operation and field of the document."""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from edgefleet_client.operations.all_operations import Operations
from edgefleet_client.transport import Transport
from tools.client.operations import OF_TRANSPORT, operations
from tools.write_client import DOCUMENT, FOLDER, PARTS, files

SPEC: dict[str, Any] = json.loads(DOCUMENT.read_text(encoding="utf-8"))
TEXTS = files(SPEC)
LINES_MAX = 400
MODULES_MAX = 15
REDIRECTIONS = {"begin_openid", "finish_openid"}
"""For browsers: they return no object."""


@pytest.mark.parametrize("name", TEXTS)
def test_the_module_is_what_the_generator_makes(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text == TEXTS[name], "run: python -m tools.write_client"
    assert text.count("\n") <= LINES_MAX


def test_the_folders_have_no_other_modules() -> None:
    for folder in ("schemas", "operations"):
        found = {f"{folder}/{path.name}" for path in (FOLDER / folder).glob("*.py")}
        assert found == {name for name in TEXTS if name.startswith(folder)}
        assert len(found) <= MODULES_MAX


def test_every_operation_has_a_method_with_all_its_arguments() -> None:
    client = Operations(Transport("http://127.0.0.1:1"))
    missing = {spec["operationId"] for item in SPEC["paths"].values() for spec in item.values()}
    for operation in operations(SPEC):
        method = getattr(getattr(client, operation.tag), operation.name)
        signature = inspect.signature(method)
        named = {each["name"] for each in operation.spec.get("parameters", ())} - OF_TRANSPORT
        assert signature.parameters.keys() - {"body", "content"} == named, operation.name
        assert ("requestBody" in operation.spec) == bool(signature.parameters.keys() & {"body", "content"}), operation.name
        needed = {each["name"] for each in operation.spec.get("parameters", ()) if each.get("required")}
        assert {name for name, each in signature.parameters.items() if each.default is each.empty} >= needed
        assert f"Role: {operation.spec['x-role']}." in " ".join(method.__doc__.split()) if "x-role" in operation.spec else True
        missing.discard(operation.name)
    assert missing == REDIRECTIONS


def _types() -> dict[str, Any]:
    names = [Path(name).stem for name in TEXTS if name.startswith("schemas/") and not name.endswith("__init__.py")]
    modules = [importlib.import_module(f"edgefleet_client.schemas.{name}") for name in names]
    return {name: getattr(module, name) for module in modules for name in vars(module) if name in SPEC["components"]["schemas"]}


def test_every_field_of_every_object_has_its_type() -> None:
    kinds = _types()
    needed = {name for name in SPEC["components"]["schemas"] if not name.startswith(("Body_", "HTTPValidation", "Validation"))}
    assert needed - kinds.keys() == {"Problem", "FieldProblem"}, "errors are raised"
    for name, kind in kinds.items():
        schema = SPEC["components"]["schemas"][name]
        if schema.get("type") == "object":
            assert get_type_hints(kind).keys() == schema.get("properties", {}).keys(), name


def test_a_part_of_a_tag_with_a_module_of_its_own_exists() -> None:
    assert all(any(path.startswith(part) for path in SPEC["paths"]) for part in PARTS)
