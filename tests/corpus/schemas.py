"""Parts of a JSON schema that clients rely on: no field of a response goes, none of a request becomes needed, no type changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]


class Schemas:
    """The schemas of one OpenAPI document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._named: dict[str, Schema] = document["components"]["schemas"]

    def resolved(self, schema: Schema) -> Schema:
        """The schema behind a reference."""
        while "$ref" in schema:
            schema = self._named[schema["$ref"].rpartition("/")[2]]
        return schema

    def faults(self, value: Any, schema: Schema, where: str = "$") -> Iterator[str]:
        """The reason why `value` does not match `schema`: a field that it does not have, one that is missing, another type."""
        schema = self.resolved(schema)
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices:
            found = [list(self.faults(value, choice, where)) for choice in choices]
            yield from [] if any(not faults for faults in found) else min(found, key=len)
            return
        for part in schema.get("allOf", []):
            yield from self.faults(value, part, where)
        if "enum" in schema and value not in schema["enum"]:
            yield f"{where}: {value!r} is none of {schema['enum']}"
        kind = schema.get("type")
        if kind is not None and not _is(value, kind):
            yield f"{where}: {value!r} is no {kind}"
        elif isinstance(value, dict):
            yield from self._object(value, schema, where)
        elif isinstance(value, list) and "items" in schema:
            for number, item in enumerate(value):
                yield from self.faults(item, schema["items"], f"{where}[{number}]")

    def _object(self, value: dict[str, Any], schema: Schema, where: str) -> Iterator[str]:
        known, more = schema.get("properties", {}), schema.get("additionalProperties", "properties" not in schema)
        for name in schema.get("required", []):
            if name not in value:
                yield f"{where}: {name} is missing"
        for name, item in value.items():
            if name in known:
                yield from self.faults(item, known[name], f"{where}.{name}")
            elif isinstance(more, dict):
                yield from self.faults(item, more, f"{where}.{name}")
            elif not more:
                yield f"{where}: there is no {name}"


def _is(value: Any, kind: str) -> bool:
    if kind in ("number", "integer"):
        return isinstance(value, (int, float) if kind == "number" else int) and not isinstance(value, bool)
    kinds = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
    return isinstance(value, kinds[kind])
