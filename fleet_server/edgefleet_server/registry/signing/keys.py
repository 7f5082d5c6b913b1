"""Signing keys (Ed25519, PKCS #8, 0600) and the roles they sign for. A key that is not on the server is offline: a person has
it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key, load_pem_public_key
from securesystemslib.signer import CryptoSigner, Key, SSlibKey
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp

from edgefleet_contract.core.atomic_files import as_store_error, make_folder, move_file, remove_file, sync_names, write_atomic
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.registry.signing.stored_metadata import ADVICE, key_advice

ROLES: Final = ("root", "targets", "snapshot", "timestamp")
ALWAYS_ONLINE: Final = ("snapshot", "timestamp")
"""Roles whose key is always on the server."""
KEY_BYTES_MAX: Final = 16 * 1024

log = logging.getLogger(__name__)


Signer = CryptoSigner
"""A private key that signs."""


class KeyFolder:
    """`folder/<role>.pem`, for the server's user only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self) -> None:
        """Create the folder.

        Raises:
            StoreError: the disk refuses.
        """
        make_folder(self._folder, 0o700)
        with as_store_error(self._folder):
            self._folder.chmod(0o700)
        sync_names(self._folder)

    def has(self, role: str) -> bool:
        return self._path(role).is_file()

    def has_one_of(self, role: str, keyids: list[str]) -> bool:
        """Whether the key of a role can be loaded and is among `keyids`."""
        signer, _ = _loaded(self._path(role))
        return signer is not None and signer.public_key.keyid in keyids

    def signer(self, role: str) -> CryptoSigner:
        """The key of a role.

        Raises:
            StoreError: it is missing, or not such a key.
        """
        return _stored_signer(self._path(role), self._path(role))

    def make(self, role: str, *, pending: bool = False) -> CryptoSigner:
        """Create a new key for a role. `settle` replaces the old one by a pending one when the root names it."""
        signer = CryptoSigner.generate_ed25519()
        write_secret(self._path(f"{role}.next" if pending else role), signer.private_bytes)
        return signer

    def settle(self, role: str, keyids: list[str]) -> None:
        """Activate the pending key of a role if it is among `keyids`, the ids in the root on disk; else delete it. A key that the
        root no longer names, because a person has the new one, is put aside."""
        pending = self._path(f"{role}.next")
        if pending.is_file():
            if self.signer(f"{role}.next").public_key.keyid in keyids:
                move_file(pending, self._path(role))
            else:
                remove_file(pending)
        if self.has(role) and self.signer(role).public_key.keyid not in keyids:
            log.warning("%s is not a key of the newest root and is put aside", self._path(role))
            move_file(self._path(role), self._path(f"{role}.revoked"))

    def forget(self, role: str) -> None:
        """Delete a key that is now kept elsewhere, or that was revoked."""
        remove_file(self._path(role))

    def _path(self, role: str) -> Path:
        return self._folder / f"{role}.pem"


def write_secret(path: Path, data: bytes) -> None:
    """Write a file atomically that only its owner may read.

    Raises:
        StoreError: the disk refuses.
    """
    write_atomic(path, data, 0o600)


def load_signer(path: Path) -> CryptoSigner:
    """The key in a file.

    Raises:
        InputError: the file is missing, or not an Ed25519 private key without a passphrase.
    """
    signer, fault = _loaded(path)
    if signer is None:
        raise InputError(f"key {path}: {fault}; specify an Ed25519 private key created by `edgefleet trust key`")
    return signer


def _stored_signer(path: Path, shown: Path) -> CryptoSigner:
    signer, fault = _loaded(path)
    if signer is None:
        raise StoreError(f"signing key {shown}: {fault}; {key_advice(shown.name)}")
    return signer


def _loaded(path: Path) -> tuple[CryptoSigner | None, str]:
    """The key in a file, or why there is none."""
    try:
        with path.open("rb") as file:
            content = file.read(KEY_BYTES_MAX)
    except OSError as error:
        return None, error.strerror or str(error)
    if not content.strip(b"\x00 \r\n"):
        return None, "the file is empty"
    try:
        key = load_pem_private_key(content, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None, "not a private key in PEM without a passphrase"
    return (CryptoSigner(key), "") if isinstance(key, Ed25519PrivateKey) else (None, "not an Ed25519 private key")


def check(trust: Path, shown: Path) -> None:
    """Check that each key in the folder `trust` can be loaded and is one that the newest root names, and that those which the
    server always needs are there. `shown`: the folder that errors name.

    Keys of `root` and `targets` may be elsewhere. A power cut during a rotation leaves the new key under another name, which the
    next start of the server settles, and may leave the old one of `targets`.

    Raises:
        StoreError: a key is missing or damaged, or belongs to other metadata.
    """
    newest = max((trust / "metadata").glob("*.root.json"), key=lambda path: int(path.name.partition(".")[0]))
    try:
        root = Metadata[Root].from_bytes(newest.read_bytes()).signed
    except (OSError, ValueError, RepositoryError) as error:
        raise StoreError(f"signed metadata {shown / 'metadata' / newest.name} is damaged; {ADVICE}") from error
    for role in ROLES:
        files = [name for name in (f"{role}.pem", f"{role}.next.pem") if (trust / "keys" / name).exists()]
        if not files and role in ALWAYS_ONLINE:
            raise StoreError(f"signing key {shown / 'keys' / role}.pem is missing; {key_advice(role)}")
        found = [_stored_signer(trust / "keys" / name, shown / "keys" / name).public_key.keyid for name in files]
        named = set(root.roles[role].keyids)
        if found and role != Targets.type and named.isdisjoint(found):
            raise StoreError(
                f"signing key {shown / 'keys' / files[0]} is not the one that {newest.name} names; {key_advice(role)}"
            )


def new_key() -> bytes:
    """A new private key, PEM."""
    return CryptoSigner.generate_ed25519().private_bytes


def public_pem(signer: CryptoSigner) -> str:
    """The public key, PEM, in the format that `public_key` reads."""
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signer.public_key.keyval["public"]))
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def public_key(pem: str) -> Key:
    """Parse a public key (PEM) from a user.

    Raises:
        InputError: it is not an Ed25519 public key.
    """
    try:
        key = load_pem_public_key(pem.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError(f"not a public key ({error}); send the PEM of an Ed25519 public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("not an Ed25519 public key; create a key with `edgefleet trust key`")
    return SSlibKey.from_crypto(key)


def sign(signed: Root | Targets | Snapshot | Timestamp, *signers: CryptoSigner) -> bytes:
    """Metadata signed by each of `signers`, as bytes for the wire."""
    metadata: Metadata[Any] = Metadata(signed)
    for signer in signers:
        metadata.sign(signer, append=True)
    return metadata.to_bytes()


def add_signature(data: bytes, signer: CryptoSigner) -> bytes:
    """Add a signature to signed metadata.

    Raises:
        InputError: it is not metadata.
    """
    try:
        metadata = Metadata[Any].from_bytes(data)
    except (RepositoryError, ValueError) as error:
        raise InputError(f"not signed metadata ({error}); specify a file written by --half") from error
    metadata.sign(signer, append=True)
    return metadata.to_bytes()
