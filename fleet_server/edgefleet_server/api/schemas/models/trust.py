"""Bodies of the REST API v1 about signatures."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_contract.wire.messages import METADATA_BYTES_MAX
from edgefleet_server.api.schemas.fields import Name, StrictModel, Version

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
    """A package that devices with a trust root reject."""

    name: str
    version: str
    digest: str
    descriptor_bytes: int
    epoch: int


class TrustDetail(BaseModel):
    """`signed`: name/version of every signed package, `withdrawn` of those that were withdrawn."""

    roles: list[TrustRole]
    signed: list[str]
    waiting: list[UnsignedPackage]
    withdrawn: list[str] = Field(default_factory=list)


class TrustFile(BaseModel):
    """`text`: the file's bytes, which are JSON."""

    name: str
    text: str


class SignedTargets(StrictModel):
    """Targets metadata as signed JSON text: the signatures cover its bytes. `role`: the repository's, or a team's."""

    metadata: MetadataText
    role: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")] = "targets"


class SignedRoot(StrictModel):
    """A root as signed JSON text, and the targets metadata, if the root names other keys for it."""

    metadata: MetadataText
    targets: MetadataText = ""


class VersionWithdrawal(StrictModel):
    """A version that devices refuse from now on. `keep_epoch`: it only leaves the list of signed packages, and the lowest epoch
    of the package stays."""

    package: Name
    version: Version
    keep_epoch: bool = False


class KeyRotation(StrictModel):
    """`public_key` (PEM), or several `public_keys` of which `threshold` have to sign: new keys that are stored elsewhere;
    `targets` is then the targets metadata, signed with `threshold` of them."""

    role: Role
    public_keys: list[Annotated[str, Field(max_length=4096)]] = Field(default_factory=list, max_length=16)
    threshold: Annotated[int, Field(ge=1, le=16)] = 1
    public_key: Annotated[str, Field(max_length=4096)] = ""
    targets: MetadataText = ""
