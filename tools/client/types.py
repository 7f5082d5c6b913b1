"""Schemas of the OpenAPI document as Python types: the annotation of each, and its definition as text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

Schema = Mapping[str, Any]
WIDTH: Final = 128
_PLAIN: Final = {"integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def type_of(schema: Schema) -> str:
    """The Python annotation of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        values = [value for each in schema["anyOf"] for value in each.get("enum", ())]
        kinds = [_literal(dict.fromkeys(values)) if "enum" in each else type_of(each) for each in schema["anyOf"]]
        return " | ".join(dict.fromkeys(kinds))
    if "const" in schema:
        return _literal([schema["const"]])
    if "enum" in schema:
        return _literal(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return f"list[{type_of(schema.get('items', {}))}]"
    if kind == "object":
        patterns = schema.get("patternProperties", {})
        values = next(iter(patterns.values())) if len(patterns) == 1 else schema.get("additionalProperties")
        return f"dict[str, {type_of(values) if isinstance(values, Mapping) else 'Any'}]"
    if kind == "string":
        return "bytes" if schema.get("format") == "binary" or "contentMediaType" in schema else "str"
    return _PLAIN.get(str(kind), "Any")


def _literal(values: Iterable[Any]) -> str:
    texts = [f'"{each}"' if isinstance(each, str) else repr(each) for each in values]
    return f"Literal[{', '.join(texts)}]"


def references(value: Any) -> Iterator[str]:
    """Names of the schemas that a part of the document refers to, not those that these refer to."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "$ref":
                yield inner.rpartition("/")[2]
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def reachable(schemas: Schema, value: Any) -> set[str]:
    """Names of all schemas that a part of the document needs."""
    found: set[str] = set()
    waiting = list(references(value))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(schemas[name])
    return found


def definition(name: str, schema: Schema) -> str:
    """A schema as the text of a `TypedDict`, or of an alias if it is no object."""
    if schema.get("type") != "object":
        return f"{name}: TypeAlias = {type_of(schema)}\n"
    text = schema.get("description") or f"Fields of {name}."
    required = schema.get("required", ())
    lines = [f"class {name}(TypedDict):", docstring(text, 4), ""]
    aliases = []
    for key, value in schema.get("properties", {}).items():
        kind = type_of(value)
        literal = re.search(r"Literal\[[^\]]*\]", kind)
        if literal and len(kind) > WIDTH - 40 and (literal[0] != kind or key not in required):
            alias = f"{name}{key.title().replace('_', '')}"
            aliases.append(broken(f"{alias}: TypeAlias = {literal[0]}") + "\n\n\n")
            kind = kind.replace(literal[0], alias)
        lines.append(broken(f"    {key}: {kind if key in required else f'NotRequired[{kind}]'}"))
    return "".join(aliases) + "\n".join(lines).rstrip() + "\n"


def docstring(text: str, indent: int) -> str:
    """A text as an indented docstring."""
    pad = " " * indent
    paragraphs = [" ".join(part.split()) for part in text.replace("\\", "\\\\").split("\n\n")]
    if len(paragraphs) == 1 and indent + len(paragraphs[0]) + 6 <= WIDTH:
        return f'{pad}"""{paragraphs[0]}"""'
    wrapped = [textwrap.fill(part, WIDTH - indent - 6, break_long_words=False, break_on_hyphens=False) for part in paragraphs]
    if len(wrapped[-1].rpartition("\n")[2]) + 3 + indent > WIDTH:
        wrapped[-1] += "\n"
    joined = "\n\n".join(wrapped)
    return textwrap.indent(f'"""{joined}"""', pad)


def broken(line: str) -> str:
    """A line, broken as the formatter breaks it if it is longer than the limit."""
    if len(line) <= WIDTH + 2 or not line.rstrip().endswith("]"):
        return line
    head, _, inner = line.partition("Literal[")
    inner, _, tail = inner.partition("]")
    pad = " " * (len(line) - len(line.lstrip()))
    if tail:  # a Literal inside of something else
        return line
    values = "".join(f"{pad}    {value},\n" for value in inner.split(", "))
    return f"{head}Literal[\n{values}{pad}]"
