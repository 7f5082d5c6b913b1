"""Runs a request without effect, as far as that is possible."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from edgefleet_server.api.error_responses import send_whole
from edgefleet_server.core.errors import TrialEnd


async def run_trial(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run the application with a state in which `trial` is set: its routes get a `TrialContext`. Status 200 = nothing speaks
    against the request; `checked` of the state then says how far it was tried."""
    scope["state"]["checked"] = "complete"
    try:
        await app(scope, receive, send)
    except TrialEnd as end:
        scope["state"]["checked"] = "complete" if end.complete else "partly"
        await send_whole(send, 200, "application/json", b"{}")
