"""Stores the request of a proposing API token in place of carrying it out: it is tried without effect first."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Final
from urllib.parse import unquote_plus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from edgefleet_server.api.context import Context
from edgefleet_server.api.error_responses import PROBLEM_JSON, answer, send_whole, status_of
from edgefleet_server.api.proposals.inner_request import PREFIX, InnerResponse, send_inner
from edgefleet_server.api.proposals.trial import run_trial
from edgefleet_server.api.schemas.admin.proposals import Proposal
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import EdgefleetError, InputError, TooManyError
from edgefleet_server.db.people import proposals
from edgefleet_server.domain.policy import proposals as policy
from edgefleet_server.domain.policy import roles
from edgefleet_server.domain.policy.rate_limit import RateLimit

WINDOW_S: Final = 60.0
TARGET_CHARS_MAX: Final = 1_000
PROPOSAL_HEADER: Final = b"edgefleet-proposal"


class ProposalIntake:
    """Takes requests of proposing API tokens. `app`: the application behind the authorization, which tries them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._throttle = RateLimit(WINDOW_S)

    def application(self, context: Context, caller: Caller, operation: str, summary: str) -> ASGIApp:
        """An application that stores one request as a proposal and answers 202 with it, or refuses it."""

        async def take(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                self._throttle.take({caller.key: policy.MADE_PER_MINUTE}, time.monotonic())
                record = _record(scope, caller, operation, await _body(receive)) | {"summary": summary}
                refusal = await self._try(scope, caller, record)
                if refusal is None:
                    stored, number = await asyncio.to_thread(_store, context, record)
                    await send_whole(send, 202, "application/json", stored, [(PROPOSAL_HEADER, str(number).encode())])
                else:
                    await send_whole(send, refusal.status, PROBLEM_JSON, bytes(refusal.body))
            except EdgefleetError as error:
                status = status_of(error, 422)
                wait = [(b"retry-after", str(error.wait_s).encode())] if isinstance(error, TooManyError) else []
                await answer(scope, send, status, str(error), wait)

        return take

    async def _try(self, scope: Scope, caller: Caller, record: dict[str, Any]) -> InnerResponse | None:
        """Try the request as far as it has no effect; returns its refusal, or None."""
        state: dict[str, Any] = {"caller": caller, "inner": "trial", "device_scope": scope["state"]["device_scope"]}
        body = record["body"].encode()
        response = await send_inner(self._tried, scope, record["method"], record["path"], body, state)
        record["checked"] = state["checked"]
        return response if response.status >= 400 else None

    async def _tried(self, scope: Scope, receive: Receive, send: Send) -> None:
        await run_trial(self._app, scope, receive, send)


def _record(scope: Scope, caller: Caller, operation: str, body: bytes) -> dict[str, Any]:
    headers = Headers(scope=scope)
    query = scope["query_string"].decode("latin-1")
    path = scope.get("raw_path", scope["path"].encode()).decode("latin-1").partition("?")[0].partition(PREFIX)[2]
    target = path + (f"?{query}" if query else "")
    if len(target) > TARGET_CHARS_MAX:
        raise InputError(f"the path of a proposal has {len(target)} characters; the maximum is {TARGET_CHARS_MAX}")
    needed = roles.NEEDED[operation]
    return {
        "token": caller.key,
        "token_name": caller.token_name,
        "proposed_by": caller.name,
        "operation": operation,
        "needed": needed.value if needed else "",
        "method": scope["method"],
        "path": target,
        "body": policy.checked_body(body, headers.get("content-type", "")),
        "note": _note(headers.get(policy.NOTE_HEADER, "")),
        "checked": "",
    }


def _note(value: str) -> str:
    """The proposer's reason, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in unquote_plus(value))[: policy.NOTE_CHARS_MAX]


async def _body(receive: Receive) -> bytes:
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > policy.BODY_BYTES_MAX:
            raise InputError(f"the body of a proposal must not exceed {policy.BODY_BYTES_MAX} bytes")
        more = message["type"] == "http.request" and message.get("more_body", False)
    return bytes(body)


def _store(context: Context, record: dict[str, Any]) -> tuple[bytes, int]:
    """Store a proposal; returns (its JSON, its number)."""
    now = time.time()
    with context.database.write() as connection:
        made = proposals.add(connection, record, now)
        stored = proposals.find(connection, made, proposals.Reader(roles.Role.ADMIN), now)
    return json.dumps(Proposal.of(stored).model_dump(mode="json")).encode(), made
