"""Reference pages, made of the JSON Schemas and of the parser of `edgefleet serve`."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from edgefleet_contract.core.command_line import CommandParser
from edgefleet_contract.encoding import names
from edgefleet_contract.pipeline.nodes import OWN_KEYS
from edgefleet_server.app import serve_options
from edgefleet_server.core.settings import Settings
from edgefleet_server.domain.policy.runtime_settings import ADJUSTABLE, RuntimeSetting
from tools.reference.option_texts import RULES, SOURCES, STAGES, VIRTUAL_SOURCES
from tools.reference.options import Option, source_options, stage_options
from tools.reference.schemas import Schema

MADE = "<!-- Made by `python -m tools.write_reference` from the code. Do not edit. -->\n\n"
TYPES = {"string": "text", "number": "number", "integer": "integer", "boolean": "boolean", "object": "table", "array": "list"}
PATTERNS = {
    names.NAME_PATTERN: "name",
    names.DEVICE_PATTERN: "device ID",
    names.VERSION_PATTERN: "version",
    names.FILE_PATTERN: "path in the package",
    names.LABEL_KEY_PATTERN: "label",
}
WORDS = (
    "A *name* consists of a-z, 0-9, `_` and `-`, a *device ID* as well; both have at most 64 characters. A *version* is semantic:"
    " `1.2.0`.\n"
)
SERVER = """\
# Settings of the server

Options of `edgefleet serve`. Settings with *yes* in the third column can also be changed while the server runs, by an
administrator: in the dashboard under *Settings*, or through the REST API. A value that is given at the start has precedence.
`$EDGEFLEET_DATA` is the default of `--data`.
"""


def file_page(title: str, introduction: str, schema: Schema) -> str:
    """The page of a file: every table and every key."""
    parts = [MADE, f"# {title}\n\n{introduction}\n{WORDS}"]
    for heading, table, text in _tables(schema):
        parts.append(f"\n## {heading}\n\n{text}\n")
        rows = list(_rows(table))
        if rows:
            parts.append("\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n" + "".join(rows))
    return "".join(parts)


def kinds_chapter() -> str:
    """Kinds of sources, stages and rules, with their options."""
    parts = ["\n## Kinds of sources\n", "\nA plug-in may add further kinds.\n"]
    for kind, options in source_options().items():
        parts.append(f"\n### `{kind}`\n\n{SOURCES[kind]}\n{_options(options)}")
    for kind, text in VIRTUAL_SOURCES.items():
        parts.append(f"\n### `{kind}`\n\n{text}\n")
    parts.append("\n## Kinds of stages\n")
    for kind, options in stage_options().items():
        keys = ", ".join(f"`{key}`" for key in OWN_KEYS.get(kind, ()))
        own = f" Keys of its own: {keys}." if keys else ""
        parts.append(f"\n### Stage `{kind}`\n\n{STAGES[kind]}{own}\n{_options(options)}")
    parts.append("\n## Kinds of rules\n\n| `kind` | reports |\n| --- | --- |\n")
    parts += [f"| `{kind}` | {text} |\n" for kind, text in RULES.items()]
    return "".join(parts)


def server_page() -> str:
    """Options of `edgefleet serve`, their environment variables, and the settings that can be changed while it runs."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("EDGEFLEET_", "XDG_"))}
    parser = CommandParser(prog="edgefleet serve")
    with patch.dict(os.environ, plain, clear=True):
        serve_options.add_arguments(parser)
    at_run_time = {flag: setting for setting in ADJUSTABLE.values() for flag in setting.flag.split(", ") if flag}
    parts = [
        MADE,
        SERVER,
    ]
    for group in parser._action_groups:  # noqa: SLF001 (argparse has no public list of groups)
        actions = [action for action in group._group_actions if action.dest != "help"]  # noqa: SLF001 (nor of their options)
        if actions:
            title = "General" if group.title == "options" else f"{(group.title or '')[:1].upper()}{(group.title or '')[1:]}"
            parts.append(f"\n## {title}\n\n| option | meaning | at run time |\n| --- | --- | --- |\n")
            parts += [_option_row(parser, action, at_run_time) for action in actions]
    parts.append("\n## At run time only\n\nSettings without an option.\n\n| setting | value | default |\n| --- | --- | --- |\n")
    for setting in ADJUSTABLE.values():
        if not setting.flag:
            default = getattr(Settings(), setting.name)
            shown = f"{default:g}" if setting.kind == "number" else f"{default:,}" if setting.kind == "whole" else _words(default)
            parts.append(f"| {setting.title} (`{setting.name}`) | {_bounds(setting)} | {shown} |\n")
    return "".join(parts)


