"""The bounds of the lists of the REST API, from its OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

FIELDS: Final = ("items", "points", "counts")
"""Fields of answers that are lists of rows."""
SIZES: Final = ("limit", "size", "points_max", "steps", "parts")
"""Parameters for the number of rows."""
CURSORS: Final = ("after", "before_id", "before_seq", "page")
"""Parameters for the rows that follow."""
INTRODUCTION: Final = """# Lists of the REST API

Made by `python -m tools.write_reference`.

The rows of one answer are bounded. Where a parameter is named, a request can ask for another number; without it, it gets the
default. The next rows come with the parameter of the last column: `after` and `before_id` take `next_after` and `next_before_id`
of the answer, `page` counts from 1. The Python client has an `iterate_…` for each of these operations.

| operation | path | rows at most | parameter, default | next rows |
| --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True, slots=True)
class ListBound:
    """A list of an operation. most: rows of an answer, None = it has no bound. parameter: for the number of rows. cursor: for the
    next rows. Both are empty where there is none."""

    operation: str
    path: str
    field: str
    most: int | None
    parameter: str
    default: int | None
    cursor: str


def bounds(document: Mapping[str, Any]) -> Iterator[ListBound]:
    """The lists of all operations that read, in the order of the document."""
    for path, methods in document["paths"].items():
        if "get" not in methods:
            continue
        operation = methods["get"]
        answer = operation["responses"].get("200", {}).get("content", {}).get("application/json", {}).get("schema", {})
        for field, schema in _resolved(document, answer).get("properties", {}).items():
            if field in FIELDS and schema.get("type") == "array":
                yield _bound(operation, path, field, schema)


def lists_page(document: Mapping[str, Any]) -> str:
    """The table of the reference."""
    rows = []
    for bound in bounds(document):
        parameter = f"`{bound.parameter}`, {bound.default:,}" if bound.parameter else ""
        cursor = f"`{bound.cursor}`" if bound.cursor else ""
        most = f"{bound.most:,}" if bound.most is not None else "**no bound**"
        rows.append(f"| `{bound.operation}` | `{bound.path}` | {most} | {parameter} | {cursor} |\n")
    return INTRODUCTION + "".join(rows)


def _bound(operation: Mapping[str, Any], path: str, field: str, schema: Mapping[str, Any]) -> ListBound:
    queries = {each["name"]: each["schema"] for each in operation.get("parameters", ()) if each["in"] == "query"}
    size = next((name for name in SIZES if "maximum" in queries.get(name, {})), "")
    most = queries[size]["maximum"] if size else schema.get("maxItems")
    default = queries[size].get("default") if size else None
    cursor = next((name for name in CURSORS if name in queries), "")
    return ListBound(operation["operationId"], path, field, most, size, default, cursor)


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema
