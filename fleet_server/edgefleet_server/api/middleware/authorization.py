"""Middleware of every API route: authentication, authorization by role and devices, and the audit entry of a change.

It runs before the body is read (an upload of an unknown caller is refused at its first byte) and for every route: operations are
identified by method and path, and their required roles and devices are in `domain.policy.roles`. The entry of a change is written
in the transaction of the change itself: neither exists without the other. The entry of a request without a change in the
database, for example a refused one, is written before its response is sent."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edgefleet_server.api.context import Context
from edgefleet_server.api.device_scope import EVERYTHING, DeviceScope, check_reach
from edgefleet_server.api.error_responses import SAFE_METHODS, answer, refuse_socket, status_of
from edgefleet_server.api.middleware.fair_turns import SEARCHES_AT_ONCE, SEARCHES_IN_TOTAL, FairTurns, is_search
from edgefleet_server.api.middleware.operations import Operation
from edgefleet_server.api.middleware.request_keys import KeyedRequest, key_of
from edgefleet_server.api.proposals.approval import ApprovedRequest
from edgefleet_server.api.proposals.intake import ProposalIntake
from edgefleet_server.api.proposals.trial import run_trial
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.auth.local_account import is_own_account
from edgefleet_server.core.errors import DeniedError, EdgefleetError, NotFoundError, StoreError, TooManyError
from edgefleet_server.db.backend.engine import Connection, after_commit, before_commit, read_seconds_max
from edgefleet_server.db.people import audit
from edgefleet_server.domain.policy import roles
from edgefleet_server.domain.policy.proposals import UNCHANGING, check_direct, check_proposable
from edgefleet_server.domain.policy.rate_limit import RateLimit

BODY_BYTES_MAX: Final = 8 * 1024
"""Limit of a JSON body in the audit log; of a longer one, the length is recorded."""
WINDOW_S: Final = 60.0
UNKNOWN_REFUSALS: Final = 20
"""Entries a minute of refused requests of unknown callers, all together; more would let anyone fill the audit log."""
READ_S_MAX: Final = 30.0
"""Time for the queries of a reading request."""
STREAMED: Final = frozenset(
    {"stream", "get_blob", "get_device_blob", "get_evidence", "append_upload", "push_model", "view_live", "view_logs"}
)
"""Operations that last as long as their client needs, and hold no thread meanwhile."""
UNLIMITED: Final = frozenset({"verify_audit"})
"""Operations that have to read everything."""
WITHOUT_ENTRY: Final = frozenset({"sign_in", "sign_out"})
"""Operations that work while the audit log cannot be written; the server's own log has them."""
ANONYMOUS: Final = "(nobody)"
"""The actor in the audit log for requests without a known identity."""


log = logging.getLogger(__name__)


