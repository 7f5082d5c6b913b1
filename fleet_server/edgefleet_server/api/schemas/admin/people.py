"""Bodies of the routes about users. Passwords are write-only; secrets are returned once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, Name, StrictModel
from edgefleet_server.domain.policy.grants import GRANTS_MAX
from edgefleet_server.domain.policy.passwords import LENGTH_MAX
from edgefleet_server.domain.policy.roles import SCOPE_PATTERN, USER_PATTERN, Role

DAY_S = 86_400.0

UserName = Annotated[str, Field(pattern=USER_PATTERN, description="Lower case: letters, digits, . _ -")]
Password = Annotated[str, Field(min_length=1, max_length=LENGTH_MAX)]
TokenName = Annotated[str, Field(min_length=1, max_length=64)]


class RoleGrant(StrictModel):
    """A role for the devices of a group; without group, for all devices."""

    role: Role
    group: Name | None = None


class Session(BaseModel):
    """The caller. `role`: the highest of its `grants`. `mode` open: there are no users yet and no sign-in; `user` is None for an
    unknown caller. `openid`: provider for sign-in at `/session/openid`. `proposes`: its changes wait for the approval of a
    person."""

    mode: Literal["open", "required"]
    user: str | None
    role: Role | None
    via: Literal["open", "session", "token"] | None
    expires_at: float | None
    openid: str | None = None
    proposes: bool = False
    grants: list[RoleGrant] = Field(default_factory=list)


class SignInRequest(StrictModel):
    name: Annotated[str, Field(min_length=1, max_length=64)]
    password: Password


class SetUpRequest(StrictModel):
    """`code`: the code in `setup.code` of the data folder."""

    code: Annotated[str, Field(max_length=64)]
    name: UserName
    password: Password


class PasswordChange(StrictModel):
    current: Password
    password: Password


class User(BaseModel):
    """`role`: the highest of the `grants`. `seen_at`: last use of an active session; `sessions`: number of active sessions."""

    name: str
    role: Role
    disabled: bool
    created_at: float
    seen_at: float | None
    sessions: int
    grants: list[RoleGrant] = Field(default_factory=list)


class UserList(CursorPage):
    items: list[User]


GRANTS = Field(default=None, min_length=1, max_length=GRANTS_MAX + 1)


class UserRequest(StrictModel):
    """Either `role`, for all devices, or `grants`."""

    name: UserName
    role: Role | None = None
    password: Password
    grants: list[RoleGrant] | None = GRANTS


class UserPatch(StrictModel):
    """Fields that are left out stay unchanged. `role`, for all devices, or `grants` replace all roles that the user has. A new
    password and `disabled` end every session of the user."""

    role: Role | None = None
    disabled: bool | None = None
    password: Password | None = None
    grants: list[RoleGrant] | None = GRANTS


class ApiToken(BaseModel):
    """`groups`: the groups whose devices it is limited to; none = all that its owner has a role for."""

    id: str
    user: str
    name: str
    role: Role
    scopes: list[str]
    created_at: float
    expires_at: float
    used_at: float | None
    groups: list[str] = Field(default_factory=list)


class ApiTokenList(CursorPage):
    items: list[ApiToken]


Scope = Annotated[str, Field(pattern=SCOPE_PATTERN)]


class ApiTokenRequest(StrictModel):
    """A token of the caller. It has the permissions of `role`, limited to the current permissions of its owner; with `groups`
    only for the devices of these groups, with `scopes` only in these parts of the API (`devices`, or `devices:read` for reading
    only). With the scope `propose` its changes are stored as proposals, and take effect when a signed-in user approves them."""

    name: TokenName
    role: Role = Role.VIEWER
    scopes: Annotated[list[Scope], Field(max_length=20)] = Field(default_factory=list)
    groups: Annotated[list[Name], Field(max_length=GRANTS_MAX)] = Field(default_factory=list)
    expires_s: Annotated[float, Field(ge=60, le=5 * 366 * DAY_S)] = 90 * DAY_S


class NewApiToken(ApiToken):
    """`secret` is returned only here."""

    secret: str


class AuditEntry(BaseModel):
    """`digest` = SHA-256 over `previous` and every other field; `detail` is JSON."""

    seq: int
    at: float
    actor: str
    role: str
    via: str
    source: str
    action: str
    target: str
    status: int
    detail: str
    previous: str
    digest: str


class AuditPage(BaseModel):
    """Newest first. `next_before_seq` is the `before_seq` of the following page."""

    items: list[AuditEntry]
    next_before_seq: int | None


class AuditVerdict(BaseModel):
    """Whether the chain is valid. `head` (SEQ:DIGEST), stored elsewhere, proves later that no entry was removed from the end."""

    valid: bool
    entries: int
    head: str
    fault: str
