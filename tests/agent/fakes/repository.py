"""A TUF repository controlled by a test, honest or malicious: it has every key and can sign any content."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta, timezone
from typing import Any

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp

from edgefleet_contract.wire.messages import SIGNED_AT, SlotTarget

ROLES = ("root", "targets", "snapshot", "timestamp")


class Repository:
    """A repository with all keys. `publish` gives the files by name, as named in an offer. `days` left of each role may be
    negative."""

    def __init__(self) -> None:
        self.keys = {role: CryptoSigner.generate_ed25519() for role in ROLES}
        self.days: dict[str, float] = dict.fromkeys(ROLES, 30.0)
        self.versions = dict.fromkeys(ROLES, 0)
        self.targets: dict[str, TargetFile] = {}
        self.roots: dict[int, bytes] = {}
        self.signed_at: object = None
        self._root = Root(consistent_snapshot=True)
        for role in ROLES:
            self._root.add_key(self.keys[role].public_key, role)
        self._sign_root([self.keys["root"]])

    def add(self, target: SlotTarget, *, epoch: int = 0, length: int | None = None) -> None:
        """Add a package to the next targets."""
        path = f"{target.package}/{target.version}"
        stated = target.length if length is None else length
        self.targets[path] = TargetFile(stated, {"sha256": target.digest}, path, {"custom": {"epoch": epoch}})

    def revoke(self, role: str) -> CryptoSigner:
        """Replace the key of a role in a new root. Returns the revoked key."""
        old, self.keys[role] = self.keys[role], CryptoSigner.generate_ed25519()
        before = [old] if role == "root" else []
        self._root.revoke_key(old.public_key.keyid, role)
        self._root.add_key(self.keys[role].public_key, role)
        self._sign_root([*before, self.keys["root"]])
        return old

    def publish(self, **keys: CryptoSigner) -> dict[str, bytes]:
        """Sign all metadata again; `keys` sign instead of a role's own."""
        signers = {**self.keys, **keys}
        targets = self._sign(Targets(self._next("targets"), expires=self._expiry("targets"), targets=dict(self.targets)), signers)
        meta = {"targets.json": _meta(self.versions["targets"], targets)}
        snapshot = self._sign(Snapshot(self._next("snapshot"), expires=self._expiry("snapshot"), meta=meta), signers)
        stamp = Timestamp(self._next("timestamp"), expires=self._expiry("timestamp"))
        stamp.snapshot_meta = _meta(self.versions["snapshot"], snapshot)
        if self.signed_at is not None:
            stamp.unrecognized_fields[SIGNED_AT] = self.signed_at
        files = {f"{version}.root.json": data for version, data in self.roots.items() if version > 1}
        return {
            **files,
            "timestamp.json": self._sign(stamp, signers),
            f"{self.versions['snapshot']}.snapshot.json": snapshot,
            f"{self.versions['targets']}.targets.json": targets,
        }

    def _sign_root(self, signers: list[CryptoSigner]) -> None:
        self._root.version = self._next("root")
        self._root.expires = self._expiry("root")
        metadata = Metadata(self._root)
        for signer in signers:
            metadata.sign(signer, append=True)
        self.roots[self._root.version] = metadata.to_bytes()

    def _sign(self, signed: Any, signers: dict[str, CryptoSigner]) -> bytes:
        metadata: Metadata[Any] = Metadata(signed)
        metadata.sign(signers[signed.type])
        return metadata.to_bytes()

    def _next(self, role: str) -> int:
        self.versions[role] += 1
        return self.versions[role]

    def _expiry(self, role: str) -> datetime:
        return (datetime.now(timezone.utc) + timedelta(days=self.days[role])).replace(microsecond=0)


def _meta(version: int, data: bytes) -> MetaFile:
    return MetaFile(version, len(data), {"sha256": hashlib.sha256(data).hexdigest()})
