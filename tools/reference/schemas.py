"""JSON Schemas (draft 7, which editors of TOML know) of the files that people write, made of the structs that read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from edgefleet_agent.settings import Settings
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_contract.package.ensemble import EnsembleManifest
from edgefleet_contract.package.manifest import Manifest
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_server.cli.apply.documents import Fleet
from tools.reference.field_texts import HIDDEN, field_texts, struct_text
from tools.reference.options import Option, source_options, stage_options

DRAFT = "http://json-schema.org/draft-07/schema#"
LIMITS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
Schema = dict[str, Any]


def settings_schema() -> Schema:
    """Of `agent.toml`."""
    return _schema(Settings, "Settings of the edgefleet agent (agent.toml)", closed=True)


def manifest_schema() -> Schema:
    """Of `model.toml`. Unknown keys are allowed: newer versions add some, and a package keeps them."""
    return _schema(Manifest, "Manifest of an edgefleet package (model.toml)", closed=False)


def ensemble_schema() -> Schema:
    """Of the `model.toml` of an ensemble."""
    return _schema(EnsembleManifest, "Manifest of an edgefleet ensemble (model.toml)", closed=True)


def fleet_schema() -> Schema:
    """Of `fleet.yaml`."""
    return _schema(Fleet, "Fleet of edgefleet (fleet.yaml)", closed=True, nulls=True)


def pipeline_schema() -> Schema:
    """Of a pipeline on a device, and of a document of the fleet."""
    schema = _schema(PipelineSpec, "Pipeline of edgefleet", closed=True)
    definitions = schema["definitions"]
    sources, stages = source_options(), stage_options()
    _add_kinds(definitions["SourceSpec"], sources, others=["device", "events"])
    _add_kinds(definitions["StageSpec"], stages, others=[], closed=True)
    schema["properties"]["for"] = _sections(schema)
    return schema


def _schema(kind: type[msgspec.Struct], title: str, *, closed: bool, nulls: bool = False) -> Schema:
    """Schema of a struct. closed: without further keys. nulls: of a file that can have null."""
    (reference,), definitions = msgspec.json.schema_components([kind], ref_template="#/definitions/{name}")
    for each in _structs(kind):
        definition = definitions[each.__name__]
        texts, properties = field_texts(each), definition["properties"]
        for hidden in (HIDDEN if issubclass(each, Wire) else frozenset()) & properties.keys():
            del properties[hidden]
        for key in properties:
            properties[key] = _plain(properties[key], nulls=nulls)
            if key in texts:
                properties[key] = {"description": texts[key], **properties[key]}
        definition["description"] = struct_text(each)
        if closed:
            definition["additionalProperties"] = False
    root = definitions.pop(kind.__name__)
    assert reference["$ref"].endswith(kind.__name__)
    return {"$schema": DRAFT, **root, "title": title, "definitions": definitions}


def _structs(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """`kind` and every struct that its fields hold, each once."""
    found: dict[type[msgspec.Struct], None] = {}
    waiting: list[Any] = [msgspec.inspect.type_info(kind)]
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in found:
                continue
            found[info.cls] = None
            waiting += [field.type for field in info.fields]
        elif isinstance(info, msgspec.inspect.UnionType):
            waiting += info.types
        elif isinstance(info, msgspec.inspect.ListType):
            waiting.append(info.item_type)
        elif isinstance(info, msgspec.inspect.DictType):
            waiting.append(info.value_type)
    yield from found


def _plain(schema: Schema, *, nulls: bool = False) -> Schema:
    """The schema in draft 7, and without null, which TOML does not have, unless `nulls` are."""
    plain = {key: value for key, value in schema.items() if not (key == "default" and value is None)}
    written = plain.pop("anyOf", ())
    choices = [choice for choice in written if choice != {"type": "null"}]
    if nulls and len(choices) < len(written):
        plain["anyOf"] = [{"type": "null"}, *map(_plain, choices)]
    elif len(choices) == 1:
        plain |= choices[0]
    elif choices:
        plain["anyOf"] = [_plain(choice) for choice in choices]
    if "prefixItems" in plain:  # tuples of ours hold values of one type
        first, *others = plain.pop("prefixItems")
        assert all(other == first for other in others)
        plain["items"] = first
    if plain.get("type") == "number":
        # `Annotated` takes equal limits for one, so that a module that is imported earlier decides between 0 and 0.0.
        plain |= {key: float(plain[key]) for key in LIMITS & plain.keys()}
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(plain.get(key), dict):
            plain[key] = _plain(plain[key])
    return plain


def _add_kinds(definition: Schema, kinds: Mapping[str, Mapping[str, Option]], others: list[str], *, closed: bool = False) -> None:
    """Add the known kinds, and the options of each. closed: there are no further ones, by plug-ins."""
    known: Schema = {"enum": sorted([*kinds, *others])}
    kind = definition["properties"]["kind"]
    text = {"description": kind.pop("description")}
    definition["properties"]["kind"] = {**text, **known} if closed else {**text, "anyOf": [known, kind]}
    definition["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": name}}},
            "then": {
                "properties": {
                    "options": {
                        "additionalProperties": False,
                        "properties": {key: option.schema() for key, option in sorted(options.items())},
                    }
                }
            },
        }
        for name, options in sorted(kinds.items())
    ]


def _sections(schema: Schema) -> Schema:
    """`[[for]]` of a document of the fleet: tables with some keys of the pipeline's, lists as a whole."""
    changes: Schema = {}
    for key, value in schema["properties"].items():
        if key == "name":
            continue
        reference = value.get("$ref", "").removeprefix("#/definitions/")
        part = schema["definitions"].get(reference)
        if part is None:
            changes[key] = {"description": f"All `[[{key}]]` of these devices.", **value}
        else:
            properties = {"properties": part["properties"], "additionalProperties": False}
            changes[key] = {"description": f"Keys of `[{key}]` that differ.", "type": "object", **properties}
    return {
        "description": "In documents of the fleet: differences of single devices. Later sections win.",
        "type": "array",
        "items": {
            "type": "object",
            "required": ["devices"],
            "additionalProperties": False,
            "properties": {
                "devices": {
                    "description": "The devices.",
                    "type": "array",
                    "items": {"type": "string", "pattern": DEVICE_PATTERN},
                },
                "run": {"description": "`false`: these devices do not run the pipeline.", "type": "boolean", "default": True},
                **changes,
            },
        },
    }
