"""Bodies and answers about signatures."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from agent.contract.messages import METADATA_BYTES_MAX
from fleet_server.api.fields import Request

Role = Literal["root", "targets", "snapshot", "timestamp"]
MetadataText = Annotated[str, Field(max_length=METADATA_BYTES_MAX)]


class TrustRole(BaseModel):
    """One role. `online`: its key is on this server."""

    role: Role
    version: int
    expires_at: float
    key_ids: list[str]
    threshold: int
    online: bool


class UnsignedPackage(BaseModel):
    """A package that no device with a trust root takes."""

    name: str
    version: str
    digest: str
    descriptor_bytes: int
    epoch: int


class TrustDetail(BaseModel):
    """`signed`: name/version of every signed package."""

    roles: list[TrustRole]
    signed: list[str]
    waiting: list[UnsignedPackage]


class SignedTargets(Request):
    """Targets metadata as signed, JSON text: signatures are over its very bytes."""

    metadata: MetadataText


class KeyRotation(Request):
    """`public_key` (PEM): the new key is kept elsewhere; `targets` is then the targets metadata signed with it."""

    role: Role
    public_key: Annotated[str, Field(max_length=4096)] = ""
    targets: MetadataText = ""
