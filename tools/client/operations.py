"""Operations of the OpenAPI document as methods of Python classes, one class a tag."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tools.client.types import WIDTH, docstring, type_of

PREFIX: Final = "/api/v1"
OF_TRANSPORT: Final = frozenset({"Idempotency-Key"})
"""Headers that the client sends by itself."""
UNLIMITED: Final = frozenset({"finish_upload"})
"""Operations without a time limit: the server checks and stores a whole package."""
CURSORS: Final = {"before_id": "id", "before_seq": "seq"}
"""Parameter of operations that list newest first, to the field of the last item that continues the list."""
JSON: Final = "application/json"
PROPOSAL_HEADER: Final = "Edgefleet-Proposal"
PROPOSAL: Final = {"$ref": "#/components/schemas/Proposal"}
FOLLOWED: Final = "after"
"""Parameter of operations whose page has the value for the next one, `next_after`."""


LITERAL_MAX: Final = 60
"""Length of a set of values from which it has a name."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. path, method: of the request. spec: its object in the document."""

    path: str
    method: str
    spec: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Name of the method."""
        return str(self.spec["operationId"])

    @property
    def tag(self) -> str:
        """Name of the module."""
        return str(self.spec["tags"][0])

    @property
    def successes(self) -> Mapping[str, Mapping[str, Any]]:
        """Responses of status 2xx; a proposal in place of one of them is an error of the client (`ProposedError`)."""
        found = {status: each for status, each in self.spec["responses"].items() if status.startswith("2")}
        return {status: own for status, each in found.items() if (own := _without_proposal(each)) is not None}

    def parameters(self, place: str) -> list[Mapping[str, Any]]:
        """Parameters in the `path`, the `query` or a `header`."""
        found = self.spec.get("parameters", ())
        return [each for each in found if each["in"] == place and each["name"] not in OF_TRANSPORT]

    @property
    def result(self) -> str:
        """Annotation of the response: `bytes` if it is no JSON of a known form, `Events` for a stream."""
        status, response = next(iter(self.successes.items()))
        content = response.get("content", {})
        if status == "204":
            return "None"
        if "text/event-stream" in content:
            return "Events"
        kind = type_of(content.get("application/json", {}).get("schema", {}))
        return "bytes" if kind == "Any" else kind

    @property
    def has_created_status(self) -> bool:
        """Whether the status says if something is new (201) or was there (200)."""
        return {"200", "201"} <= self.successes.keys()

    @property
    def cursor(self) -> str:
        """The query parameter that continues a list; empty if it has no pages."""
        names = {each["name"] for each in self.parameters("query")}
        return "page" if {"page", "size"} <= names else next((name for name in (*CURSORS, FOLLOWED) if name in names), "")

    @property
    def aliases(self) -> dict[str, str]:
        """Long sets of values of the query, each with a name."""
        found = {}
        for each in self.parameters("query"):
            literal = re.search(r"Literal\[[^\]]*\]", type_of(each["schema"]))
            if literal and len(literal[0]) > LITERAL_MAX:
                words = [*self.name.removeprefix("list_").split("_"), *each["name"].split("_")]
                found[literal[0]] = "".join(word.title() for word in words)
        return found

    def query_type(self, parameter: Mapping[str, Any]) -> str:
        """Annotation of an argument for the query."""
        kind = type_of(parameter["schema"]).replace("list[", "Sequence[")
        for literal, name in self.aliases.items():
            kind = kind.replace(literal, name)
        return kind if parameter.get("required") or kind.endswith("| None") else f"{kind} | None"


def _without_proposal(response: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A response as operations that are carried out have it; None if it is only that of a proposal."""
    if PROPOSAL_HEADER not in response.get("headers", {}):
        return response
    others = [each for each in response["content"][JSON]["schema"].get("anyOf", ()) if each != PROPOSAL]
    return {**response, "content": {JSON: {"schema": others[0]}}} if others else None


def operations(document: Mapping[str, Any]) -> list[Operation]:
    """Every operation with a response; a browser's redirections have none."""
    found = [Operation(path, method, spec) for path, item in document["paths"].items() for method, spec in item.items()]
    return [each for each in found if each.successes]


def method_text(operation: Operation) -> str:
    """An operation as a method."""
    result, path = operation.result, _segments(operation)
    body, body_argument = _body(operation)
    arguments = [f"{each['name']}: {type_of(each['schema'])}" for each in operation.parameters("path")]
    arguments += [body] if body else []
    queries, headers = operation.parameters("query"), operation.parameters("header")
    named = [f"{each['name']}: {operation.query_type(each)}{'' if each.get('required') else ' = None'}" for each in queries]
    named += [f"{each['name']}: str" for each in headers]
    shown = {"Events": "Iterator[ServerEvent]"}.get(result, result)
    shown = f"tuple[bool, {shown}]" if operation.has_created_status else shown
    lines = _signature(operation.name, [*arguments, *(["*", *named] if named else [])], shown)
    lines.append(docstring(_description(operation), 8))
    call = [f'"{operation.method.upper()}"', path]
    if queries:
        variable = "parameters" if any(each["name"] == "query" for each in queries) else "query"
        lines += _dictionary(variable, {each["name"]: each["name"] for each in queries})
        call.append(f"query={variable}")
    if headers:
        lines += _dictionary("headers", {each["name"]: each["name"] for each in headers})
        call.append("headers=headers")
    call += [body_argument] if body_argument else []
    call += ["unlimited=True"] if operation.name in UNLIMITED else []
    return "\n".join([*lines, *_request(operation, shown, call)]) + "\n"


