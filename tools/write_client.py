"""Writes the generated modules of the Python client, `client/edgefleet_client/schemas` and `operations`, from docs/openapi.json.

python -m tools.write_client
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tools.client.operations import Operation, method_text, operations, pages_text
from tools.client.types import broken, definition, reachable, type_of

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENT: Final = ROOT / "docs/openapi.json"
FOLDER: Final = ROOT / "client/edgefleet_client"
ORIGIN: Final = "Generated from docs/openapi.json by `python -m tools.write_client`."
HEADER: Final = f'"""{{}}\n\n{ORIGIN}\n"""\n\nfrom __future__ import annotations\n'
SHARED: Final = "core"
"""Module of the schemas that several tags use."""
PARTS: Final = {"/api/v1/events": "pipelines", "/api/v1/experiments": "experiments", "/api/v1/proposals": "audit"}
"""Paths whose schemas are in another module than the other ones of their tag: the folder has at most 15."""
COMPOSED: Final = ("fleet", "experiments")
"""Modules whose operations return objects of other modules; these stay in the other ones."""
REQUESTS: Final = {"rollouts": "rollout_requests"}
"""Modules that are too long for one file: what their requests need has a module of its own."""


def files(document: Mapping[str, Any]) -> dict[str, str]:
    """Path below the client's package to the text of each generated module."""
    found = operations(document)
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    homes = _homes(found, schemas)
    texts = {"schemas/__init__.py": '"""Types of requests and responses: dictionaries with typed keys."""\n'}
    for module in sorted(set(homes.values())):
        names = [name for name in schemas if homes.get(name) == module]
        texts[f"schemas/{module}.py"] = _schema_module(module, names, schemas, homes)
    texts["operations/__init__.py"] = '"""Operations of the REST API: one class a tag, one method an operation."""\n'
    tags = sorted({each.tag for each in found})
    for tag in tags:
        texts[f"operations/{tag}.py"] = _operation_module(tag, [each for each in found if each.tag == tag], schemas, homes)
    texts["operations/all_operations.py"] = _composition(tags)
    return texts


def _homes(found: Iterable[Operation], schemas: Mapping[str, Any]) -> dict[str, str]:
    """Name of each schema to its module."""
    users: dict[str, set[str]] = {}
    requested: set[str] = set()
    for operation in found:
        part = next((part for path, part in PARTS.items() if operation.path.startswith(path)), operation.tag)
        requested |= reachable(schemas, _json_body(operation))
        for name in reachable(schemas, [operation.successes, _json_body(operation)]):
            users.setdefault(name, set()).add(part)
    homes = {}
    for name, modules in users.items():
        own = modules
        for composed in COMPOSED:
            own = own - {composed} or own
        home = next(iter(own)) if len(own) == 1 else SHARED
        homes[name] = REQUESTS.get(home, home) if name in requested else home
    return homes


def _json_body(operation: Operation) -> Mapping[str, Any]:
    content: Mapping[str, Any] = operation.spec.get("requestBody", {}).get("content", {})
    return content.get("application/json", {})


def _imports(texts: Iterable[str], module: str, homes: Mapping[str, str]) -> str:
    """Import statements of the schemas that texts name."""
    named = {word for text in texts for word in re.findall(r"\b[A-Za-z_]\w*\b", text)}
    lines = []
    for other in sorted(set(homes.values()) - {module}):
        names = sorted((name for name in named if homes.get(name) == other), key=str.lower)
        if names:
            line = f"from edgefleet_client.schemas.{other} import {', '.join(names)}"
            wrapped = "".join(f"    {name},\n" for name in names)
            lines.append(line if len(line) <= 130 else f"from edgefleet_client.schemas.{other} import (\n{wrapped})")
    return "".join(f"{line}\n" for line in lines)


