"""The TUF repository: these signatures alone decide which packages devices may run, independent of messages on topics.

Four roles (specification 1.0.34): *root* names the keys, *targets* names the packages (`name/version`, length and SHA-256 of the
descriptor, epoch), *snapshot* and *timestamp* protect against mixtures, old and frozen states. At its first start the server
creates all keys; *targets* (and *root*) may be taken offline: then a person signs (`edgefleet sign`) and the server publishes it.

On disk under `folder`: `keys/`, and `metadata/` with numbered files. `timestamp.json` is written last and is authoritative.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from securesystemslib.signer import CryptoSigner, Key
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root, Signed, Snapshot, TargetFile, Targets, Timestamp

from edgefleet_contract.core.atomic_files import make_folder, sync_names
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.wire.messages import METADATA_BYTES_MAX, METADATA_FILES_MAX, SIGNED_AT, TrustOffer
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError, StoreError
from edgefleet_server.registry.signing import delegations
from edgefleet_server.registry.signing.folder_lock import FolderLock
from edgefleet_server.registry.signing.keys import ALWAYS_ONLINE, ROLES, KeyFolder, add_signature, sign, write_secret
from edgefleet_server.registry.signing.offered_metadata import OfferedMetadata
from edgefleet_server.registry.signing.root_changes import check_root, root_signers
from edgefleet_server.registry.signing.signed_targets import (
    DAY_S,
    LIFE_DAYS,
    SignedPackage,
    described,
    expiry,
    next_targets,
    withdrawn,
    without,
)
from edgefleet_server.registry.signing.stored_metadata import check_metadata

RENEW_CHECK_S: Final = 600.0
WARN_DAYS: Final = 30
OLD_VERSIONS_MAX: Final = 4

S = TypeVar("S", bound=Signed)
log = logging.getLogger(__name__)


class TufRepository:
    """One repository. Thread-safe. `now` is wall time, seconds."""

    def __init__(self, folder: Path) -> None:
        self._keys = KeyFolder(folder / "keys")
        self._folder = folder / "metadata"
        self._offered = OfferedMetadata()
        self.files = (self._folder, self._folder / "timestamp.json", folder / "keys")
        """What it needs on disk."""
        self._lock = FolderLock(self.files[1], self._again)
        self._files: dict[str, bytes] = {}
        self._teams: dict[str, Targets] = {}
        self._check_at = 0.0

    def open(self, packages: Iterable[SignedPackage], now: float, stored: Callable[[SignedPackage], bool] = bool) -> None:
        """Load the metadata, or create it with new keys; sign the unsigned packages of the registry that are `stored`.

        Raises:
            StoreError: the folder cannot be used, or its files are damaged.
        """
        with self._lock:
            self._keys.open()
            make_folder(self._folder, 0o755)
            sync_names(self._folder)  # what a killed server had written counts from here on
            if not any(self._folder.glob("*.root.json")):
                self._begin(now)
            self._load()
            for role in ROLES:
                self._keys.settle(role, self._read(Root).roles[role].keyids)
            refused = self._withdrawn()
            missing = [one for one in packages if one.path not in refused and self._signed_as(one) is None and stored(one)]
            if missing and self._keys.has("targets"):
                self._add(missing, now)
            self._renew(now)

    def sign(self, package: SignedPackage, now: float) -> bool:
        """Add `package` to the targets. False: the targets key is offline, and a person has to sign."""
        with self._lock:
            if self._signed_as(package) is not None:
                return True
            if not self._keys.has("targets") or package.path in self._withdrawn():
                return False
            self._add([package], now)
            return True

    def is_signed(self, package: SignedPackage) -> bool:
        """Whether devices take the package: it is signed, and not withdrawn."""
        with self._lock:
            return package.path not in self._withdrawn() and self._signed_as(package) is not None

    def withdraw(self, name: str, version: str, now: float, *, keep_epoch: bool = False) -> None:
        """Withdraw a version (`signed_targets.without`, which raises InputError); ConflictError: the targets key is offline."""
        with self._lock:
            if not self._keys.has("targets"):
                raise ConflictError("the key of the package list is not on the server; withdraw the version with --key FILE")
            targets = without(self._files["targets"], name, version, now, keep_epoch=keep_epoch)
            self._publish({"targets": sign(targets, self._keys.signer("targets"))}, now)

    def withdrawn_paths(self) -> list[str]:
        """All withdrawn versions, as `name/version`."""
        with self._lock:
            return sorted(self._withdrawn())

    def accept_targets(self, data: bytes, now: float, role: str = "targets") -> None:
        """Store targets metadata that was signed elsewhere: the repository's, or a team's.

        Raises:
            InputError: it is not signed by enough keys of the role, or not newer than the stored one.
        """
        with self._lock:
            if role == "targets":
                delegations.check_own(self._read(Root), data, self._read(Targets).version)
            else:
                known = self._teams[role].version if role in self._teams else 0
                delegations.check(self._read(Targets), role, data, known)
            self._publish({role: data}, now)

    def rotate(self, role: str, now: float, keys: Sequence[Key] = (), targets: bytes | None = None, threshold: int = 1) -> None:
        """Replace the keys of a role and revoke the old ones: by `keys`, which are stored elsewhere, or by a new one on the
        server.

        `threshold` of them have to sign. `targets` is the targets metadata signed with as many: without it, all packages would
        become unsigned.

        Raises:
            ConflictError: the root key is offline.
            InputError: no such role, or `targets` is missing or not signed with enough of `keys`.
        """
        if not 1 <= threshold <= max(1, len({key.keyid for key in keys})):
            raise InputError(f"a threshold of {threshold} with {len(keys)} keys is not possible; specify more keys")
        if role not in ROLES or (keys and role != "targets"):
            raise InputError(f"role {role!r}: only the key of `targets` can be offline; roles are {', '.join(ROLES)}")
        with self._lock:
            if not self._keys.has("root"):
                raise ConflictError("the root key is offline; restore keys/root.pem for this operation, then remove it again")
            root, old_root = self._read(Root), self._keys.signer("root")
            if keys and targets is None:
                raise InputError("include the targets metadata, signed with the new key")
            own = self._keys.make(role, pending=True) if not keys else None
            delegations.name_keys(root, role, keys or ([own.public_key] if own is not None else []), threshold)
            self._extend(root, "root", now)
            metadata = Metadata(root)
            metadata.sign(old_root)
            if role == "root" and own is not None:
                metadata.sign(own, append=True)
            fresh: dict[str, bytes] = {}
            if targets is not None:
                delegations.check_own(root, targets, self._read(Targets).version)
                fresh["targets"] = targets
            elif own is not None and role == "targets":
                fresh["targets"] = self._sign_again(Targets, own, now)
            self._write_root(root.version, metadata.to_bytes())
            if own is not None:
                self._keys.settle(role, root.roles[role].keyids)
            else:
                self._keys.forget(role)
            self._publish(fresh, now)

    def accept_root(self, data: bytes, now: float, targets: bytes | None = None) -> None:
        """Store a root that was signed elsewhere (errors as `check_root`), also by the server's own root key; keys that it no
        longer names are deleted. `targets`: signed with its targets keys, if these are others (InputError where they are not)."""
        with self._lock:
            current = self._read(Root)
            if self._keys.has("root"):
                data = add_signature(data, self._keys.signer("root"))
            root = check_root(current, data)
            if targets is not None:
                delegations.check_own(root, targets, self._read(Targets).version)
            elif root.roles["targets"] != current.roles["targets"]:
                raise InputError("include the targets metadata, signed with the targets keys of the new root")
            self._write_root(root.version, data)
            for role in ("root", "targets"):
                if self._keys.has(role) and self._keys.signer(role).public_key.keyid not in root.roles[role].keyids:
                    self._keys.forget(role)
            self._publish({"targets": targets} if targets is not None else {}, now)

    def replace_lost(self, now: float, roles: Sequence[str] = (), root_keys: Sequence[CryptoSigner] = ()) -> list[str]:
        """Give the roles whose key was lost new keys on the server, in one root; returns the roles. No server may use the folder.

        `roles`: those to replace; none = those that are always on the server and whose key is missing, damaged or not the
        root's. `root_keys`: root keys that are kept elsewhere, besides the server's own.

        Raises:
            InputError: no key is lost. ConflictError: the root needs more keys. StoreError: the metadata is damaged.
        """
        with self._lock:
            self._keys.open()
            self._load()
            check_metadata(self._folder, self._folder)  # only what was signed is signed again
            root = self._read(Root)
            lost = list(dict.fromkeys(roles)) or [
                role for role in ALWAYS_ONLINE if not self._keys.has_one_of(role, root.roles[role].keyids)
            ]
            if not lost:
                raise InputError("no key is lost; name the role of a key that is to be replaced with --role")
            signers = root_signers(root, [self._keys.signer("root")] if self._keys.has("root") else [], root_keys)
            fresh_keys = {role: self._keys.make(role, pending=True) for role in lost}
            for role, signer in fresh_keys.items():
                delegations.name_keys(root, role, [signer.public_key], 1)
            self._extend(root, "root", now)
            again = {"targets": self._sign_again(Targets, fresh_keys["targets"], now)} if "targets" in fresh_keys else {}
            self._write_root(root.version, sign(root, *signers))
            for role in lost:
                self._keys.settle(role, root.roles[role].keyids)
            self._publish(again, now)
            return lost

    def offer(self, now: float) -> TrustOffer:
        """Metadata files that devices may fetch now; renews ageing signatures."""
        with self._lock:
            if now >= self._check_at:
                self._renew(now)
            return self._offered.offer

    def read_block(self, sha256: str, index: int) -> bytes:
        """A block of a file that is or was recently offered; empty if there is none."""
        return self._offered.read_block(sha256, index)

    def file(self, role: str) -> bytes:
        """The current metadata of a role; `root` is the trust root of a new device.

        Raises:
            NotFoundError: there is no such role.
        """
        with self._lock:
            if role not in self._files:
                raise NotFoundError(f"no role {role!r}; roles are {', '.join(ROLES)}")
            return self._files[role]

    def offered_files(self, now: float) -> list[tuple[str, bytes]]:
        """(name, bytes) of the files that `offer` names, for an offline bundle."""
        with self._lock:
            return [(file.name, self._offered.content(file.digest)) for file in self.offer(now).files]

    def summary(self) -> list[dict[str, Any]]:
        """Each role: version, expiry, key ids, threshold, and whether its key is on the server."""
        with self._lock:
            root = self._read(Root)
            kinds: tuple[type[Signed], ...] = (Root, Targets, Snapshot, Timestamp)
            return [
                {
                    "role": kind.type,
                    "version": self._read(kind).version,
                    "expires_at": self._read(kind).expires.timestamp(),
                    "key_ids": root.roles[kind.type].keyids,
                    "threshold": root.roles[kind.type].threshold,
                    "online": self._keys.has(kind.type),
                }
                for kind in kinds
            ]

    def signed_paths(self) -> list[str]:
        """All targets, as `name/version`."""
        with self._lock:
            every = [self._read(Targets), *self._teams.values()]
            return sorted({path for part in every for path in part.targets})

    # -- called with the lock held

    def _write_root(self, version: int, data: bytes) -> None:
        self._write(f"{version}.root.json", data)
        self._files["root"] = data

    def _begin(self, now: float) -> None:
        root = Root(consistent_snapshot=True, expires=expiry("root", now))
        for role in ROLES:
            root.add_key(self._keys.make(role).public_key, role)
        self._files = {"targets": sign(Targets(expires=expiry("targets", now)), self._keys.signer("targets"))}
        self._write(f"1.{Targets.type}.json", self._files["targets"])
        meta = {"targets.json": described(1, self._files["targets"])}
        snapshot = sign(Snapshot(expires=expiry("snapshot", now), meta=meta), self._keys.signer("snapshot"))
        self._write("1.snapshot.json", snapshot)
        extra_fields = {SIGNED_AT: int(now)}
        timestamp = Timestamp(
            expires=expiry("timestamp", now), snapshot_meta=described(1, snapshot), unrecognized_fields=extra_fields
        )
        self._write("timestamp.json", sign(timestamp, self._keys.signer("timestamp")))
        self._write("1.root.json", sign(root, self._keys.signer("root")))

    def _again(self) -> None:
        """Reload the metadata after another process of this server has signed."""
        self._load()
        for role in ROLES:
            self._keys.settle(role, self._read(Root).roles[role].keyids)
        self._publish_offer(time.time())

    def _load(self) -> None:
        try:
            version = max(int(path.name.split(".")[0]) for path in self._folder.glob("*.root.json"))
            self._files = {"root": self._bytes(f"{version}.root.json"), "timestamp": self._bytes("timestamp.json")}
            self._files["snapshot"] = self._bytes(f"{self._read(Timestamp).snapshot_meta.version}.snapshot.json")
            self._files["targets"] = self._bytes(f"{self._read(Snapshot).meta['targets.json'].version}.targets.json")
            own = delegations.teams(self._read(Targets))
            self._teams = {}
            for name, meta in self._read(Snapshot).meta.items():
                team = name.removesuffix(".json")
                if team in own:
                    self._files[team] = self._bytes(f"{meta.version}.{team}.json")
                    self._teams[team] = Metadata[Targets].from_bytes(self._files[team]).signed
        except (OSError, ValueError, KeyError, RepositoryError) as error:
            raise StoreError(
                f"signed metadata in {self._folder} is damaged ({fault_text(error)}); restore the trust folder"
            ) from error

    def _add(self, packages: Iterable[SignedPackage], now: float) -> None:
        targets = next_targets(self._files["targets"], packages, now)
        self._publish({"targets": sign(targets, self._keys.signer("targets"))}, now)

    def _renew(self, now: float) -> None:
        """Sign metadata again that is past half of its validity or signed by a revoked key; log roles whose key is offline."""
        self._check_at = now + RENEW_CHECK_S
        fresh: dict[str, bytes] = {}
        if self._keys.has("targets") and self._is_old(Targets, now):
            fresh["targets"] = self._sign_again(Targets, self._keys.signer("targets"), now)
        left_days = (self._read(Targets).expires.timestamp() - now) / DAY_S
        if not fresh and left_days < WARN_DAYS:
            log.warning("the package signatures expire in %.0f days; renew them with `edgefleet sign --renew --key F`", left_days)
        if fresh or self._is_old(Snapshot, now) or self._is_old(Timestamp, now):
            self._publish(fresh, now)
        else:
            self._publish_offer(now)

    def _is_old(self, kind: type[Signed], now: float) -> bool:
        metadata = Metadata[Any].from_bytes(self._files[kind.type])
        try:
            self._read(Root).verify_delegate(kind.type, metadata.signed_bytes, metadata.signatures)
        except RepositoryError:
            return True
        return bool(metadata.signed.expires.timestamp() - now < LIFE_DAYS[kind.type] * DAY_S / 2)

    def _sign_again(self, kind: type[Root | Targets | Snapshot | Timestamp], signer: CryptoSigner, now: float) -> bytes:
        signed = self._read(kind)
        self._extend(signed, kind.type, now)
        return sign(signed, signer)

    def _publish(self, fresh: dict[str, bytes], now: float) -> None:
        """Write the new targets, if any, then a snapshot and a timestamp that name them."""
        snapshot, timestamp = self._read(Snapshot), self._read(Timestamp)
        for role, data in fresh.items():
            if len(data) > METADATA_BYTES_MAX:
                raise ConflictError(f"the signed package list exceeds {METADATA_BYTES_MAX} bytes; delete old versions")
            version = Metadata[Targets].from_bytes(data).signed.version
            self._write(f"{version}.{role}.json", data)
            snapshot.meta[f"{role}.json"] = described(version, data)
        self._extend(snapshot, "snapshot", now)
        packed = sign(snapshot, self._keys.signer("snapshot"))
        self._write(f"{snapshot.version}.snapshot.json", packed)
        timestamp.snapshot_meta = described(snapshot.version, packed)
        self._extend(timestamp, "timestamp", now)
        self._write("timestamp.json", sign(timestamp, self._keys.signer("timestamp")))
        self._load()
        for role, current in (("snapshot", snapshot.version), ("targets", self._read(Targets).version)):
            for old in range(max(1, current - OLD_VERSIONS_MAX - 8), current - OLD_VERSIONS_MAX):
                (self._folder / f"{old}.{role}.json").unlink(missing_ok=True)
        self._publish_offer(now)

    def _publish_offer(self, now: float) -> None:
        """Prepare the files for devices; those of the last offers are kept for devices that are fetching them."""
        named = {f"{self._read(Snapshot).version}.snapshot.json": self._files["snapshot"]}
        named[f"{self._read(Targets).version}.targets.json"] = self._files["targets"]
        named |= {f"{signed.version}.{team}.json": self._files[team] for team, signed in self._teams.items()}
        named["timestamp.json"] = self._files["timestamp"]
        newest = self._read(Root).version
        for version in range(max(2, newest - (METADATA_FILES_MAX - 5)), newest + 1):
            named[f"{version}.root.json"] = self._bytes(f"{version}.root.json")
        self._offered.replace(named, now)

    def _withdrawn(self) -> set[str]:
        return {path for part in (self._read(Targets), *self._teams.values()) for path in withdrawn(part)}

    def _signed_as(self, package: SignedPackage) -> TargetFile | None:
        found = delegations.find(self._read(Targets), self._teams, package.path)
        return found if found is not None and found.hashes.get("sha256") == package.digest else None

    def _read(self, kind: type[S]) -> S:
        signed = Metadata[Any].from_bytes(self._files[kind.type]).signed
        assert isinstance(signed, kind)
        return signed

    def _extend(self, signed: Signed, role: str, now: float) -> None:
        signed.version += 1
        signed.expires = expiry(role, now)
        if role == Timestamp.type:  # gives a device without a clock a lower bound of the time
            signed.unrecognized_fields[SIGNED_AT] = int(now)

    def _write(self, name: str, data: bytes) -> None:
        write_secret(self._folder / name, data)

    def _bytes(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()
