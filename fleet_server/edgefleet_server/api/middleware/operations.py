"""The operations of the API, as the authorization knows them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from inspect import isfunction
from typing import Any, Final, NamedTuple, get_type_hints

from fastapi import APIRouter, params
from fastapi.routing import APIRoute
from starlette.routing import compile_path

from edgefleet_server.api.device_scope import device_scope
from edgefleet_server.domain.policy import roles
from edgefleet_server.domain.policy.roles import Reach

TABLE: Final = "fleet_server/edgefleet_server/domain/policy/roles.py"


class Operation(NamedTuple):
    """A route of the API. `tag`: its subject, which the scopes of tokens refer to; `status`: HTTP status of its success;
    `summary`: the first sentence of its description."""

    name: str
    methods: frozenset[str]
    path: re.Pattern[str]
    tag: str = ""
    status: int = 200
    summary: str = ""


def operations(prefix: str, routers: Iterable[APIRouter]) -> list[Operation]:
    """Every route with its required role.

    Raises:
        AssertionError: a route is missing from the table of roles, or does not have what its row says.
    """
    found = []
    for router in routers:
        for route in router.routes:
            assert isinstance(route, APIRoute), f"{route}: only API routes are authorized here"
            name = route.operation_id or route.name
            assert name in roles.NEEDED, f"{name}: say in {TABLE} which role it needs, and for which devices"
            _check_reach(route, name)
            found.append(
                Operation(
                    name,
                    frozenset(route.methods or ()),
                    compile_path(prefix + route.path)[0],
                    str(route.tags[0]) if route.tags else "",
                    route.status_code or 200,
                    re.split(r"(?<=\.)\s", " ".join(route.description.replace("`", "").split()), maxsplit=1)[0],
                )
            )
    return found


def _uses_scope(call: Callable[..., Any]) -> bool:
    """Whether a route or a dependency asks for the devices of the caller."""
    hints = get_type_hints(call, include_extras=True).values()
    needed = [each.dependency for hint in hints for each in getattr(hint, "__metadata__", ()) if isinstance(each, params.Depends)]
    return any(each is device_scope or (isfunction(each) and _uses_scope(each)) for each in needed)


def _check_reach(route: APIRoute, name: str) -> None:
    """A route that finds devices itself has to ask for those of its caller, and one with a device in its path may not say that it
    is about none."""
    reach, named = roles.REACHES[name], set(re.findall(r"\{(\w+)\}", route.path))
    if reach is Reach.LISTED:
        assert _uses_scope(route.endpoint), f"{name}: its row in {TABLE} requires a DeviceScopeDep"
    if reach in (Reach.DEVICE, Reach.ROLLOUT):
        assert reach.value in named, f"{name}: its row in {TABLE} requires a {reach.value} in the path"
    if reach is Reach.NONE and roles.NEEDED[name] is not None:
        assert not named & {"device", "rollout"}, f"{name}: say in {TABLE} for which devices it needs its role"
