"""Calls of the REST API by the names of its operations, each recorded once with the body that was sent and the one that came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

from edgefleet_server.api.document.openapi_document import PROPOSAL_HEADER
from tests.corpus.folder import ROOT

DOCUMENT = ROOT / "docs" / "openapi.json"
JSON = "application/json"
NOT_RECORDED = {
    "begin_openid": "answers with a redirection to a provider of identities",
    "post_signed_targets": "needs metadata that people signed elsewhere; tests/fleet_server/registry/signing has it",
    "post_signed_root": "needs a root that people signed elsewhere; tests/fleet_server/registry/signing has it",
    "stream": "server-sent events, without an end",
}
"""Operations without a recorded call, and why. Those that never answer JSON are left out by themselves."""


def document() -> dict[str, Any]:
    """The committed OpenAPI document."""
    return dict(json.loads(DOCUMENT.read_text(encoding="utf-8")))


def operations(text: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each operation of an OpenAPI document, by its name."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in text["paths"].items()
        for method, operation in methods.items()
    }


def answers_json(operation: dict[str, Any]) -> bool:
    """Whether a successful response of the operation has JSON, or no body at all."""
    good = [response for status, response in operation["responses"].items() if status.startswith("2")]
    return any(not response.get("content") or JSON in response["content"] for response in good)


def expected() -> set[str]:
    """The operations that have to be recorded: those with JSON in a response or request."""
    found = set()
    for name, (_, _, operation) in operations(document()).items():
        has_json = any(
            JSON in response.get("content", {})
            for status, response in operation["responses"].items()
            if status[0] == "2" and not response.get("headers", {}).get(PROPOSAL_HEADER, {}).get("required")
        )
        if has_json or JSON in operation.get("requestBody", {}).get("content", {}):
            found.add(name)
    return found - set(NOT_RECORDED)


class Calls:
    """Calls operations of one server and remembers the first successful call of each."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.made: dict[str, dict[str, Any]] = {}
        self._operations = operations(document())
        self._root = str(http.base_url).partition("/api/v1")[0]

    def __call__(self, name: str, body: Any = None, query: dict[str, Any] | None = None, /, **path: object) -> Any:
        """The response of the operation `name`; `path`: the values of its path.

        Raises:
            AssertionError: the server refuses; the text has its response.
        """
        answer = self.send(name, query, path, json=body)
        found = answer.json() if answer.content else None
        self.keep(name, found, path, body, query or {}, answer.status_code)
        return found

    def send(self, name: str, query: dict[str, Any] | None, path: dict[str, object], **content: Any) -> httpx.Response:
        """Send a call with any content, without recording it."""
        method, template, _ = self._operations[name]
        url = self._root + template.format(**path)
        answer = self.http.request(
            method, url, params=query, **{key: value for key, value in content.items() if value is not None}
        )
        assert answer.status_code < 400, f"{name} {path}: {answer.status_code} {answer.text[:500]}"
        return answer

    def keep(self, name: str, response: Any, path: dict[str, object], request: Any, query: dict[str, Any], status: int) -> None:
        """Remember a call, if it is the first of its operation."""
        method, template, _ = self._operations[name]
        entry = {
            "method": method,
            "template": template,
            "path": path,
            "query": query,
            "request": request,
            "status": status,
            "response": response,
        }
        self.made.setdefault(name, entry)


def store(calls: dict[str, dict[str, Any]], folder: Path) -> None:
    """Write a file for each operation."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in calls.items():
        (folder / f"{name}.json").write_text(json.dumps(entry, indent=1, sort_keys=True) + "\n", encoding="utf-8")