class Authorization:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, prefix: str, known: list[Operation], sockets: Sequence[Operation] = ()) -> None:
        """`sockets`: WebSockets that need the rights of an operation; others authenticate by themselves."""
        self._app = app
        self._sockets = sockets
        self._prefix = prefix + "/"
        self._known = known
        self._throttle = RateLimit(WINDOW_S)
        self._unknown_refusals = RateLimit(WINDOW_S)
        self._turns = FairTurns()
        self._searches = FairTurns(SEARCHES_AT_ONCE, SEARCHES_IN_TOTAL)
        self._intake = ProposalIntake(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._open_socket(scope, receive, send)
            return
        if scope["type"] != "http" or not scope["path"].startswith(self._prefix):
            await self._app(scope, receive, send)
            return
        method, path = scope["method"], scope["path"]
        found = [one for one in self._known if method in one.methods and one.path.match(path)]
        names = [one.name for one in found]
        context: Context = scope["app"].state.context
        try:
            caller = await caller_of(context, scope)
        except EdgefleetError as error:
            await answer(scope, send, 503, str(error))
            return
        scope.setdefault("state", {})["caller"] = caller
        try:
            if not _is_inner(scope):
                self._count(context, scope, caller)
        except TooManyError as error:
            await answer(scope, send, 429, str(error), [(b"retry-after", str(error.wait_s).encode())])
            return
        if not names:  # no such route: a 404 reveals nothing
            await self._app(scope, receive, send)
            return
        if caller is None and any(roles.NEEDED[name] is not None for name in names):
            is_open = await asyncio.to_thread(context.authenticator.is_open)
            await answer(scope, send, 401, _SET_UP_FIRST if is_open else _SIGN_IN_FIRST, _CHALLENGE)
            return
        record = None
        is_proposed = bool(caller and caller.proposes) and method not in SAFE_METHODS and not UNCHANGING.issuperset(names)
        if is_proposed or (method not in SAFE_METHODS and not roles.UNRECORDED.issuperset(names)):
            record = _Record(context, scope, found[0], caller, self._unknown_refusals)
        try:
            if caller:
                _check_rights(caller, found, method, is_proposed=is_proposed)
                scope["state"]["device_scope"] = await _check_devices(context, caller, found[0], path, is_proposed=is_proposed)
        except (DeniedError, NotFoundError) as error:
            status = status_of(error, 403)
            if record:
                await record.refuse(status)
            await answer(scope, send, status, str(error))
            return
        except StoreError as error:
            await answer(scope, send, 503, str(error))
            return
        run = partial(self._carry_out, context, found, caller, record, is_proposed)
        key = key_of(scope) if caller and record and not _is_inner(scope) else ""
        keyed = KeyedRequest(run, context, caller, key) if caller and key else run
        await keyed(scope, receive, send)

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the rights of the caller of a WebSocket."""
        context: Context = scope["app"].state.context
        operation = next((one for one in self._sockets if one.path.match(scope["path"])), None)
        try:
            caller = await caller_of(context, scope)
            scope.setdefault("state", {})["caller"] = caller
            self._count(context, scope, caller)
            if operation is not None and caller is None:
                await refuse_socket(scope, send, 401, _SIGN_IN_FIRST)
                return
            if operation is not None and caller is not None:
                _check_rights(caller, [operation], "GET", is_proposed=False)
                await _check_devices(context, caller, operation, scope["path"], is_proposed=False)
        except EdgefleetError as error:
            await refuse_socket(scope, send, status_of(error, 503), str(error))
            return
        await self._app(scope, receive, send)

    async def _carry_out(
        self,
        context: Context,
        found: list[Operation],
        caller: Caller | None,
        record: _Record | None,
        is_proposed: bool,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Run an allowed request, or store it as a proposal."""
        method, names = scope["method"], [one.name for one in found]
        if is_proposed and caller and record:
            made = found[0]._replace(name="create_proposal", status=202)
            app = self._intake.application(context, caller, found[0].name, found[0].summary)
            await _Record(context, scope, made, caller, self._unknown_refusals).around(app, receive, send)
            return
        if _is_inner(scope):  # the turn of the request that it is made for
            await self._run_inner(record, scope, receive, send)
            return
        if not STREAMED.isdisjoint(names):
            await self._run(record, scope, receive, send)
            return
        limited = read_seconds_max.set(READ_S_MAX if method in SAFE_METHODS and UNLIMITED.isdisjoint(names) else 0.0)
        try:
            who = _who(scope, caller)
            searching = self._searches.turn(who) if is_search(names, scope["query_string"]) else nullcontext()
            async with searching, self._turns.turn(who):
                await self._run(record, scope, receive, send)
        except TooManyError as error:
            await answer(scope, send, 429, str(error), [(b"retry-after", str(error.wait_s).encode())])
        finally:
            read_seconds_max.reset(limited)

    async def _run(self, record: _Record | None, scope: Scope, receive: Receive, send: Send) -> None:
        if record is None:
            await self._app(scope, receive, send)
        else:
            await record.around(self._app, receive, send)

    async def _run_inner(self, record: _Record | None, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["state"]["inner"] == "trial":
            await run_trial(self._app, scope, receive, send)
        else:
            await self._run(record, scope, receive, send)

    def _count(self, context: Context, scope: Scope, caller: Caller | None) -> None:
        """Count a request of a caller, or of the address of an unknown caller.

        Raises:
            TooManyError: too many requests within the minute.
        """
        if caller is not None and caller.via == "open":
            return
        self._throttle.take({_who(scope, caller): context.settings.requests_per_minute}, time.monotonic())


def _check_rights(caller: Caller, found: Iterable[Operation], method: str, *, is_proposed: bool) -> None:
    """Check that a caller may use these operations.

    Raises:
        DeniedError: the role or the scopes do not suffice, or the operation cannot be proposed.
    """
    for one in found:
        roles.check(caller.role, one.name)
        if roles.NEEDED[one.name] is not None:
            roles.check_scope(caller.scopes, one.tag, one.name, reads=method in SAFE_METHODS)
        if is_proposed:
            check_proposable(one.name)
        elif caller.proposes:
            check_direct(one.name)


async def _check_devices(context: Context, caller: Caller, operation: Operation, path: str, *, is_proposed: bool) -> DeviceScope:
    """The devices that the operation may use (`api.device_scope`). What selects devices would select those of the approver, so a
    limited caller cannot propose it.

    Raises:
        DeniedError, NotFoundError: the caller lacks the role for the devices of the path.
        StoreError: the database does not answer.
    """
    role = roles.NEEDED[operation.name]
    if role is None or caller.grants.everywhere_as(role):
        return EVERYTHING
    match = operation.path.match(path)
    named = match.groupdict() if match else {}
    found = await asyncio.to_thread(check_reach, context.database, caller, operation.name, named)
    if is_proposed and not found.is_all and roles.REACHES[operation.name] is roles.Reach.LISTED:
        raise DeniedError(
            f"{operation.name} cannot be proposed with a role for groups; propose a change of one device or rollout"
        )
    return found


def _is_inner(scope: Scope) -> bool:
    """Whether the server itself makes the request, for another one."""
    return bool(scope["state"].get("inner"))


def _who(scope: Scope, caller: Caller | None) -> str:
    """The key of the caller for limits: the session or token, or the address of an unknown caller."""
    return f"caller {caller.key}" if caller and caller.key else f"from {source_of(scope)}"


_SIGN_IN_FIRST: Final = "sign in first: `edgefleet login NAME`, or set $EDGEFLEET_TOKEN to an API token"
_SET_UP_FIRST: Final = (
    "this server has no users yet, and only the account that runs it has access: create the admin account at /setup with the code"
    " in setup.code of its data folder, or set $EDGEFLEET_TOKEN to this code"
)
_CHALLENGE: Final = [(b"www-authenticate", b"Bearer")]


async def caller_of(context: Context, scope: Scope) -> Caller | None:
    """Caller of the request, by its session cookie or token, or by the account of its process while there is no user; None if
    unknown."""
    headers = Headers(scope=scope)
    scheme, _, token = headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    cookie = cookie_parser(headers.get("cookie", "")).get(context.authenticator.cookie, "")
    is_own = partial(is_own_account, scope.get("client"), scope.get("server"))
    return await asyncio.to_thread(context.authenticator.who, cookie, bearer, source_of(scope), time.time(), is_own)


def source_of(scope: Scope) -> str:
    """Address of the client of a request."""
    client = scope.get("client")
    return str(client[0]) if client else ""


class _Record:
    """The audit entry of one request."""

    def __init__(
        self, context: Context, scope: Scope, operation: Operation, caller: Caller | None, unknown_refusals: RateLimit
    ) -> None:
        self._context = context
        self._unknown_refusals = unknown_refusals
        self._scope = scope
        self._operation = operation
        self._caller = caller
        self._is_json = Headers(scope=scope).get("content-type", "").startswith("application/json")
        self._body = bytearray()
        self._length = 0
        self._written = False
        self._refused = False
        self._approved: ApprovedRequest | None = scope["state"].get("approved_request")

    async def around(self, app: ASGIApp, receive: Receive, send: Send) -> None:
        """Run the application and write the entry before its response starts."""

        async def read() -> Message:
            message = await receive()
            body = message.get("body", b"")
            self._length += len(body)
            if self._is_json and self._length <= BODY_BYTES_MAX:
                self._body += body
            return message

        async def forward(message: Message) -> None:
            if message["type"] == "http.response.start":
                try:
                    await self._finish(message["status"])
                except StoreError as error:
                    log.error("not in the audit log: %s, status %s: %s", self._operation.name, message["status"], error)
                    if message["status"] < 400 and self._operation.name not in WITHOUT_ENTRY:
                        self._refused = True
                        outcome = "done" if self._scope["state"].get("committed") else "nothing was stored"
                        await answer(self._scope, send, 507, f"{outcome}, but the audit log could not be written: {error}")
            if not self._refused:
                await send(message)

        known = self._caller is not None and roles.NEEDED.get(self._operation.name, roles.Role.VIEWER) is not None
        # without sign-in the actor is known only after the route has run
        token = before_commit.set(self._in_transaction if known else None)
        noted = after_commit.set(self._committed)
        try:
            await app(self._scope, read, forward)
        finally:
            before_commit.reset(token)
            after_commit.reset(noted)
            if not self._written:
                await self.refuse(500)

    def _in_transaction(self, connection: Connection) -> None:
        """Write the entry, once, into the transaction of the change just before its commit, with the status of a success."""
        if not self._written:
            audit.append(connection, **self._entry(self._operation.status))
            if self._approved is not None:
                self._approved.commit(connection, self._operation.status)
            if (keyed := self._scope["state"].get("keyed_request")) is not None:
                keyed.commit(connection)
            self._written = True

    def _committed(self) -> None:
        self._scope["state"]["committed"] = True

    async def _finish(self, status: int) -> None:
        """Write the entry when the status of the response is known. If an entry of a success was written with the change and a
        later step failed, a second entry with the real status follows."""
        if not self._written or status >= 400:
            await self.write(status)

    async def refuse(self, status: int) -> None:
        """Write the entry of a request that changes nothing; on a full disk, to the log of the server only."""
        try:
            await self.write(status)
        except StoreError as error:
            log.error("not in the audit log: %s, status %s: %s", self._operation.name, status, error)

    async def write(self, status: int) -> None:
        """Write the entry.

        Raises:
            StoreError: the database refuses.
        """
        self._written = True
        if status == 429 or (status == 401 and "actor" not in self._scope["state"]):
            return  # throttled, or an unknown caller: otherwise anyone could fill the log
        if status >= 400 and self._caller is None and "actor" not in self._scope["state"]:
            try:
                self._unknown_refusals.take({ANONYMOUS: UNKNOWN_REFUSALS}, time.monotonic())
            except TooManyError:
                log.warning("not in the audit log: %s by an unknown caller, %s", self._operation.name, source_of(self._scope))
                return
        await asyncio.to_thread(self._append, self._entry(status))

    def _entry(self, status: int) -> dict[str, Any]:
        caller = self._caller
        return {
            "at": time.time(),
            "actor": self._scope["state"].get("actor") or (caller.name if caller else "") or ANONYMOUS,
            "role": caller.role.value if caller else "",
            "via": caller.via if caller else "",
            "source": source_of(self._scope),
            "action": self._operation.name,
            "target": self._scope["path"].partition("/api/v1")[2][:500],
            "status": status,
            "detail": self._detail(),
        }

    def _append(self, entry: dict[str, Any]) -> None:
        before_commit.set(None)  # in the context of this thread: writing the entry must not write another one
        after_commit.set(None)
        with self._context.database.write() as connection:
            audit.append(connection, **entry)

    def _detail(self) -> str:
        if self._length > BODY_BYTES_MAX or not self._is_json:
            return json.dumps({"bytes": self._length}) if self._length else "{}"
        try:
            body = json.loads(bytes(self._body) or b"{}")
            shown = self._approved.audit_detail(body) if self._approved else body
            return json.dumps(shown, ensure_ascii=True, allow_nan=False)
        except ValueError:
            return json.dumps({"bytes": self._length})
