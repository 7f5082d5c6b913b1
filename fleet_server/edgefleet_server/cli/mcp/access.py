"""Requests of the tools to the fleet server: one client for each thread, and proposals in place of changes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import quote

from mcp.server.mcpserver.exceptions import ToolError

from edgefleet_client.transport import Segments
from edgefleet_server.cli.client import Client
from edgefleet_server.cli.mcp.answers import ProposalAnswer
from edgefleet_server.core.errors import ConflictError, EdgefleetError

P = ParamSpec("P")
T = TypeVar("T")

NOTE_HEADER: Final = "Edgefleet-Note"
NOTE_CHARS_MAX: Final = 500


class FleetAccess:
    """Clients of one server. Tools run on several threads; a client is for one."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._local = threading.local()
        self.session = self.client.people.get_session()

    @property
    def client(self) -> Client:
        """The client of this thread."""
        found: Client | None = getattr(self._local, "client", None)
        if found is None:
            found = self._local.client = Client(self._server)
        return found

    @property
    def proposes(self) -> bool:
        """Whether the server stores the changes of this API token as proposals."""
        return bool(self.session.get("proposes"))

    def propose(self, method: str, path: Segments, body: Any, reason: str) -> ProposalAnswer:
        """Send a change, which the server stores as a proposal.

        Raises:
            ConflictError: the API token is not one that proposes; nothing was sent.
            EdgefleetError: the server refuses.
        """
        if not self.proposes:
            raise ConflictError(
                "this API token does not propose; create one with `edgefleet user token create NAME --scope propose`"
            )
        headers = {NOTE_HEADER: quote(reason[:NOTE_CHARS_MAX])}
        made = self.client.transport.ask(method, path, json=body, headers=headers, proposing=True)
        return ProposalAnswer.model_validate(made)


def reported(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a tool, so that errors of the fleet server reach the model as one line."""

    @functools.wraps(function)
    def run(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return function(*arguments, **named)
        except EdgefleetError as error:
            raise ToolError(str(error)) from error

    return run