def pages_text(operation: Operation) -> str:
    """The method that iterates over all pages of a list; empty if the list has no pages."""
    cursor = operation.cursor
    if not cursor:
        return ""
    size = "size" if cursor == "page" else "limit"
    queries = [each for each in operation.parameters("query") if each["name"] not in (cursor, "size", "limit")]
    largest = next(each["schema"]["maximum"] for each in operation.parameters("query") if each["name"] == size)
    arguments = [f"{each['name']}: {type_of(each['schema'])}" for each in operation.parameters("path")]
    named = [f"{each['name']}: {operation.query_type(each)} = None" for each in queries]
    passed = [each["name"] for each in operation.parameters("path")]
    passed += [f"{each['name']}={each['name']}" for each in queries] + [f"{cursor}=at", f"{size}={largest}"]
    name = re.sub(r"^(list|get)_", "iterate_", operation.name)
    lines = _signature(name, [*arguments, *(["*", *named] if named else [])], f"Iterator[{_item(operation)}]")
    lines.append(docstring(f"Every item of `{operation.name}`, one request a page.", 8))
    function = {"page": "numbered", FOLLOWED: "followed"}.get(cursor, "newest_first")
    more = f', "{CURSORS[cursor]}"' if cursor in CURSORS else ""
    line = f"        return {function}(lambda at: self.{operation.name}({', '.join(passed)}){more})"
    if len(line) <= WIDTH + 2:
        return "\n".join([*lines, line]) + "\n"
    calls = "".join(f"                {each},\n" for each in passed)
    inner = f"            lambda at: self.{operation.name}(\n{calls}            )"
    rest = f",\n            {more[2:]},\n        )" if more else "\n        )"
    return "\n".join([*lines, f"        return {function}(\n{inner}{rest}"]) + "\n"


def _item(operation: Operation) -> str:
    """Placeholder `{name}` of the response; the module's writer knows the schemas."""
    return f"ITEM_OF_{operation.result}"


def _segments(operation: Operation) -> str:
    parts = operation.path.removeprefix(PREFIX).strip("/").split("/")
    texts = []
    for part in parts:
        whole = re.fullmatch(r"\{(\w+)\}", part)
        texts.append(whole[1] if whole else f'f"{part}"' if "{" in part else f'"{part}"')
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _body(operation: Operation) -> tuple[str, str]:
    """Argument of the method for the body, and argument of the request; empty if there is none."""
    content = operation.spec.get("requestBody", {}).get("content", {})
    if not content:
        return "", ""
    kind, schema = next((kind, each["schema"]) for kind, each in content.items())
    if kind == "application/json":
        optional = "" if operation.spec["requestBody"].get("required") else " | None = None"
        return f"body: {type_of(schema)}{optional}", "json=body"
    return "content: bytes", "content=content" if kind == "application/octet-stream" else 'files={"package": content}'


def _description(operation: Operation) -> str:
    text = " ".join(str(operation.spec.get("description", "")).split())
    created = " Returns (whether it is new, the object)." if operation.has_created_status else ""
    role = operation.spec.get("x-role")
    return f"{text}{created}{f' Role: {role}.' if role else ''}"


def _signature(name: str, arguments: Sequence[str], result: str) -> list[str]:
    line = f"    def {name}({', '.join(['self', *arguments])}) -> {result}:"
    if len(line) <= WIDTH + 2:
        return [line]
    inner = f"        {', '.join(['self', *arguments])}"
    if len(inner) <= WIDTH + 2 and "*" not in arguments:
        return [f"    def {name}(", inner, f"    ) -> {result}:"]
    return [f"    def {name}(", *(f"        {each}," for each in ("self", *arguments)), f"    ) -> {result}:"]


def _dictionary(name: str, values: Mapping[str, str]) -> list[str]:
    pairs = [f'"{key}": {value}' for key, value in values.items()]
    line = f"        {name} = {{{', '.join(pairs)}}}"
    if len(line) <= WIDTH + 2:
        return [line]
    return [f"        {name} = {{", *(f"            {pair}," for pair in pairs), "        }"]


def _request(operation: Operation, result: str, call: Sequence[str]) -> Iterator[str]:
    function = {"None": "send", "bytes": "fetch", "Events": "events"}.get(operation.result, "ask")
    if operation.has_created_status:
        function = "create"
    text = f"self._transport.{function}({', '.join(call)})"
    if function == "ask" or function == "create":
        yield f"        answer: {result} = {text}"
        yield "        return answer"
    else:
        yield f"        {'' if function == 'send' else 'return '}{text}"
