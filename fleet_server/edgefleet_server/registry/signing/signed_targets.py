"""The lists of signed packages (targets metadata of TUF): what is in them, what is signed next, and for how long."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Final

from securesystemslib.exceptions import UnverifiedSignatureError
from securesystemslib.signer import Key
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, MetaFile, TargetFile, Targets

DAY_S: Final = 86_400.0
LIFE_DAYS: Final = {"root": 3 * 365, "targets": 365, "snapshot": 14, "timestamp": 7}
"""Validity of the metadata of each role. The server signs the last two again after half of it."""


@dataclass(frozen=True, slots=True)
class SignedPackage:
    """Signed properties of a package."""

    name: str
    version: str
    digest: str
    descriptor_bytes: int
    epoch: int

    @property
    def path(self) -> str:
        return f"{self.name}/{self.version}"


def next_targets(data: bytes | None, packages: Iterable[SignedPackage], now: float | None = None) -> Targets:
    """The targets to sign next: those of `data` (None: the first ones of a team) with `packages` added."""
    targets = Metadata[Targets].from_bytes(data).signed if data else Targets()
    for package in packages:
        custom, hashes = {"custom": {"epoch": package.epoch}}, {"sha256": package.digest}
        targets.targets[package.path] = TargetFile(package.descriptor_bytes, hashes, package.path, custom)
    targets.version += 1 if data else 0
    targets.expires = expiry("targets", time.time() if now is None else now)
    return targets


def names(data: bytes, package: SignedPackage) -> bool:
    """Whether the targets `data` contain exactly this package."""
    found = Metadata[Targets].from_bytes(data).signed.targets.get(package.path)
    return found is not None and (found.hashes.get("sha256"), found.length) == (package.digest, package.descriptor_bytes)


def signed_by(data: bytes, key: Key) -> bool:
    """Whether this key has signed the targets `data`."""
    try:
        metadata = Metadata[Targets].from_bytes(data)
        key.verify_signature(metadata.signatures[key.keyid], metadata.signed_bytes)
    except (RepositoryError, KeyError, UnverifiedSignatureError):
        return False
    return True


def described(version: int, data: bytes) -> MetaFile:
    return MetaFile(version, len(data), {"sha256": hashlib.sha256(data).hexdigest()})


def expiry(role: str, now: float) -> datetime:
    return datetime.fromtimestamp(int(now), timezone.utc) + timedelta(days=LIFE_DAYS[role])
