"""Types of the operations about people.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.core import Role


class ApiToken(TypedDict):
    """`groups`: the groups whose devices it is limited to; none = all that its owner has a role for."""

    created_at: float
    expires_at: float
    groups: NotRequired[list[str]]
    id: str
    name: str
    role: Role
    scopes: list[str]
    used_at: float | None
    user: str


class ApiTokenList(TypedDict):
    """Fields of ApiTokenList."""

    items: list[ApiToken]
    next_after: NotRequired[str | None]


class ApiTokenRequest(TypedDict):
    """A token of the caller. It has the permissions of `role`, limited to the current permissions of its owner; with
    `groups` only for the devices of these groups, with `scopes` only in these parts of the API (`devices`, or
    `devices:read` for reading only). With the scope `propose` its changes are stored as proposals, and take effect when a
    signed-in user approves them."""

    expires_s: NotRequired[float]
    groups: NotRequired[list[str]]
    name: str
    role: NotRequired[Role]
    scopes: NotRequired[list[str]]


class NewApiToken(TypedDict):
    """`secret` is returned only here."""

    created_at: float
    expires_at: float
    groups: NotRequired[list[str]]
    id: str
    name: str
    role: Role
    scopes: list[str]
    secret: str
    used_at: float | None
    user: str


class PasswordChange(TypedDict):
    """Fields of PasswordChange."""

    current: str
    password: str


class RoleGrant(TypedDict):
    """A role for the devices of a group; without group, for all devices."""

    group: NotRequired[str | None]
    role: Role


class Session(TypedDict):
    """The caller. `role`: the highest of its `grants`. `mode` open: there are no users yet and no sign-in; `user` is None
    for an unknown caller. `openid`: provider for sign-in at `/session/openid`. `proposes`: its changes wait for the
    approval of a person."""

    expires_at: float | None
    grants: NotRequired[list[RoleGrant]]
    mode: Literal["open", "required"]
    openid: NotRequired[str | None]
    proposes: NotRequired[bool]
    role: Role | None
    user: str | None
    via: Literal["open", "session", "token"] | None


class SetUpRequest(TypedDict):
    """`code`: the code in `setup.code` of the data folder."""

    code: str
    name: str
    password: str


class SignInRequest(TypedDict):
    """Fields of SignInRequest."""

    name: str
    password: str


class User(TypedDict):
    """`role`: the highest of the `grants`. `seen_at`: last use of an active session; `sessions`: number of active sessions."""

    created_at: float
    disabled: bool
    grants: NotRequired[list[RoleGrant]]
    name: str
    role: Role
    seen_at: float | None
    sessions: int


class UserList(TypedDict):
    """Fields of UserList."""

    items: list[User]
    next_after: NotRequired[str | None]


class UserPatch(TypedDict):
    """Fields that are left out stay unchanged. `role`, for all devices, or `grants` replace all roles that the user has. A
    new password and `disabled` end every session of the user."""

    disabled: NotRequired[bool | None]
    grants: NotRequired[list[RoleGrant] | None]
    password: NotRequired[str | None]
    role: NotRequired[Role | None]


class UserRequest(TypedDict):
    """Either `role`, for all devices, or `grants`."""

    grants: NotRequired[list[RoleGrant] | None]
    name: str
    password: str
    role: NotRequired[Role | None]
