"""Admits multipart uploads: a few at a time, and only while the disk has room for them. They are written to disk while they
arrive."""

from __future__ import annotations

from collections import Counter
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from edgefleet_server.api.context import Context
from edgefleet_server.api.error_responses import answer
from edgefleet_server.core.errors import StoreError
from edgefleet_server.registry.disk_space import check_room

AT_ONCE_MAX: Final = 8
OF_CALLER_MAX: Final = 2
COPIES: Final = 2
"""An archive is on the disk twice when it has been unpacked."""
WAIT_S: Final = 10


class UploadGate:
    """ASGI middleware, behind the authorization."""

    def __init__(self, app: ASGIApp, upload_bytes_max: int) -> None:
        self._app = app
        self._bytes_max = upload_bytes_max
        self._at_work: Counter[str] = Counter()
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        caller = scope.get("state", {}).get("caller")
        if caller is None or not headers.get("content-type", "").startswith("multipart/form-data"):
            await self._app(scope, receive, send)
            return
        who = caller.name or caller.source
        if self._at_work[who] >= OF_CALLER_MAX or self._at_work.total() >= AT_ONCE_MAX:
            again = [(b"retry-after", str(WAIT_S).encode())]
            await answer(scope, send, 429, f"too many uploads at once; try again in {WAIT_S} s", again)
            return
        context: Context = scope["app"].state.context
        length = COPIES * int(headers.get("content-length", self._bytes_max))
        try:
            check_room(context.settings.data, self._bytes + length)
        except StoreError as error:
            await answer(scope, send, 507, f"not done: {error}")
            return
        self._at_work[who] += 1
        self._bytes += length
        try:
            await self._app(scope, receive, send)
        finally:
            self._at_work[who] -= 1
            self._at_work += Counter()  # drops callers without uploads
            self._bytes -= length
