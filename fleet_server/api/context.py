"""What routes may use: built once by the app, never at import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from fleet_server.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the running server that a route may touch."""

    settings: Settings


def _context(request: Request) -> Context:
    context = request.app.state.context
    assert isinstance(context, Context)
    return context


ContextDep = Annotated[Context, Depends(_context)]