def _schema_module(module: str, names: Iterable[str], schemas: Mapping[str, Any], homes: Mapping[str, str]) -> str:
    texts = [definition(name, schemas[name]) for name in names]
    annotations = [annotation for name in names for annotation in _annotations(schemas[name])]
    about = "Types that operations of several tags use." if module == SHARED else f"Types of the operations about {module}."
    text = HEADER.format(about)
    words = {word for word in ("Any", "Literal") if any(re.search(rf"\b{word}\b", each) for each in annotations)}
    words |= {"TypedDict"} if any("(TypedDict)" in each for each in texts) else set()
    words |= {"TypeAlias"} if any(": TypeAlias =" in each for each in texts) else set()
    body = f"\nfrom typing import {', '.join(sorted(words))}\n"
    others = _imports(annotations, module, homes)
    needs = any("NotRequired[" in each for each in texts)
    own = ("from edgefleet_client.not_required import NotRequired\n" if needs else "") + others
    body += f"\n{own}" if own else ""
    return text + body + ("\n" if texts[0].startswith("class ") else "") + "\n" + "\n\n".join(texts)


def _annotations(schema: Mapping[str, Any]) -> list[str]:
    return [type_of(each) for each in schema.get("properties", {"": schema}).values()]


def _operation_module(tag: str, found: Sequence[Operation], schemas: Mapping[str, Any], homes: Mapping[str, str]) -> str:
    methods = []
    for operation in found:
        methods.append(method_text(operation))
        pages = pages_text(operation)
        if pages:
            item = type_of(schemas[operation.result]["properties"]["items"]["items"])
            methods.append(pages.replace(f"ITEM_OF_{operation.result}", item))
    code = [re.sub(r'""".*?"""', "", each, flags=re.DOTALL) for each in methods]
    aliases = {name: literal for operation in found for literal, name in operation.aliases.items()}
    name = _class(tag)
    definitions = [broken(f"{name}: TypeAlias = {literal}") + "\n" for name, literal in aliases.items()]
    code += definitions
    standard = {"collections.abc": ("Iterator", "Sequence"), "typing": ("Any", "Literal", "TypeAlias")}
    lines = []
    for module, words in standard.items():
        used = [word for word in words if any(re.search(rf"\b{word}\b", each) for each in code)]
        lines += [f"from {module} import {', '.join(used)}\n"] if used else []
    own = []
    if any("ServerEvent" in each for each in code):
        own.append("from edgefleet_client.event_stream import ServerEvent\n")
    paged = [word for word in ("followed", "newest_first", "numbered") if any(f" {word}(" in each for each in code)]
    own += [f"from edgefleet_client.pages import {', '.join(paged)}\n"] if paged else []
    own.append(_imports(code, "", homes))
    own.append("from edgefleet_client.transport import Transport\n")
    header = HEADER.format(f"Operations about {tag}.") + "\n" + "".join(lines) + ("\n" if lines else "") + "".join(own)
    header += "\n" + "".join(definitions) if definitions else ""
    intro = f'\n\nclass {name}:\n    """Operations about {tag}."""\n\n    def __init__(self, transport: Transport) -> None:\n'
    return header + intro + "        self._transport = transport\n" + "".join(f"\n{each}" for each in methods)


def _class(tag: str) -> str:
    return f"{tag.title()}Operations"


def _composition(tags: Iterable[str]) -> str:
    imports = "".join(f"    from edgefleet_client.operations.{tag} import {_class(tag)}\n" for tag in tags)
    text = HEADER.format("All operations of the REST API, by tag.")
    text += "\nfrom functools import cached_property\nfrom typing import TYPE_CHECKING\n"
    text += f"\nfrom edgefleet_client.transport import Transport\n\nif TYPE_CHECKING:\n{imports}"
    text += '\n\nclass Operations:\n    """One attribute a tag; its module is imported when it is first used."""\n'
    text += "\n    def __init__(self, transport: Transport) -> None:\n        self.transport = transport\n"
    for tag in tags:
        text += f'\n    @cached_property\n    def {tag}(self) -> {_class(tag)}:\n        """Operations about {tag}."""\n'
        text += f"        from edgefleet_client.operations.{tag} import {_class(tag)}\n\n"
        text += f"        return {_class(tag)}(self.transport)\n"
    return text


def main() -> None:
    """Write the modules, and remove those that are no longer made."""
    texts = files(json.loads(DOCUMENT.read_text(encoding="utf-8")))
    for folder in ("schemas", "operations"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
        for path in (FOLDER / folder).glob("*.py"):
            if f"{folder}/{path.name}" not in texts:
                path.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
