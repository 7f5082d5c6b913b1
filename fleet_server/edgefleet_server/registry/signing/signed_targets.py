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

from edgefleet_contract.wire.messages import LOWEST_EPOCHS
from edgefleet_server.core.errors import InputError

DAY_S: Final = 86_400.0
LIFE_DAYS: Final = {"root": 3 * 365, "targets": 365, "snapshot": 14, "timestamp": 7}
"""Validity of the metadata of each role. The server signs the last two again after half of it."""

WITHDRAWN: Final = "x-edgefleet-withdrawn"
"""Field of signed targets: versions that are not signed again by themselves."""


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


def lowest_epochs(targets: Targets) -> dict[str, int]:
    """The lowest epoch that devices still take, by package; 0 for those that are not named."""
    found = targets.unrecognized_fields.get(LOWEST_EPOCHS)
    return {name: epoch for name, epoch in found.items() if type(epoch) is int} if isinstance(found, dict) else {}


def withdrawn(targets: Targets) -> list[str]:
    """Versions that were withdrawn, as `name/version`."""
    found = targets.unrecognized_fields.get(WITHDRAWN)
    return [str(path) for path in found] if isinstance(found, list) else []


def next_targets(data: bytes | None, packages: Iterable[SignedPackage], now: float | None = None) -> Targets:
    """The targets to sign next: those of `data` (None: the first ones of a team) with `packages` added."""
    targets = Metadata[Targets].from_bytes(data).signed if data else Targets()
    lowest = lowest_epochs(targets)
    for package in packages:
        if package.path in withdrawn(targets):  # signing it again brings it back
            targets.unrecognized_fields[WITHDRAWN] = [path for path in withdrawn(targets) if path != package.path]
        epoch = max(package.epoch, lowest.get(package.name, 0))
        custom, hashes = {"custom": {"epoch": epoch}}, {"sha256": package.digest}
        targets.targets[package.path] = TargetFile(package.descriptor_bytes, hashes, package.path, custom)
    targets.version += 1 if data else 0
    targets.expires = expiry("targets", time.time() if now is None else now)
    return targets


def without(data: bytes, name: str, version: str, now: float | None = None, *, keep_epoch: bool = False) -> Targets:
    """The targets to sign next: those of `data`, with a version withdrawn. Its epoch stays, and all other versions of the package
    that are not withdrawn get a higher one, which is the lowest from now on. keep_epoch: it only leaves the list.

    Raises:
        InputError: the list does not name it, or it is withdrawn already.
    """
    targets, path = next_targets(data, (), now), f"{name}/{version}"
    if path not in targets.targets or path in withdrawn(targets):
        raise InputError(f"{name}@{version} is not in the list of signed packages; `edgefleet trust show` has those that are")
    refused = [*withdrawn(targets), path]
    targets.unrecognized_fields[WITHDRAWN] = sorted(refused)
    if keep_epoch:
        del targets.targets[path]
        return targets
    mine = {each: file for each, file in targets.targets.items() if each.startswith(f"{name}/")}
    lowest = lowest_epochs(targets)
    lowest[name] = 1 + max([lowest.get(name, 0), *((file.custom or {}).get("epoch", 0) for file in mine.values())])
    targets.unrecognized_fields[LOWEST_EPOCHS] = lowest
    for each, file in mine.items():
        if each not in refused:
            file.unrecognized_fields["custom"] = {**(file.custom or {}), "epoch": lowest[name]}
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
