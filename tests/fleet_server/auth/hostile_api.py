"""Requests that schemathesis makes up from the server's own OpenAPI document, sent with each role.

Two promises are checked: no answer is a 5xx, and no role gets further than it (`x-role` in the document) allows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, Final

import httpx
from hypothesis import HealthCheck, Phase, given, settings

from edgefleet_server.domain.policy.roles import Role

SKIPPED: Final = frozenset({"stream", "sign_out", "sign_in", "set_up", "change_password", "delete_user", "change_user"})
"""An endless answer, and what would end the session that asks; each has tests of its own."""
REFUSED: Final = frozenset({400, 401, 403, 404, 405, 409, 411, 413, 414, 415, 422, 429})
TIMEOUT_S: Final = 60.0


def operations(document: dict[str, Any]) -> Iterator[Any]:
    """Every operation of the document that is tried."""
    import schemathesis  # takes seconds, which every collection of tests would

    for result in schemathesis.openapi.from_dict(document).get_all_operations():
        operation = result.ok()
        if operation.definition.raw["operationId"] not in SKIPPED:
            yield operation


def attack(operation: Any, role: Role, client: httpx.Client, examples: int) -> int:
    """Send `examples` made-up requests of one operation; how many were sent."""
    needed = operation.definition.raw.get("x-role")
    allowed = needed is None or role.covers(Role(needed))
    name = operation.definition.raw["operationId"]
    sent = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def run(case: Any) -> None:
        nonlocal sent
        request = case.as_transport_kwargs(base_url=str(client.base_url).removesuffix("/api/v1/").removesuffix("/"))
        headers = {key: value for key, value in (request.get("headers") or {}).items() if key.lower() != "authorization"}
        keys = ("params", "json", "data", "files")
        body = {key: request[key] for key in keys if request.get(key) is not None}
        if isinstance(body.get("data"), (bytes, str)):
            body["content"] = body.pop("data")
        try:
            answer = client.request(request["method"], request["url"], headers=dict(headers), timeout=TIMEOUT_S, **body)
        except (httpx.InvalidURL, httpx.LocalProtocolError, AttributeError, TypeError, ValueError):
            return  # no HTTP client could send it
        sent += 1
        assert answer.status_code < 500, f"{name} as {role.value}: {answer.status_code}: {answer.text[:300]}"
        if not allowed:
            assert answer.status_code in REFUSED, f"{name} as {role.value} got {answer.status_code}"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run()
    return sent
