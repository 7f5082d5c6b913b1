"""Types of the operations about trust.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from edgefleet_client.not_required import NotRequired


class KeyRotation(TypedDict):
    """`public_key` (PEM), or several `public_keys` of which `threshold` have to sign: new keys that are stored elsewhere;
    `targets` is then the targets metadata, signed with `threshold` of them."""

    public_key: NotRequired[str]
    public_keys: NotRequired[list[str]]
    role: Literal["root", "targets", "snapshot", "timestamp"]
    targets: NotRequired[str]
    threshold: NotRequired[int]


class SignedRoot(TypedDict):
    """A root as signed JSON text, and the targets metadata, if the root names other keys for it."""

    metadata: str
    targets: NotRequired[str]


class SignedTargets(TypedDict):
    """Targets metadata as signed JSON text: the signatures cover its bytes. `role`: the repository's, or a team's."""

    metadata: str
    role: NotRequired[str]


class TrustDetail(TypedDict):
    """`signed`: name/version of every signed package, `withdrawn` of those that were withdrawn."""

    roles: list[TrustRole]
    signed: list[str]
    waiting: list[UnsignedPackage]
    withdrawn: NotRequired[list[str]]


class TrustFile(TypedDict):
    """`text`: the file's bytes, which are JSON."""

    name: str
    text: str


class TrustRole(TypedDict):
    """One role. `online`: its key is on this server."""

    expires_at: float
    key_ids: list[str]
    online: bool
    role: Literal["root", "targets", "snapshot", "timestamp"]
    threshold: int
    version: int


class UnsignedPackage(TypedDict):
    """A package that devices with a trust root reject."""

    descriptor_bytes: int
    digest: str
    epoch: int
    name: str
    version: str


class VersionWithdrawal(TypedDict):
    """A version that devices refuse from now on. `keep_epoch`: it only leaves the list of signed packages, and the lowest
    epoch of the package stays."""

    keep_epoch: NotRequired[bool]
    package: str
    version: str
