"""Authentication of requests: an API token, or the session of a user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Token:
    """An API token, as `edgefleet user token create` prints it."""

    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """Cookies of a session, as `FleetClient.sign_in` returns them."""

    cookies: Mapping[str, str] = field(repr=False)
