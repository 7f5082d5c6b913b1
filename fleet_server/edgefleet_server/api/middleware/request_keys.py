"""Idempotency keys (draft-ietf-httpapi-idempotency-key-header): a POST that is sent again with its key gets its first answer.

One that comes while the first still runs waits for its answer, for a bounded time.

An answer may have a secret, so it is encrypted with the key, of which only a hash is stored. A request that was refused has
changed nothing: its key can be used again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, Final, TypeVar

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edgefleet_server.api.context import Context
from edgefleet_server.api.error_responses import KEY_REUSED, KEY_RUNS, answer
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.people import request_keys

HEADER: Final = "idempotency-key"
KEY_CHARS: Final = range(16, 256)
ANSWER_BYTES_MAX: Final = 512 * 1024
STORED_HEADERS: Final = frozenset({"content-type", "edgefleet-proposal", "location"})
NONCE_BYTES: Final = 12
AGAIN_S: Final = 1
WAIT_S: Final = 10.0
"""Time for which a request waits for the answer to the first one with its key; then it may be sent again."""
POLL_S: Final = 0.1

log = logging.getLogger(__name__)

T = TypeVar("T")


def key_of(scope: Scope) -> str:
    """The idempotency key of a request, with or without quotation marks; empty if it has none, or cannot have one."""
    headers = Headers(scope=scope)
    if scope["method"] != "POST" or headers.get("content-type", "").startswith("multipart/"):
        return ""
    return headers.get(HEADER, "").strip().strip('"')


class KeyedRequest:
    """One request with a key. `app`: carries it out."""

    def __init__(self, app: ASGIApp, context: Context, caller: Caller, key: str) -> None:
        self._app = app
        self._context = context
        self._key = key
        self._who = caller.key or caller.name or "(open)"
        self._hash = hashlib.sha256(f"{self._who}\n{key}".encode()).hexdigest()
        self._cipher = AESGCM(hashlib.sha256(f"answer\n{key}".encode()).digest())
        self._owner = secrets.token_hex(8)
        self._committed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry the request out, or answer as the first time."""
        if len(self._key) not in KEY_CHARS:
            await answer(scope, send, 422, f"Idempotency-Key: must have {KEY_CHARS.start} to {KEY_CHARS.stop - 1} characters")
            return
        body = await _body(receive)
        sent = b"\n".join([scope["path"].encode(), scope["query_string"], body])
        fingerprint = hashlib.sha256(sent).hexdigest()
        taken = await self._taken(fingerprint)
        if taken is None:
            await self._first(scope, body, send)
        elif taken.fingerprint != fingerprint:
            await answer(scope, send, 422, "this Idempotency-Key was sent with another request; use a new one", kind=KEY_REUSED)
        elif taken.status:
            await self._repeat(taken, send)
        elif taken.runs:
            again = [(b"retry-after", str(AGAIN_S).encode())]
            text = "the first request with this Idempotency-Key still runs; send it again for the answer"
            await answer(scope, send, 409, text, again, kind=KEY_RUNS)
        else:
            await answer(scope, send, 409, "the request was carried out, but its answer is lost; read the object")

    async def _taken(self, fingerprint: str) -> request_keys.TakenKey | None:
        """Take the key; None if this request has it now. Else what the other one has left, once that has ended or `WAIT_S` are
        over."""
        until_s = time.monotonic() + WAIT_S
        while True:
            taken = await self._write(
                lambda db: request_keys.take(db, self._hash, self._who, fingerprint, self._owner, time.time())
            )
            while taken is not None and taken.fingerprint == fingerprint and taken.runs and time.monotonic() < until_s:
                await asyncio.sleep(POLL_S)
                taken = await asyncio.to_thread(self._find)
                if taken is None:
                    break  # the other one was refused or failed: this one takes its place
            else:
                return taken

    def _find(self) -> request_keys.TakenKey | None:
        with self._context.database.read() as connection:
            return request_keys.find(connection, self._hash, time.time())

    def commit(self, connection: Connection) -> None:
        """Note in the transaction of the change that it is stored."""
        request_keys.commit(connection, self._hash, self._owner)
        self._committed = True

    async def _first(self, scope: Scope, body: bytes, send: Send) -> None:
        scope["state"]["keyed_request"] = self
        messages = [{"type": "http.request", "body": body, "more_body": False}]
        start: Message = {}
        content = bytearray()

        async def receive_again() -> Message:
            return messages.pop(0) if messages else {"type": "http.disconnect"}

        async def keep(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            elif message["type"] == "http.response.body":
                content.extend(message.get("body", b""))

        try:
            await self._app(scope, receive_again, keep)
        finally:
            if not start:
                await self._write_or_log(lambda db: request_keys.release(db, self._hash, self._owner))
        await self._store(start, bytes(content))
        await send(start)
        await send({"type": "http.response.body", "body": bytes(content)})

    async def _store(self, start: Message, content: bytes) -> None:
        """Store an answer, or forget the key if nothing was changed."""
        status = int(start["status"])
        if status >= 400 and not self._committed:
            await self._write_or_log(lambda db: request_keys.release(db, self._hash, self._owner))
        elif len(content) <= ANSWER_BYTES_MAX:
            sealed = self._sealed(start, content)
            await self._write_or_log(lambda db: request_keys.finish(db, self._hash, self._owner, status, sealed))

    def _sealed(self, start: Message, content: bytes) -> str:
        stored = [(name.decode(), value.decode()) for name, value in start["headers"] if name.decode().lower() in STORED_HEADERS]
        nonce = secrets.token_bytes(NONCE_BYTES)
        plain = json.dumps({"headers": stored, "body": b64encode(content).decode()}).encode()
        return b64encode(nonce + self._cipher.encrypt(nonce, plain, self._hash.encode())).decode()

    async def _repeat(self, taken: request_keys.TakenKey, send: Send) -> None:
        sealed = b64decode(taken.answer)
        plain = json.loads(self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], self._hash.encode()))
        content = b64decode(plain["body"])
        headers: list[Any] = [(name.encode(), value.encode()) for name, value in plain["headers"]]
        headers += [] if taken.status == 204 else [(b"content-length", str(len(content)).encode())]
        headers.append((b"idempotency-replayed", b"true"))
        await send({"type": "http.response.start", "status": taken.status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _write_or_log(self, change: Callable[[Connection], None]) -> None:
        """Write what belongs to the key only: the answer goes out, even if that is not stored."""
        try:
            await self._write(change)
        except StoreError as error:
            log.error("idempotency key: %s", error)

    async def _write(self, change: Callable[[Connection], T]) -> T:
        def write() -> T:
            with self._context.database.write() as connection:
                return change(connection)

        return await asyncio.to_thread(write)


async def _body(receive: Receive) -> bytes:
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message["type"] == "http.request" and message.get("more_body", False)
    return bytes(body)
