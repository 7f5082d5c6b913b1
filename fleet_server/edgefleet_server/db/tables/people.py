"""Tables of users, their sessions and tokens, and the audit log. Secrets are stored as hashes only."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, String
from sqlmodel import Field, SQLModel


class UserRecord(SQLModel, table=True):
    """A user. `role`: the one for all devices, empty = none. `password`: the result of `domain.policy.passwords.hash_password`;
    empty for users of an OpenID provider, which identifies them by `subject`."""

    __tablename__ = "person"

    name: str = Field(primary_key=True)
    role: str
    password: str
    created_at: float
    disabled: bool = False
    subject: str | None = Field(default=None, unique=True, index=True)


class UserGrantRecord(SQLModel, table=True):
    """The role of a user for the devices of a group."""

    __tablename__ = "user_grant"

    user: str = Field(sa_column=Column(String, ForeignKey("person.name"), primary_key=True))
    device_group: str = Field(primary_key=True)
    role: str


class OpenIdLogin(SQLModel, table=True):
    """A sign-in that was redirected to the OpenID provider. `state`, `browser`: hashes of the values that the browser returns
    with; valid for one return."""

    __tablename__ = "openid_login"

    state: str = Field(primary_key=True)
    browser: str
    nonce: str
    verifier: str
    redirect: str
    started_at: float = Field(index=True)


class SessionRecord(SQLModel, table=True):
    """A session of one browser or terminal. Ends at `expires_at`, or when it was unused for some time after `seen_at`."""

    __tablename__ = "session"

    hash: str = Field(primary_key=True)
    user: str = Field(sa_column=Column(String, ForeignKey("person.name"), nullable=False, index=True))
    created_at: float
    seen_at: float
    expires_at: float = Field(index=True)
    source: str
    agent: str


class ApiTokenRecord(SQLModel, table=True):
    """A secret for a program. It has the permissions of its role within its scopes (none = all) and for its groups (none = all
    devices), limited to the current permissions of its owner."""

    __tablename__ = "api_token"

    id: str = Field(primary_key=True)
    hash: str = Field(unique=True)
    user: str = Field(sa_column=Column(String, ForeignKey("person.name"), nullable=False, index=True))
    name: str
    role: str
    scopes: list[str] = Field(sa_column=Column(JSON, nullable=False))
    groups: list[str] = Field(sa_column=Column(JSON, nullable=False))
    created_at: float
    expires_at: float
    used_at: float | None = None


class RequestKeyRecord(SQLModel, table=True):
    """An idempotency key of a caller, and the answer to its request. `hash`: of caller and key; `owner`: the try that runs or
    ran; `status`: of the answer, 0 = none yet; `committed`: its change is stored; `answer`: encrypted with the key, base64."""

    __tablename__ = "request_key"

    hash: str = Field(primary_key=True)
    who: str = Field(index=True)
    fingerprint: str
    owner: str
    made_at: float = Field(index=True)
    runs_until: float
    committed: bool
    status: int
    answer: str


class AuditArchived(SQLModel, table=True):
    """The last entry of each file of archived entries of the audit log."""

    __tablename__ = "audit_archived"

    seq: int = Field(primary_key=True)
    digest: str


class AuditRecord(SQLModel, table=True):
    """One entry of the audit log (`domain.policy.audit_chain.AuditEntry`) and its link to the previous one. Triggers refuse
    changes and deletions."""

    __tablename__ = "audit"

    seq: int = Field(primary_key=True)
    at: float = Field(index=True)
    actor: str = Field(index=True)
    role: str
    via: str
    source: str
    action: str = Field(index=True)
    target: str
    status: int
    detail: str
    previous: str
    digest: str
