"""Bodies of the routes about users. Passwords are write-only; secrets are returned once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, StrictModel
from edgefleet_server.domain.policy.passwords import LENGTH_MAX
from edgefleet_server.domain.policy.roles import SCOPE_PATTERN, USER_PATTERN, Role

DAY_S = 86_400.0

UserName = Annotated[str, Field(pattern=USER_PATTERN, description="Lower case: letters, digits, . _ -")]
Password = Annotated[str, Field(min_length=1, max_length=LENGTH_MAX)]
TokenName = Annotated[str, Field(min_length=1, max_length=64)]


class Session(BaseModel):
    """The caller. `mode` open: there are no users yet and no sign-in; `user` is None for an unknown caller. `openid`: provider
    for sign-in at `/session/openid`. `proposes`: its changes wait for the approval of a person."""

    mode: Literal["open", "required"]
    user: str | None
    role: Role | None
    via: Literal["open", "session", "token"] | None
    expires_at: float | None
    openid: str | None = None
    proposes: bool = False


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
    """`seen_at`: last use of an active session; `sessions`: number of active sessions."""

    name: str
    role: Role
    disabled: bool
    created_at: float
    seen_at: float | None
    sessions: int


class UserList(CursorPage):
    items: list[User]


class UserRequest(StrictModel):
    name: UserName
    role: Role
    password: Password


class UserPatch(StrictModel):
    """Fields that are left out stay unchanged. A new password and `disabled` end every session of the user."""

    role: Role | None = None
    disabled: bool | None = None
    password: Password | None = None


class ApiToken(BaseModel):
    id: str
    user: str
    name: str
    role: Role
    scopes: list[str]
    created_at: float
    expires_at: float
    used_at: float | None


class ApiTokenList(CursorPage):
    items: list[ApiToken]


Scope = Annotated[str, Field(pattern=SCOPE_PATTERN)]


class ApiTokenRequest(StrictModel):
    """A token of the caller. It has the permissions of `role`, limited to the current permissions of its owner; with `scopes`
    only in these parts of the API (`devices`, or `devices:read` for reading only). With the scope `propose` its changes are
    stored as proposals, and take effect when a signed-in user approves them."""

    name: TokenName
    role: Role = Role.VIEWER
    scopes: Annotated[list[Scope], Field(max_length=20)] = Field(default_factory=list)
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