def _words(default: str | tuple[str, ...]) -> str:
    return default if isinstance(default, str) else ", ".join(default) or "none"


def _tables(schema: Schema) -> Iterator[tuple[str, Schema, str]]:
    """(heading, schema, text) of each table of the file; those inside a table follow it."""
    waiting = [("", schema)]
    while waiting:
        path, table = waiting.pop(0)
        title = "At the top of the file" if not path.strip("[]") else f"`{path}`"
        yield title, table, table.get("description", "")
        inside = path.strip("[]")
        children = []
        for key, maybe_null in table["properties"].items():
            value = _without_null(maybe_null)
            items, named = value.get("items", {}), value.get("additionalProperties")
            child = value if "$ref" in value else items if isinstance(items, dict) else {}
            name = f"{inside}.{key}" if inside else key
            if isinstance(named, dict) and "$ref" in named:  # tables with names of the user's choice
                child, name = named, f"{name}.NAME"
            if "$ref" in child and "description" not in value:
                definition = schema["definitions"][child["$ref"].rpartition("/")[2]]
                children.append((f"[[{name}]]" if child is items else f"[{name}]", definition))
            elif key == "for":
                children.append(("[[for]]", {**items, "description": value["description"]}))
        waiting = [*children, *waiting]


def _without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a table that may also be null; any other schema as it is."""
    others = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    return others[0] if len(others) == 1 and "$ref" in others[0] else schema


def _rows(table: Schema) -> Iterator[str]:
    required = table.get("required", ())
    for key, value in table["properties"].items():
        alone = _without_null(value)
        inner = alone, alone.get("items", {}), alone.get("additionalProperties", {})
        is_table = "description" not in value and any("$ref" in each for each in inner if isinstance(each, dict))
        if is_table or key == "for":
            continue
        default = "required" if key in required else _value(value["default"]) if "default" in value else ""
        yield f"| `{key}` | {_cell(_kind(value))} | {_cell(default)} | {_cell(value.get('description', ''))} |\n"


def _kind(schema: Mapping[str, Any]) -> str:
    """The values of a key, in words."""
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return _kind(schema["anyOf"][-1])
    kind = str(schema.get("type", "any"))
    if kind == "string":
        return PATTERNS.get(schema.get("pattern", ""), "text")
    if kind == "array":
        items = schema.get("items")
        if "$ref" in (items or {}):
            return "list of tables"
        return f"list of {_kind(items)}" if isinstance(items, dict) and items else "list"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"table of {_kind(inner)}" if isinstance(inner, dict) and inner else "table"
    return TYPES.get(kind, kind) + _range(schema)


def _range(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above = schema.get("exclusiveMinimum")
    parts = []
    if above is not None:
        parts.append(f"above {_number(above)}")
    if low is not None and high is not None:
        return f", {_number(low)} to {_number(high)}"
    if low is not None:
        parts.append(f"{_number(low)} or more")
    if high is not None:
        parts.append(f"at most {_number(high)}")
    return f", {', '.join(parts)}" if parts else ""


def _number(value: float) -> str:
    return f"{value:,.10g}"


def _value(value: Any) -> str:
    if value is None:
        return ""
    if value in ("", [], {}):
        return "empty"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, (int, float)):
        return _number(value)
    return f"`{value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _options(options: Mapping[str, Option]) -> str:
    if not options:
        return ""
    rows = [
        f"| `{name}` | {_kind(option.schema())} | {_value(option.default)} | {_cell(option.text)} |\n"
        for name, option in options.items()
    ]
    return "\n| option | value | default | meaning |\n| --- | --- | --- | --- |\n" + "".join(rows)


def _option_row(parser: argparse.ArgumentParser, action: argparse.Action, at_run_time: Mapping[str, RuntimeSetting]) -> str:
    flag = action.option_strings[0]
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    value = "" if action.nargs == 0 else f" {'|'.join(map(str, action.choices)) if action.choices else metavar}"
    expanded = parser._get_formatter()._expand_help(action)  # noqa: SLF001 (as `--help` prints it)
    text = re.sub(r"(\$EDGEFLEET_\w+|--[a-z-]+)", r"`\1`", expanded.replace(str(Path.home()), "~"))
    return f"| `{flag}{_cell(value)}` | {_cell(text)} | {'yes' if flag in at_run_time else ''} |\n"


def _bounds(setting: RuntimeSetting) -> str:
    if setting.choices:
        return ", ".join(f"`{choice}`" for choice in setting.choices)
    if setting.kind == "keys":
        return "keys of labels, separated by commas"
    unit = f" {setting.unit}" if setting.unit else ""
    zero = f"; 0: {setting.zero}" if setting.zero else ""
    return f"{_number(setting.low)} to {_number(setting.high)}{unit}{zero}"
