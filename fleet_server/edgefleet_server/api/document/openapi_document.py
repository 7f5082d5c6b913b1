"""Completes FastAPI's OpenAPI document: roles, security schemes, the problems that each operation can answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from edgefleet_server.api.document.examples import add_examples
from edgefleet_server.api.error_responses import PROBLEM_JSON
from edgefleet_server.api.middleware.request_keys import KEY_CHARS
from edgefleet_server.domain.policy.proposals import NOT_PROPOSABLE, UNCHANGING
from edgefleet_server.domain.policy.roles import NEEDED, REACHES, UNRECORDED

JSON: Final = "application/json"
PROPOSAL_HEADER: Final = "Edgefleet-Proposal"
TAGS: Final[Mapping[str, str]] = {
    "alerts": "Rules, alerts, notifications and their recipients.",
    "audit": "The log of all changes, and its verification.",
    "devices": "Devices, their groups, commands, telemetry, events and pictures.",
    "fleet": "Overview, sites, versions in use, health of the server; history, logs and support bundles of devices.",
    "identity": "Enrolment and certificates of devices.",
    "models": "Packages of models, their channels, measurements and files.",
    "people": "Users, sessions and API tokens.",
    "pipelines": "Documents of pipelines, and their check.",
    "proposals": "Requests of API tokens that only propose, and their approval.",
    "rollouts": "Rollouts and experiments.",
    "settings": "Settings that apply without a restart.",
    "trust": "Signed metadata of the packages, and its keys.",
}
_OPEN_PROBLEMS: Final[Mapping[str, str]] = {
    "429": "Too many requests; Retry-After has the seconds to wait",
    "500": "The server failed",
    "503": "Not available now; try again later",
}
_SIGNED_IN_PROBLEMS: Final[Mapping[str, str]] = {"401": "Sign in first", "403": "The role or the scopes do not suffice"}
_PROOF_PROBLEMS: Final[Mapping[str, str]] = {"401": "The proof is wrong or missing", "403": "The proof does not suffice"}
"""Of operations without a session: what a password, code, token or ticket lacks."""
_OWN_PROBLEMS: Final[Mapping[str, Mapping[str, str]]] = {
    "begin_openid": {"404": "No provider of identities is configured"},
    "finish_openid": {
        "401": "The provider refuses, or the sign-in began elsewhere",
        "403": "The user has no role",
        "404": "No provider of identities is configured",
        "422": "The request is not valid",
    },
}
"""Problems of single operations."""
_BODY_PROBLEMS: Final[Mapping[str, str]] = {"400": "The body is not JSON", "413": "The body is too large"}
_CHANGE_PROBLEMS: Final[Mapping[str, str]] = {
    "409": "The state of the object does not allow it; the text says what does",
    "422": "The request is not valid",
    "507": "The disk or the database of the server is full; the text says what was done",
}
_PROBLEM: Final = {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A new random text of the client, such as a UUID. The same request with the same key within 24 hours is not"
    " carried out again: it gets the first answer. 422: the key belongs to another request; 409: that one still runs.",
    "schema": {"type": "string", "minLength": KEY_CHARS.start, "maxLength": KEY_CHARS.stop - 1},
}
_PROPOSAL: Final = {"$ref": "#/components/schemas/Proposal"}
_PROPOSED_TEXT: Final = "Nothing was changed: the API token only proposes, and the request waits for the approval of a person"
_NUMBER: Final = {"description": "Number of the proposal", "required": True, "schema": {"type": "integer", "minimum": 1}}
_PROPOSED: Final = {
    "description": _PROPOSED_TEXT,
    "headers": {PROPOSAL_HEADER: _NUMBER},
    "content": {JSON: {"schema": _PROPOSAL}},
}
_OF_FASTAPI: Final = ("HTTPValidationError", "ValidationError")
"""Schemas of the framework's own error bodies, which this server does not send."""


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Complete the document in place; returns it."""
    document["info"]["license"] = {"name": "Apache 2.0", "identifier": "Apache-2.0"}
    document["servers"] = [{"url": "/", "description": "The fleet server"}]
    document["components"]["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": "edgefleet", "description": "`__Host-edgefleet` over HTTPS"},
        "token": {"type": "http", "scheme": "bearer"},
    }
    for name in _OF_FASTAPI:
        document["components"]["schemas"].pop(name, None)
    for methods in document["paths"].values():
        for method, operation in methods.items():
            needed = NEEDED[operation["operationId"]]
            operation["security"] = [] if needed is None else [{"session": []}, {"token": []}]
            if needed is not None:
                operation["x-role"] = needed.value
                operation["x-devices"] = REACHES[operation["operationId"]].value
            _add_problems(method, operation)
            _add_key(method, operation)
            if method != "get" and needed is not None and operation["operationId"] not in UNCHANGING | NOT_PROPOSABLE:
                _add_proposal(operation["responses"])
            add_examples(operation)
    return document


def _add_key(method: str, operation: dict[str, Any]) -> None:
    """Add the header that lets a client send a POST again, where the server carries a request with a key out once."""
    kinds = operation.get("requestBody", {}).get("content", {JSON: {}})
    if method == "post" and operation["security"] and JSON in kinds and operation["operationId"] not in UNRECORDED:
        operation["parameters"] = [*operation.get("parameters", []), _KEY]


def _add_proposal(responses: dict[str, Any]) -> None:
    """Add the answer to an API token that only proposes. An own answer with the same status has no such header."""
    own = responses.get("202")
    if own is None:
        responses["202"] = _PROPOSED
        return
    schema = {"anyOf": [own["content"][JSON]["schema"], _PROPOSAL]}
    responses["202"] = own | {
        "description": f"{own['description']}; with the header {PROPOSAL_HEADER}: {_PROPOSED_TEXT}",
        "headers": {PROPOSAL_HEADER: _NUMBER | {"required": False}},
        "content": {JSON: {"schema": schema}},
    }


def _add_problems(method: str, operation: dict[str, Any]) -> None:
    """Add the problems that an operation can answer beside those that its route names."""
    texts = _problems(method, operation)
    responses: dict[str, Any] = operation["responses"]
    for status, response in responses.items():
        if int(status) >= 400:
            response["content"] = _PROBLEM
    if "422" in responses:
        responses["422"]["description"] = _CHANGE_PROBLEMS["422"]
    for status, text in texts.items():
        responses.setdefault(status, {"description": text, "content": _PROBLEM})


def _problems(method: str, operation: Mapping[str, Any]) -> dict[str, str]:
    places = {parameter["in"] for parameter in operation.get("parameters", [])}
    found = dict(_OPEN_PROBLEMS)
    is_public = not operation["security"]
    if not is_public or method != "get" or "path" in places:  # without a session: a password, a code, a token or a ticket
        found |= _PROOF_PROBLEMS if is_public else _SIGNED_IN_PROBLEMS
    if places & {"path", "query"} or "requestBody" in operation:
        found["404"] = "There is no object that the request names"
    if places & {"path", "query"}:
        found["422"] = _CHANGE_PROBLEMS["422"]
    if "requestBody" in operation:
        found |= _BODY_PROBLEMS
        found |= {"415": "The body is of another type than JSON"} if JSON in operation["requestBody"]["content"] else {}
    if method != "get":
        found |= _CHANGE_PROBLEMS
    return {**found, **_OWN_PROBLEMS.get(operation["operationId"], {})}
